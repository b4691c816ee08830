"""Where things are, from the environment. Keys are read where they are used and kept nowhere."""

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

PROJECT = Path(__file__).resolve().parent.parent
DATABASE_VARIABLE = "THROUGHLINE_DB"
ADDRESS_VARIABLE = "OPENAI_BASE_URL"
KEY_VARIABLE = "OPENAI_API_KEY"
OPENAI_URL = "https://api.openai.com/v1"


def database_path(named: str | None = None, *, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the database file: the one named, else ``THROUGHLINE_DB``, else ``throughline.duckdb`` in the project.

    Examples
    --------
    >>> database_path("mine.duckdb").name
    'mine.duckdb'
    >>> database_path(environ={"THROUGHLINE_DB": "class.duckdb"}).name
    'class.duckdb'
    """
    chosen = named or environ.get(DATABASE_VARIABLE)
    return Path(chosen).expanduser() if chosen else PROJECT / "throughline.duckdb"


def endpoint_address(base_url: str | None = None, *, environ: Mapping[str, str] = os.environ) -> str:
    """Return the address of the endpoint that is asked: the one given, else ``OPENAI_BASE_URL``, else OpenAI's.

    Examples
    --------
    >>> endpoint_address(environ={})
    'https://api.openai.com/v1'
    """
    return (base_url or environ.get(ADDRESS_VARIABLE) or OPENAI_URL).strip()


def is_endpoint_address(address: str) -> bool:
    """Return whether an address is one of the web, with a host."""
    try:
        parts = urlsplit(address)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def endpoint_host(address: str) -> str:
    """Return host and port alone: an address may carry a password.

    Examples
    --------
    >>> endpoint_host("http://ann:secret@localhost:8080/v1")
    'localhost:8080'
    """
    parts = urlsplit(address)
    return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
