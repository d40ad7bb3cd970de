"""What else the curve of reconstruction says: an attribute of two values, who gains most, what limits it.

An attacker guesses something about somebody: a record, an attribute, which of k people a record belongs to. Whatever it
is, ``mechanism.reconstruction(b)`` is the most often that a guess is right which is right with probability b at most
where the release does not depend on what is guessed: b is the probability of the likeliest value, of the likeliest ball
of records, or 1/k. Kulynych et al. (2025, arXiv 2507.06969) state this of replace-one releases; of add/remove ones it
holds by the same argument, with the release without the record to compare with (``Analysis.reconstruction``), and says
more. Two things are sharper or another sum, and are here.
"""

from math import log
from typing import ClassVar, NamedTuple

import numpy as np

from numerics.calibration import PowerTarget, Target
from numerics.conversions import power_limit, steep_power_limit
from numerics.mechanisms import Adjacency, Mechanism
from numerics.privacy_loss import Precision
from numerics.trade_off import Bracket, Order
from numerics.validation import NonNegative, OpenProbability, Probability, checked, value

# What limits reconstruction: the prior from which it may exceed a limit, and what (epsilon, delta) alone says.


@checked
def largest_prior(mechanism: Mechanism, limit: OpenProbability, precision: Precision | None = None) -> Bracket:
    """The prior kappa below which reconstruction succeeds with probability at most ``limit``.

    f^-1(1 - limit) for the add-one trade-off function f: the false negative rate of the remove-one order, its
    functional inverse, at false positive rate 1 - limit. ``lower`` is safe (from the guarantee); beyond ``upper`` a
    test of presence exceeds the limit, and nothing is promised; where no such test is known (``Analysis.is_reached``),
    both are where the guarantee ends. 0 where no prior is small enough.

    Raises ValueError unless ``limit`` lies strictly between 0 and 1.
    """
    curve = mechanism.trade_off(np.array(_around_complement(limit)), Order.REMOVE, precision)
    safe, reached = curve.lower or curve, curve.upper or curve
    return Bracket.around(float(safe.beta[1]), float(curve.beta[1]), float(reached.beta[0]))


def _around_complement(limit: float) -> tuple[float, float]:
    """1 - ``limit``, rounded down and up: 1 - x is exact for x from 1/2 to 1, so it tells which way it was rounded."""
    nearest = 1.0 - limit
    low = nearest if 1.0 - nearest >= limit else float(np.nextafter(nearest, 0.0))
    high = nearest if 1.0 - nearest <= limit else float(np.nextafter(nearest, 1.0))
    return low, high


class EpsilonDeltaBound(NamedTuple):
    """Upper bounds of the reconstruction probability: the best one, and the valid but looser one of the paper."""

    tight: float
    printed: float


@checked
def from_epsilon_delta(epsilon: NonNegative, delta: Probability, prior: Probability) -> EpsilonDeltaBound:
    """Most that an (``epsilon``, ``delta``)-DP release (add/remove) allows at ``prior`` (paper 003 Thm 1).

    Tight: min{1, e^epsilon kappa + delta, 1 - e^-epsilon (1 - delta - kappa)}; the paper has the first two
    (correction 37). Raises ValueError for a negative epsilon, or a delta or prior outside [0, 1].
    """
    return EpsilonDeltaBound(power_limit(epsilon, delta, prior), steep_power_limit(epsilon, delta, prior))


_GUESSES = np.linspace(0.0, 1.0, 2001)[1:-1]


@checked
def attribute_inference(mechanism: Mechanism, prior: OpenProbability, precision: Precision | None = None) -> Bracket:
    """Probability that the best attack names an attribute of two values, one of which has probability ``prior``.

    The records of either value are neighbours by replacement, whatever the ``mechanism``'s own neighbours are: the same
    releases are asked with one in place of the other. With their trade-off function f, at its worst, the best test of
    the two is right with probability max_a {prior (1 - f(a)) + (1 - prior)(1 - a)}; the line of slope
    -(1 - prior) / prior that touches f gives that by delta at an epsilon of log((1 - prior) / prior).

    Never above ``reconstruction`` from the likelier value, which holds for any number of values. Raises ValueError
    unless ``prior`` lies strictly between 0 and 1.
    """
    rare = min(prior, 1.0 - prior)
    gained = mechanism.with_neighbours(Adjacency.REPLACE_ONE).delta(log((1.0 - rare) / rare), precision)
    return Bracket(*((1.0 - rare) + rare * delta for delta in gained))


class LargestGain(NamedTuple):
    """The guess that a release helps most in points, about, and by how much: from ``prior`` to ``prior + gain``."""

    prior: float
    gain: Bracket


@checked
def largest_gain(mechanism: Mechanism, precision: Precision | None = None) -> LargestGain:
    """Who gains most from the release: where reconstruction exceeds its prior by most, f has slope -1.

    The gain is the advantage. ``prior`` is known to 5e-4; the gain changes little around it. In ratios the rarest
    guesses gain most: ``reconstruction(b) / b`` never rises with b.
    """
    curve = mechanism.trade_off(_GUESSES, precision=precision)
    return LargestGain(float(_GUESSES[np.argmax(curve.power - _GUESSES)]), mechanism.advantage(precision))


# Reconstruction and attribute inference as targets that noise can be calibrated to.


def _exceed(success: float, guess: float) -> None:
    if success <= guess:
        raise ValueError(
            f"success must exceed prior (guessing alone succeeds with probability {guess:g}), got {success!r}."
        )


@value
class ReconstructionTarget(Target):
    """Reconstruction succeeds with probability at most ``success`` from a prior guess of ``prior``.

    A power target in the add-one order, by which paper 003 defines reconstruction (Sec. 1). Raises ValueError unless
    0 < prior < success < 1.
    """

    success: OpenProbability
    prior: OpenProbability

    words: ClassVar[str] = "reconstruction at most {success:g} from a prior guess of {prior:g}"

    def __post_init__(self) -> None:
        _exceed(self.success, self.prior)

    def measure(self, mechanism: Mechanism, precision: Precision) -> Bracket:
        return PowerTarget(self.success, self.prior).measure(mechanism, precision)


@value
class AttributeTarget(Target):
    """An attribute of two values, one of probability ``prior``, is named rightly with probability at most ``success``.

    See ``attribute_inference``. Raises ValueError unless ``success`` lies above the
    probability of the likelier value and below 1.
    """

    success: OpenProbability
    prior: OpenProbability

    words: ClassVar[str] = "one of two values named rightly at most {success:g} of the time from a prior of {prior:g}"

    def __post_init__(self) -> None:
        _exceed(self.success, max(self.prior, 1.0 - self.prior))

    def measure(self, mechanism: Mechanism, precision: Precision) -> Bracket:
        return attribute_inference(mechanism, self.prior, precision)
