"""The one-swap bound: what noise hides of a record's membership in a random half, by swapping one record for another.

A random half S of n records is used and theta(S) + noise is released. Is the record x in S? Draw a half S with x
uniformly and y uniformly from the rest: S' = S - x + y is then a uniform half without x. So the outputs with x and
those without it are mixtures of pairs that differ by one swap, and as every hockey-stick divergence is jointly convex,

    delta_x(epsilon) <= mean over (S, y) of delta_noise(||theta(S) - theta(S')||; epsilon),
    eta_x <= 1/2 mean over (S, y) of TV_noise(||theta(S) - theta(S')||).

Both orders have the same bound, for the noise is symmetric, and the conjugate of the averaged profile bounds the whole
trade-off curve. Differential privacy with replaced records has the *largest* swap where this has the mean, so it never
promises less noise. The pairing of halves is the graph of paper 002's Lemma 12, which the paper uses to go from
differential privacy to eta; the bound is ours (correction 32), its proof in docs/one_swap_bound.md.

For a mean of k records the swap moves the release by ||x - y|| / k whatever S is, and in a histogram two bins by one if
x and y are in different ones. Of other statistics all halves of at most 20 records are enumerated; of more, swaps are
drawn, which makes it an audit (``swap_audit``). Several statistics of one half compose, if they were chosen before
any was seen and have noise of their own: the same swap moves all of them.

Sizes of swaps come from the private data: noise scaled by them keeps its promise only where they are public, or assumed
before looking. All numbers here are guarantees about the game "exactly half" (``Game.HALVES``).
"""

from collections.abc import Callable
from enum import StrEnum
from functools import partial
from math import comb
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf, erfinv, expit, log_ndtr, ndtr

from numerics.deadline import look
from numerics.membership import mean_swaps
from numerics.membership.advantage import Game, PositiveEta
from numerics.membership.halves import LARGEST_POOL
from numerics.trade_off import Bound, Floats, TradeOffCurve
from numerics.validation import (
    NON_NEGATIVE,
    POSITIVE,
    Finite,
    Interval,
    NonNegative,
    OpenProbability,
    Positive,
    PositiveCount,
    Probabilities,
    checked,
    value,
)

Norm = Callable[[Floats], Floats]
Shifts = Annotated[Floats, NON_NEGATIVE]
_ONE_BY_ONE = 2_000  # records; Gaussian noise on the mean of more is bounded by bins
_SIZES = 4_096  # different ones that a curve is made of
_LARGEST_EPSILON = 700.0  # a supporting line of the trade-off curve has the slope -e^epsilon
_HALVINGS = 60
_ROUNDING = 1e-15  # relative, the first step by which noise that is enough but for rounding is raised
_CLOSE = 1e-9  # relative, between noise that is enough and noise that is not


