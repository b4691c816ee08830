"""What models cost: the prices that the program knows, a person's own in their place, and the table to edit them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from narrative_core.errors import InvalidInput
from narrative_core.judgements import Price
from narrative_core.judging.prices import DEFAULT_PRICES
from narrative_core.store.prices import delete_price, load_prices, save_price
from narrative_core.ui import resources, state
from narrative_core.ui.words import markdown_text, sentence

MODEL, INPUT, OUTPUT, SOURCE, SET_BY = "Model", "Input, US$", "Output, US$", "Source", "Set by"
OWN_SOURCE = "your own figure"
MOST_USD = 1_000_000
"""For a million tokens. Costs are added up, and a sum of the largest floats is none."""
_GENERATION = "prices_generation"


@dataclass(frozen=True, slots=True)
class PriceChanges:
    """What an edited table asks for: prices to keep, and models whose own price is to be forgotten."""

    kept: tuple[Price, ...]
    forgotten: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do."""
        return not self.kept and not self.forgotten


def present_prices(own: Sequence[Price], defaults: Sequence[Price] = DEFAULT_PRICES) -> tuple[Price, ...]:
    """Return the prices in force by model: a person's own goes before the program's."""
    by_model = {price.model: price for price in (*defaults, *own)}
    return tuple(by_model[model] for model in sorted(by_model, key=str.casefold))


def price_frame(own: Sequence[Price], defaults: Sequence[Price] = DEFAULT_PRICES) -> pd.DataFrame:
    """Return the prices in force as a table, with who set each."""
    own_models = {price.model for price in own}
    rows = [
        (p.model, p.input_usd, p.output_usd, p.source, "you" if p.model in own_models else "Throughline")
        for p in present_prices(own, defaults)
    ]
    return pd.DataFrame(rows, columns=[MODEL, INPUT, OUTPUT, SOURCE, SET_BY])


def price_changes(
    rows: Sequence[Mapping[str, object]], own: Sequence[Price], defaults: Sequence[Price] = DEFAULT_PRICES
) -> PriceChanges:
    """Return what an edited table asks for, before anything is stored.

    A row as the program knows it is nobody's own; a row that is gone forgets a person's own price, and the program's
    comes back.

    Parameters
    ----------
    rows : sequence of mappings
        The edited table. A row without model and prices is passed over.
    own, defaults : sequence of Price
        A person's prices and the program's, as they are now.

    Raises
    ------
    InvalidInput
        If a row has no model or not both prices, a price is negative or above 1,000,000, or two rows have one model.
    """
    edited: dict[str, Price] = {}
    for row in rows:
        price = _price_from(row)
        if price is None:
            continue
        if price.model in edited:
            raise InvalidInput(f"{price.model} is in the table twice. Remove one of the rows.")
        edited[price.model] = price
    built_in = {price.model: price for price in defaults}
    before = {price.model: price for price in own}
    kept = tuple(
        _own(price, built_in.get(price.model))
        for price in edited.values()
        if price not in (before.get(price.model), built_in.get(price.model))
    )
    forgotten = tuple(model for model in before if model not in edited or edited[model] == built_in.get(model))
    return PriceChanges(kept, forgotten)


def price_table() -> None:
    """Show the prices in force, and let a person set them."""
    own = load_prices(resources.database())
    st.caption(
        "US dollars per million tokens. Double-click a figure to change it; the last row adds a model. They make the "
        "forecast and the sums from here on; what a judgement has cost is stored with it and stays. A model that is "
        "not here has no price: its tokens are told alone. Throughline's own figures are list prices of the day that "
        "the source names; check them before you rely on them."
    )
    edited = st.data_editor(
        price_frame(own),
        num_rows="dynamic",
        hide_index=True,
        height="content",
        disabled=[SET_BY],
        key=f"prices-{_generation()}",
        column_config={
            MODEL: st.column_config.TextColumn(required=True, width="small", help="As the endpoint names it."),
            INPUT: st.column_config.NumberColumn(
                min_value=0.0, format="%.3f", width="small", help="For a million tokens sent."
            ),
            OUTPUT: st.column_config.NumberColumn(
                min_value=0.0, format="%.3f", width="small", help="For a million tokens received."
            ),
            SET_BY: st.column_config.TextColumn(width="small", help="Whose figure it is: yours goes first."),
            SOURCE: st.column_config.TextColumn(width="large", help="Where the figure is from, and of which day."),
        },
    )
    try:
        changes = price_changes([{str(k): v for k, v in row.items()} for row in edited.to_dict("records")], own)
    except InvalidInput as problem:
        st.warning(f"Not kept yet. {markdown_text(sentence(str(problem)))}", icon=":material/edit:")
        changes = PriceChanges((), ())
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Save the prices", type="primary", key="prices-save", disabled=changes.is_empty,
            on_click=_store, args=(changes,),
        )  # fmt: skip
        if own:
            everything = PriceChanges((), tuple(price.model for price in own))
            st.button("Back to Throughline's prices", key="prices-reset", on_click=_store, args=(everything,))


def _price_from(row: Mapping[str, object]) -> Price | None:
    """Return the price of a row, ``None`` for an empty one."""
    model, source = _text(row.get(MODEL)), _text(row.get(SOURCE))
    input_usd, output_usd = _number(row.get(INPUT)), _number(row.get(OUTPUT))
    if not model and math.isnan(input_usd) and math.isnan(output_usd):
        return None
    if not model:
        raise InvalidInput("A price belongs to a model. Write the model's name as the endpoint has it.")
    for value in (input_usd, output_usd):
        if not 0 <= value <= MOST_USD:
            told = f"0 or more US dollars per million tokens, and at most {MOST_USD:,}"
            raise InvalidInput(f"{model} needs both prices, {told}.")
    return Price(model, input_usd, output_usd, source)


def _own(price: Price, built_in: Price | None) -> Price:
    """Return a person's price; one that changed the program's figure does not stand under its source."""
    is_borrowed = built_in is not None and price.source == built_in.source
    return replace(price, source=OWN_SOURCE) if is_borrowed else price


def _text(value: object) -> str:
    # An empty cell is None or nan, as pandas likes it.
    return " ".join(value.split()) if isinstance(value, str) else ""


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else math.nan


def _store(changes: PriceChanges) -> None:
    database = resources.database()
    for model in changes.forgotten:
        delete_price(database, model)
    for price in changes.kept:
        save_price(database, price)
    # A table under another key forgets what was typed into the former one.
    st.session_state[_GENERATION] = _generation() + 1
    state.notify("The prices are kept.")


def _generation() -> int:
    return int(st.session_state.get(_GENERATION, 0))
