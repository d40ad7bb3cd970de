"""A release at the noise levels of a slider: how many are found at each, and the evidence; the noise of every phase.

The noise in force and the one that is advised have the numbers that pages state, so what is advised keeps the limit
when it is taken. Those between have wider brackets, which take less time, and are found after the page's answers: they
are the same whatever noise is in force, so a browser that has them is not sent them again. All are upper ends.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from numerics.deadline import DeadlineError
from numerics.mechanisms import Composition, Mechanism
from numerics.privacy_loss import CertifiedLoss, Precision
from numerics.trade_off import Bound, Floats, Order, TradeOffCurve
from pages.server.budget import portion
from pages.server.run_order import RUNS
from pages.server.shared_cache import shared_cache
from pages.ui import cached
from pages.ui.controls import round_values
from pages.ui.numbers_in_words import ALL_BUT_CERTAIN, ceiling_digits
from pages.ui.release_in_force import BOXES, ReleaseChoice
from plotting.evidence import Evidence, apart, evidence

SLIDER_NOISES = round_values(-1, 100.0)
"""Where the slider rests."""
SECONDS = 0.8
"""Of processor time that a run of a page takes for what nobody has chosen."""
_COARSE = Precision(width=1e-3, relative=0.02, is_remembered=False)
_LARGEST_ALPHA = 0.1  # down to which coarse brackets are narrow in any case
_REACH = 16  # round values of the slider to either side of the one that keeps the limit
_LISTED = 3  # phases, where there is little room


# No single number stands for the noise of several phases.


def noises(release: Mechanism) -> list[float]:
    """The noise of every phase, of six digits each."""
    return [phase.noise_multiplier for phase in release.phases]


def is_usable(release: Mechanism) -> bool:
    """Whether the controls can have its noise."""
    return all(BOXES["noise"].held(noise) == noise for noise in noises(release))


def at_noise(release: Mechanism, noise: float) -> Mechanism:
    """The release with this noise in its first phase and in proportion in the others, rounded to six digits.

    Rounded, so that ratios of phases do not drift from one change to the next. Raises ValueError where a phase cannot
    have so much noise, or so little.
    """
    scaled = release.with_noise(noise)
    if len(scaled.phases) == 1:
        return scaled
    return Composition(tuple(phase.with_noise(of_six_digits(phase.noise_multiplier)) for phase in scaled.phases))


def unit(release: Mechanism) -> float:
    """What noise is counted in where it is said with few digits: of several phases the first one's, as a factor."""
    return 1.0 if len(release.phases) == 1 else release.noise_multiplier


def of_six_digits(noise: float) -> float:
    """As boxes and addresses hold it."""
    return float(f"{noise:.6g}")


def round_up_noise(release: Mechanism, noise: float, digits: int) -> float:
    """This noise of the first phase or a little more, such that it, or the factor on all, has so few digits."""
    return of_six_digits(ceiling_digits(noise / unit(release), digits) * unit(release))


def listed(release: Mechanism) -> str:
    """``1.69``, or ``phase 1: 2.7, phase 2: 0.81``."""
    each = noises(release)
    if len(each) == 1:
        return f"{each[0]:g}"
    return ", ".join(f"phase {number}: {noise:g}" for number, noise in enumerate(each, 1))


def in_short(release: Mechanism) -> str:
    """``1.69``, or ``2.7, 0.81``; of many phases the first ones."""
    each = noises(release)
    return ", ".join([*(f"{noise:g}" for noise in each[:_LISTED]), *(["…"] if len(each) > _LISTED else [])])


# Numbers at a noise


@dataclass(frozen=True, eq=False)
class NoiseLevel:
    """What a release has at one noise: the most an attack finds, and the evidence where its law is known.

    ``found`` is the upper end of its bracket; None where there was no time for it. ``reached`` is what a known attack
    finds, where that is less and was computed.
    """

    REMEMBERED: ClassVar[int] = 4096  # some hundred sliders, of 2 kB a level

    noise: float
    found: float | None
    evidence: Evidence | None = None
    reached: float | None = None


@dataclass(frozen=True, eq=False)
class _Curve:
    """A wider bracket of a whole curve; those of little noise take up to 20 MB, a slider's together up to 50."""

    REMEMBERED: ClassVar[int] = 64  # two sliders

    loss: CertifiedLoss