class SwapNoise(StrEnum):
    """The law of the noise: what tells it from itself, moved by ``shift`` (...), a length in units of its scale."""

    LAPLACE = "Laplace noise"
    NORM = "noise of density proportional to exp(-||x||/b)"
    GAUSSIAN = "Gaussian noise"

    @checked
    def advantage(self, shift: Shifts) -> Floats:
        """Total variation: 1 - e^(-t/2) and 2 Phi(t/2) - 1, exact; tanh(t/2) for any norm and dimension, at most."""
        if self is SwapNoise.LAPLACE:
            return 0.0 - np.expm1(-0.5 * shift)
        if self is SwapNoise.NORM:
            return np.tanh(0.5 * shift)
        return erf(shift / np.sqrt(8.0))

    @checked
    def shift_of(self, advantage: OpenProbability) -> float:
        """The shift with this ``advantage``."""
        if self is SwapNoise.LAPLACE:
            return float(-2.0 * np.log1p(-advantage))
        if self is SwapNoise.NORM:
            return float(2.0 * np.arctanh(advantage))
        return float(np.sqrt(8.0) * erfinv(advantage))

    @checked
    def delta(self, shift: Shifts, epsilon: NonNegative) -> Floats:
        """Privacy profile at ``epsilon`` >= 0: of Laplace and normal laws their own, else of randomised response.

        The densities of any norm's noise differ by factors up to e^t, as randomised response with epsilon t does.
        """
        if self is SwapNoise.LAPLACE:
            return 0.0 - np.expm1(np.minimum(0.5 * (epsilon - shift), 0.0))
        if self is SwapNoise.NORM:
            return 0.0 - np.expm1(np.minimum(epsilon - shift, 0.0)) * expit(shift)
        if epsilon == 0.0:
            return self.advantage(shift)
        mu = np.maximum(shift, np.finfo(float).tiny)
        with np.errstate(over="ignore", invalid="ignore"):
            gain = log_ndtr(0.5 * mu - epsilon / mu)
            less = epsilon + log_ndtr(-0.5 * mu - epsilon / mu) - gain  # NaN where both are 0
            return np.exp(gain) * -np.expm1(np.where(less < 0.0, less, 0.0))

    @checked
    def rates(self, shift: Shifts, epsilon: Finite) -> tuple[Floats, Floats, Floats]:
        """False alarms, found and missed of who accuses where the loss log(dP/dQ) exceeds ``epsilon``, of any sign."""
        if self is SwapNoise.GAUSSIAN:
            mu = np.maximum(shift, np.finfo(float).tiny)
            with np.errstate(over="ignore"):
                at = epsilon / mu
            return ndtr(-0.5 * mu - at), ndtr(0.5 * mu - at), ndtr(at - 0.5 * mu)
        if self is SwapNoise.LAPLACE:
            false, missed = (0.5 * np.exp(np.minimum(0.5 * (sign * epsilon - shift), 0.0)) for sign in (-1.0, 1.0))
        else:
            false = missed = expit(-shift)
        everybody, nobody = epsilon < -shift, epsilon >= shift
        false = np.where(nobody, 0.0, np.where(everybody, 1.0, false))
        missed = np.where(nobody, 1.0, np.where(everybody, 0.0, missed))
        return false, 1.0 - missed, missed


