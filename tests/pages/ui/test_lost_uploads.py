"""A file that a reload, a restart or a link does not bring along is said to be gone."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.uploading import change, give
from tests.pages.visit import addressed, checked, script_of, visited

SECONDS = 60
ROWS = "\n".join(["name,p", *(f"c{row},{1 / 64}" for row in range(64))])
LIST = {"knows": "an uploaded distribution", "candidates_from": "a file"}
GONE = "uploaded or pasted here is gone"


def page(file: str = "reconstruct", **query: Any) -> AppTest:
    return visited(
        AppTest.from_string(script_of(f"pages/{file}/page.py"), default_timeout=SECONDS), addressed(file, query)
    )


def given(app: AppTest) -> AppTest:
    return give(app, ("list.csv", ROWS.encode()))


def named(app: AppTest) -> list[str]:
    """The places that the address names."""
    found = app.query_params["uploaded"]
    return [found] if isinstance(found, str) else list(found)


def says_gone(app: AppTest) -> bool:
    return any(GONE in warning.value for warning in app.warning)


def captions(app: AppTest) -> str:
    return " ".join(str(caption.value) for caption in app.caption)


def test_the_address_says_that_there_was_a_file_and_a_new_session_that_it_is_gone() -> None:
    app = given(page(**LIST))
    assert named(app) == ["reconstruct.candidates"]
    assert not says_gone(app)
    assert "restores the settings. The data is not in it" in captions(app)
    again = page(**LIST, uploaded="reconstruct.candidates")
    assert says_gone(again)
    assert not says_gone(given(again))


def test_a_file_that_was_removed_is_not_missed() -> None:
    app = given(page(**LIST))
    change(app)
    (remove,) = (button for button in app.button if button.label == "Remove")
    checked(remove.click().run())
    assert "uploaded" not in app.query_params
    assert not says_gone(app)


def test_files_of_several_models() -> None:
    app = page("audit", source="several models")
    rows = "\n".join(["loss,member", *(f"{row * 37 % 101 / 50 + row % 2},{row % 2}" for row in range(60))])
    give(app, *((f"{name}.csv", rows.encode()) for name in "ab"))
    (slot,) = named(app)
    assert says_gone(page("audit", source="several models", uploaded=slot))
    change(app)
    (remove,) = (button for button in app.button if button.label == "Remove all")
    checked(remove.click().run())
    assert "uploaded" not in app.query_params


@pytest.mark.parametrize("text", ["", " "])
def test_pasted_text(text: str) -> None:
    query = {"weigh": "your own sweep", "land_from": "pasted text"}
    app = page("frontier", **query)
    sweep = "strategy,run,accuracy,epsilon\na,1,0.8,1.0\na,2,0.9,1.5\nb,1,0.7,0.5\nb,2,0.6,0.4\n"
    checked(app.text_area("frontier.land_text").set_value(sweep).run())
    (slot,) = named(app)
    checked(app.text_area("frontier.land_text").set_value(text).run())
    assert "uploaded" not in app.query_params
    assert not says_gone(app)
    assert says_gone(page("frontier", **query, uploaded=slot))
