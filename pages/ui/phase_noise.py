"""The noise of a release in words, of every phase: no single number stands for several."""

from numerics.mechanisms import Composition, Mechanism
from pages.ui.numbers_in_words import ceiling_digits
from pages.ui.release_choice import NOISES

_MOST = 3  # phases that are listed where there is little room


def noises(release: Mechanism) -> list[float]:
    """The noise of every phase, of six digits each."""
    return [phase.noise_multiplier for phase in release.phases]


def is_usable(release: Mechanism) -> bool:
    """Whether the controls can have its noise."""
    low, high = NOISES
    return all(low <= noise <= high for noise in noises(release))


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


def rounded_up(release: Mechanism, noise: float, digits: int) -> float:
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
    return ", ".join([*(f"{noise:g}" for noise in each[:_MOST]), *(["…"] if len(each) > _MOST else [])])


def remedy(release: Mechanism, noisy: Mechanism) -> str:
    """The noise that ``noisy`` has, as a change of that of ``release``: the subject of a sentence.

    Of several phases one factor on all of them, and what each then has.
    """
    if len(release.phases) == 1:
        return f"Noise {listed(noisy)}"
    return f"All noise times {factor(release, noisy)} ({listed(noisy)})"


def use(release: Mechanism, noisy: Mechanism) -> str:
    """The same as what a button does: ``Use 1.69``, ``Multiply all noise by 2.7``."""
    if len(release.phases) == 1:
        return f"Use {listed(noisy)}"
    return f"Multiply all noise by {factor(release, noisy)}"


def factor(release: Mechanism, noisy: Mechanism) -> str:
    """By what all noise is multiplied, of six digits at most."""
    return f"{noisy.noise_multiplier / release.noise_multiplier:g}"
