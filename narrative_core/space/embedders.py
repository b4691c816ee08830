"""What turns texts into vectors."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from narrative_core.records import Progress
from narrative_core.settings import endpoint_address, endpoint_host

LOCAL_MODEL = "wordllama"
DEFAULT_ENDPOINT_MODEL = "text-embedding-3-small"


class Embedder(Protocol):
    """A model that places texts on the unit sphere, equal texts on equal points."""

    @property
    def model(self) -> str:
        """Name of the model, as stored with the vectors."""
        ...

    @property
    def version(self) -> str:
        """What else decides the vectors: package version and configuration, or the endpoint's host."""
        ...

    @property
    def notices(self) -> tuple[str, ...]:
        """Sentences on texts that the last `embed` could not take as they were, with their number."""
        ...

    def embed(self, texts: Sequence[str], progress: Progress | None = None) -> NDArray[np.float32]:
        """Vectors of ``texts``: (n, d) float32, unit rows, in the order given; ``progress`` counts texts."""
        ...


def make_embedder(model: str = LOCAL_MODEL, *, base_url: str | None = None, api_key: str | None = None) -> Embedder:
    """The embedder of a model: "wordllama" runs here without network, any other name is asked of an endpoint.

    Parameters
    ----------
    model : str
        "wordllama", or the name that an OpenAI-compatible endpoint knows ("text-embedding-3-small").
    base_url, api_key : str, optional
        Of the endpoint; by default ``OPENAI_BASE_URL`` and ``OPENAI_API_KEY`` of the environment.

    Raises
    ------
    EmbeddingUnavailable
        If the local model's files are missing or the endpoint needs a key and there is none.
    """
    if model == LOCAL_MODEL:
        from narrative_core.space.wordllama_embedder import WordLlamaEmbedder

        return WordLlamaEmbedder()
    from narrative_core.space.endpoint_embedder import EndpointEmbedder

    return EndpointEmbedder(model, base_url=base_url, api_key=api_key)


def embedder_version(model: str = LOCAL_MODEL, *, base_url: str | None = None) -> str:
    """The ``version`` that the embedder of a model has, without loading or asking it."""
    if model == LOCAL_MODEL:
        from narrative_core.space.wordllama_embedder import installed_version

        return installed_version()
    return endpoint_host(endpoint_address(base_url))
