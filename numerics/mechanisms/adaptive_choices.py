"""What several choices give away, each of which may depend on those before: at most, and to the best attacks.

A choice of some epsilon is one among candidates whose losses all lie in an interval of that length (bounded range; see
``exponential_mechanism``). Who asks may take the next scores from what was released before.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, bdtrc, log_expit

from numerics.privacy_loss.bounds import Polyline
from numerics.privacy_loss.pairs import (
    Atom,
    ComposedPairs,
    FinitePair,
    LossLaw,
    TabulatedPair,
    composed,
    sampled_loss,
    unsampled_loss,
)
from numerics.trade_off import Floats

WORDS = "choices by the exponential mechanism"
MOST_TOGETHER, FEWEST_CELLS = 64, 16  # choices in a group, and cells that the largest loss is cut into: 20 ms
_FINER = 0.55  # power of how much fewer choices there are, of how much finer the lattice: 10 ms


def cells_for(choices: int) -> int:
    """How many cells the largest loss of one of so many choices is cut into."""
    return int(FEWEST_CELLS * (MOST_TOGETHER / choices) ** _FINER)


def most_together(cells: float) -> int:
    """How many choices may be taken together where at least so many cells are needed; 1 where those are too many."""
    return max(int(MOST_TOGETHER * max(cells / FEWEST_CELLS, 1.0) ** (-1.0 / _FINER)), 1)


# The most.
#
# Let h_n(g) be the largest P(S) - g Q(S) over all events S and all ways to make n choices. Of one choice all losses lie
# in [t - epsilon, t] for some t. What follows it is worth at most E_P[h(g e^-loss)], the mean under Q of a convex
# function of e^loss, so of all laws on that interval the worst has its ends alone. With p_t and q_t the chances of the
# upper end,
#
#     h_n+1(g) = max over t of p_t h_n(g q_t / p_t) + (1 - p_t) h_n(g (1 - q_t) / (1 - p_t)),    h_0(g) = max(1 - g, 0):
#
# no choices, be they chosen by what was released before, give away more, and some give away as much (the optimum of
# Dong, Durfee and Rogers 2020, adaptive). A Poisson sample turns an end l into log(1 - r + r e^l), and e^loss by a
# line, so that the same holds of P with the record and Q without it; all g > 0 are both orders.
#
# h_n is convex, so it is that of one pair of laws. This pair dominates the choices (Zhu, Dong and Wang 2022, theorem
# 10), whatever else is composed with them: a GUARANTEE, a little above h_n, as it is computed on a lattice of log g
# where chords lie above h_n. While both arguments stay between the same lattice points the right side is A + B e^t + C
# e^-t, whose largest value is known: no t is missed.
#
# Without sampling a choice between two candidates has any t, so the best attacks reach h_n: what lies between them and
# the guarantee of up to 64 choices is due to the lattices alone, and falls with the square of their step, however many
# choices there are (64 of epsilon 0.5: 0.8 % of the power at a false positive rate of 1e-3, 0.15 % with 36 cells). Of
# more, the guarantee composes groups, each of which may have another strategy for every g: two of 64 (0.1) lie 0.3 %
# above h_128 at g = 1, and 3 % three standard deviations of the loss further up, on lattices of any fineness.


_ROUNDING = 1e-13  # relative, of a step: some dozen roundings of sums of positive terms, added on the safe side


def worst_choices(epsilon: float, rate: float, choices: int, cells: int) -> LossLaw:
    """A pair that dominates so many choices of this epsilon, with the largest loss of one cut into ``cells``."""
    # The t of one choice is cut into intervals. The lattice of log g has the loss 0 at place 0; a loss reaches ``low``
    # places below it and ``cells`` above.
    top, bottom = sampled_loss(np.array([epsilon, -epsilon]), rate).tolist()
    step = top / cells
    low = cells if rate == 1.0 else int(np.ceil(-bottom / step))
    up, down = step * np.arange(cells + 1), np.maximum(-step * np.arange(low + 1), bottom)
    turns = np.concatenate((unsampled_loss(up, rate), epsilon + unsampled_loss(down, rate)))
    ends = np.unique(np.clip(turns[: len(up)] if rate == 1.0 else turns, 0.0, epsilon))  # at rate 1 both are the same
    nodes = np.concatenate((ends, 0.5 * (ends[1:] + ends[:-1])))  # the ends of all intervals, and then their middles
    half, share = 0.5 * np.diff(ends), -np.expm1(-epsilon)
    flat, steep = (np.tanh(part)[:, np.newaxis] for part in (0.5 * half, half))
    upper = np.exp(-nodes) * -np.expm1(nodes - epsilon) / share, sampled_loss(nodes, rate)
    lower = -np.expm1(-nodes) / share, sampled_loss(nodes - epsilon, rate)
    places, node = np.arange(-low, cells + 1)[:, np.newaxis], np.arange(len(nodes))
    weights = np.zeros((low + cells + 3, len(nodes)))  # what h counts at a node, from cells + 1 places below g on
    bends = np.zeros((low + cells + 1, len(nodes)))  # what the bend of h_0 at g = 1 adds, from low places below 1 on
    for chance, loss in (upper, lower):
        # g e^-loss lies ``below`` places below g or less than one higher, and as far up to that as ``part`` says.
        below = np.clip(np.ceil(loss / step), -low, cells).astype(np.intp)
        part = np.clip(np.expm1(below * step - loss) / np.expm1(step), 0.0, 1.0)
        np.add.at(weights, (cells + 1 - below, node), chance * np.exp(loss) * (1.0 - part))
        np.add.at(weights, (cells + 2 - below, node), chance * np.exp(loss) * part)
        difference = chance * np.exp(step * places) * np.abs(np.expm1(loss - step * places))  # of p and g q
        bends += np.where((places >= 0) != (places >= below), difference, 0.0)
    excess = np.zeros(1)  # of h over h_0, both above 0: neither tail loses digits to 1 - g
    beyond = np.zeros(low + cells + 1)
    for done in range(choices):  # after each, the excess from ``low`` places further down on
        near = np.lib.stride_tricks.sliding_window_view(np.concatenate((beyond, excess, beyond)), len(weights))
        found = weights.T @ near.T
        found[:, done * low : done * low + len(bends)] += bends.T
        at_ends, middle = found[: len(half) + 1], found[len(half) + 1 :]
        # With s = t - middle the value is middle + b (cosh s - 1) + c sinh s, largest where tanh s = -c / b if b < 0:
        # inside of hardly any interval.
        arch = 0.5 * (at_ends[1:] + at_ends[:-1]) - middle
        lean = 0.5 * (at_ends[1:] - at_ends[:-1]) * flat
        inside = np.nonzero(np.abs(lean) < -arch * steep)
        arch, tangent = arch[inside], lean[inside] / arch[inside]
        rise = -arch * tangent**2 / (1.0 + np.sqrt(1.0 - tangent**2)) / (2.0 * np.sinh(0.5 * half[inside[0]]) ** 2)
        largest = np.max(at_ends, axis=0)
        np.maximum.at(largest, inside[1], middle[inside] + rise)
        excess = (1.0 + _ROUNDING) * largest
    zero = choices * low
    loss = step * np.arange(-zero, len(excess) - zero, dtype=np.float64)
    slope = np.concatenate(([0.0], np.diff(excess) / (np.exp(loss[:-1]) * np.expm1(step)), [0.0]))
    q = np.diff(slope)
    q[zero] += 1.0
    p, q = (np.maximum(mass, 0.0) for mass in (q * np.exp(loss), q))
    return LossLaw(loss, p, q)


@dataclass(frozen=True)
class ChoicesPair(TabulatedPair):
    """The worst of ``choices`` choices, each of which may depend on those before (see ``worst_choices``).

    Attributes:
        epsilon: of one of them, for the record that is in the sample.
        rate: Poisson sampling rate.
        choices: their number.
    """

    epsilon: float
    rate: float
    choices: int

    is_reached = False
    words = WORDS

    @property
    def is_symmetric(self) -> bool:
        return self.rate == 1.0

    @property
    def inclusion_probability(self) -> float:
        return float(-np.expm1(self.choices * np.log1p(-self.rate))) if self.rate < 1.0 else 1.0

    def tabulated(self) -> LossLaw:
        return worst_choices(self.epsilon, self.rate, self.choices, cells_for(self.choices))


# Attacks.
#
# An attacker who chooses the scores has a strategy: what to ask first, of two candidates, and for either answer a
# strategy for the rest; in the end, whether to accuse. Its rates are sums of products of chances, all positive: EXACT.
# Which strategy is best depends on the price g of a false alarm, with which power - g alpha is to be large. After an
# answer of loss l the best one is that for g e^-l (Bellman). So they are made from the last choice backwards, one for
# every g on a lattice of its logarithm. An answer whose loss is no multiple of the step is followed by the strategy for
# the nearest price: not quite the best one, and one that can be played. Without sampling all losses are multiples.
#
# To this come those that ask the same every time and accuse by the number of answers: at the smallest rates they accuse
# if all answers agree, and no lattice is as fine as that. Tossing a coin between two strategies has any rates between.


_SMALLEST_LOSS, _WIDEST = 1e-9, 30.0  # largest loss and epsilon: beyond, rounding or one answer decides
_SPREADS = 8.0  # standard deviations of the log-likelihood ratio, from its mean on, up to which prices are looked at
_LARGEST_PRICE = 600.0  # log; its exponential is still a number
_NEVER = np.array([[0.0], [1.0], [0.0], [1.0]])  # alpha, 1 - alpha, power and beta of who accuses nobody
_UNANIMOUS = np.linspace(-40.0, 40.0, 161)  # log odds of the candidates where all answers have to agree


class Candidates(NamedTuple):
    """Losses and chances of the two candidates of n choices, (2, n) each: ``p`` with the record, ``q`` without it."""

    loss: Floats
    p: Floats
    q: Floats


@dataclass(frozen=True)
class RepeatedChoice(FinitePair):
    """One choice of an attack that asks the same every time, of candidates whose losses are as far from 0.

    Attributes:
        epsilon: of one choice, for the record that is in the sample.
        rate: Poisson sampling rate.
        is_replaced: whether another record has its place where it is absent.
    """

    epsilon: float = 0.0
    rate: float = 1.0
    is_replaced: bool = False

    is_adaptive = True

    @classmethod
    def between(cls, epsilon: float, rate: float, is_replaced: bool) -> "RepeatedChoice":
        """The choice, with its outcomes."""
        loss, p, q = two_candidates(_balanced(epsilon, is_replaced), epsilon, rate, is_replaced)
        outcomes = (Atom(float(loss[i, 0]), float(p[i, 0]), float(q[i, 0])) for i in (1, 0))
        return cls(tuple(outcomes), WORDS, True, epsilon, rate, is_replaced)

    def together(self, steps: int) -> ComposedPairs:
        """See DominatingPair; here what attacks reach who ask what is best after all that was released before.

        All but the last choices of many are the same: what came out is the price with which the others begin.
        """
        size = min(steps, MOST_TOGETHER)
        if size == 1 or self.largest_loss < _SMALLEST_LOSS or self.epsilon > _WIDEST:
            return ((self, steps),)
        return composed((self, steps - size), (StrategiesPair(self.epsilon, self.rate, self.is_replaced, size), 1))


@dataclass(frozen=True)
class StrategiesPair(TabulatedPair):
    """A pair every point of whose curve an attack on ``choices`` choices reaches, another one each.

    The other attributes are those of RepeatedChoice.
    """

    epsilon: float
    rate: float
    is_replaced: bool
    choices: int

    words = WORDS

    def tabulated(self) -> LossLaw:
        """See TabulatedPair: the hull of what all the attacks reach."""

        def between(odds: Floats) -> Candidates:
            return two_candidates(odds, self.epsilon, self.rate, self.is_replaced)

        # Of one choice the losses of the first candidate are to lie evenly, but for sampling.
        width = 2.0 * self.epsilon if self.is_replaced else self.epsilon
        cells = 2 * (cells_for(self.choices) // 2)  # even: in the middle both candidates' losses are as far from 0
        t = width * np.arange(1.0, cells) / cells
        odds = np.log(-np.expm1(t - width)) - np.log(-np.expm1(-t)) - t + (self.epsilon if self.is_replaced else 0.0)
        alike, every = _balanced(self.epsilon, self.is_replaced), np.arange(1.0, self.choices + 1.0)
        rates = (
            _by_count(between(_UNANIMOUS), np.array([1.0, self.choices]), self.choices),
            _by_count(between(alike), every, self.choices),
            _strategies(between(odds), self.choices),
        )
        alpha, rest, power, beta = np.concatenate(rates, axis=1)
        seen = (alpha > 0.0) & (beta > 0.0)  # what underflows is not 0
        law = np.array(Polyline.hull(Polyline(alpha[seen], rest[seen], beta[seen], power[seen])).law)
        p, q = law[:, np.all(law > 0.0, axis=0)]  # corners that only rounding tells apart
        return LossLaw(np.log(p) - np.log(q), p, q)


def two_candidates(odds: Floats, epsilon: float, rate: float, is_replaced: bool) -> Candidates:
    """Choices between two; without either record the log odds of the first are ``odds`` (n,).

    The one record raises them by epsilon, the other lowers them by that.
    """
    absent = np.array([log_expit(odds), log_expit(-odds)])

    def drawn(change: float) -> tuple[Floats, Floats]:
        """Log ratio to the choice without either record, and chances."""
        present = np.array([log_expit(odds + change), log_expit(-odds - change)])
        return sampled_loss(present - absent, rate), (1.0 - rate) * np.exp(absent) + rate * np.exp(present)

    (with_record, p), (without, q) = drawn(epsilon), drawn(-epsilon if is_replaced else 0.0)
    return Candidates(with_record - without, p, q)


def _balanced(epsilon: float, is_replaced: bool) -> Floats:
    """The log odds at which the losses of both candidates are as far from 0, but for sampling."""
    return np.array([0.0 if is_replaced else -0.5 * epsilon])


def _by_count(candidates: Candidates, least: Floats, choices: int) -> Floats:
    """Rates (4, m) of who asks the same each time and accuses if the first is chosen ``least`` times or more often."""
    few = least[:, np.newaxis] - 1.0
    rates = [each(few, choices, chance) for chance in (candidates.q[0], candidates.p[0]) for each in (bdtrc, bdtr)]
    return np.array([each.ravel() for each in rates])


def _strategies(candidates: Candidates, choices: int) -> Floats:
    """Rates (4, m) of the best strategy for every price on the lattice."""
    loss, p, q = candidates
    step = float(np.max(loss)) / loss.shape[1]
    losses = np.rint(loss / step).astype(np.intp)
    reach = int(np.max(np.abs(losses)))
    spread = float(np.sqrt(choices * np.max(np.sum(p * loss**2, axis=0))))
    furthest = choices * float(np.max(np.sum(p * loss, axis=0))) + _SPREADS * spread
    furthest = max(int(min(furthest, _LARGEST_PRICE) / step), 1)
    rates, size = _NEVER, 0
    for _ in range(choices):
        # Beyond the prices that were looked at everybody is accused, or nobody.
        before, size = size, min(size + reach, furthest)
        beyond = size + reach - before
        never = np.repeat(_NEVER, beyond, axis=1)
        known = np.concatenate((1.0 - never, rates, never), axis=1)
        price = np.exp(step * np.arange(-size, size + 1.0))[:, np.newaxis]
        after = reach + np.arange(len(price))[:, np.newaxis] - losses[:, np.newaxis]
        alpha, rest, power, beta = known
        low, high = slice(size), slice(size, None)  # of prices: either has its digits where little is gained
        gained = (
            price[low] * _mean(rest, q, after[:, low]) - _mean(beta, p, after[:, low]),
            _mean(power, p, after[:, high]) - price[high] * _mean(alpha, q, after[:, high]),
        )
        best = np.argmax(np.concatenate(gained), axis=1)
        after = after[:, np.arange(len(price)), best]
        rates = np.array(
            [_mean(each, chance[:, best], after) for each, chance in zip(known, (q, q, p, p), strict=True)]
        )
    return rates


def _mean(rate: Floats, chance: Floats, after: NDArray[np.intp]) -> Floats:
    """Mean of a ``rate`` over both answers; ``after`` either it is that of another price, at this place."""
    return chance[0] * rate[after[0]] + chance[1] * rate[after[1]]
