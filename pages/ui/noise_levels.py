"""A release at the noise levels of a slider: how many are found at each, the evidence, and the noise that is advised.

The noise in force and the one that is advised have the numbers that pages state, so what is advised keeps the limit
when it is taken. Those between have wider brackets, which take a third of the time. All are upper ends.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from numerics.calibration import PowerTarget
from numerics.deadline import DeadlineError
from numerics.mechanisms import Composition
from numerics.privacy_loss import Precision
from numerics.privacy_loss.certified_loss import StatisticLaw
from numerics.trade_off import Floats, Order
from pages.server.budget import portion
from pages.server.shared_cache import shared_cache
from pages.ui import cached
from pages.ui.numbers_in_words import ceiling_digits, is_within
from pages.ui.release_curves import Release
from pages.ui.slider_with_box import round_values

EVIDENCE = np.linspace(-4.0, 9.0, 105)
"""Where hills are drawn, in standard deviations of the evidence without the record, from its mean."""
_COARSE = Precision(width=1e-3, relative=0.02)
_REACH = 16  # round values of the slider to either side of the one that keeps the limit
_DIGITS = 3  # of an advised noise
_USUAL = round_values(-1, 100.0)  # where the slider rests
_SECONDS = 0.8  # of processor time that a run of a page takes for levels that nobody has chosen


@dataclass(frozen=True, eq=False)
class Evidence:
    """The evidence without and with the record, heights on ``EVIDENCE`` (n,) up to 1, and the threshold there."""

    outsiders: Floats
    members: Floats
    threshold: float


@dataclass(frozen=True, eq=False)
class NoiseLevel:
    """What a release has at one noise: the most an attack finds, and the evidence where it fits on one axis.

    ``found`` is the upper end of its bracket; None where there was no time for it.
    """

    REMEMBERED: ClassVar[int] = 4096  # some hundred sliders, of 2 kB a level

    noise: float
    found: float | None
    evidence: Evidence | None = None


@dataclass(frozen=True)
class Question:
    """What is asked at every noise: how many are found at ``alpha``, in an order, and whether more than ``limit``."""

    alpha: float
    order: Order
    limit: float

    def is_kept(self, found: float) -> bool:
        """Whether no more than the limit are found."""
        return is_within(found, self.limit)

    @property
    def is_above_guessing(self) -> bool:
        """Whether any noise can keep the limit."""
        return self.limit > self.alpha


def at_noise(release: Release, noise: float) -> Release:
    """The release with this noise in its first phase and in proportion in the others, rounded to six digits.

    Rounded, so that ratios of phases do not drift from one change to the next.
    """
    scaled = release.with_noise(noise)
    if len(scaled.phases) == 1:
        return scaled
    first, *later = scaled.phases
    phases = (first, *(phase.with_noise(float(f"{phase.noise_multiplier:.6g}")) for phase in later))
    return Composition(phases)


@shared_cache
def level(release: Release, alpha: float, order: Order, *, is_fine: bool = True) -> NoiseLevel:
    """The release as it is; as pages state it, or on a wider bracket that is narrow at ``alpha`` only."""
    precision = cached.PRECISION if is_fine else replace(_COARSE, smallest_alpha=min(alpha, 0.1))
    found = release.power(alpha, order, precision).upper
    try:
        law, threshold = release.statistic(precision), release.threshold(alpha, order, precision)
    except ValueError:
        return NoiseLevel(release.noise_multiplier, found)
    return NoiseLevel(release.noise_multiplier, found, evidence(law, threshold))


def evidence(law: StatisticLaw, threshold: float) -> Evidence:
    """Both laws on ``EVIDENCE``, each place with all the mass around it: atoms stay, whatever grid they were on."""
    weights = law.null / law.null.sum()
    mean = float(weights @ law.loss)
    spread = float(np.sqrt(weights @ (law.loss - mean) ** 2)) or 1.0
    half = 0.5 * (EVIDENCE[1] - EVIDENCE[0])
    edges = np.append(EVIDENCE - half, EVIDENCE[-1] + half)
    width = float(law.loss[1] - law.loss[0]) if len(law.loss) > 1 else spread
    bins = np.append(law.loss, law.loss[-1] + width) - 0.5 * width
    ends = (bins - mean) / spread
    masses = [np.diff(np.interp(edges, ends, np.append(0.0, np.cumsum(mass)))) for mass in (law.null, law.alternative)]
    highest = max(float(mass.max()) for mass in masses) or 1.0
    outsiders, members = (mass / highest for mass in masses)
    return Evidence(outsiders, members, (threshold - mean) / spread)


def levels(release: Release, question: Question, advised: float | None, every: int = 1) -> list[NoiseLevel]:
    """The release's own level, the advised one, and those of round values around them, by ascending noise.

    Of these, only one in ``every`` so many. What there is no time for has no number: it is computed when the slider is
    let go there.
    """
    own = release.noise_multiplier
    fine = {own, *([advised] if advised else [])}
    first, middle = _nearest(own), _nearest(advised or own)
    around = _USUAL[max(min(first, middle - _REACH), 0) : max(first, middle + _REACH) + 1 : every]
    wanted = sorted({*around, *fine} - {own}, key=lambda noise: abs(np.log(noise / own)))
    found = [level(release, question.alpha, question.order)]
    with portion(_SECONDS):
        found += [one for noise in wanted if (one := _at(release, noise, question, noise in fine)) is not None]
    return sorted(found, key=lambda one: one.noise)


def _nearest(noise: float) -> int:
    """Index of the slider's round value next to this noise."""
    return int(np.argmin(np.abs(np.log(np.array(_USUAL) / noise))))


