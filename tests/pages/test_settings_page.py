"""Settings: the model that turns text into vectors, its state and its remedy."""

import inspect

import pytest
from streamlit.testing.v1 import AppTest

from narrative_core.build_stages import Model
from narrative_core.errors import InvalidInput
from narrative_core.space.endpoint_embedder import EndpointEmbedder
from narrative_core.store.database import Database
from narrative_core.ui import resources
from narrative_core.ui.builds import KIND
from narrative_core.ui.embedding import choose_model, chosen_model
from tests.conductor_samples import FakeChild
from tests.pages.page_samples import save_unbuilt, town_documents
from tests.pages.screen import COLLECTIONS, SETTINGS, open_page, unescaped, words
from tests.space.fake_endpoint import FakeEndpoint


def endpoint_settings(*, address: str = "", key: str = "") -> AppTest:
    screen = open_page(SETTINGS)
    screen.radio(key="model-where").set_value("From an endpoint").run()
    screen.text_input(key="model-address").set_value(address).run()
    if key:
        screen.text_input(key="embedding-key").set_value(key).run()
    return screen


def host_of(endpoint: FakeEndpoint) -> str:
    return endpoint.url.removeprefix("http://").removesuffix("/v1")


def told(screen: AppTest) -> list[str]:
    return [found.value for found in (*screen.success, *screen.warning, *screen.error, *screen.exception)]


def test_the_local_model_is_ready_and_chosen() -> None:
    screen = open_page(SETTINGS)
    assert "WordLlama is ready" in told(screen)[0]
    assert screen.button(key="model-use").disabled
    assert chosen_model() == Model()


def test_the_local_model_answers() -> None:
    screen = open_page(SETTINGS)
    screen.button(key="model-test").click().run()
    assert "It answered with a vector of 256 dimensions" in told(screen)[-1]


def test_an_endpoint_answers(endpoint: FakeEndpoint) -> None:
    screen = endpoint_settings(address=endpoint.url, key="secret-word")
    assert unescaped(*told(screen)) == f"Key typed in this session for {host_of(endpoint)}, in memory only."
    assert unescaped(screen.text_input(key="embedding-key").label) == f"Key for {host_of(endpoint)}, this session only"
    screen.button(key="model-test").click().run()
    assert "It answered with a vector of 3 dimensions" in told(screen)[-1]
    assert endpoint.keys == ["Bearer secret-word"]
    assert endpoint.bodies[0]["model"] == "text-embedding-3-small"
    assert "secret-word" not in " ".join(told(screen))


def test_a_test_chooses_nothing(endpoint: FakeEndpoint) -> None:
    endpoint_settings(address=endpoint.url, key="k").button(key="model-test").click().run()
    assert chosen_model() == Model()


def test_a_chosen_model_is_there_in_the_next_session_and_its_key_is_not(endpoint: FakeEndpoint) -> None:
    screen = endpoint_settings(address=f" {endpoint.url} ", key="secret-word")
    screen.text_input(key="model-name").set_value("my-model").run()
    screen.button(key="model-use").click().run()
    assert chosen_model() == Model("my-model", endpoint.url)
    again = open_page(SETTINGS)
    assert again.radio(key="model-where").value == "From an endpoint"
    assert again.text_input(key="model-name").value == "my-model"
    assert again.text_input(key="model-address").value == endpoint.url
    assert again.text_input(key="embedding-key").value == ""
    assert "No key found" in told(again)[0]


def test_a_typed_key_is_still_there_for_a_build_on_another_page(
    endpoint: FakeEndpoint, database: Database, child: FakeChild
) -> None:
    save_unbuilt(database, town_documents(range(0, 120, 10)))
    screen = endpoint_settings(address=endpoint.url, key="secret-word")
    screen.button(key="model-use").click().run()
    screen.switch_page(COLLECTIONS).run()
    screen.button(key="build-town").click().run()
    job = resources.runner().latest(KIND, "town")
    assert job is not None
    resources.runner().wait(job.job_id, timeout_s=60)
    assert child.environments[0] == {"OPENAI_API_KEY": "secret-word"}
    assert "secret-word" not in words(screen)
    screen.switch_page(SETTINGS).run()
    assert unescaped(*told(screen)) == f"Key typed in this session for {host_of(endpoint)}, in memory only."


@pytest.mark.parametrize("address", ["https://me:secret-word@example.org/v1", "https://secret-word@example.org/v1"])
def test_an_address_with_a_password_is_refused_and_not_kept(address: str) -> None:
    screen = endpoint_settings(address=address, key="k")
    screen.button(key="model-use").click().run()
    (error,) = screen.error
    assert unescaped(error.value) == ("The address carries a name or a password. Type the key into its own field.")
    assert chosen_model() == Model()
    with pytest.raises(InvalidInput, match="password"):
        choose_model(Model("m", address))


