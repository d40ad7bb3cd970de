"""Attackers who see the final model only: noisy gradient descent whose iterates stay secret.

x_{k+1} = Proj(x_k - eta (gradient + Z_k)), Z_k normal of deviation sigma, on losses that are convex and M-smooth, for
every data set of this size: NOT neural networks. One record changes the gradient by at most S, so a step has effect
size S / sigma and t published steps have sqrt(t) S / sigma. Where a step brings any two models nearer to each other,
what a record did to early steps fades, and the final model alone is G_mu with a smaller mu (arXiv 2403.00278).

The proof moves the models of neighbouring data sets onto each other: with c the factor by which a step brings them
nearer, z_0 = 0, z_{k+1} = c z_k + eta S - a_{k+1} and z_t = 0, the final model is G_mu with mu^2 = sum a_k^2 / (eta
sigma)^2; what is here is the least such sum (Bok, Su and Altschuler 2024). Batches drawn at random are not offered: the
constant of their theorem could not be checked. Losses that are not convex are open: there hiding the iterates may help
nothing.
"""

from typing import Annotated

import numpy as np
from scipy.special import ndtr, ndtri

from numerics.trade_off import Bracket
from numerics.validation import Interval, NonNegative, Positive, Probability, checked, value

LARGEST_STEPS = 1_000_000_000
_ALTERNATING = 10_000  # terms of a sum whose signs change; the rest is below rounding where they fade at all
Steps = Annotated[int, Interval(1, LARGEST_STEPS)]


@value
class ConvexLoss:
    """What is promised of the loss, on every data set that may be trained on, and the step taken on it.

    Attributes:
        step_size: eta, the learning rate.
        smoothness: M: the gradient changes by at most M times the distance.
        strong_convexity: m: and by at least m times the distance; 0 for a loss that is convex only.

    Raises ValueError unless m <= M and eta <= 2 / M: a longer step drives models apart, and nothing fades.
    """

    step_size: Positive
    smoothness: Positive
    strong_convexity: NonNegative = 0.0

    def __post_init__(self) -> None:
        if self.strong_convexity > self.smoothness:
            raise ValueError(f"strong_convexity must be at most the smoothness, got {self.strong_convexity!r}.")
        if not self.step_size * self.smoothness <= 2.0:
            raise ValueError(f"step_size must be at most 2 / smoothness, got {self.step_size!r}.")

    @property
    def slowest(self) -> float:
        """The factor r = 1 - eta m of a quadratic loss that keeps to this and forgets least: what an attack needs."""
        return 1.0 - self.step_size * self.strong_convexity

    @property
    def approach(self) -> float:
        """1 - c, where a step multiplies the distance of two models by c = max(|1 - eta m|, |1 - eta M|) at most."""
        slow, fast = self.step_size * self.strong_convexity, self.step_size * self.smoothness
        return max(min(slow, 2.0 - fast), 0.0)

    @property
    def is_slowest(self) -> bool:
        """Whether c is r: no step overshoots by more than that."""
        return self.step_size * (self.strong_convexity + self.smoothness) <= 2.0

    def fades(self) -> float:
        """``approach``; raises ValueError where nothing fades."""
        if self.approach == 0.0:
            raise ValueError(
                "strong_convexity must be positive and step_size below 2 / smoothness: else a step need not bring "
                f"models nearer, got {self.strong_convexity!r} and {self.step_size!r}."
            )
        return self.approach


def _faded(approach: float, steps: float) -> float:
    """1 - c^steps."""
    return float(-np.expm1(steps * np.log1p(-approach))) if approach < 1.0 else float(steps > 0.0)


@checked
def composed_mu(effect_size: Positive, steps: Steps) -> float:
    """The mu of an attacker who sees every model: sqrt(t) S / sigma. EXACT, and a GUARANTEE against who sees less."""
    return effect_size * float(np.sqrt(steps))