@value(eq=False)
class OneSwap:
    """How far one swap moves what is released of a random half, in units of its noise.

    Attributes:
        noise: its law.
        records: n.
        drawn: k, half of them.
        sizes: of a record, (n - 1, c): row y is how far a swap with the y-th other record moves the release, for c
            equally likely choices of the other members. One column where they do not matter.
        every: ``advantages`` at a scale, where there is a way to all of them that is shorter than one by one.
    """

    noise: SwapNoise
    records: PositiveCount
    drawn: PositiveCount
    sizes: Callable[[int], Floats]
    every: Callable[[float], Floats] | None = None

    def __post_init__(self) -> None:
        Interval(1, self.records - 1).check("drawn", self.drawn)

    @classmethod
    def of_mean(
        cls,
        data: Floats,
        noise: SwapNoise,
        scale: Positive = 1.0,
        drawn: PositiveCount | None = None,
        norm: Norm | None = None,
    ) -> "OneSwap":
        """The mean of ``drawn`` (half, rounded down) of ``data`` (n,) or (n, d), with noise of ``scale``.

        Scale: b, or the standard deviation of each coordinate. Lengths are Euclidean; for the noise NORM in its own
        ``norm`` of vectors (..., d). Raises ValueError for Laplace noise in several dimensions, and for another norm
        with noise that has its own. All records of a vector take n log n steps together, those of a matrix n^2.
        """
        length = _length(noise, data, norm)
        count = len(data) // 2 if drawn is None else drawn

        def sizes(record: int) -> Floats:
            return length(np.delete(data, record, axis=0) - data[record])[:, None] / (count * scale)

        seen = None
        if data.ndim == 1 and noise is SwapNoise.LAPLACE:
            seen = mean_swaps.laplace(data)
        elif data.ndim == 1 and noise is SwapNoise.GAUSSIAN and len(data) > _ONE_BY_ONE:
            seen = mean_swaps.binned(data, noise.advantage)
        every = None if seen is None else lambda factor: seen(count * scale * factor)
        return cls(noise, len(data), count, sizes, every)

    @classmethod
    def of_histogram(cls, bins: NDArray[np.integer], noise: SwapNoise, scale: Positive = 1.0) -> "OneSwap":
        """Counts of the records of half of ``bins`` (n,), which bin each is in, with noise of ``scale`` on all counts.

        A swap between two bins moves both counts by one, a Euclidean length of sqrt 2. Raises ValueError for Laplace
        noise, which is for one number.
        """
        codes, counts = np.unique(bins, return_inverse=True, return_counts=True)[1:]
        length = float(_length(noise, np.eye(2), None)(np.array([1.0, -1.0]))) / scale

        def sizes(record: int) -> Floats:
            return np.where(np.delete(codes, record) == codes[record], 0.0, length)[:, None]

        def every(factor: float) -> Floats:
            elsewhere = (len(bins) - counts[codes]) / (len(bins) - 1)
            return elsewhere * float(noise.advantage(_shifts(np.array(length), factor)))

        return cls(noise, len(bins), len(bins) // 2, sizes, every)

    @classmethod
    def of_halves(
        cls,
        inside: NDArray[np.bool_],
        values: Floats,
        noise: SwapNoise,
        scale: Positive = 1.0,
        norm: Norm | None = None,
    ) -> "OneSwap":
        """Any statistic by its ``values`` (m,) or (m, d) for all halves ``inside`` (m, n), in any order; else as above.

        Raises ValueError unless these are all subsets of their size, of at most 20 records.
        """
        length, records = _length(noise, values, norm), inside.shape[1]
        Interval(2, LARGEST_POOL).check("records", records)
        if len(values) != len(inside):
            raise ValueError(f"values must have a value for every half, got {len(values)} for {len(inside)}.")
        codes = inside @ (1 << np.arange(records))
        order = np.argsort(codes)
        inside, values, codes = inside[order], values[order], codes[order]
        sizes = inside.sum(axis=1)
        if np.ptp(sizes) or len(np.unique(codes)) != comb(records, int(sizes[0])):
            raise ValueError("inside must hold every subset of one size, each once.")
        drawn = int(sizes[0])
        Interval(1, records - 1).check("drawn", drawn)
        moved = np.empty((records, records - 1, comb(records - 2, drawn - 1)))
        for x in range(records):
            for y in range(x):
                first = np.flatnonzero(inside[:, x] & ~inside[:, y])
                second = np.searchsorted(codes, codes[first] - (1 << x) + (1 << y))
                moved[x, y] = moved[y, x - 1] = length(values[first] - values[second]) / scale
        return cls(noise, records, drawn, lambda record: moved[record])

    def then(self, other: "OneSwap") -> "OneSwap":
        """Both statistics of one half, each with its noise: chosen beforehand, not after seeing one of them.

        Effects of Gaussian noise add up in squares, which is exact for the swap. The others' sizes add up: the swap in
        one statistic after the other is at most as hard to see as both in one, which is a bound. Raises ValueError for
        other noise, another pool, or another number drawn.
        """
        mine, theirs = ((each.noise, each.records, each.drawn) for each in (self, other))
        if mine != theirs:
            raise ValueError(f"other must have the same noise, records and number drawn, {mine}, got {theirs}.")
        together = np.hypot if self.noise is SwapNoise.GAUSSIAN else np.add
        return OneSwap(
            self.noise,
            self.records,
            self.drawn,
            lambda record: np.asarray(together(self.sizes(record), other.sizes(record))),
        )

    def advantages(self, scale: Positive = 1.0) -> Floats:
        """Total variation (n,), at most, between the outputs with each record and those without it.

        All noise is multiplied by ``scale``. Holds for any number drawn.
        """
        return self._advantages(scale)

    def etas(self, scale: Positive = 1.0) -> Floats:
        """Eta (n,), at most, of each record: half of ``advantages``.

        Raises ValueError where not exactly half of the records is drawn, for then a constant answer is right more often
        than one time in two.
        """
        self._check_halves()
        return 0.5 * self.advantages(scale)

    def eta(self, scale: Positive = 1.0) -> float:
        """That of the record which is hidden least. Raises as ``etas``."""
        return float(np.max(self.etas(scale)))

    def scale_for(self, eta: PositiveEta) -> float:
        """What all noise is to be multiplied by so that ``self.eta(scale)`` is at most ``eta``; 0 if none is needed.

        The bound falls with the scale. The record that is hidden least is hidden, by itself, until none is hidden less.
        By bins all are hidden at once, for the bound of one in a crowd is far above its own until noise is as wide as a
        bin. Raises as ``etas``, and ValueError where that noise is too large or too small for a number.
        """
        self._check_halves()
        goal, scale, step = 2.0 * eta, 0.0, _ROUNDING
        while np.max(found := self._advantages(scale)) > goal:
            look()
            worst = int(np.argmax(found))
            sizes = self.sizes(worst)
            start = float(np.mean(sizes)) / self.noise.shift_of(goal)  # enough, if all swaps were alike: by concavity
            POSITIVE.check("the noise that is enough", start)
            if self.every is not None and self.noise is SwapNoise.GAUSSIAN:
                return least_enough(lambda factor: float(np.max(self._advantages(factor))) - goal, start)
            above = max(float(found[worst]) - self._seen(sizes, scale), 0.0)
            target = max(goal - above, 0.5 * goal)
            least = least_enough(partial(self._excess, sizes, target), start)
            scale, step = max(least, scale * (1.0 + step)), 2.0 * step
        return scale

    def delta(self, record: int, epsilon: NonNegative, scale: Positive = 1.0) -> float:
        """Delta, at most, between the outputs with and without ``record`` at ``epsilon``, in either order."""
        return float(np.mean(self.noise.delta(_shifts(self._sizes_of(record), scale), epsilon)))

    def trade_off(self, record: int, alpha: Probabilities, scale: Positive = 1.0) -> TradeOffCurve:
        """The attacker's least error on ``record`` at ascending ``alpha`` (n,), at least: a guarantee, in both orders.

        The attacker who is told which swap it is accuses where the loss exceeds one threshold for all swaps; the line
        of slope -e^threshold through those rates bounds every attack, and thresholds on both sides of ``alpha`` give
        power and error as sums of positive terms.
        """
        shift, found = _shifts(_fewer(self._sizes_of(record)), scale), []
        for each in alpha.tolist():
            low, high = -_LARGEST_EPSILON, _LARGEST_EPSILON
            for _ in range(_HALVINGS):
                middle = 0.5 * (low + high)
                low, high = (middle, high) if np.mean(self.noise.rates(shift, middle)[0]) > each else (low, middle)
            false, _, missed = (float(np.mean(rate)) for rate in self.noise.rates(shift, low))
            beta = missed + float(np.exp(low)) * max(false - each, 0.0)
            false, right, _ = (float(np.mean(rate)) for rate in self.noise.rates(shift, high))
            power = right + float(np.exp(high)) * max(each - false, 0.0)
            found.append((1.0 - each, each) if each in (0.0, 1.0) else (min(beta, 1.0), min(power, 1.0)))
        betas, powers = np.array(found).reshape(-1, 2).T
        words = f"{self.drawn} of {self.records} records are drawn; the attacker knows all of them, but not who was."
        said = Game.HALVES.words if 2 * self.drawn == self.records else words
        label = f"one-swap bound, {self.noise}"
        return TradeOffCurve(np.array(alpha), np.array(betas), np.array(powers), Bound.LOWER, label, (said,))

    def _advantages(self, scale: float) -> Floats:
        """The same, and without any noise."""
        if self.every is not None:
            return self.every(scale)
        return np.array([self._seen(self.sizes(record), scale) for record in range(self.records)])

    def _seen(self, sizes: Floats, scale: float) -> float:
        """Of the record with these ``sizes``."""
        return float(np.mean(self.noise.advantage(_shifts(sizes, scale))))

    def _excess(self, sizes: Floats, goal: float, scale: float) -> float:
        return self._seen(sizes, scale) - goal

    def _sizes_of(self, record: int) -> Floats:
        Interval(0, self.records - 1).check("record", record)
        return self.sizes(record)

    def _check_halves(self) -> None:
        if 2 * self.drawn != self.records:
            raise ValueError(
                f"eta is about exactly half of an even number of records, got {self.drawn} of {self.records}; "
                "advantages hold for any number."
            )


@checked
def eta_of_spread(scale: Positive, spread: NonNegative, noise: SwapNoise = SwapNoise.NORM) -> float:
    """Eta, at most, where only the mean distance ``spread`` of theta from any fixed centre, over the halves, is known.

    A swap is no longer than the way by the centre: its mean size is at most twice ``spread`` for every record.
    """
    return 0.5 * float(noise.advantage(np.array(2.0 * spread / scale)))


@checked
def scale_of_spread(eta: PositiveEta, spread: NonNegative, noise: SwapNoise = SwapNoise.NORM) -> float:
    """Noise that is enough for ``eta`` where only that is known; the inverse of ``eta_of_spread``."""
    return 2.0 * spread / noise.shift_of(2.0 * eta)


def least_enough(excess: Callable[[float], float], start: float, least: float = 0.0) -> float:
    """The least scale of noise at which ``excess``, which falls with it, is not above 0; searched for from ``start``.

    By secants that keep both ends (Illinois). Below ``least`` it ends: so little is no noise. Raises ValueError where
    the scale is too large for a number.
    """
    low = high = float(np.log(start))
    over = under = excess(start)
    while over <= 0.0:
        if np.exp(low) <= least:
            return float(np.exp(low))
        low, high, under = low - 1.0, low, over
        over = excess(float(np.exp(low)))
    while under > 0.0:
        low, high, over = high, high + 1.0, under
        if high > _LARGEST_EPSILON:
            raise ValueError("the noise that is enough is too large for a number.")
        under = excess(float(np.exp(high)))
    while high - low > _CLOSE:
        look()
        middle = high - under * (high - low) / (under - over)
        middle = min(max(middle, low + 0.25 * _CLOSE), high - 0.25 * _CLOSE)
        found = excess(float(np.exp(middle)))
        if found > 0.0:
            low, over, under = middle, found, 0.5 * under
        else:
            high, under, over = middle, found, 0.5 * over
    return float(np.exp(high))


def _fewer(sizes: Floats) -> Floats:
    """Of very many sizes as many equal shares, each for as large as its largest: what is seen is not less."""
    if sizes.size <= _SIZES:
        return sizes
    last = -(-np.arange(1, _SIZES + 1) * sizes.size // _SIZES) - 1
    return np.sort(sizes, axis=None)[last]


def _shifts(sizes: Floats, scale: float) -> Floats:
    """In units of the noise; infinite without any noise, at scale 0, unless nothing moves."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.where(sizes > 0.0, sizes / scale, 0.0)


def _length(noise: SwapNoise, values: Floats, norm: Norm | None) -> Norm:
    """The length of differences of ``values`` that counts for ``noise``."""
    if values.ndim not in (1, 2) or len(values) < 2 or not np.isfinite(values).all():
        raise ValueError(f"a vector or matrix of at least two finite rows is needed, got shape {values.shape}.")
    if noise is SwapNoise.LAPLACE and values.ndim == 2 and values.shape[1] > 1:
        raise ValueError("Laplace noise is for one number; for vectors take noise of a norm, or release them in turn.")
    if norm is not None and (noise is not SwapNoise.NORM or values.ndim == 1):
        raise ValueError(f"norm is for vectors and the noise {SwapNoise.NORM.name} alone.")
    if norm is not None:
        return norm
    return np.abs if values.ndim == 1 else lambda rows: np.asarray(np.linalg.norm(rows, axis=-1))