def test_the_local_model_is_chosen_again() -> None:
    screen = endpoint_settings(address="http://127.0.0.1:9/v1", key="k")
    screen.button(key="model-use").click().run()
    screen.radio(key="model-where").set_value("On this computer").run()
    screen.button(key="model-use").click().run()
    assert chosen_model() == Model()


def test_without_a_key_the_page_says_where_one_may_be() -> None:
    screen = endpoint_settings()
    assert told(screen)[0].startswith("No key found. Set OPENAI_API_KEY")
    screen.button(key="model-test").click().run()
    (error,) = screen.error
    assert "OPENAI_API_KEY" in error.value.replace("\\", "")
    assert screen.radio(key="model-where").value == "From an endpoint"


def test_a_key_in_the_environment_is_found_and_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret-word")
    screen = endpoint_settings()
    assert unescaped(*told(screen)) == "Key found in the environment (OPENAI_API_KEY)."


def test_an_endpoint_that_cannot_be_reached_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    options = inspect.getattr_static(EndpointEmbedder, "__init__").__kwdefaults__
    monkeypatch.setitem(options, "max_retries", 0)
    screen = endpoint_settings(address="http://127.0.0.1:9/v1", key="k")
    screen.button(key="model-test").click().run()
    (error,) = screen.error
    assert error.value.replace("\\", "").startswith("127.0.0.1:9 cannot be reached.")
    assert [found.value for found in screen.exception] == []


def test_a_key_that_is_not_accepted_is_said_and_not_shown(endpoint: FakeEndpoint) -> None:
    endpoint.answer = lambda _: (401, {"error": {"message": "secret-word is wrong"}})
    screen = endpoint_settings(address=endpoint.url, key="secret-word")
    screen.button(key="model-test").click().run()
    (error,) = screen.error
    assert "does not accept the key" in error.value
    assert "secret-word" not in error.value


def test_an_address_that_is_none_is_said() -> None:
    screen = endpoint_settings(key="k")
    screen.text_input(key="model-address").set_value("not an address").run()
    assert screen.text_input(key="embedding-key").disabled
    screen.button(key="model-test").click().run()
    assert len(screen.error) == 1
    assert "unexpected" not in screen.error[0].value
    assert "Something went wrong" not in screen.error[0].value


def test_a_key_of_the_environment_is_not_sent_to_a_stored_address_of_another_host(
    endpoint: FakeEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret-word")
    screen = endpoint_settings(address=endpoint.url)
    screen.button(key="model-test").click().run()
    assert [keys for keys in endpoint.keys if "secret-word" in keys] == []
    assert endpoint.keys == ["Bearer none"]
    assert "No key is sent" in unescaped(screen.info[0].value)


def test_a_key_that_was_typed_for_one_address_is_not_sent_to_another_and_can_be_typed_again(
    endpoint: FakeEndpoint,
) -> None:
    screen = endpoint_settings(key="secret-word")
    assert unescaped(*told(screen)) == "Key typed in this session for api.openai.com, in memory only."
    screen.text_input(key="model-address").set_value(endpoint.url).run()
    screen.button(key="model-test").click().run()
    assert endpoint.keys == ["Bearer none"]
    said = "one was typed in this session, but that one is for api.openai.com and is not sent to"
    assert f"No key is sent: {said} {host_of(endpoint)}." in unescaped(screen.info[0].value)
    again = f"The key that was typed before is for api.openai.com. If {host_of(endpoint)} may have it, type it again."
    assert again in words(screen)
    assert screen.text_input(key="embedding-key").value == ""
    screen.text_input(key="embedding-key").set_value("secret-word").run()
    assert again not in words(screen)
    screen.button(key="model-test").click().run()
    assert endpoint.keys[1:] == ["Bearer secret-word"]


def test_a_typed_key_is_not_sent_to_an_address_that_somebody_else_chose_meanwhile(
    endpoint: FakeEndpoint, database: Database, child: FakeChild
) -> None:
    save_unbuilt(database, town_documents(range(0, 120, 10)))
    screen = endpoint_settings(address="http://127.0.0.1:9/v1", key="secret-word")
    screen.button(key="model-use").click().run()
    screen.switch_page(COLLECTIONS).run()
    choose_model(Model("m", endpoint.url))
    screen.button(key="build-town").click().run()
    job = resources.runner().latest(KIND, "town")
    assert job is not None
    resources.runner().wait(job.job_id, timeout_s=60)
    assert child.environments[0] == {"OPENAI_API_KEY": "none"}


def test_a_key_of_the_environment_goes_to_the_address_of_the_environment(
    endpoint: FakeEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret-word")
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
    screen = endpoint_settings()
    screen.button(key="model-test").click().run()
    assert endpoint.keys == ["Bearer secret-word"]
