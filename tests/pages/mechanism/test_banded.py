"""Noise in bands on the explorer: its numbers beside the textbook's, what must hold, and what is refused by name."""

import csv
import io
from dataclasses import replace
from math import ceil

import numpy as np
import pytest
from scipy.stats import norm

from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Sampling
from pages.mechanism import banded
from pages.mechanism.banded import planned, ways
from tests.pages.mechanism.visit import CHOICE, page

EPOCH = replace(CHOICE, mechanism=Gaussian(2.0, 0.125, 40))


def column_of(bands: int) -> float:
    """The length of the first column: coefficients of (1 - x)^(-1/2), by binomials."""
    terms = [np.prod([(2.0 * j - 1.0) / (2.0 * j) for j in range(1, place + 1)]) for place in range(bands)]
    return float(np.linalg.norm(terms))


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO("\n".join(line for line in text.splitlines() if line[0] != "#"))))


@pytest.mark.parametrize(("bands", "separation"), [(1, 1), (4, 4), (3, 5), (8, 8)])
def test_drawn_in_a_cycle_it_is_a_sampled_release_of_fewer_steps(bands: int, separation: int) -> None:
    _, drawn, fixed = ways(planned(EPOCH, bands, separation))
    assert drawn.release is not None
    assert drawn.release.noise_multiplier == pytest.approx(2.0)
    assert drawn.release.steps == ceil(40 / separation)
    assert drawn.release.sampling_rate == pytest.approx(0.125 * separation)
    assert fixed.release is not None  # five times, eight steps apart: columns lie side by side
    power = norm.sf(norm.isf(1e-3) - np.sqrt(5.0) / 2.0)
    assert fixed.release.power(1e-3).upper == pytest.approx(power, rel=1e-9)


def test_noise_in_running_sums_is_in_units_of_the_longest_column() -> None:
    """By the inverse series, whose sums are those of (1 - x)^-1 / C(x), term by term."""
    independent, drawn, _ = ways(planned(EPOCH, 4, 4))
    assert independent.error == pytest.approx(2.0 * np.sqrt(20.5), rel=1e-12)
    terms, sums = [1.0, 0.5, 0.375, 0.3125], list[float]()
    for step in range(40):
        sums.append(1.0 - sum(terms[place] * sums[step - place] for place in range(1, min(step, 3) + 1)))
    mean = np.mean(np.cumsum(np.square(sums)))
    assert drawn.error == pytest.approx(2.0 * column_of(4) * np.sqrt(mean), rel=1e-12)
    assert drawn.error < independent.error


def test_the_table_and_the_data_say_the_same() -> None:
    plan = planned(EPOCH, 4, 4)
    table, data = banded.table(EPOCH, ways(plan)), rows(banded.data(EPOCH, plan))
    assert [row["noise"] for row in data] == table["noise"]
    for shown, row in zip(list(table.values())[2], data, strict=True):
        assert float(row["epsilon at most"]) <= float(shown) <= 1.001 * float(row["epsilon at most"])


def test_the_fields_of_a_report_are_about_the_bands() -> None:
    found = dict(banded.fields(EPOCH, planned(EPOCH, 4, 4)))
    assert "4 bands: 40 steps of banded matrix factorisation" in found["Mechanism, sensitivity"]
    assert "split into 4 parts before anybody looks" in found["Sampler"]
    assert found["Steps, composition"].endswith("accounted as Gaussian, noise 2, rate 0.5, 10 steps.")
    epsilon = Gaussian(2.0, 0.5, 10).epsilon(1e-5).upper
    said = float(found["Parameters"].split(": ")[1].split(";")[0])
    assert epsilon <= said <= 1.001 * epsilon
    assert "split into 4 parts" in banded.report(EPOCH, planned(EPOCH, 4, 4))


@pytest.mark.parametrize(
    ("release", "bands", "separation", "why"),
    [
        (Composition((Gaussian(1.0), Gaussian(2.0))), 2, 2, "normal noise in one phase only"),
        (Laplace(1.0, 0.1, 40), 2, 2, "normal noise in one phase only"),
        (Gaussian(2.0, 0.125, 40, records_per_person=2), 2, 2, "people with one record only"),
        (Gaussian(2.0, 0.125, 2001), 2, 2, "up to 2,000 steps, got 2,001"),
        (EPOCH.mechanism, 4, 3, "4 bands need as many steps apart, got 3: else the columns of C overlap"),
        (EPOCH.mechanism, 9, 9, "a batch is larger: 0.125 of all. Set at most 8 steps apart"),
    ],
)
def test_what_is_not_certified_is_refused_with_the_reason(release, bands, separation, why) -> None:
    with pytest.raises(ValueError, match=why):
        planned(replace(EPOCH, mechanism=release), bands, separation)


def test_other_batches_have_no_amplification_and_the_fixed_cycle_stays() -> None:
    shuffled = EPOCH.mechanism.with_neighbours(Adjacency.ZERO_OUT, Sampling.SHUFFLED)
    _, drawn, fixed = ways(planned(replace(EPOCH, mechanism=shuffled), 4, 4))
    assert drawn.release is None
    assert "set are shuffled batches" in drawn.refusal
    assert fixed.release is not None
    found = dict(banded.fields(replace(EPOCH, mechanism=shuffled), planned(replace(EPOCH, mechanism=shuffled), 4, 4)))
    assert "in a fixed cycle" in found["Sampler"]


def test_a_link_restores_the_part_with_its_numbers() -> None:
    app = page(rate="0.125", steps="40", noise="2", knows_rate="true", banded="true", bands="4")
    (table,) = (one.value for one in app.table if "bands, drawn in a cycle" in one.value.to_string())
    assert list(table["what it is"]) == ["as above", "guarantee", "exact"]
    assert any("**What must hold.** Drawn in a cycle" in caption.value for caption in app.caption)
    app = page(rate="0.125", steps="40", noise="2", knows_rate="true", banded="true", bands="9")
    assert any("Set at most 8 steps apart" in warning.value for warning in app.warning)
