"""One step seen by an attacker who does not know on which side of the null the record pulls.

With L(x) the likelihood ratio of a step for a record that pulls upwards, L(-x) is that for its mirror image. The even
mixture of both, over all steps, has the likelihood ratio (prod L(x_i) + prod L(-x_i)) / 2 = e^S cosh T, where S and T
sum the even and the odd part of log L. This module has the law of one step by quadrature and the range of the sums.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from numerics.mechanisms.noise import Noise, Standard
from numerics.not_offered import FULL_KNOWLEDGE, law_of
from numerics.privacy_loss.window_plan import Phases
from numerics.sampling.poisson import sampled_pairs
from numerics.trade_off import Floats

_LARGEST_LOSS = 60.0  # a step that speaks louder decides alone, at error rates below e^-60
_PER_PANEL, _PANEL = 24, 0.5  # Gauss-Legendre nodes, and panel length in noise scales
_TAIL = 1e-16  # mass of the sums outside their range
_TILTS = np.geomspace(1e-4, 1e4, 161)  # of Chernoff bounds, in units of 1 over the standard deviation
_LEAST_TILT = 1e-2  # rare large values have a small standard deviation, and need no smaller tilt than this


class SumRange(NamedTuple):
    """Ends of a sum, up to a mass of 1e-16 under every hypothesis."""

    low: float
    high: float


@dataclass(frozen=True, eq=False)
class StepQuadrature:
    """Quadrature of one step, released ``steps`` times; node n - 1 - i is the mirror image of node i.

    ``above`` and ``below`` (n,) are log L(x) and log L(-x) at the nodes, ``null`` and ``present`` (n,) the masses of
    the nodes without the record and with a record that pulls upwards.
    """

    above: Floats
    below: Floats
    null: Floats
    present: Floats
    steps: int

    @property
    def even(self) -> Floats:
        """The part of log L that does not tell the sides apart, (n,)."""
        return 0.5 * (self.above + self.below)

    @property
    def odd(self) -> Floats:
        """The part of log L that changes its sign with x, (n,)."""
        return 0.5 * (self.above - self.below)


def steps_of(phases: Phases) -> list[StepQuadrature]:
    """One per phase; the pairs must be add/remove. Raises NotOfferedError for noise that is not known here."""
    result = []
    for pair, count in sampled_pairs(phases):
        x, width = _nodes(pair.noise)
        null, shifted = width * _density(pair.noise, x), width * _density(pair.noise, x - 1.0)
        present = (1.0 - pair.rate) * null + pair.rate * shifted
        if np.isfinite(pair.noise.flat_beyond):
            x, null, present = _without_tails(x, null, present)
        above, below = (np.clip(pair.loss(side), -_LARGEST_LOSS, _LARGEST_LOSS) for side in (x, -x))
        result.append(StepQuadrature(above, below, null / null.sum(), present / present.sum(), count))
    return result


def _nodes(noise: Noise) -> tuple[Floats, Floats]:
    """Gauss-Legendre nodes and weights over the neighbourhoods of the three centres, broken at the centres."""
    reach = noise.scale * _law(noise).extent
    first = min(reach, 0.5)  # the neighbourhoods of 0 and 1 touch where it is half of their distance
    parts = [_panels(start, end, noise.scale) for start, end in ((0.0, first), (1.0 - first, 1.0), (1.0, 1.0 + reach))]
    low, high = (np.concatenate(ends) for ends in zip(*parts, strict=True))
    t, weight = np.polynomial.legendre.leggauss(_PER_PANEL)
    centre, half = 0.5 * (high + low), 0.5 * (high - low)
    x, width = (centre[:, None] + half[:, None] * t).ravel(), (half[:, None] * weight).ravel()
    return np.concatenate((-x[::-1], x)), np.concatenate((width[::-1], width))


def _panels(start: float, end: float, scale: float) -> tuple[Floats, Floats]:
    """Lower and upper ends of panels of equal length, as few as may be."""
    ends = np.linspace(start, end, int(np.ceil((end - start) / (scale * _PANEL))) + 1)
    return ends[:-1], ends[1:]


def _without_tails(x: Floats, null: Floats, present: Floats) -> tuple[Floats, Floats, Floats]:
    """Beyond the outer centres neither part of log L changes any more, so one node stands for all."""
    inside = np.abs(x) < 1.0
    ends = [x < -1.0, x > 1.0]
    (null_low, null_high), (low, high) = ([mass[end].sum() for end in ends] for mass in (null, present))
    return (
        np.concatenate(([-1.0], x[inside], [1.0])),
        np.concatenate(([null_low], null[inside], [null_high])),
        np.concatenate(([low], present[inside], [high])),
    )


def _density(noise: Noise, x: Floats) -> Floats:
    """Up to a constant."""
    return np.asarray(np.exp(_law(noise).log_density(x / noise.scale)))


def _law(noise: Noise) -> Standard:
    return law_of(noise.standard, noise, "The relaxed guarantee is", FULL_KNOWLEDGE)


def spread(steps: Sequence[StepQuadrature], values: Sequence[Floats]) -> float:
    """Standard deviation of the sum of ``values`` (one vector per step) without the record."""
    pairs = list(zip(steps, values, strict=True))
    return float(np.sqrt(sum(step.steps * (step.null @ (value - step.null @ value) ** 2) for step, value in pairs)))


def extent(steps: Sequence[StepQuadrature], values: Sequence[Floats]) -> SumRange:
    """Range of the sum of ``values`` (one vector per step), by the best Chernoff bound of either hypothesis."""
    scale = max(spread(steps, values), 1e-300)
    tilts = np.geomspace(min(_TILTS[0] / scale, _LEAST_TILT), _TILTS[-1] / scale, len(_TILTS))
    return SumRange(-_end(steps, [-value for value in values], tilts), _end(steps, values, tilts))


def _end(steps: Sequence[StepQuadrature], values: Sequence[Floats], tilts: Floats) -> float:
    """Value that the sum exceeds with a mass of 1e-16 at most; the sum of the largest values where that is less.

    The values are taken from their means, which many steps make large beside the spread.
    """
    mean = sum(step.steps * float(step.null @ value) for step, value in zip(steps, values, strict=True))
    bounds = []
    for absent in (True, False):
        exponent = np.full(len(tilts), -np.log(_TAIL))
        for step, value in zip(steps, values, strict=True):
            mass, beyond = step.null if absent else step.present, value - step.null @ value
            top = float(beyond.max())
            with np.errstate(over="ignore"):  # where nearly all mass is one value; such a tilt bounds nothing
                moment = np.exp(np.outer(tilts, beyond - top)) @ mass
                exponent += step.steps * (np.log(np.maximum(moment, 1e-300)) + tilts * top)
        bounds.append(float(np.min(exponent / tilts)))
    return mean + max(bounds)
