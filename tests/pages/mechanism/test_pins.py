"""Releases pinned on the explorer page: how they are spelled in the address, and what they are compared with."""

import pytest
import streamlit as st

from numerics.mechanisms import Gaussian, Mechanism, Sampling
from pages.ui import comparison, pins
from tests.pages.mechanism.visit import CHOICE, RELEASES

SPELLED = [
    "Gaussian_1_0.01_1000_add",
    "Laplace_0.333333_1e-07_1000000_replace",
    "Gaussian_1.25_0.5_3_add~Gaussian_2_1_1_add",
    "Gaussian_1.414630012345679_0.3333333333333333_7_add",
    "Gaussian_1_0.01_1000_add_k4",
]
PINNED = [*RELEASES, Gaussian(1.0, 0.01, 1000, records_per_person=4)]


@pytest.mark.parametrize(("release", "text"), list(zip(PINNED, SPELLED, strict=True)), ids=SPELLED)
def test_pins_are_spelled_as_in_old_links_and_read_back(release: Mechanism, text: str) -> None:
    assert pins.spelled(release) == text
    assert pins.read(text) == release


@pytest.mark.parametrize(
    "text",
    [
        *("", "Gaussian_1_0.01_1000", "Gaussian_-1_0.01_10_add", "Gauss_1_1_1_add", "~~", "a" * 999),
        "Gaussian_1_0.01_1000_fixed_k4",
    ],
)
def test_misspelled_pins_are_no_pins(text: str) -> None:
    assert pins.read(text) is None
    assert not Sampling.FIXED_SIZE.batches.several_records


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
    address = Written(pins=SPELLED[0])
    monkeypatch.setattr(st, "query_params", address)
    monkeypatch.setattr(st, "session_state", {})
    (kept,) = pins.pinned()
    assert pins.pinned() == [kept]
    assert address.times == 0
    pins.pin(kept)
    assert len(pins.pinned()) == len(pins.pinned()) == 2
    assert address == {"pins": f"{SPELLED[0]}__{SPELLED[0]}"}
    assert address.times == 1
    for _ in range(2):
        pins.unpin(0)
    assert pins.pinned() == []
    assert address == {}
