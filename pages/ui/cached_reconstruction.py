"""Cached answers about reconstruction; as ``cached``: bounded, pure, nothing uploaded."""

from dataclasses import replace

import numpy as np

from numerics import approximations, calibration, reconstruction, relaxed
from numerics.calibration import Calibration, Unremembered
from numerics.deadline import UNLIMITED, Deadline
from numerics.mechanisms import Adjacency, Mechanism
from numerics.mechanisms.analysis import Analysis
from numerics.privacy_loss import Precision
from numerics.relaxed import RelaxedCurve
from numerics.trade_off import Bound, Bracket, Floats, Order, TradeOffCurve
from pages.server.shared_cache import Private, shared_cache
from pages.ui import cached
from pages.ui.cached import noise_at
from pages.ui.numbers_in_words import EPSILON_DIGITS, as_entered, floor_digits, rounded_up
from pages.ui.prior_guess import Guessed, Known
from plotting.power import PowerCurve

# A thousandth of the probability, down to priors of 1e-9.
PRECISION = Precision(width=1e-4, relative=1e-3)
_NARROW = Precision(width=1e-6)
PRIORS = cached.ESTIMATES_ALPHA
SHARES = np.union1d(np.linspace(0.5, 0.99, 50), 1.0 - np.geomspace(1e-3, 1e-2, 11))
_PRIOR_DIGITS, _ATTEMPTS, _LEAST_STEP = 5, 16, 1e-5


@shared_cache
def curve(release: Mechanism, *, precision: Precision = PRECISION) -> TradeOffCurve:
    """Reconstruction probability (power) at every prior (alpha)."""
    return release.trade_off(PRIORS, Order.ADD, precision)


@shared_cache
def success(release: Mechanism, prior: float) -> Bracket:
    """Reconstruction probability at ``prior``."""
    return release.reconstruction(prior, _down_to(prior))


def _down_to(prior: float) -> Precision:
    """As narrow as at this prior, which is remembered unless it tells of an upload."""
    precision = PRECISION.down_to(prior)
    return replace(precision, is_remembered=not isinstance(prior, Private) or precision == PRECISION)


attribute = shared_cache(reconstruction.attribute_inference, precision=PRECISION)
largest_gain = shared_cache(reconstruction.largest_gain, precision=PRECISION)
delta_at = shared_cache(Analysis.delta, precision=_NARROW)
"""Narrow enough to tell releases apart that nearly agree."""


@shared_cache
def attribute_curve(release: Mechanism, *, precision: Precision = PRECISION) -> TradeOffCurve:
    """The same (power) for every share of the commoner answer (alpha), from even to nearly all."""
    found = [reconstruction.attribute_inference(release, float(share), precision) for share in SHARES]
    lower, middle, upper = (np.array(side) for side in zip(*found, strict=True))
    replaced = release.with_neighbours(Adjacency.REPLACE_ONE)

    def side(power: Floats, bound: Bound, *sides: TradeOffCurve) -> TradeOffCurve:
        return TradeOffCurve(SHARES.copy(), 1.0 - power, power, bound, release.label, replaced.assumptions, *sides)

    shown = middle if replaced.bound is Bound.CERTIFIED else upper
    if replaced.bound not in (Bound.CERTIFIED, Bound.OPEN):
        return side(shown, replaced.bound)
    return side(shown, replaced.bound, side(upper, Bound.LOWER), side(lower, Bound.UPPER))


def guessed_right(release: Mechanism, known: Known) -> Bracket:
    """How often the attacker is right with the release, in what it guesses."""
    return (attribute if known.guessed is Guessed.YES_OR_NO else success)(release, known.kappa)


def bound(release: Mechanism, known: Known) -> Bound:
    """What kind of number that is: a yes or no is told apart by replacement, whatever the release's neighbours are."""
    is_replaced = known.guessed is Guessed.YES_OR_NO
    return (release.with_neighbours(Adjacency.REPLACE_ONE) if is_replaced else release).bound


