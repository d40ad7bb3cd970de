"""The largest difference of members found and outsiders accused, read off a relaxed curve."""

import numpy as np

from numerics.relaxed.curves import RelaxedCurve
from numerics.trade_off import Bracket
from numerics.validation import checked


@checked
def advantage(curve: RelaxedCurve) -> Bracket:
    """Largest power - alpha over the curve's grid and what a concave curve can add between its points.

    The curve's numerical error is in the bracket.
    """
    best = float(np.max(curve.power - curve.alpha))
    return Bracket(max(best - curve.error, 0.0), best, min(_largest_between(curve) + curve.error, 1.0))


def _largest_between(curve: RelaxedCurve) -> float:
    """Upper bound on power - alpha: two neighbouring chords, prolonged, enclose a concave curve between them."""
    alpha, gain = curve.alpha, curve.power - curve.alpha
    best = int(np.argmax(gain))
    if not 1 < best < len(alpha) - 2:
        return float(gain.max())
    slope = np.diff(gain) / np.diff(alpha)
    left = gain[best] + slope[best - 1] * (alpha[best + 1] - alpha[best])
    right = gain[best] + slope[best] * (alpha[best - 1] - alpha[best])
    return float(max(gain[best], left, right))
