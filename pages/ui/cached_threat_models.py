"""Cached answers about attackers who know less than everything; as ``cached``: bounded, pure, nothing uploaded."""

from functools import partial

import numpy as np

from numerics import calibration, gaussian_membership, membership, relaxed
from numerics.deadline import UNLIMITED, Deadline
from numerics.gaussian_membership import GradientRelease
from numerics.gaussian_membership.calibration import MembershipCalibration, MuTarget
from numerics.gaussian_membership.calibration import noise_for as membership_noise_for
from numerics.gaussian_membership.composition import run_mu
from numerics.gaussian_membership.step import StepTest, step_mu
from numerics.gaussian_membership.stochastic import NormalTest, StochasticComposition, over_normal_gradients
from numerics.mechanisms import Mechanism
from numerics.membership import Game
from numerics.relaxed import RelaxedCurve, RelaxedTarget, RelaxedTest
from numerics.trade_off import Bound, Bracket, Floats, Order, TradeOffCurve, alpha_grid
from pages.server.budget import current
from pages.server.shared_cache import shared_cache
from pages.ui import cached
from pages.ui.cached import over_effects
from plotting.power import PowerCurve

_POINTS = 400
_SPREAD_POINTS = 120  # each asks forty tests


@shared_cache
def relaxed_curve(
    release: Mechanism, dimension: int, order: Order, test: RelaxedTest, deadline: Deadline = UNLIMITED
) -> RelaxedCurve:
    """What an attacker reaches who does not know the record."""
    asked = alpha_grid(_POINTS)
    return relaxed.trade_off(release, asked, dimension=dimension, order=order, test=test, deadline=deadline)


@shared_cache
def relaxed_power(release: Mechanism, alpha: float, dimension: int, order: Order, test: RelaxedTest) -> Bracket:
    """Its true positive rate at ``alpha``; a moment once the curve is known, which leaves the test behind."""
    return relaxed.power(release, alpha, dimension=dimension, order=order, test=test, deadline=current())


@shared_cache
def relaxed_power_against_effect(
    release: Mechanism, alpha: float, order: Order, dimension: int, deadline: Deadline = UNLIMITED
) -> PowerCurve:
    """Its true positive rate at ``alpha`` for noise around the release's own (paper 000 Fig. 2b and c).

    Raises ValueError where there is no relaxed curve.
    """

    def ask(other: Mechanism) -> Bracket:
        return relaxed.power(other, alpha, order=order, dimension=dimension, deadline=deadline)

    form = relaxed.closed_form(release, dimension)
    bound = Bound.ESTIMATE if form is None else Bound.EXACT
    return over_effects(release, ask, alpha, bound, "record unknown", deadline)


@shared_cache
def eta(release: Mechanism, game: Game) -> Bracket:
    """Accuracy above guessing of an attacker who does not know which records were drawn from a pool in this game."""
    return Bracket(*(0.5 * value for value in cached.advantage(membership.as_played(release, game))))


level = shared_cache(gaussian_membership.level)
"""Effect size for an attacker who knows only the distribution of the other gradients, K = d."""


@shared_cache
def membership_curve(release: GradientRelease, spread: bool, order: Order) -> TradeOffCurve:
    """The curve of that attacker: for K = d, or with ``spread`` over records of normal gradients."""
    return _membership_at(release, spread, order, alpha_grid(_SPREAD_POINTS if spread else _POINTS))


@shared_cache
def membership_power(release: GradientRelease, spread: bool, alpha: float, order: Order) -> float:
    """Its true positive rate at ``alpha``."""
    return float(_membership_at(release, spread, order, np.array([alpha])).power[0])


def _membership_at(release: GradientRelease, spread: bool, order: Order, alpha: Floats) -> TradeOffCurve:
    """Eq. 8 for one step on all records, the Gaussian limit otherwise; only that limit is the same in every order."""
    if spread and order is Order.ADD and not level(release).set_by_privacy:
        return _over_records(release).trade_off(alpha)
    if is_one_step(release, order):
        return StepTest(release.effective_size, release.dimension, release.dimension).trade_off(alpha)
    return level(release).trade_off(alpha)


def is_one_step(release: GradientRelease, order: Order) -> bool:
    """Whether Eq. 8 itself answers: one step on all records, in its own order, and less than differential privacy."""
    return order is Order.ADD and release.steps == 1 and not release.sampled and not level(release).set_by_privacy


def _over_records(release: GradientRelease) -> StochasticComposition:
    """K chi-square distributed, each record's run in the Gaussian limit."""

    def test_of(k: float) -> NormalTest:
        return NormalTest(run_mu(release, step_mu(release.effective_size, release.dimension, k)))

    return over_normal_gradients(test_of, release.dimension)


def relaxed_advantage(release: Mechanism, dimension: int, test: RelaxedTest) -> Bracket:
    """Its largest difference of true and false positive rate; by the guarantee, no more than with full knowledge."""
    found = relaxed.advantage(relaxed_curve(release, dimension, Order.ADD, test))
    if test is not RelaxedTest.MINIMAX:
        return found
    return found._replace(upper=max(min(found.upper, cached.advantage(release).upper), found.estimate))


def measured(asked: RelaxedTarget, release: Mechanism) -> Bracket:
    """What ``asked`` limits, as the pages and the sheet state it of ``release``."""
    if isinstance(asked.target, calibration.PowerTarget):
        return relaxed_power(release, asked.target.alpha, asked.dimension, asked.target.order, asked.test)
    return relaxed_advantage(release, asked.dimension, asked.test)


@shared_cache
def noise_for(target: RelaxedTarget, release: Mechanism, deadline: Deadline = UNLIMITED) -> calibration.Calibration:
    """The least noise with which ``release`` keeps ``target`` by the numbers that the pages then show."""
    return calibration.noise_for(target, release, partial(measured, target), deadline)


def largest_advantage(curve: TradeOffCurve) -> float:
    """The largest difference of members found and outsiders accused on a drawn curve."""
    return max(float(np.max(curve.power - curve.alpha)), 0.0)


@shared_cache
def membership_noise_at(mu: float, release: GradientRelease) -> MembershipCalibration:
    """The same for a level mu."""
    return membership_noise_for(MuTarget(mu), release)
