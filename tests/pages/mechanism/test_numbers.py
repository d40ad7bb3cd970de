"""Numbers and sentences of the explorer beside its curve: its table, and what has to be compared with a second way."""

import csv
import io
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import streamlit as st

from numerics.deadline import DeadlineError
from numerics.mechanisms import Gaussian, Mechanism, Sampling
from numerics.trade_off import Bound, Bracket, Order
from pages.mechanism import banded, batches, figures, in_numbers
from pages.server.budget import Budget, within
from pages.ui import (
    cached,
    people_scene,
    pins,
    release_curves,
    weak_epsilon,
)
from pages.ui.figure_controls import SecondFigure
from tests.pages.answers import Answers
from tests.pages.mechanism.visit import CHOICE

ROUNDED = 1e-12  # the same number by two roads
COARSE = 0.05  # figures over other noise are computed coarsely
SHOWN = 1e-3  # relative: numbers are rounded up to four digits
EPOCH = replace(CHOICE, mechanism=Gaussian(2.0, 0.125, 40))
PERSON = replace(CHOICE, mechanism=Gaussian(1.0, 0.01, 1000, records_per_person=4))
BANDS = banded.planned(EPOCH, 4, 4)
FEW = Gaussian(1.0, 0.01, 100)


def crowd_of(release: Mechanism, alpha: float, prior: float = 0.1, order: Order = Order.ADD) -> int:
    """Of how many people everything is counted: more than 10,000 only where the count would be none of them, or all."""
    choice = replace(CHOICE, mechanism=release, alpha=alpha, order=order)
    text = in_numbers.sentences(choice, prior)
    (crowd,) = {int(one.replace(",", "")) for one in re.findall(r"(?:\bof|Of) (1[\d,]*0)\b", text)}
    assert crowd == people_scene.scene(choice, "one").crowd
    found = int(re.findall(r"(?:[Aa]t most|up to) \*\*([\d,]+)", text)[0].replace(",", ""))
    assert crowd == 10_000 or min(found, crowd - found) < crowd / 1000
    assert cached.power(release, alpha, order).upper * crowd <= found * (1 + ROUNDED)
    return crowd


TABLE = Answers(__file__, globals())


@pytest.mark.parametrize(("part", "row"), TABLE.rows())
def test_table(part: str, row: list[object]) -> None:
    TABLE.check(part, row)


def test_numbers_are_rounded_to_the_safe_side_and_a_weak_one_is_the_one_shown() -> None:
    epsilon = cached.epsilon(CHOICE.mechanism, CHOICE.delta).upper
    assert epsilon <= float(in_numbers.numbers(CHOICE, 0.1)[0].value) <= epsilon * (1 + SHOWN)
    weak = replace(CHOICE, mechanism=Gaussian(0.4))
    said = weak_epsilon.warning(weak)
    assert f"An ε of {in_numbers.numbers(weak, 0.1)[0].value} promises little" in said
    factor = int(re.findall(r"by a factor of ([\d,]+)", said)[0].replace(",", ""))
    assert factor == np.ceil(np.exp(cached.epsilon(weak.mechanism, weak.delta).upper))


def test_second_figures_go_through_the_numbers_of_the_release(monkeypatch: pytest.MonkeyPatch) -> None:
    effect = release_curves.power_against_effect(Gaussian(2.0), 0.01, Order.ADD)
    at_release = int(np.argmin(np.abs(effect.effect_size - 0.5)))
    assert effect.bound is Bound.EXACT
    assert effect.power[at_release] == pytest.approx(Gaussian(2.0).power(0.01).estimate, rel=COARSE)
    assert np.all(np.diff([effect.effect_size, effect.power]) > 0.0)
    with within(Budget(0.0)), pytest.raises(DeadlineError):
        release_curves.power_against_effect(Gaussian(2.0), 0.0123, Order.ADD)
    profile = release_curves.profile(CHOICE.mechanism, 1e-5, cached.PRECISION)
    assert profile.delta[0] == pytest.approx(cached.advantage(CHOICE.mechanism).estimate, rel=ROUNDED)
    assert profile.upper[-1] == pytest.approx(1e-10, rel=COARSE)  # the end is sought with a bracket reaching further
    assert np.all(np.diff(profile.delta) <= 0.0)
    assert np.all((profile.lower <= profile.delta) & (profile.delta <= profile.upper))
    monkeypatch.setattr(Gaussian, "epsilon", lambda *_: Bracket(1.0, np.inf, np.inf))
    with pytest.raises(ValueError, match="epsilon is infinite"):
        release_curves.profile(Gaussian(1.0, 0.01, 10), 1e-5, cached.PRECISION)


def test_the_file_of_a_second_figure_has_what_is_drawn() -> None:
    sampled, step = Gaussian(1.0, 0.1, 20), Gaussian(2.0)  # of one step many powers are computed
    of_step = release_curves.power_against_effect(step, CHOICE.alpha, CHOICE.order).power
    for second, release_drawn, column, drawn in (
        (SecondFigure.EVIDENCE, sampled, "mass with", cached.statistic(sampled).alternative),
        (SecondFigure.POWER, step, "power", of_step),
        (SecondFigure.PROFILE, sampled, "delta", release_curves.profile(sampled, 1e-5, cached.PRECISION).delta),
        (
            *(SecondFigure.BATCHES, FEW, "epsilon (at most: a guarantee)"),
            batches.over_noise(FEW, Sampling.POISSON, 1e-5).upper,
        ),
    ):
        text = figures.second_table(replace(CHOICE, mechanism=release_drawn), second, 1)
        found = pd.read_csv(io.StringIO(text), comment="#")[column]
        np.testing.assert_array_equal(found[: len(drawn)], drawn)
        assert release_drawn.label in text


def test_table_file_and_report_of_bands_say_the_same() -> None:
    table = banded.table(EPOCH, banded.ways(BANDS))
    written = "\n".join(line for line in banded.data(EPOCH, BANDS).splitlines() if line[0] != "#")
    data = list(csv.DictReader(io.StringIO(written)))
    assert [row["noise"] for row in data] == table["noise"]
    for shown, row in zip(list(table.values())[2], data, strict=True):
        assert float(row["epsilon at most"]) <= float(shown) <= (1 + SHOWN) * float(row["epsilon at most"])
    said = float(dict(banded.fields(EPOCH, BANDS))["Parameters"].split(": ")[1].split(";")[0])
    epsilon = Gaussian(2.0, 0.5, 10).epsilon(1e-5).upper
    assert epsilon <= said <= (1 + SHOWN) * epsilon


def test_the_address_is_written_where_pins_change_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time it is written, the visitor's later changes would be put back."""
    times = []

    class Written(dict[str, str]):
        def __setitem__(self, name: str, value: str) -> None:
            times.append(value)
            super().__setitem__(name, value)

    monkeypatch.setattr(st, "query_params", Written(pins="Gaussian_1_0.01_1000_add"))
    monkeypatch.setattr(st, "session_state", {})
    (kept,) = pins.pinned()
    assert pins.pinned() == [kept]
    assert times == []
    pins.pin(kept)
    assert len(pins.pinned()) == len(pins.pinned()) == 2
    assert times == ["Gaussian_1_0.01_1000_add__Gaussian_1_0.01_1000_add"]
