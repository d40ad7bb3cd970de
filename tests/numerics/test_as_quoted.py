"""Formulas that do not hold: they return the values recorded of them, and those that hold do not."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import binom

from numerics import as_quoted, conversions, membership
from numerics.approximations import clt_mu
from numerics.audits import glir
from numerics.audits.one_run import Guesses, odds
from numerics.chi_squared import quantile
from numerics.epsilon_star.permutation import Null
from numerics.gaussian_membership.composition import relaxed_mu
from numerics.mechanisms import Adjacency, Gaussian, Laplace
from numerics.mechanisms.gaussian import GaussianShift
from numerics.mechanisms.laplace import FoldedLaplace
from numerics.mechanisms.sampled_once import SampledOnce
from numerics.membership.sampler import NormNoise
from numerics.relaxed import asymptotics
from numerics.trade_off import Order
from tests.reference import Reference, each, every_row

ROUNDING = 1e-12
SEARCHED = 1e-9  # of what is found by bisection
APART = 1e-4  # relative; the least that a negative row of the reference file differs from what is right
Pair = tuple[float, float]  # as quoted, and right


def one(value: float) -> Any:
    return np.array([value])


def laplace_inverse(row: Reference) -> Pair:
    alpha, mu = one(row.number("alpha")), row.number("mu1")
    right = FoldedLaplace(mu).inverse(alpha, 1.0 - alpha).beta[0]
    return as_quoted.inverse_of_folded_laplace(alpha, mu)[0], right


def theorem_3_left(row: Reference) -> Pair:
    alpha, d, kappa = one(row.number("alpha")), row.number("d"), row.number("N") * row.number("mu2") ** 2
    return as_quoted.theorem_3_left(alpha, kappa, d)[0], asymptotics.scaled(alpha, kappa, d).beta[0]


def theorem_3_right(row: Reference) -> Pair:
    alpha, d, mu, steps = (row.number(name) for name in ("alpha", "d", "mu2", "N"))
    printed = as_quoted.theorem_3_right(one(alpha), mu, steps, d)[0]
    return printed, asymptotics.shifted(one(alpha), steps * mu**2, d).beta[0]


def lemma_8(row: Reference) -> Pair:
    influences = (row.number("Da"), row.number("Db"))
    noises = (row.number("sa"), row.number("sb"))
    mean = as_quoted.noncentrality_of_the_mean(influences, noises)
    assert mean <= sum((a / s) ** 2 for a, s in zip(influences, noises, strict=True)) * (1.0 + ROUNDING)
    return float(as_quoted.lemma_8_noncentrality(influences, noises)), mean


def composed(row: Reference) -> Pair:
    mu, steps, prior = row.number("mu2"), row.number("N"), one(row.number("kappa"))
    printed = GaussianShift(as_quoted.composed_effect(mu, steps)).power(prior)[0]
    return printed, Gaussian(1.0 / mu, 1.0, int(steps)).reconstruction(float(prior[0])).estimate


def wrong_direction(row: Reference) -> Pair:
    mu, rate, prior = row.number("mu2"), row.number("p"), one(row.number("kappa"))
    right = Gaussian(1.0 / mu, rate, 1).trade_off(prior, Order.ADD).power[0]
    return SampledOnce(GaussianShift(mu), rate).trade_off(prior, Order.REMOVE).power[0], right


def clt(row: Reference) -> Pair:
    mu, rate, steps = row.number("mu2"), row.number("p"), row.count("N")
    return as_quoted.clt_mu(mu, rate, steps), clt_mu(Gaussian(1.0 / mu, rate, steps))


def sampled_laplace(row: Reference) -> Pair:
    step, rate, steps = row.number("delta_over_b"), row.number("p"), one(row.number("N"))
    return as_quoted.sampled_laplace_epsilon(step, rate, steps)[0], conversions.sampled_epsilon(step, rate, steps)[0]


def membership_gap(row: Reference) -> Pair:
    eta = membership.eta_of_epsilon(row.number("eps"), row.number("delta"), Adjacency.REPLACE_ONE)
    nobody = np.array([0.0])
    return as_quoted.membership_power(nobody, eta)[0], membership.trade_off(eta, nobody).power[0]


def radius(row: Reference) -> Pair:
    right = NormNoise(1.0, (1.0,) * row.count("d")).tail(row.number("t"))
    return as_quoted.laplace_radius_tail(one(row.number("t")))[0], right


def clip_in_the_level(row: Reference) -> Pair:
    private, n, d = row.number("mu_dp"), row.count("n"), row.count("d")
    printed = as_quoted.relaxed_mu(one(private), n, d, row.number("C"))[0]
    return printed, relaxed_mu(private, n, d).own


def share_of_shuffles(row: Reference) -> Pair:
    """Without the losses at hand among the shuffles the share may be 0, which no p-value is."""
    larger, shuffles = row.count("at_least_as_large"), row.count("permutations")
    values = np.where(np.arange(shuffles) < larger, 2.0, 0.0)
    return larger / shuffles, Null(1.0, values, shuffles, (50, 50), False).p_value


def without_delta(row: Reference) -> Pair:
    """Several public copies of the authors' code leave the term of delta out."""
    guesses, correct = row.count("guesses"), row.count("correct")
    epsilon = 1.0  # stands in the row's id alone
    asked = Guesses(row.count("canaries"), (guesses,), (correct,))
    return float(binom.sf(correct - 1, guesses, expit(epsilon))), odds.p_value(asked, epsilon, row.number("delta"))


