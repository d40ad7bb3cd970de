"""Figures of paper 000: what is shipped is what its script makes, and what is measured lies where theory has it."""

import numpy as np
import pytest

from data import make_one_feature_task, make_relaxed_reconstruction
from numerics import shipped
from numerics.audits import Scores, repeated
from numerics.relaxed.generalised_ratio import GeneralisedRatioTest, LogGammaNoise, RatioStatistic
from numerics.trade_off import Order
from pages.papers.papers import BY_ADDRESS
from tests.pages.papers.test_lecture import drawn

DEVIATIONS = 5.0  # of a mean over audits: 38 points a figure


def of(columns: object, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Positions and values of what is drawn under this name."""
    assert isinstance(columns, dict)
    names, _, x, y = columns.values()
    seen = np.array(names) == name
    return np.asarray(x)[seen], np.asarray(y)[seen]


@pytest.mark.parametrize("run", make_relaxed_reconstruction.RUNS[:2], ids=lambda run: run[0])
def test_shipped_reconstruction_is_what_its_script_makes(run: tuple[str, object, float]) -> None:
    """At the epsilon of the paper; the rest is computed the same way."""
    made = make_relaxed_reconstruction.rows(*run, 1.0)  # type: ignore[arg-type]
    kept = [row for row in shipped.rows("relaxed_reconstruction") if row["run"] == run[0] and row["epsilon"] == "1"]
    for own, row in zip(made, kept, strict=True):
        assert [float(cell) for cell in list(row.values())[1:]] == pytest.approx(list(own[1:]), rel=1e-5)


def test_shipped_task_is_what_its_script_makes() -> None:
    text = (shipped.DATA / "one_feature_task.csv").read_text(encoding="utf-8")
    assert text == make_one_feature_task.table()
    labels = [row["label"] for row in shipped.rows("one_feature_task")]
    assert len(labels) == 1025
    assert 510 <= labels.count("1") <= 515


@pytest.mark.parametrize("slug", ["000-fig-3b", "000-fig-3c", "000-fig-5b", "000-fig-6"])
def test_measured_curves_lie_on_the_theory(slug: str) -> None:
    columns = drawn(BY_ADDRESS[slug]).columns
    for measured, theory in (("measured", "j"), ("reversed", "j⁻¹")):
        alpha, beta = of(columns, measured)
        expected = np.interp(alpha, *of(columns, theory))
        # An audit of so few rounds is a little off: ranks are whole numbers.
        error = np.sqrt(beta * (1.0 - beta) / 102_400) + np.sqrt(alpha * (1.0 - alpha) / 102_400) * 2.0
        assert np.all(np.abs(beta - expected) < DEVIATIONS * error + 0.5 / 1024), measured


def test_the_one_sided_attack_reaches_full_knowledge_and_the_other_does_not() -> None:
    columns = drawn(BY_ADDRESS["000-fig-3a"]).columns
    for measured, theory in (("one-sided attack", "f, full knowledge"), ("two-sided attack", "j, record unknown")):
        alpha, beta = of(columns, measured)
        assert np.allclose(beta, np.interp(alpha, *of(columns, theory)), atol=0.03), measured


def test_eq_7_is_near_in_300_dimensions_and_far_in_one() -> None:
    figure = BY_ADDRESS["000-fig-2a"]
    far = []
    for dimension in (300.0, 1.0):
        columns = drawn(figure, dimension).columns
        exact, formula = (of(columns, name)[1] for name in ("j", "Eq. 7, left"))
        far.append(np.max(np.abs(exact - formula)))
    assert far[0] < 0.01
    assert far[1] > 0.1


@pytest.mark.parametrize("shape", [0.5, 1.0, 20.0, 1000.0])
def test_lemma_5_is_drawn_with_either_estimate_and_said_of_the_restricted_one(shape: float) -> None:
    """The restricted estimate is both one-sided tests by definition; that of Eq. 26 departs where noise is skewed."""
    entry = BY_ADDRESS["000-lemma-5"]
    seen = drawn(entry, shape)
    assert set(seen.names) >= {
        f"{e}, {w}" for e in ("unrestricted, Eq. 26", "restricted: two tests") for w in ("up", "down")
    }
    rates = np.linspace(0.01, 0.5, 50)
    noise = LogGammaNoise(shape)
    restricted = GeneralisedRatioTest(noise, 1.5, RatioStatistic.RESTRICTED)
    for words, side in (("up", 1.5), ("down", -1.5)):
        shown = [seen.at(f"restricted: two tests, {words}", rate) for rate in rates]
        assert shown == pytest.approx(restricted.errors(rates, side).beta, abs=1e-3)
    apart = max(
        abs(seen.at("unrestricted, Eq. 26, up", rate) - seen.at("restricted: two tests, up", rate)) for rate in rates
    )
    assert (apart > 0.03) == (shape <= 20.0)
    assert apart < 0.15
    said = entry.said(seen)
    assert "restricted" in said
    assert "by definition" in said


def test_published_accuracies_are_drawn_as_printed() -> None:
    for letter, full, unknown in (("a-cifar-10", 0.67, 0.81), ("b-snli", 0.78, 0.80), ("c-imagenet", 0.46, 0.48)):
        columns = drawn(BY_ADDRESS[f"000-fig-4{letter}"]).columns
        assert list(columns["accuracy"])[:2] == [full, unknown]


def test_repeated_audits_have_the_mean_and_the_scatter_of_their_curves() -> None:
    draw = np.random.default_rng(0)
    scores = Scores(draw.standard_normal(200_000), draw.standard_normal(200_000) + 1.0)
    found = repeated(scores, 200, np.array([0.1, 0.5]))
    assert found.mean == pytest.approx([0.6109, 0.1587], abs=4e-3)
    assert found.deviation == pytest.approx([0.0265, 0.0142], rel=0.2)  # by the delta method, of 1,000 rounds
    backwards = repeated(Scores(-scores.alternative, -scores.null), 200, np.array([0.1, 0.5]))
    turned = repeated(scores, 200, np.array([0.1, 0.5]), Order.REMOVE)
    assert turned.mean == pytest.approx(backwards.mean)
    with pytest.raises(ValueError, match="rounds of an audit"):
        repeated(Scores(np.zeros(100), np.zeros(100)), 60, np.array([0.1]))
