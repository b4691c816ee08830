import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_samples import HOSTILE, texts

from narrative_core.errors import InvalidInput
from narrative_core.judgements import Price
from narrative_core.store.database import Database
from narrative_core.store.prices import delete_price, load_prices, save_price

amounts = st.floats(0, allow_infinity=False)


@settings(max_examples=40, deadline=None)
@given(texts.filter(str.strip), amounts, amounts, texts)
def test_a_price_comes_back_until_it_is_deleted(
    lasting_database: Database, model: str, input_usd: float, output_usd: float, source: str
) -> None:
    one = Price(model, input_usd, output_usd, source)
    save_price(lasting_database, one)
    assert load_prices(lasting_database) == (one,)
    delete_price(lasting_database, model)
    assert load_prices(lasting_database) == ()


def test_a_new_price_takes_the_place_of_the_former_one_of_that_model(database: Database) -> None:
    save_price(database, Price("b", 1, 2))
    save_price(database, Price("a", 3, 4, "a page"))
    save_price(database, Price("b", 5, 0, HOSTILE))
    assert load_prices(database) == (Price("a", 3, 4, "a page"), Price("b", 5, 0, HOSTILE))


def test_deleting_a_price_that_nobody_set_changes_nothing(database: Database) -> None:
    save_price(database, Price("a", 3, 4))
    delete_price(database, "A")
    assert load_prices(database) == (Price("a", 3, 4),)


@pytest.mark.parametrize("amount", [-0.01, math.nan, math.inf])
def test_what_is_no_amount_of_money_is_refused(database: Database, amount: float) -> None:
    for one in (Price("a", amount, 1), Price("a", 1, amount)):
        with pytest.raises(InvalidInput, match=r"0 or more US dollars per million tokens; got .* for 'a'"):
            save_price(database, one)
    assert load_prices(database) == ()


@pytest.mark.parametrize("model", ["", " \t"])
def test_a_price_without_a_model_is_refused(database: Database, model: str) -> None:
    with pytest.raises(InvalidInput, match="A price belongs to a model"):
        save_price(database, Price(model, 1, 1))