def best_of_counts(row: Reference) -> Pair:
    """The largest of the bounds of several numbers of guesses, as if it had been the only one."""
    canaries = row.count("canaries")
    counts, correct = (tuple(json.loads(row.text(name))) for name in ("guess_counts", "correct"))
    alone = [odds.epsilon_at_least(Guesses(canaries, (g,), (v,))) for g, v in zip(counts, correct, strict=True)]
    return max(alone), odds.epsilon_at_least(Guesses(canaries, counts, correct))


FORMULAS: dict[str, Callable[[Reference], Pair]] = {
    "NEG_lap_jinv": laplace_inverse,
    "NEG_thm3_lhs": theorem_3_left,
    "NEG_thm3_rhs": theorem_3_right,
    "NEG_lem8": lemma_8,
    "NEG_rero_gauss": composed,
    "NEG_rero_sgm": wrong_direction,
    "NEG_clt_sgm": clt,
    "NEG_slm_eps": sampled_laplace,
    "NEG_mip_tprgap": membership_gap,
    "NEG_cor10_tail": radius,
    "NEG_f1": clip_in_the_level,
    "NEG_null_permutation": share_of_shuffles,
    "NEG_onerun_p_without_delta": without_delta,
    "NEG_onerun_best_of_counts": best_of_counts,
}
# Negative rows of other names are rates of false alarms, which the tests of what avoids them simulate.
NEGATIVE = [row for row in every_row() if row.id.startswith("NEG_")]


@pytest.mark.parametrize("row", NEGATIVE, ids=[row.id for row in NEGATIVE])
def test_what_does_not_hold_returns_its_recorded_values_and_what_holds_does_not(row: Reference) -> None:
    (formula,) = (one for prefix, one in FORMULAS.items() if row.id.startswith(prefix))
    printed, right = formula(row)
    assert printed == pytest.approx(row.expected, rel=SEARCHED if row.id.endswith("_eps_lb") else ROUNDING)
    assert right != pytest.approx(row.expected, rel=APART)


def test_what_is_recorded_in_words() -> None:
    """Values of docs/corrections.md without a row of their own; to the digits given there."""
    assert as_quoted.exchanged_laws(one(0.05), 1.0)[0] == pytest.approx(0.9676, abs=5e-5)
    assert as_quoted.two_case_symmetrisation(one(0.1), 0.6)[0] == pytest.approx(0.8815, abs=5e-5)
    assert as_quoted.amplified_after_composing(one(0.001), 0.2, 0.4, 30)[0] == pytest.approx(0.00623, abs=5e-6)
    assert as_quoted.gaussian_delta(one(1.0), 1.0)[0] == pytest.approx(0.0560, abs=5e-5)
    assert GaussianShift(as_quoted.composed_mu((0.5, 0.5, 2.0))).power(one(0.1))[0] == pytest.approx(0.674, abs=5e-4)
    assert as_quoted.clipped_length(np.array([10.0, 0.2]), 1.0).tolist() == [10.0, 1.0]


@pytest.mark.parametrize("mu", [0.3, 1.0, 2.5])
def test_exchanged_laws_are_the_upper_tail_of_the_reverse_test(mu: float) -> None:
    """By simulation: the distance of the release with the record is the null, far is what is rejected."""
    rng = np.random.default_rng(7)
    without, present = np.abs(rng.laplace(size=(2, 400_000)) + np.array([[0.0], [mu]]))
    for alpha in (0.05, 0.7):
        missed = np.mean(without <= np.quantile(present, 1.0 - alpha))
        assert as_quoted.exchanged_laws(one(alpha), mu)[0] == pytest.approx(missed, abs=4e-3)  # five standard errors


def test_n_minus_one_accuses_more_outsiders_than_stated() -> None:
    """Against the attack itself on simulated outsiders: line 9 is its statistic times (n - 1)/n."""
    n, d, nominal, rounds = 20, 50, 0.05, 20_000
    rng = np.random.default_rng(3)
    queries = rng.normal(size=d)
    queries *= np.sqrt(d / np.sum(queries**2))  # K = d
    averages = rng.normal(size=(rounds, d)) / np.sqrt(n)
    statistic = glir.statistic(averages, queries, n)
    threshold = quantile(one(nominal), d, float(n * d))[0]
    accused = np.mean(statistic * (n - 1) / n < threshold)
    assert as_quoted.false_alarms(one(nominal), n, d)[0] == pytest.approx(accused, abs=0.015)  # five standard errors
    assert np.mean(statistic < threshold) == pytest.approx(nominal, abs=0.01)


def test_identical_populations_get_a_large_epsilon_star_by_the_display_of_our_copy() -> None:
    t = np.array([1.0 - 1e-6])
    printed = as_quoted.epsilon_star_display(t, 1.0 - t, 1.0 - t, t, 1e-6)[0]
    assert printed == pytest.approx(np.log((1.0 - 2e-6) / 1e-6), rel=1e-9)


@each("SLM N-fold pure eps")
def test_pure_epsilon_of_sampled_steps(row: Reference) -> None:
    found = conversions.sampled_epsilon(row.number("delta_over_b"), row.number("p"), one(row.number("N")))
    assert found[0] == pytest.approx(row.expected, rel=ROUNDING)


def test_pure_epsilon_of_one_step_is_the_limit_of_the_mechanisms_own() -> None:
    closed = conversions.sampled_epsilon(0.5, 0.1, one(1.0))[0]
    assert Laplace(2.0, 0.1, 1).epsilon(1e-12).estimate == pytest.approx(closed, rel=1e-9)


def test_susceptibility_from_the_origin_is_the_squared_length():
    deviations = np.random.default_rng(1).normal(size=7)
    found = as_quoted.uncentred_susceptibility(float(deviations @ deviations), 3.0, 7, float(deviations.sum()))
    assert found == pytest.approx(np.sum((deviations + 3.0) ** 2), rel=ROUNDING)
