"""Each number and name is written in one way, on whatever page it stands."""

import pytest

from pages.ui.catalog import PAGES
from tests.pages import wording
from tests.pages.visit import app_at, visited

STATES: list[tuple[str, dict[str, str]]] = [
    *((page.address, {}) for page in PAGES),
    ("mechanism", {"mechanism": "Laplace", "noise": "0.3", "rate": "1", "steps": "1", "knows_rate": "true"}),
    ("mechanism", {"accused": "0.01", "delta": "1e-9", "mechanism.numbers": "true"}),
    ("reconstruct", {"reconstruct.kappa": "1e-09"}),
]


@pytest.mark.parametrize(("address", "query"), STATES, ids=str)
def test_every_text_is_written_as_all_others_are(address: str, query: dict[str, str]) -> None:
    app = visited(app_at(address), query)
    assert len(list(wording.texts(app))) > 20
    assert wording.found(app) == []
    assert not app.toast, "an address of this table is not understood"
