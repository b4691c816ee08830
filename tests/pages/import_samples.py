"""Importing on the page Collections: handing over files, and waiting for what goes on in the background."""

import io

import numpy as np
from numpy.typing import NDArray
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Selectbox, TextInput

from narrative_core.records import Job
from narrative_core.store.jobs import list_jobs
from narrative_core.ui import resources
from narrative_core.ui.builds import KIND
from tests.pages.screen import keys, words

N_ROWS = 12
PATIENCE_S = 60.0
NEWS = "headline;when;body\n" + "".join(
    f"Report {row} on the {'rocket' if row % 2 else 'river'};2021-03-{row + 1:02};Words of report {row}.\n"
    for row in range(N_ROWS)
)


def settled(screen: AppTest) -> AppTest:
    """Draw the page until nothing that it shows is under way."""
    while any(key.startswith("stop-") for key in keys(screen)) or "Stopping …" in words(screen):
        for job in list_jobs(resources.database()):
            if job.state == "running":
                resources.runner().wait(job.job_id, timeout_s=PATIENCE_S)
        screen.run()
    return screen


def upload(screen: AppTest, content: str | bytes, name: str = "News of 2021.csv") -> AppTest:
    """Hand over a file, and return when it is read."""
    data = content.encode() if isinstance(content, str) else content
    screen.file_uploader(key="import-file").set_value((name, data, "application/octet-stream"))
    return settled(screen.run())


def press(screen: AppTest, key: str) -> AppTest:
    """Press a button, and return when what it starts has ended."""
    return settled(screen.button(key=key).click().run())


def import_news(screen: AppTest) -> AppTest:
    """Import the news of twelve days."""
    return press(upload(screen, NEWS), "import-go")


def select(screen: AppTest, label: str) -> Selectbox[str]:
    """Return the one select box with a label."""
    (box,) = [box for box in screen.selectbox if box.label == label]
    return box


def field(screen: AppTest, label: str) -> TextInput:
    """Return the one text field with a label."""
    (found,) = [found for found in screen.text_input if found.label == label]
    return found


def npy(values: NDArray[np.float32]) -> bytes:
    """Return an array as the bytes of a ``.npy`` file."""
    file = io.BytesIO()
    np.save(file, values, allow_pickle=False)
    return file.getvalue()


def finished_build(name: str) -> Job:
    """Return the latest build of a collection when it has ended."""
    job = resources.runner().latest(KIND, name)
    assert job is not None
    resources.runner().wait(job.job_id, timeout_s=PATIENCE_S)
    ended = resources.runner().latest(KIND, name)
    assert ended is not None
    return ended
