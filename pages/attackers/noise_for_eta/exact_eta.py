"""Exact eta of a small release against the noise, and the noise that each bound asks for."""

from dataclasses import dataclass

import numpy as np

from numerics.deadline import UNLIMITED, Deadline
from numerics.membership import noise_scale
from numerics.membership.one_swap import SwapNoise
from numerics.trade_off import Floats
from pages.attackers.noise_for_eta.small_release import SmallRelease
from pages.ui.numbers_in_words import ceiling_digits
from plotting.exact_eta import EtaCurves

SCALE_DIGITS = 4
ACCUSED = 0.01
_SCALES = 41
_BELOW, _ABOVE = 0.1, 3.0  # the figure reaches this much beyond the scales that are compared


@dataclass(frozen=True)
class NoiseForEta:
    """One way to a noise ``scale``, None where it does not apply; ``eta`` is the exact one at that noise.

    The scale is rounded up to the digits that are shown of it, so that its eta is that of the number one can read.
    """

    name: str
    scale: float | None
    eta: float | None


@dataclass(frozen=True, eq=False)
class NoiseComparison:
    """The ways side by side, the curves for the figure, and what of the data they rest on.

    ``hidden_least`` is the place, from 1, of the record that the one-swap bound's noise hides least, ``mean_swap`` how
    far swapping it moves what is released on average, and ``found`` how often who wrongly accuses it in a share
    ``ACCUSED`` of the halves without it can find it, at most.
    """

    what: str
    ways: tuple[NoiseForEta, ...]
    curves: EtaCurves
    spread: float
    sensitivity: float
    records: int
    hidden_least: int
    mean_swap: float
    found: float

    @property
    def swap(self) -> float:
        """The one-swap bound's noise scale; 0 where none is needed."""
        return self.scale_of(SWAP)

    def scale_of(self, name: str) -> float:
        """Noise scale of a way that applies."""
        (scale,) = (way.scale for way in self.ways if way.name == name)
        assert scale is not None
        return scale


LEAST, SWAP, PRIVATE, PAPER_14, PAPER_9 = (
    "the least that does it",
    "one-swap bound",
    "differential privacy",
    "paper, 6.16",
    "paper, 7.5",
)


def compare(release: SmallRelease, goal: float, moment: float, deadline: Deadline = UNLIMITED) -> NoiseComparison:
    """All ways to keep eta at most ``goal``, in (0, 1/2), with the ``moment``-th moment for the paper's constants.

    Raises DeadlineError where it takes too long.
    """
    halves, swap = release.halves, release.swap
    spread = halves.spread(moment)
    paper = noise_scale.corollary_14_scale(goal, spread, moment) if moment >= 2.0 else None
    scales = {
        LEAST: halves.scale_for(goal),
        SWAP: swap.scale_for(goal),
        PRIVATE: release.sensitivity / SwapNoise.LAPLACE.shift_of(2.0 * goal),
        PAPER_14: paper,
        PAPER_9: noise_scale.theorem_9_scale(goal, spread, moment),
    }
    shown = {name: ceiling_digits(scale, SCALE_DIGITS) if scale else scale for name, scale in scales.items()}
    ways = tuple(NoiseForEta(name, scale, halves.eta(scale) if scale else None) for name, scale in shown.items())
    noise = shown[SWAP] or release.sensitivity
    worst = int(np.argmax(swap.etas(noise)))
    return NoiseComparison(
        release.what,
        ways,
        _curves(release, ways, moment, deadline),
        spread,
        release.sensitivity,
        swap.records,
        worst + 1,
        float(np.mean(swap.sizes(worst))),
        float(swap.trade_off(worst, np.array([ACCUSED]), noise).power[0]),
    )


def _curves(release: SmallRelease, ways: tuple[NoiseForEta, ...], moment: float, deadline: Deadline) -> EtaCurves:
    """Exact eta and the eta each bound promises, over the noise scales that the ways name."""
    halves = release.halves
    named = [way.scale for way in ways if way.scale]
    scale = np.geomspace(_BELOW * min(named), _ABOVE * max(named), _SCALES)
    exact, swap = np.empty(len(scale)), np.empty(len(scale))
    for place, b in enumerate(scale):
        deadline.check()
        exact[place], swap[place] = halves.eta(float(b)), release.swap.eta(float(b))
    return EtaCurves(
        scale,
        exact,
        swap,
        _paper_eta(scale, halves.spread(moment), moment),
        0.5 * SwapNoise.LAPLACE.advantage(release.sensitivity / scale),
    )


def _paper_eta(scale: Floats, spread: float, moment: float) -> Floats:
    """The eta at which the paper asks for noise ``scale``: 6.16, or 7.5 below M = 2, times a power of spread/scale."""
    constant = noise_scale.COROLLARY_14 if moment >= 2.0 else noise_scale.THEOREM_9
    return np.asarray(np.minimum(constant * (spread / scale) ** (moment / (moment + 2.0)), 0.5))
