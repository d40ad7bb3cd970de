"""Noise in bands, and people with several records: numbers beside the textbook's, and what is refused by name."""

import csv
import io
from dataclasses import replace
from math import ceil

import numpy as np
import pytest
from scipy.stats import norm

from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.trade_off import Bracket
from pages.attackers.answer import verdict
from pages.mechanism import banded, unit_of_privacy
from pages.mechanism.banded import planned, ways
from pages.ui.memo import assumptions
from pages.ui.people_scene import scene
from pages.ui.prior_guess import Guessed, Known, success_sentence
from pages.ui.threat_models.notions import FULL
from pages.ui.threat_models.release import ReleaseSetting
from pages.ui.threat_models.views import view
from tests.pages.mechanism.visit import CHOICE

EPOCH = replace(CHOICE, mechanism=Gaussian(2.0, 0.125, 40))
PERSON = replace(CHOICE, mechanism=Gaussian(1.0, 0.01, 1000, records_per_person=4))
SHUFFLED = EPOCH.mechanism.with_neighbours(Adjacency.ZERO_OUT, Sampling.SHUFFLED)
SHOWN = 1.001  # numbers are rounded up to four digits


def column_of(bands: int) -> float:
    """The length of the first column: coefficients of (1 - x)^(-1/2), by binomials."""
    terms = [np.prod([(2.0 * j - 1.0) / (2.0 * j) for j in range(1, place + 1)]) for place in range(bands)]
    return float(np.linalg.norm(terms))


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


def test_table_file_and_report_of_bands_say_the_same() -> None:
    plan = planned(EPOCH, 4, 4)
    table = banded.table(EPOCH, ways(plan))
    written = "\n".join(line for line in banded.data(EPOCH, plan).splitlines() if line[0] != "#")
    data = list(csv.DictReader(io.StringIO(written)))
    assert [row["noise"] for row in data] == table["noise"]
    for shown, row in zip(list(table.values())[2], data, strict=True):
        assert float(row["epsilon at most"]) <= float(shown) <= SHOWN * float(row["epsilon at most"])
    fields = dict(banded.fields(EPOCH, plan))
    assert "4 bands: 40 steps of banded matrix factorisation" in fields["Mechanism, sensitivity"]
    assert "split into 4 parts before anybody looks" in fields["Sampler"]
    assert fields["Steps, composition"].endswith("accounted as Gaussian, noise 2, rate 0.5, 10 steps.")
    epsilon = Gaussian(2.0, 0.5, 10).epsilon(1e-5).upper
    assert epsilon <= float(fields["Parameters"].split(": ")[1].split(";")[0]) <= SHOWN * epsilon
    assert "split into 4 parts" in banded.report(EPOCH, plan)


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
    choice = replace(EPOCH, mechanism=SHUFFLED)
    _, drawn, fixed = ways(planned(choice, 4, 4))
    assert drawn.release is None
    assert "set are shuffled batches" in drawn.refusal
    assert fixed.release is not None
    assert "in a fixed cycle" in dict(banded.fields(choice, planned(choice, 4, 4)))["Sampler"]


def test_the_certified_value_stands_beside_conversions_and_what_is_wrong() -> None:
    table = unit_of_privacy.conversions(PERSON)
    kinds = dict(zip(table["from"], table["what it is"], strict=True))
    found, epsilon = list(table)[2:]
    assert table[epsilon][0] == "8.900"
    assert float(table[epsilon][2]) == pytest.approx(11.81, abs=0.02)
    assert kinds["4 ε at the same δ"] == "wrong: an attack reaches more"
    assert float(table[epsilon][-1]) < 8.89
    tight, loose = (int(table[found][row].replace(",", "")) for row in (0, 1))
    assert 41 < tight < loose


def test_a_person_with_fewer_records_faces_less() -> None:
    table = unit_of_privacy.by_records(PERSON, unit_of_privacy.read("4: 20, 1: 900, 2: 80"))
    assert table["records per person"] == ["1", "2", "4", "mean over people"]
    assert table["people"] == ["900", "80", "20", "1,000"]
    one, two, four, mean = (int(text.replace(",", "")) for text in list(table.values())[2])
    assert one == 41
    assert one < two < four
    assert one < mean < four


@pytest.mark.parametrize(
    "text", ["1 900", "1: 900, 1: 4", "300: 1", "0: 3", "1: 0", ", ".join(["1: 1"] * 13), "1: 1e3"]
)
def test_what_is_no_list_of_people_is_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError, match="records"):
        unit_of_privacy.read(text)


def test_words_everywhere_count_people_with_their_records() -> None:
    words, setting = scene(PERSON, "one").words, ReleaseSetting(PERSON)
    assert words.after.startswith("people with 4 records each can be found while 10 of 10,000 outsiders")
    compared, _, protected = assumptions(PERSON.mechanism)
    assert "lacks all records of this one person" in compared
    assert "One person is protected, with at most 4 records" in protected
    assert "4 records per person" in PERSON.words
    assert "of 10,000 people with 4 records each" in verdict(setting, view(setting, FULL))
    known = Known(1e-3, Guessed.RECORD)
    assert "with this release, in which the person has 4 records" in success_sentence(Bracket.exact(0.1), known, 4)