def in_python(release: str, known: Known) -> str:
    """The same as an expression of Python, of the ``release`` by its name there."""
    if known.guessed is Guessed.YES_OR_NO:
        return f"reconstruction.attribute_inference({release}, {known.kappa!r}, {PRECISION!r})"
    return f"{release}.reconstruction({known.kappa!r}, {PRECISION.down_to(known.kappa)!r})"


@shared_cache
def largest_prior(release: Mechanism, limit: float, deadline: Deadline = UNLIMITED) -> Bracket:
    """The prior up to which reconstruction stays at or below ``limit``.

    ``lower`` has five digits, and ``success`` says of it that the limit is kept.
    """
    found = reconstruction.largest_prior(release, limit, PRECISION)
    lower = _kept(release, limit, found.lower, deadline)
    return Bracket(lower, max(found.estimate, lower), found.upper)


def _kept(release: Mechanism, limit: float, prior: float, deadline: Deadline) -> float:
    """The next lower prior of five digits at which the number shown keeps ``limit``; 0 where none is found."""
    kind = type(limit)  # what follows from an upload is as private
    for attempt in range(_ATTEMPTS):
        deadline.check()
        prior = kind(floor_digits(prior, _PRIOR_DIGITS))
        reached = success(release, prior).upper
        if reached <= limit:
            return prior
        prior *= 1.0 - min(max(reached / limit - 1.0, _LEAST_STEP) * 2.0**attempt, 0.5)
    return 0.0


@shared_cache
def noise_for(limit: float, prior: float, release: Mechanism, deadline: Deadline = UNLIMITED) -> Calibration:
    """The least noise with which a guess right with probability ``prior`` ends in reconstruction at most so often.

    By the number that the pages then show.
    """
    target = reconstruction.ReconstructionTarget(limit, prior)
    if not isinstance(prior, Private):
        return calibration.noise_for(target, release, lambda noisy: success(noisy, prior), deadline)
    precision = replace(PRECISION.down_to(prior), is_remembered=False)  # the noise follows from the prior
    found = calibration.noise_for(
        Unremembered(target), release, lambda noisy: noisy.reconstruction(prior, precision), deadline
    )
    return replace(found, target=target)


@shared_cache
def noise_for_attribute(limit: float, prior: float, release: Mechanism, deadline: Deadline = UNLIMITED) -> Calibration:
    """The same for a yes or no."""
    target = reconstruction.AttributeTarget(limit, prior)
    return calibration.noise_for(target, release, lambda noisy: attribute(noisy, prior), deadline)


@shared_cache
def record_unknown(release: Mechanism, deadline: Deadline = UNLIMITED) -> RelaxedCurve:
    """The same curve for an attacker who does not know the record, in one dimension."""
    return relaxed.trade_off(release, PRIORS, deadline=deadline)


@shared_cache
def from_epsilon_delta(epsilon: float, delta: float) -> TradeOffCurve:
    """What (epsilon, delta) alone promises."""
    power = np.array([reconstruction.from_epsilon_delta(epsilon, delta, float(prior)).tight for prior in PRIORS])
    label = f"ε = {rounded_up(epsilon, EPSILON_DIGITS)}, δ = {as_entered(delta)} alone"
    return TradeOffCurve(PRIORS.copy(), 1.0 - power, power, Bound.LOWER, label, ("Nothing but ε and δ is known.",))


@shared_cache
def estimated_at_effects(
    release: Mechanism, effects: tuple[float, ...], prior: float, order: int | None, deadline: Deadline = UNLIMITED
) -> PowerCurve:
    """The central limit estimate (``order`` None) or Edgeworth's for the noise that makes each effect size."""
    at, made = np.array([prior]), []
    for effect in effects:
        deadline.check()
        other = release.with_noise(noise_at(release, effect))
        made.append(approximations.clt(other, at) if order is None else approximations.edgeworth(other, at, order))
    power = np.array([float(one.power[0]) for one in made])
    label = "CLT" if order is None else f"Edgeworth, order {order}"
    return PowerCurve(np.array(effects), power, power, power, prior, Bound.ESTIMATE, label)
