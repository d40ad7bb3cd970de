"""Noise for the same attack success under three assumptions about the attacker, and what it is worth under the first.

============================  ========================================  =======================================
the attacker ...              noise from                                sampling, neighbours, kind of bound
============================  ========================================  =======================================
knows all but the noise       ``numerics.calibration``                  Poisson, add/remove, certified
does not know the record      ``numerics.relaxed``, minimax test        Poisson, add/remove, estimate
does not know other records   ``numerics.gaussian_membership``          fixed size, replace-one, estimate
============================  ========================================  =======================================

Each is trained under the sampling that its guarantee is for. The third's own differential-privacy noise is for
replace-one neighbours, whose sums differ by 2C, so it may exceed the first's.

A level mu is reached by paper 004 Eq. 10 for the first too, with batches of fixed size, and is then an estimate.
"""

from enum import StrEnum
from typing import NamedTuple

from numerics import calibration
from numerics.calibration import AdvantageTarget, PowerTarget
from numerics.gaussian_membership import GradientRelease
from numerics.gaussian_membership.calibration import MembershipTarget as Goal
from numerics.gaussian_membership.calibration import MuTarget, success_at
from numerics.gaussian_membership.calibration import noise_for as membership_noise_for
from numerics.gaussian_membership.composition import level
from numerics.mechanisms import Adjacency, Gaussian, Sampling
from numerics.privacy_loss import Precision
from numerics.trade_off import Bound
from numerics.training import record_unknown
from numerics.training.private_sgd import Protection
from numerics.validation import NonNegative, OpenProbability, Positive, Probability, checked, value

_PRECISION = Precision(width=1e-6)


class Strategy(StrEnum):
    """How a model is protected: against which attacker, or not."""

    FULL = "full knowledge"
    RECORD = "record unknown"
    OTHERS = "other records unknown"
    NON_PRIVATE = "no protection"
    MAJORITY = "majority class"


NOTIONS = (Strategy.FULL, Strategy.RECORD, Strategy.OTHERS)


@value
class Guarantee:
    """What differential privacy promises for a noise level: upper bounds.

    Attributes:
        epsilon: at the delta asked for; infinite without noise.
        power: true positive rate at the alpha asked for; 1 without noise.
        adjacency: the neighbours it is for.
    """

    epsilon: NonNegative
    power: Probability
    adjacency: Adjacency


@value
class Calibrated:
    """Noise that keeps the attacker of ``notion`` at ``goal``.

    Attributes:
        notion: FULL, RECORD or OTHERS.
        goal: what it had to meet.
        noise_multiplier: standard deviation on a batch's sum in units of C; 0 where none is needed.
        sampling: how batches must be drawn.
        bound: CERTIFIED or ESTIMATE.
        promised: the attacker's success at this noise, at most the goal's.
        private_noise: noise that full knowledge would ask for with the same sampling and neighbours.
        guarantee: what full knowledge would find at this very noise and sampling.
    """

    notion: Strategy
    goal: Goal
    noise_multiplier: float
    sampling: Sampling
    bound: Bound
    promised: float
    private_noise: float
    guarantee: Guarantee

    @property
    def protection(self) -> Protection:
        """For training."""
        return Protection(self.noise_multiplier, self.sampling)


@checked
def calibrated(
    notion: Strategy, goal: Goal, release: GradientRelease, alpha: OpenProbability, delta: OpenProbability
) -> Calibrated:
    """The least noise with which training's gradients ``release`` keeps ``goal`` under ``notion``.

    ``alpha`` and ``delta`` are where the full-knowledge guarantee of that noise is stated.

    Raises ValueError for a level mu under RECORD (its curves are not normal ones) and for a baseline as notion, and
    what the calibrations raise.
    """
    if notion not in NOTIONS:
        raise ValueError(f"notion must be one of {', '.join(map(repr, map(str, NOTIONS)))}, got {str(notion)!r}.")
    if isinstance(goal, MuTarget) or notion is Strategy.OTHERS:
        found, sampling, bound = _membership(notion, goal, release), Sampling.FIXED_SIZE, Bound.ESTIMATE
    elif notion is Strategy.RECORD:
        found, sampling, bound = _relaxed(goal, release), Sampling.POISSON, Bound.ESTIMATE
    else:
        found, sampling, bound = _full(goal, release), Sampling.POISSON, Bound.CERTIFIED
    worth = guarantee(found.noise, sampling, release, alpha, delta)
    return Calibrated(notion, goal, found.noise, sampling, bound, found.promised, found.private, worth)


@checked
def guarantee(
    noise_multiplier: NonNegative,
    sampling: Sampling,
    release: GradientRelease,
    alpha: OpenProbability,
    delta: OpenProbability,
) -> Guarantee:
    """What differential privacy promises for this noise; nothing (infinity, 1) where there is none.

    Batches of fixed size have replace-one neighbours, Poisson batches add/remove ones.
    """
    adjacency = Adjacency.REPLACE_ONE if sampling is Sampling.FIXED_SIZE else Adjacency.ADD_REMOVE
    if noise_multiplier == 0.0:
        return Guarantee(float("inf"), 1.0, adjacency)
    mechanism = Gaussian(noise_multiplier, _rate(release), release.steps, adjacency, sampling)
    epsilon = mechanism.epsilon(delta, float("inf"), _PRECISION).upper
    return Guarantee(epsilon, mechanism.power(alpha, precision=_PRECISION).upper, adjacency)


def _rate(release: GradientRelease) -> float:
    return release.batch_size / release.dataset_size


@checked
def private_release(release: GradientRelease, noise_multiplier: Positive) -> Gaussian:
    """Training's gradients ``release`` as who knows all but the noise sees them: normal noise, Poisson batches."""
    return Gaussian(noise_multiplier, _rate(release), release.steps)


class _Found(NamedTuple):
    """Noise, attack success at it, and the noise against full knowledge."""

    noise: float
    promised: float
    private: float


def _full(goal: PowerTarget | AdvantageTarget, release: GradientRelease) -> _Found:
    found = calibration.noise_for(goal, private_release(release, 1.0))
    noise = found.noise_multiplier if found.noise_needed else 0.0
    return _Found(noise, found.reached.upper, noise)


def _relaxed(goal: PowerTarget | AdvantageTarget, release: GradientRelease) -> _Found:
    """Never more noise than against full knowledge, which promises as much."""
    full = _full(goal, release)
    if full.noise == 0.0:
        return full
    found = record_unknown.noise_for(goal, private_release(release, full.noise))
    noise = found.noise_multiplier if found.noise_needed else 0.0
    return _Found(noise, found.reached.upper, full.noise) if noise < full.noise else full


def _membership(notion: Strategy, goal: Goal, release: GradientRelease) -> _Found:
    if notion is Strategy.RECORD:
        raise ValueError(f"goal must be a power or an advantage where the record is unknown, got {goal.label}.")
    found = membership_noise_for(goal, release)
    noise = found.private_noise if notion is Strategy.FULL else found.noise_multiplier
    reached = level(release.with_noise(noise))
    mu = reached.private if notion is Strategy.FULL else reached.mu
    return _Found(noise, success_at(goal, mu), found.private_noise)
