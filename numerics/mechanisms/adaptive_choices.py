"""The most that several choices give away, each of which may depend on those before.

Let h_n(g) be the largest P(S) - g Q(S) over all events S and all ways to make n choices. Of one choice all losses lie
in [t - epsilon, t] for some t. What follows it is worth at most E_P[h(g e^-loss)], the mean under Q of a convex
function of e^loss, so of all laws on that interval the worst has its ends alone. With p_t and q_t the chances of the
upper end,

    h_n+1(g) = max over t of p_t h_n(g q_t / p_t) + (1 - p_t) h_n(g (1 - q_t) / (1 - p_t)),    h_0(g) = max(1 - g, 0):

no choices, be they chosen by what was released before, give away more, and some give away as much (the optimum of
Dong, Durfee and Rogers 2020, adaptive). A Poisson sample turns an end l into log(1 - r + r e^l), and e^loss by a line,
so that the same holds of P with the record and Q without it; all g > 0 are both orders.

h_n is convex, so it is that of one pair of laws. This pair dominates the choices (Zhu, Dong and Wang 2022, theorem 10),
whatever else is composed with them: a GUARANTEE, a little above h_n, as it is computed on a lattice of log g where
chords lie above h_n. While both arguments stay between the same lattice points the right side is A + B e^t + C e^-t,
whose largest value is known: no t is missed.
"""

from typing import NamedTuple

import numpy as np

from numerics.mechanisms.noise import sampled_loss, unsampled_loss
from numerics.privacy_loss.dominating_pairs import LossLaw
from numerics.trade_off import Floats

_ROUNDING = 1e-13  # relative, of a step: some dozen roundings of sums of positive terms, added on the safe side


class _Choice(NamedTuple):
    """One choice, whose t is cut into intervals; the lattice has the loss 0 at place 0.

    Attributes:
        step: of the lattice of log g.
        low, high: places that a loss reaches below and above 0.
        weights: (low + high + 3, nodes) what h counts at a node, from high + 1 places below g on; nodes are the ends of
            all intervals, ascending, and then their middles.
        bends: (low + high + 1, nodes) what the bend of h_0 at g = 1 adds, for g from ``low`` places below 1 on.
        half: half the length of each interval.
    """

    step: float
    low: int
    high: int
    weights: Floats
    bends: Floats
    half: Floats


def worst_choices(epsilon: float, rate: float, choices: int, cells: int) -> LossLaw:
    """A pair that dominates so many choices of this epsilon, with the largest loss of one cut into ``cells``."""
    one = _choice(epsilon, rate, cells)
    excess = np.zeros(1)  # of h over h_0, both above 0: neither tail loses digits to 1 - g
    for done in range(choices):
        excess = _one_more(excess, done * one.low, one)
    zero = choices * one.low
    loss = one.step * np.arange(-zero, len(excess) - zero, dtype=np.float64)
    slope = np.concatenate(([0.0], np.diff(excess) / (np.exp(loss[:-1]) * np.expm1(one.step)), [0.0]))
    q = np.diff(slope)
    q[zero] += 1.0
    p, q = (np.maximum(mass, 0.0) for mass in (q * np.exp(loss), q))
    return LossLaw(loss, p, q)


def _choice(epsilon: float, rate: float, cells: int) -> _Choice:
    top, bottom = sampled_loss(np.array([epsilon, -epsilon]), rate).tolist()
    step = top / cells
    low = cells if rate == 1.0 else int(np.ceil(-bottom / step))
    up, down = step * np.arange(cells + 1), np.maximum(-step * np.arange(low + 1), bottom)
    turns = np.concatenate((unsampled_loss(up, rate), epsilon + unsampled_loss(down, rate)))
    ends = np.unique(np.clip(turns[: len(up)] if rate == 1.0 else turns, 0.0, epsilon))  # at rate 1 both are the same
    nodes = np.concatenate((ends, 0.5 * (ends[1:] + ends[:-1])))
    share = -np.expm1(-epsilon)
    upper = np.exp(-nodes) * -np.expm1(nodes - epsilon) / share, sampled_loss(nodes, rate)
    lower = -np.expm1(-nodes) / share, sampled_loss(nodes - epsilon, rate)
    places, node = np.arange(-low, cells + 1)[:, np.newaxis], np.arange(len(nodes))
    weights, bends = np.zeros((low + cells + 3, len(nodes))), np.zeros((low + cells + 1, len(nodes)))
    for q, loss in (upper, lower):
        # g e^-loss lies ``below`` places below g or less than one higher, and as far up to that as ``part`` says.
        below = np.clip(np.ceil(loss / step), -low, cells).astype(np.intp)
        part = np.clip(np.expm1(below * step - loss) / np.expm1(step), 0.0, 1.0)
        np.add.at(weights, (cells + 1 - below, node), q * np.exp(loss) * (1.0 - part))
        np.add.at(weights, (cells + 2 - below, node), q * np.exp(loss) * part)
        difference = q * np.exp(step * places) * np.abs(np.expm1(loss - step * places))  # of p and g q
        bends += np.where((places >= 0) != (places >= below), difference, 0.0)
    return _Choice(step, low, cells, weights, bends, 0.5 * np.diff(ends))


def _one_more(excess: Floats, zero: int, one: _Choice) -> Floats:
    """The excess of h after one choice more, from ``low`` places further down on; g = 1 was at the place ``zero``."""
    beyond = np.zeros(one.low + one.high + 1)
    near = np.lib.stride_tricks.sliding_window_view(np.concatenate((beyond, excess, beyond)), len(one.weights))
    value = near @ one.weights
    value[zero : zero + len(one.bends)] += one.bends
    ends, middle = value[:, : len(one.half) + 1], value[:, len(one.half) + 1 :]
    # With s = t - middle the value is middle + b (cosh s - 1) + c sinh s, largest where tanh s = -c / b if b < 0.
    arch = 0.5 * (ends[:, 1:] + ends[:, :-1]) - middle
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        tangent = 0.5 * (ends[:, 1:] - ends[:, :-1]) / arch * np.tanh(0.5 * one.half)
        rise = -arch * tangent**2 / (1.0 + np.sqrt(1.0 - tangent**2)) / (2.0 * np.sinh(0.5 * one.half) ** 2)
    is_inside = (arch < 0.0) & (np.abs(tangent) < np.tanh(one.half))
    largest = np.maximum(np.max(ends, axis=1), np.max(np.where(is_inside, middle + rise, 0.0), axis=1))
    return np.asarray((1.0 + _ROUNDING) * largest)
