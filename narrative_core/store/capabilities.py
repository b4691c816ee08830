"""What models were found to accept, so that it is found out once."""

from narrative_core.clock import now_text
from narrative_core.judgements import Capabilities
from narrative_core.store.database import Database

_SELECT = "SELECT endpoint, model, takes_temperature, takes_seed, form, context_tokens, noted_at FROM capabilities"


def load_capabilities(database: Database, endpoint: str, model: str) -> Capabilities:
    """Return what is known of a model at an endpoint; where nothing is, every field is ``None``."""
    with database.reading() as cursor:
        rows = cursor.execute(f"{_SELECT} WHERE endpoint = ? AND model = ?", [endpoint, model]).fetchall()
    return Capabilities(*rows[0]) if rows else Capabilities(endpoint, model)


def list_capabilities(database: Database) -> tuple[Capabilities, ...]:
    """Return all that is known, by endpoint and model."""
    with database.reading() as cursor:
        rows = cursor.execute(f"{_SELECT} ORDER BY endpoint, model").fetchall()
    return tuple(Capabilities(*row) for row in rows)


def save_capabilities(database: Database, found: Capabilities) -> None:
    """Save what was found out of a model. ``None`` leaves what is known as it is; the rest takes its place.

    Parameters
    ----------
    database : Database
        Where to.
    found : Capabilities
        The present moment stands for an empty ``noted_at``.
    """
    with database.transaction() as cursor:
        cursor.execute(
            "INSERT INTO capabilities"
            " (endpoint, model, takes_temperature, takes_seed, form, context_tokens, noted_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (endpoint, model) DO UPDATE SET"
            " takes_temperature = coalesce(excluded.takes_temperature, capabilities.takes_temperature),"
            " takes_seed = coalesce(excluded.takes_seed, capabilities.takes_seed),"
            " form = coalesce(excluded.form, capabilities.form),"
            " context_tokens = coalesce(excluded.context_tokens, capabilities.context_tokens),"
            " noted_at = excluded.noted_at",
            [
                found.endpoint,
                found.model,
                found.takes_temperature,
                found.takes_seed,
                found.form,
                found.context_tokens,
                found.noted_at or now_text(),
            ],
        )


def forget_capabilities(database: Database, endpoint: str, model: str) -> None:
    """Forget what is known of a model at an endpoint, so that it is found out anew; nothing where nothing is known."""
    with database.transaction() as cursor:
        cursor.execute("DELETE FROM capabilities WHERE endpoint = ? AND model = ?", [endpoint, model])
