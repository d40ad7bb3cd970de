"""Releases pinned on the explorer page: how they are spelled in the address, and what they are compared with."""

from dataclasses import replace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from numerics.mechanisms import Gaussian, Mechanism
from numerics.trade_off import TradeOffCurve
from pages.ui import cached, comparison, pins
from tests.pages.mechanism.visit import CHOICE, RELEASES, button, page


@pytest.mark.parametrize("release", RELEASES)
def test_pins_are_read_as_they_are_spelled(release: Mechanism) -> None:
    assert pins.read(pins.spelled(release)) == release


def test_spelling_of_pins_is_pinned() -> None:
    assert [pins.spelled(release) for release in RELEASES] == [
        "Gaussian_1_0.01_1000_add",
        "Laplace_0.333333_1e-07_1000000_replace",
        "Gaussian_1.25_0.5_3_add~Gaussian_2_1_1_add",
        "Gaussian_1.414630012345679_0.3333333333333333_7_add",
    ]


@pytest.mark.parametrize(
    "text", ["", "Gaussian_1_0.01_1000", "Gaussian_-1_0.01_10_add", "Gauss_1_1_1_add", "~~", "a" * 999]
)
def test_misspelled_pins_are_no_pins(text: str) -> None:
    assert pins.read(text) is None


def test_pin_compare_and_unpin() -> None:
    app = page()
    button(app, "Pin and compare").click().run()  # type: ignore[attr-defined]
    assert app.session_state["pins.kept"] == [CHOICE.mechanism]
    assert app.query_params["pins"] == "Gaussian_1_0.01_1000_add"
    app.number_input(key="noise").set_value(2.0).run()
    assert [curve.label for curve in comparison_curves(app)] == ["A: Gaussian, noise 1, rate 0.01, 1,000 steps"]
    button(app, "Unpin A: Gaussian, noise 1, rate 0.01, 1,000 steps").click().run()  # type: ignore[attr-defined]
    assert app.session_state["pins.kept"] == []
    assert "pins" not in app.query_params


def comparison_curves(app: AppTest) -> list[TradeOffCurve]:
    kept = app.session_state["pins.kept"]
    return [replace(cached.trade_off(release), label=f"A: {release.label}") for release in kept]


@pytest.mark.parametrize(
    ("address", "kept", "left_out"),
    [
        ("", 0, 0),
        ("Laplace_2_1_1_add", 1, 0),
        ("nonsense__Laplace_2_1_1_add__<b>", 1, 2),
        ("__".join(["Laplace_2_1_1_add"] * 6), 4, 2),
        ("__" * 100_000, 0, 101),
    ],
    ids=lambda value: str(value)[:20],
)
def test_pins_that_are_left_out_are_counted(address: str, kept: int, left_out: int) -> None:
    found, lost = pins.read_all(address)
    assert (len(found), lost) == (kept, left_out)


def test_pins_that_are_left_out_are_said() -> None:
    app = page(pins="nonsense__Laplace_2_1_1_add")
    assert "1 of the pins" in app.toast[0].value
    assert not page(pins="Laplace_2_1_1_add").toast


def test_no_more_than_four_pins() -> None:
    five = "__".join(f"Gaussian_{noise}_1_1_add" for noise in range(1, 6))
    app = page(pins=five)
    assert len(app.session_state["pins.kept"]) == pins.LARGEST == 4
    assert button(app, "Pin and compare").disabled  # type: ignore[attr-defined]


def test_table_compares_with_the_release_in_force() -> None:
    table = comparison._table(CHOICE, [CHOICE.mechanism, Gaussian(1.0)])
    assert list(table) == ["at most", "now", "A", "B"]
    assert all(cell.endswith("(× 1.00)") for cell in table["A"])
    assert table["B"][0].startswith("4.378")


class Written(dict[str, str]):
    """An address that counts how often it was written: each time, the visitor's later changes would be put back."""

    times = 0

    def __setitem__(self, name: str, value: str) -> None:
        self.times += 1
        super().__setitem__(name, value)


def test_the_address_is_written_where_pins_change_only(monkeypatch: pytest.MonkeyPatch) -> None:
    address = Written(pins="Gaussian_1_0.01_1000_add")
    monkeypatch.setattr(st, "query_params", address)
    monkeypatch.setattr(st, "session_state", {})
    (kept,) = pins.pinned()
    assert pins.pinned() == [kept]
    assert address.times == 0
    pins.pin(kept)
    assert len(pins.pinned()) == len(pins.pinned()) == 2
    assert address == {"pins": "Gaussian_1_0.01_1000_add__Gaussian_1_0.01_1000_add"}
    assert address.times == 1
    for _ in range(2):
        pins.unpin(0)
    assert pins.pinned() == []
    assert address == {}
