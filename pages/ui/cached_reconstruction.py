"""Cached answers about reconstruction; as ``cached``: bounded, pure, nothing uploaded."""

from dataclasses import replace

import numpy as np

from numerics import approximations, reconstruction
from numerics.deadline import UNLIMITED, Deadline
from numerics.mechanisms import Adjacency, Mechanism
from numerics.privacy_loss import Precision
from numerics.trade_off import Bound, Bracket, Order, TradeOffCurve
from pages.server.shared_cache import Private, shared_cache
from pages.ui import cached
from pages.ui.cached import noise_at
from pages.ui.prior_guess import Guessed, Known
from plotting.power import PowerCurve

# A thousandth of the probability, down to priors of 1e-9.
PRECISION = Precision(width=1e-4, relative=1e-3)
PRIORS = cached.ESTIMATES_ALPHA


@shared_cache
def curve(release: Mechanism, *, precision: Precision = PRECISION) -> TradeOffCurve:
    """Reconstruction probability (power) at every prior (alpha)."""
    return release.trade_off(PRIORS, Order.ADD, precision)


@shared_cache
def success(release: Mechanism, prior: float) -> Bracket:
    """Reconstruction probability at ``prior``; the bracket is remembered unless it tells of an upload's prior."""
    precision = PRECISION.down_to(prior)
    is_remembered = not isinstance(prior, Private) or precision == PRECISION
    return release.reconstruction(prior, replace(precision, is_remembered=is_remembered))


attribute = shared_cache(reconstruction.attribute_inference, precision=PRECISION)


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
