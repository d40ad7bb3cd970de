"""The lower confidence bound: exact single limits, error rates by simulation, tightness, ties, bins and refusals."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from numerics.epsilon_star import Method, attainable, estimate, from_laws, lower_bound
from numerics.epsilon_star.audit_caveats import Caveat
from numerics.epsilon_star.confidence import Ascending, Counted, LowerBound
from numerics.epsilon_star.error_ratios import NormalLaw, Term
from numerics.epsilon_star.ratio_limits import Cuts, log_limits, p_values
from numerics.trade_off import Floats

EXACT = 1e-9  # quadrature of smooth functions
RUNS = 80
DELTA = 1e-5


def bound(train: Floats, population: Floats, delta: float = DELTA, level: float = 0.95) -> LowerBound:
    return lower_bound(Ascending(np.sort(train)), Ascending(np.sort(population)), delta, level)


def cut(named: int, named_size: int, rank: int, wronged_size: int) -> Cuts:
    return Cuts(np.array([float(named)]), named_size, np.array([float(rank)]), wronged_size)


@pytest.mark.parametrize(
    ("named", "named_size", "rank", "wronged_size"), [(5, 10, 1, 10), (9, 12, 3, 8), (40, 60, 11, 30), (60, 60, 1, 50)]
)
def test_p_value_of_equal_laws_counts_orders(named: int, named_size: int, rank: int, wronged_size: int) -> None:
    """At ratio 1 and delta 0 all orders are equally likely: at least ``named`` of the first named + rank - 1 are."""
    total = sum(
        Fraction(math.comb(k + rank - 1, k) * math.comb(named_size - k + wronged_size - rank, named_size - k))
        for k in range(named, named_size + 1)
    )
    expected = float(total / math.comb(named_size + wronged_size, named_size))
    (found,) = p_values(cut(named, named_size, rank, wronged_size), 0.0, np.zeros(1))
    assert found == pytest.approx(expected, rel=EXACT)


@pytest.mark.parametrize(("delta", "log_ratio"), [(0.0, 1.3), (0.02, 0.4), (0.1, 2.0)])
def test_p_value_agrees_with_a_sum_over_counts(delta: float, log_ratio: float) -> None:
    """An average of binomial tails over the threshold's rate, by adaptive quadrature."""
    named, named_size, rank, wronged_size = 70, 200, 9, 150
    law = stats.beta(rank, wronged_size - rank + 1)

    def tail(u: float) -> float:
        return float(stats.binom.sf(named - 1, named_size, min(1.0, delta + math.exp(log_ratio) * u)))

    expected = law.expect(tail, epsabs=1e-13, epsrel=1e-12, limit=400)
    (found,) = p_values(cut(named, named_size, rank, wronged_size), delta, np.array([log_ratio]))
    assert found == pytest.approx(expected, rel=1e-8)  # the adaptive rule's own tolerance at the kink


@pytest.mark.parametrize("delta", [0.0, 0.01])
def test_limit_is_the_quantile_of_the_ratio_of_two_betas(delta: float) -> None:
    rng = np.random.default_rng(0)
    ratio = (rng.beta(300, 701, 400_000) - delta) / rng.beta(40, 961, 400_000)
    (found,) = log_limits(cut(300, 1000, 40, 1000), delta, np.array([0.01]))
    below = np.mean(ratio < math.exp(found))
    assert below == pytest.approx(0.01, abs=4 * math.sqrt(0.01 / 400_000))


def test_ten_million_losses_have_limits() -> None:
    """With so many counts the normal approximation of the log of the ratio is right to three digits."""
    (found,) = log_limits(cut(3_000_000, 10**7, 1_000_000, 10**7), 0.0, np.array([1e-4]))
    sd = math.sqrt(0.7 / 3e6 + 0.9 / 1e6)
    assert found == pytest.approx(math.log(3) + stats.norm.ppf(1e-4) * sd, abs=1e-3 * sd * 4)


@pytest.mark.parametrize("draw", ["continuous", "rounded", "two values"])
def test_same_law_is_found_different_in_few_runs(draw: str) -> None:
    rng = np.random.default_rng(1)
    laws = {
        "continuous": lambda: rng.gamma(2, 1, 150),
        "rounded": lambda: np.round(rng.gamma(2, 1, 150)),
        "two values": lambda: (rng.random(150) < 0.1).astype(float),
    }
    found = sum(bound(laws[draw](), laws[draw]()).value > 0.0 for _ in range(RUNS))
    assert found <= stats.binom.ppf(0.999, RUNS, 0.05)


@pytest.mark.parametrize("level", [0.95, 0.5])
@pytest.mark.parametrize("delta", [1e-5, 0.05])
def test_truth_is_above_the_bound(level: float, delta: float) -> None:
    """N(0,1) against N(1,1): epsilon* is the Gaussian mechanism's epsilon at delta, over all thresholds."""
    truth = from_laws(NormalLaw(0, 1), NormalLaw(1, 1), delta).value
    rng = np.random.default_rng(2)
    above = sum(bound(rng.normal(0, 1, 400), rng.normal(1, 1, 400), delta, level).value > truth for _ in range(RUNS))
    assert above <= stats.binom.ppf(0.999, RUNS, 1 - level)


def test_bound_is_near_what_the_data_can_show() -> None:
    """Where both groups expect at least 100 losses, N(0,1) against N(1,1) has ratios up to this; correction 23."""
    n = 100_000
    tau = stats.norm.isf(100 / n) - 1.0
    shown = stats.norm.logcdf(-tau) - stats.norm.logcdf(-tau - 1.0)
    rng = np.random.default_rng(3)
    found = np.median([bound(rng.normal(0, 1, n), rng.normal(1, 1, n)).value for _ in range(5)])
    assert found == pytest.approx(shown, rel=0.2)


