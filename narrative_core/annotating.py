"""What stands beside a story: the notes on its documents and links, and how many copies its documents have."""

from narrative_core.curation import Annotations, Curation
from narrative_core.extraction import LoadedCollection
from narrative_core.records import StoryPair


def annotate(loaded: LoadedCollection, pair: StoryPair, curation: Curation | None = None) -> Annotations:
    """Return the notes and numbers of copies that belong to a trail and its random chronology.

    Parameters
    ----------
    loaded : LoadedCollection
    pair : StoryPair
    curation : Curation, optional
        The notes as they lie on the desk; by default those of the collection as it was loaded.
    """
    notes = loaded.curation if curation is None else curation
    stories = (pair.trail, pair.baseline)
    told = dict.fromkeys(document.document_id for story in stories for document in story.documents)
    links = dict.fromkeys((link.source, link.target) for story in stories for link in story.links)
    return Annotations(
        document_notes={one: notes.document_notes[one] for one in told if one in notes.document_notes},
        link_notes={ends: notes.link_notes[ends] for ends in links if ends in notes.link_notes},
        copies={one: len(loaded.copies[one]) - 1 for one in told if len(loaded.copies.get(one, ())) > 1},
    )
