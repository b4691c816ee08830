"""Prices that a person has set. Those that the program knows by itself are not in here."""

import math

from narrative_core.errors import InvalidInput
from narrative_core.judgements import Price
from narrative_core.store.database import Database


def load_prices(database: Database) -> tuple[Price, ...]:
    """Return the prices that a person has set, by model."""
    with database.reading() as cursor:
        rows = cursor.execute("SELECT model, input_usd, output_usd, source FROM prices ORDER BY model").fetchall()
    return tuple(Price(*row) for row in rows)


def save_price(database: Database, price: Price) -> None:
    """Save the price of a model in place of the former one.

    Raises
    ------
    InvalidInput
        If the model has no name, or a price is negative or not a number.
    """
    if not price.model.strip():
        msg = "A price belongs to a model; none was named. Write the model's name as the endpoint has it."
        raise InvalidInput(msg)
    for told in (price.input_usd, price.output_usd):
        if not (math.isfinite(told) and told >= 0):
            msg = f"A price is 0 or more US dollars per million tokens; got {told:g} for {price.model!r}. Correct it."
            raise InvalidInput(msg)
    with database.transaction() as cursor:
        cursor.execute(
            "INSERT INTO prices (model, input_usd, output_usd, source) VALUES (?, ?, ?, ?) ON CONFLICT (model)"
            " DO UPDATE SET input_usd = excluded.input_usd, output_usd = excluded.output_usd, source = excluded.source",
            [price.model, float(price.input_usd), float(price.output_usd), price.source],
        )


def delete_price(database: Database, model: str) -> None:
    """Forget the price that a person has set for a model; nothing happens where none is."""
    with database.transaction() as cursor:
        cursor.execute("DELETE FROM prices WHERE model = ?", [model])
