"""Pages with a mechanism that they were not written for: right, or refused by its name, and no page is taken down."""

import tomllib
from itertools import cycle
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from numerics.mechanisms import MECHANISMS, Gaussian, SampledMechanism
from pages.ui import comparison, release_in_force
from tests.pages.driver import SHOWN, numbered, text, visit
from tests.secant import Secant
from tests.strategies import KNOWN

TABLE = tomllib.loads(Path(__file__).with_name("addresses.toml").read_text())["unknown_noise"]
ADDRESSES, PARTS = TABLE["releases"], TABLE["parts"]
# Those with a law of one coordinate first; all other tests are about Gaussian noise.
KINDS = sorted((kind for kind in MECHANISMS if kind is not Gaussian), key=lambda kind: kind not in KNOWN)


@pytest.fixture(autouse=True)
def on_offer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Secant noise can be chosen."""
    for kinds in (release_in_force.KINDS, comparison._KINDS):
        monkeypatch.setitem(kinds, Secant.name, Secant)


def page(part: str, address: str, mechanism: str = "Secant") -> AppTest:
    return visit(f"{part}&mechanism={mechanism}&{address}", folds_open=True)


@pytest.mark.parametrize(("part", "address", "kind"), list(zip(PARTS, cycle(ADDRESSES), cycle(KINDS), strict=False)))
def test_no_page_is_taken_down_and_what_is_refused_is_refused_by_name(
    part: str, address: str, kind: type[SampledMechanism]
) -> None:
    """Every part is asked about one kind; but for one statistic no noise with a law is called unknown."""
    other, usual = page(part, address), page(part, ADDRESSES[1], kind.name)
    SHOWN.check(f"{part}, {kind.name}", [*numbered(other), *numbered(usual)])
    said = text(usual)
    beside = f"The magnitude of the mean is not offered for {kind.name} noise"
    assert kind not in KNOWN or "not offered for" not in said.replace(beside, "")


def test_what_does_not_know_the_noise_says_so_and_the_answer_stays() -> None:
    app = page("mechanism?estimates=CLT&estimates=Edgeworth&estimates=Monte+Carlo&mechanism.relaxed=true", ADDRESSES[1])
    refused = ["not offered for Secant noise." in str(said.value) for said in (*app.info, *app.warning)]
    assert refused == [True] * 4
    assert "people can be found while" in text(app)
    app = page("attackers?dimension=30&attackers.part=who+knows+what", ADDRESSES[0])
    assert list(app.table[0].value["Share found"])[1] == "—"
    assert "Unknown: the record  \n:material/door_open: **No number**" in [button.label for button in app.button]
    assert "about Gaussian noise in one phase, got Secant" in text(app)
    said = text(page("attackers?attackers.part=audit", ADDRESSES[1]))
    assert "A planted record is not offered for Secant noise" in said
