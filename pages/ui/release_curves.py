"""Questions asked of a release at many places at once, arranged for the figures; cached for all sessions."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from numerics.deadline import UNLIMITED, Deadline
from numerics.mechanisms import Mechanism
from numerics.privacy_loss import Precision
from numerics.trade_off import Bound, Bracket, Floats, Order
from pages.server.shared_cache import shared_cache
from plotting.power import PowerCurve
from plotting.profile import ProfileCurve

# A composed release is computed anew for every noise level, so there are few of them, and coarse: the figure remembers
# them, and in the numerics they would push out the releases that pages ask about again and again.
_COARSE = Precision(width=1e-3, relative=0.02, is_remembered=False)
_EFFECTS_WHEN_EXACT = np.linspace(0.02, 4.0, 200)
_EFFECTS_WHEN_COMPOSED = np.linspace(0.25, 2.0, 15)
_EPSILONS = 81
_SMALLEST_DELTA = 1e-10


def effect_size(release: Mechanism) -> float:
    """Distance between the hypotheses in one unsampled step of the first phase, in units of the noise."""
    return release.phases[0].effect_size


def noise_at(release: Mechanism, effect: float) -> float:
    """The noise of the first phase that makes this effect size."""
    return release.phases[0].reach / effect


@shared_cache
def power_against_effect(release: Mechanism, alpha: float, order: Order, deadline: Deadline = UNLIMITED) -> PowerCurve:
    """Power at ``alpha`` for noise around the release's own, all else as it is."""
    coarse = replace(_COARSE, deadline=deadline)

    def ask(other: Mechanism) -> Bracket:
        return other.narrow_power(alpha, order, coarse)

    return over_effects(release, ask, alpha, release.bound, "other noise", deadline)


@shared_cache
def epsilon_at_effects(
    release: Mechanism, effects: tuple[float, ...], delta: float, deadline: Deadline = UNLIMITED
) -> Floats:
    """Epsilon (n,) at ``delta``, the guarantee, for the noise that makes each effect size; inf where there is none."""
    found, coarse = [], replace(_COARSE, deadline=deadline)
    for effect in effects:
        deadline.check()
        noisy = release.with_noise(noise_at(release, effect))
        found.append(noisy.epsilon(delta, np.inf, coarse).upper)
    return np.array(found)


def over_effects(
    release: Mechanism,
    ask: Callable[[Mechanism], Bracket],
    alpha: float,
    bound: Bound,
    label: str,
    deadline: Deadline,
) -> PowerCurve:
    """What ``ask`` says of the release at other noise, as a curve over the effect size."""
    kept = []
    for factor in map(float, _EFFECTS_WHEN_EXACT if bound is Bound.EXACT else _EFFECTS_WHEN_COMPOSED):
        deadline.check()
        kept.append((effect_size(release) * factor, *ask(release.with_noise(release.noise_multiplier / factor))))
    effect, lower, power, upper = np.array(kept).T
    return PowerCurve(effect, lower, power, upper, alpha, bound, label)


@shared_cache
def profile(release: Mechanism, delta: float, precision: Precision) -> ProfileCurve:
    """Delta at evenly spaced epsilon, from 0 to where it is smaller than anyone asks for.

    Raises ValueError where epsilon is infinite at every such delta.
    """
    smallest = min(delta, _SMALLEST_DELTA)
    reach = next(
        (e.upper for d in (smallest, delta) if np.isfinite((e := release.epsilon(d, np.inf, precision)).upper)), None
    )
    if reach is None:
        raise ValueError(f"epsilon is infinite at delta {delta:g}: there is no profile to draw.")
    epsilon = np.linspace(0.0, max(reach, 1e-6), _EPSILONS)
    lower, middle, upper = np.array([release.delta(float(value), precision) for value in epsilon]).T
    return ProfileCurve(epsilon, lower, np.minimum.accumulate(middle), upper, release.bound)  # see Bracket.between