def _at(release: Release, noise: float, question: Question, is_fine: bool) -> NoiseLevel | None:
    """None where a phase cannot have so much noise, or so little."""
    try:
        return level(at_noise(release, noise), question.alpha, question.order, is_fine=is_fine)
    except DeadlineError:
        return NoiseLevel(noise, None)
    except ValueError:
        return None


def advised(release: Release, question: Question) -> float | None:
    """The least noise, of three digits, with which the release keeps the limit by the numbers that pages state.

    None where none is needed, none is enough, or there is no time to find it.
    """
    if not question.is_above_guessing:
        return None

    def keeps(noise: float, is_fine: bool = True) -> bool:
        found = level(at_noise(release, noise), question.alpha, question.order, is_fine=is_fine).found
        return found is not None and question.is_kept(found)

    try:
        with portion(_SECONDS):
            return _least(keeps, release, question)
    except ValueError:  # also of the deadline
        return None


def _least(keeps: Callable[..., bool], release: Release, question: Question) -> float | None:
    """By halving: coarsely among the slider's round values, then finely among numbers of three digits near there."""
    values = _USUAL
    place = _first(lambda noise: keeps(noise, is_fine=False), values)
    if place == 0:
        return None
    if place == len(values):
        goal = PowerTarget(question.limit, question.alpha, question.order)
        sought = ceiling_digits(cached.noise_for(goal, release.with_noise(1.0)).noise_multiplier, _DIGITS)
        return sought if keeps(sought) else None
    unit = 10.0 ** (np.floor(np.log10(values[place])) - (_DIGITS - 1))  # one in the last digit
    counts = range(round(values[max(place - 2, 0)] / unit), round(values[place] / unit) + 1)
    fine = [float(f"{count * unit:.{_DIGITS}g}") for count in counts]
    found = _first(keeps, fine)
    return fine[found] if found < len(fine) else None


def _first(keeps: Callable[[float], bool], values: Sequence[float]) -> int:
    """Index of the first value that keeps the limit, by halving; their number where none does."""
    low, high = -1, len(values)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if keeps(values[middle]) else (middle, high)
    return high