def _reached(effect_size: float, loss: ConvexLoss, batches: float, epochs: float) -> float:
    """What a quadratic loss gives away of a record in the last batch of every epoch: shifts and noise that fade by r.

    |sum over epochs of r^(l e)| / sqrt(sum over steps of r^(2 k)).
    """
    forgotten = 1.0 - loss.slowest
    if forgotten <= 1.0:
        shifts = _faded(forgotten, batches * epochs) / _faded(forgotten, batches)
    else:
        shifts = float(np.sum(loss.slowest ** (batches * np.arange(min(epochs, _ALTERNATING)))))
    noise = _faded(forgotten * (2.0 - forgotten), batches * epochs) / (forgotten * (2.0 - forgotten))
    return effect_size * abs(shifts) / float(np.sqrt(noise))


@checked
def strongly_convex_mu(effect_size: Positive, steps: Steps, loss: ConvexLoss) -> Bracket:
    """The mu of the final model of ``steps`` full-batch steps of effect size S / sigma.

    ``upper``, sqrt((1 - c^t) / (1 + c^t) (1 + c) / (1 - c)) S / sigma, is a GUARANTEE, with a projection onto a convex
    set too, and stays below sqrt((1 + c) / (1 - c)) S / sigma however many steps there are. ``lower`` is what a
    quadratic loss gives away without projection, an ATTACK. EXACT, both being equal, for eta <= 2 / (m + M), where
    c = 1 - eta m; beyond, a step overshoots, and what a record did changes its sign.
    """
    approach = loss.fades()
    gone = _faded(approach, steps)
    ratio = gone / (2.0 - gone) * (2.0 - approach) / approach
    most = min(effect_size * float(np.sqrt(ratio)), composed_mu(effect_size, steps))
    if loss.is_slowest:
        return Bracket.exact(most)
    reached = min(_reached(effect_size, loss, 1.0, float(steps)), most)
    return Bracket(reached, most, most)


@checked
def bounded_mu(effect_size: Positive, steps: Steps, loss: ConvexLoss, diameter: Positive, pull: Positive) -> float:
    """A GUARANTEE for full-batch steps on a convex loss, each projected onto a convex set of this ``diameter`` D.

    min(sqrt(t), min over 1 <= k <= t of (D + k eta S) / (eta S sqrt(k))) S / sigma, where the ``pull`` S is the most
    that a record changes the gradient; the best k lies next to D / (eta S). Tight up to a constant factor.
    """
    reach = diameter / (loss.step_size * pull)
    around = (np.floor(min(reach, float(steps))), np.ceil(min(reach, float(steps))))
    counts = [min(max(float(count), 1.0), float(steps)) for count in around]
    best = min((reach + count) / float(np.sqrt(count)) for count in counts)
    return min(composed_mu(effect_size, steps), effect_size * best)


@checked
def cyclic_mu(effect_size: Positive, batches: Steps, epochs: Steps, loss: ConvexLoss) -> Bracket:
    """The mu of the final model where ``batches`` fixed batches are gone through in the same order every epoch.

    ``effect_size`` is S / sigma of a step on one batch. ``upper`` is a GUARANTEE for a record anywhere, the last batch
    being the worst; ``lower`` what a quadratic loss gives away of a record there, an ATTACK. The loss of each batch
    has to be as ``loss`` says.
    """
    approach, squared = loss.fades(), 2.0 * loss.fades() - loss.fades() ** 2  # 1 - c, 1 - c^2
    round_gone = _faded(approach, batches)
    earlier = _faded(approach, float(batches) * (epochs - 1.0))
    kept = (1.0 - _faded(approach, batches - 1.0)) ** 2
    upper = 1.0 + kept * squared / round_gone**2 * earlier / (2.0 - earlier)
    most = min(effect_size * float(np.sqrt(upper)), composed_mu(effect_size, epochs))
    reached = _reached(effect_size, loss, float(batches), float(epochs))
    return Bracket(min(reached, most), most, most)


@checked
def power(mu: NonNegative, alpha: Probability) -> float:
    """True positive rate of the best test of G_mu at false positive rate ``alpha``."""
    return float(ndtr(mu + ndtri(alpha)))