@shared_cache
def _coarse(release: Mechanism, smallest_alpha: float, *, precision: Precision = _COARSE) -> _Curve:
    """Narrow enough from this rate up."""
    return _Curve(release.certified(replace(precision, smallest_alpha=smallest_alpha)))


def _decade(alpha: float) -> float:
    """A round rate at or below: slider's rates share the brackets."""
    return float(10.0 ** np.floor(np.log10(min(alpha, _LARGEST_ALPHA))))


@shared_cache
def level(
    release: Mechanism, alpha: float, order: Order, *, is_fine: bool, precision: Precision = cached.PRECISION
) -> NoiseLevel:
    """The release as it is; as pages state it, or on a wider bracket."""
    loss = release.certified(precision) if is_fine else _coarse(release, _decade(alpha)).loss
    found = (loss if release.closed_form is None else release).power(alpha, order).upper
    is_open = is_fine and release.bound is Bound.OPEN
    reached = release.power(alpha, order, precision).lower if is_open else None
    clears, seen = order is Order.REMOVE, None
    if loss.statistic is not None:
        seen = evidence(loss.statistic, alpha, clears)
    elif loss.power(alpha, order).lower > ALL_BUT_CERTAIN:
        seen = apart(alpha, clears)
    return NoiseLevel(release.noise_multiplier, found, seen, reached)


def curve(release: Mechanism, alpha: float, order: Order, rates: Floats, *, is_fine: bool) -> TradeOffCurve:
    """The trade-off curve at these ``rates``, on the bracket on which ``level`` counts."""
    if is_fine or release.closed_form is not None or not release.is_reached:
        precision = cached.PRECISION if is_fine else replace(_COARSE, smallest_alpha=_decade(alpha))
        return release.trade_off(rates, order, precision)
    safe, shown, reached = (
        TradeOffCurve(part.alpha, part.beta, part.power, bound, release.label)
        for part, bound in zip(
            _coarse(release, _decade(alpha)).loss.trade_off(rates, order),
            (Bound.LOWER, Bound.CERTIFIED, Bound.UPPER),
            strict=True,
        )
    )
    return replace(shown, lower=safe, upper=reached)


def levels(choice: ReleaseChoice, advised: float | None, every: int = 1) -> list[NoiseLevel]:
    """The release's own level, the advised one, and those of round values around them, by ascending noise.

    Of these only one in ``every`` so many, and only its noise, without a number: see ``completed``. The advised one has
    a number where there is time for it.
    """
    release, asked, own = choice.mechanism, (choice.alpha, choice.order), choice.mechanism.noise_multiplier
    first, middle = _nearest(own), _nearest(advised or own)
    found = dict[float, NoiseLevel]()
    for noise in SLIDER_NOISES[max(min(first, middle - _REACH), 0) : max(first, middle + _REACH) + 1 : every]:
        with suppress(ValueError):  # a phase that cannot have so much, or so little
            at_noise(release, noise)
            found[noise] = NoiseLevel(noise, None)
    found[own] = level(release, *asked, is_fine=True)
    if advised is not None and advised != own:
        found[advised] = NoiseLevel(advised, None)
        with suppress(DeadlineError):
            found[advised] = level(at_noise(release, advised), *asked, is_fine=True)
    return [found[noise] for noise in sorted(found)]


def _nearest(noise: float) -> int:
    """Index of the slider's round value next to this noise."""
    return int(np.argmin(np.abs(np.log(np.array(SLIDER_NOISES) / noise))))


def completed(choice: ReleaseChoice, noises: Sequence[float]) -> list[NoiseLevel]:
    """The levels of these ``noises`` by ascending noise, found in the order of their distance from the release's own.

    Only as far as there is time while no other visitor waits and this one has not asked for something else: the others
    are computed when the slider is let go there.
    """
    release, asked = choice.mechanism, (choice.alpha, choice.order)
    own, done, in_time = release.noise_multiplier, list[NoiseLevel](), True
    with portion(SECONDS, RUNS.is_busy):
        for noise in sorted(noises, key=lambda noise: abs(np.log(noise / own))):
            try:
                there = at_noise(release, noise)
                if in_time or level.knows(there, *asked, is_fine=False):
                    done.append(level(there, *asked, is_fine=False))
            except DeadlineError:
                in_time = False
            except ValueError:  # no number for this noise; there may be one for more
                continue
    return sorted(done, key=lambda one: one.noise)