def test_two_values_show_what_their_counts_show() -> None:
    """Right or wrong answers only: members are wrong in 1 %, outsiders in 5 %; ties do not dilute the ratio."""
    n = 100_000
    train, population = (np.repeat([0.0, 1.0], [n - wrong, wrong]) for wrong in (1_000, 5_000))
    found = bound(train, population)
    assert found.place is not None
    assert found.place.term is Term.OUTSIDERS_ABOVE
    assert found.place.threshold == 1.0
    assert 0.0 < found.place.tied_share < 1.0
    assert 0.8 * math.log(5) < found.value < math.log(5)


@pytest.mark.parametrize(("n", "m"), [(50, 40), (1000, 1000), (40, 5000)])
def test_separated_groups_show_all_that_is_attainable(n: int, m: int) -> None:
    found = bound(np.linspace(0, 1, n), np.linspace(2, 3, m))
    assert found.value == pytest.approx(found.attainable, abs=EXACT)
    assert found.attainable == attainable(n, m, DELTA)
    assert 0.0 < found.value < math.log(max(n, m))


def test_the_counts_shown_are_those_at_the_threshold_and_show_more_than_the_bound() -> None:
    rng = np.random.default_rng(4)
    train, population = rng.normal(0, 1, 20_000), rng.normal(1, 1, 20_000)
    place = bound(train, population).place
    assert place is not None
    below = place.term in (Term.MEMBERS_BELOW, Term.OUTSIDERS_BELOW)
    counts = {
        name: int(np.sum(losses < place.threshold if below else losses > place.threshold))
        for name, losses in (("train", train), ("population", population))
    }
    members = place.term in (Term.MEMBERS_BELOW, Term.MEMBERS_ABOVE)
    expected = (counts["train"], counts["population"]) if members else (counts["population"], counts["train"])
    assert (place.named, place.wronged) == expected
    assert (place.named_size, place.wronged_size) == (20_000, 20_000)
    assert place.named / place.wronged > math.exp(bound(train, population).value)


small = st.lists(st.integers(-5, 5), min_size=10, max_size=80).map(lambda values: np.array(values, dtype=float))


@settings(max_examples=20)
@given(small, small)
def test_negated_losses_have_the_same_bound(train: Floats, population: Floats) -> None:
    assert bound(train, population).value == bound(-train, -population).value


@settings(max_examples=20)
@given(small, small)
def test_counts_of_values_give_the_same_bound(train: Floats, population: Floats) -> None:
    values = np.unique(np.concatenate([train, population]))
    members, outsiders = (Counted(values, np.array([np.sum(s == v) for v in values])) for s in (train, population))
    assert lower_bound(members, outsiders, DELTA) == bound(train, population)


def test_bins_lose_little() -> None:
    rng = np.random.default_rng(5)
    train, population = rng.normal(0, 1, 50_000), rng.normal(1, 1, 50_000)
    edges = np.linspace(-7, 8, 2001)
    members, outsiders = (Counted(edges[:-1], np.histogram(s, edges)[0].astype(float)) for s in (train, population))
    assert lower_bound(members, outsiders, DELTA).value == pytest.approx(bound(train, population).value, abs=0.05)


def test_more_confidence_and_more_delta_show_less() -> None:
    rng = np.random.default_rng(6)
    train, population = rng.normal(0, 1, 3000), rng.normal(2, 1, 3000)
    levels = [bound(train, population, level=level).value for level in (0.5, 0.9, 0.99, 0.999999)]
    assert levels == sorted(levels, reverse=True)
    deltas = [bound(train, population, delta).value for delta in (0.0, 1e-3, 0.1, 0.6, 1.0)]
    assert deltas == sorted(deltas, reverse=True)
    assert deltas[-1] == 0.0


def test_nothing_shown_has_no_place() -> None:
    losses = np.linspace(0, 1, 100)
    found = bound(losses, losses)
    assert (found.value, found.place) == (0.0, None)


def test_the_estimate_carries_the_bound() -> None:
    rng = np.random.default_rng(7)
    train, population = rng.normal(0, 1, 2000), rng.normal(1.5, 1, 2000)
    found = estimate(train, population, DELTA, Method.CONFIDENCE, level=0.99)
    assert found.confidence == bound(train, population, level=0.99)
    assert found.value == found.confidence.value > 1.0
    assert found.caveats == ()
    assert estimate(train, population, 0.01, Method.CONFIDENCE).caveats == (Caveat.DELTA_TOO_LARGE,)


@pytest.mark.parametrize("level", [1.0, -0.1, math.nan])
def test_level_must_leave_some_risk(level: float) -> None:
    with pytest.raises(ValueError, match="level must be between 0 and 1"):
        bound(np.arange(20.0), np.arange(20.0), level=level)


def test_a_bound_takes_no_clip() -> None:
    with pytest.raises(ValueError, match="clip must be None for a lower confidence bound"):
        estimate(np.arange(20.0), np.arange(20.0), DELTA, Method.CONFIDENCE, 0.001)


def test_error_rates_are_those_of_the_counts() -> None:
    rng = np.random.default_rng(8)
    train, population = rng.normal(-1.5, 1.0, 400), rng.normal(0.0, 0.5, 500)
    for losses, others, term in ((train, population, Term.MEMBERS_BELOW), (-train, -population, Term.MEMBERS_ABOVE)):
        found = bound(losses, others)
        assert found.place is not None
        assert found.place.term is term
        named, wronged = found.place.named / 400, found.place.wronged / 500
        rates = (wronged, 1.0 - named) if term is Term.MEMBERS_BELOW else (1.0 - wronged, named)
        peak = found.peaks[0]
        assert (peak.false_positive_rate, peak.false_negative_rate) == rates
