"""How much noise hides who of a visitor's own table is in a random half: by the one-swap bound, and by other ways."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from numerics.frontier import PowerMeasure
from numerics.mechanisms import Adjacency
from numerics.membership import eta_of_mu, noise_scale
from numerics.membership.halves import LARGEST_POOL
from numerics.membership.one_swap import OneSwap, SwapNoise
from numerics.membership.swap_audit import audited_scale
from numerics.membership.table_statistics import Histogram, Slope, TrimmedMean, half_releases
from numerics.trade_off import Bound, Floats, TradeOffCurve, alpha_grid
from pages.frontier.limit import Limit
from pages.ui.numbers_in_words import at_most, ceiling_digits, rounded_up
from reports.rounding import nearest

MEAN, MEDIAN, TRIMMED, SLOPE, HISTOGRAM = "mean", "median", "trimmed mean", "regression coefficient", "histogram"
KINDS = (MEAN, MEDIAN, TRIMMED, SLOPE, HISTOGRAM)
KINDS_OF_NUMBERS = (Bound.LOWER, Bound.AUDIT, Bound.EXACT)
LEAST, SWAP, PRIVATE, PAPER = "the least that does it", "one-swap bound", "differential privacy", "paper, 6.16"
Released = TrimmedMean | Slope | Histogram
_DIGITS, _POINTS = 4, 60
_LEAST_ALPHA = 1e-4


@dataclass(frozen=True, eq=False)
class TableQuestion:
    """What is released of half of a table, with noise of which law.

    Attributes:
        values: the column (n,), n even.
        explained_by: x of a regression coefficient (n,), of which ``values`` is the y.
        kinds: of ``KINDS``, each once; several with Gaussian noise.
        trimmed: share that a trimmed mean leaves out at each end.
        bins: of a histogram, equally wide from the smallest value to the largest.
        noise: its law.
        limit: on members found, which the Gaussian curve through it turns into an eta.
        wanted: the eta itself, where it is entered.
    """

    values: Floats
    explained_by: Floats | None
    kinds: tuple[str, ...]
    trimmed: float
    bins: int
    noise: SwapNoise
    limit: Limit
    wanted: float | None = None

    @property
    def eta(self) -> float:
        """What is wanted, or half of the advantage on the Gaussian curve through the limit."""
        if self.wanted is not None:
            return self.wanted
        mu = PowerMeasure(self.limit.alpha).mu(np.array([self.limit.found]))
        return eta_of_mu(float(mu[0]), Adjacency.REPLACE_ONE)

    @property
    def statistics(self) -> dict[str, Released]:
        """By their names."""
        return {kind: self._statistic(kind) for kind in self.kinds}

    def _statistic(self, kind: str) -> Released:
        if kind == SLOPE:
            if self.explained_by is None:
                raise ValueError("a regression coefficient needs a second column of numbers, x.")
            return Slope(self.explained_by, self.values)
        if kind == HISTOGRAM:
            width = (float(self.values.max()) - float(self.values.min())) / self.bins or 1.0
            if not np.isfinite(width):
                raise ValueError("values lie too far apart for bins of equal width.")
            return Histogram(np.minimum((self.values - self.values.min()) / width, self.bins - 1).astype(np.int64))
        return TrimmedMean(self.values, {MEAN: 0.0, MEDIAN: 0.5, TRIMMED: self.trimmed}[kind])


@dataclass(frozen=True, eq=False)
class TableNoise:
    """What each way asks for.

    Attributes:
        question: what was asked.
        units: the scale of noise that each statistic takes alone by the one-swap bound, by its name.
        factors: by the way to it, what all ``units`` are multiplied by; infinite where the way gives no noise.
        etas: by the way to it, what its noise really gives, where all halves can be tried.
        halves: how many were drawn, for a bound that is an audit; 0 where it is a guarantee.
        spreads: root mean square distance of each statistic from its mean over halves, by its name.
        curves: of the record that is hidden least, with the one-swap bound's noise: what that bound promises, and what
            differential privacy does; empty for an audit, which is of eta alone.
    """

    question: TableQuestion
    units: Mapping[str, float]
    factors: Mapping[str, float]
    etas: Mapping[str, float]
    halves: int
    spreads: Mapping[str, float]
    curves: tuple[TradeOffCurve, ...]

    @property
    def bound(self) -> Bound:
        """How the one-swap bound's noise is known."""
        return Bound.AUDIT if self.halves else Bound.LOWER

    @property
    def scales(self) -> dict[str, float]:
        """The noise on each statistic, by the one-swap bound."""
        return {name: ceiling_digits(self.factors[SWAP] * unit, _DIGITS) for name, unit in self.units.items()}


def answered(question: TableQuestion) -> TableNoise:
    """Noise for the limit; raises ValueError where there is none to tell."""
    statistics, noise, eta = question.statistics, question.noise, question.eta
    if len(statistics) > 1 and noise is not SwapNoise.GAUSSIAN:
        raise ValueError("several statistics take Gaussian noise, whose effects add up in squares.")
    alone = {name: _enough({name: one}, noise, eta, {name: 1.0}) for name, one in statistics.items()}
    for name, (scale, _) in alone.items():
        if scale == 0.0:
            raise ValueError(f"the {name} takes no noise at this limit: too few swaps in this table move it.")
    units = {name: ceiling_digits(scale, _DIGITS) for name, (scale, _) in alone.items()}
    factor, halves = 1.0, next(iter(alone.values()))[1]
    if len(statistics) > 1:
        factor, halves = _enough(statistics, noise, eta, units, seed=1)
    longest = float(np.linalg.norm([one.largest / units[name] for name, one in statistics.items()]))
    spreads = {name: one.spread for name, one in statistics.items()}
    factors, etas = {SWAP: factor, PRIVATE: longest / noise.shift_of(2.0 * eta)}, dict[str, float]()
    if len(statistics) == 1:
        (name, one), (unit,) = next(iter(statistics.items())), units.values()
        factors[PAPER] = noise_scale.corollary_14_scale(eta, spreads[name]) / unit
        if one.records <= LARGEST_POOL and not isinstance(one, Histogram):
            every, is_laplace = half_releases(one), noise is SwapNoise.LAPLACE
            factors = {LEAST: (every.scale_for if is_laplace else every.gaussian_scale_for)(eta) / unit} | factors
            finite = {way: each * unit for way, each in factors.items() if 0.0 < each < np.inf}
            laplace = {way for way in finite if is_laplace or way == PAPER}  # the paper's is, whatever the others' is
            etas = {
                way: (every.eta if way in laplace else every.gaussian_eta)(ceiling_digits(scale, _DIGITS))
                for way, scale in finite.items()
            }
    swaps = _swaps(statistics, noise, units)
    curves = () if swaps is None else _curves(swaps, longest, factor, question.limit.alpha)
    return TableNoise(question, units, factors, etas, halves, spreads, curves)


def _enough(
    statistics: Mapping[str, Released], noise: SwapNoise, eta: float, units: Mapping[str, float], seed: int = 0
) -> tuple[float, int]:
    """The multiple of the ``units``, and how many halves were drawn for it; none where it is a guarantee."""
    swaps = _swaps(statistics, noise, units)
    if swaps is not None:
        return swaps.scale_for(eta), 0
    found = audited_scale(tuple(statistics.values()), noise, eta, tuple(units.values()), seed=seed)
    return found.scale, found.halves if found.confidence < 1.0 else 0


def _swaps(statistics: Mapping[str, Released], noise: SwapNoise, units: Mapping[str, float]) -> OneSwap | None:
    """The bound of one statistic, or of several of few records; None where swaps are drawn."""
    found = [one.swaps(noise, units[name]) for name, one in statistics.items()]
    if None in found or (len(found) > 1 and next(iter(statistics.values())).records > LARGEST_POOL):
        return None
    return reduce(OneSwap.then, [one for one in found if one is not None])


def _curves(swaps: OneSwap, longest: float, factor: float, alpha: float) -> tuple[TradeOffCurve, ...]:
    """Of the record that is hidden least, and of the longest swap."""
    rates = np.unique(np.append(alpha_grid(_POINTS, min(_LEAST_ALPHA, 0.1 * alpha)), alpha))
    private = OneSwap(swaps.noise, 2, 1, lambda _: np.array([[longest]])).trade_off(0, rates, factor)
    own = swaps.trade_off(int(np.argmax(swaps.advantages(factor))), rates, factor)
    return own, replace(private, label=f"differential privacy, the same {swaps.noise}")


# What is said of it.


def sentence(found: TableNoise) -> str:
    """What the noise needs, first of all, and which it is."""
    *others, last = (f"**{rounded_up(scale)}** on the {name}" for name, scale in found.scales.items())
    scales = f"{', '.join(others)} and {last}" if others else last
    symbol = "σ" if found.question.noise is SwapNoise.GAUSSIAN else "b"
    return (
        f"If such data are public or assumed, {found.question.noise} of {symbol} = {scales} hides who was in a random "
        f"half."
    )


def verdict(found: TableNoise) -> str:
    """What that keeps, how surely, and what the other ways ask for."""
    eta, limit = found.question.eta, found.question.limit
    kind = f":blue-badge[audit, 95 %, {found.halves:,} halves]" if found.halves else ":green-badge[✓ Guarantee]"
    told = f"{kind} Nobody is told from outsiders with accuracy above {rounded_up(50.0 + 100.0 * eta, 4)} %"
    whose = "" if found.question.wanted else f", as on the Gaussian curve through your limit ({limit.full})"
    means = f"{told}: η {rounded_up(eta)}{whose}."
    private, swap = found.factors[PRIVATE], found.factors[SWAP]
    if not np.isfinite(private):
        return f"{means} Differential privacy gives no noise: no limit is known of what a swap may do here."
    asks = (
        f"Differential privacy asks for **{times(private / swap)}** times as much, by the largest swap in these data."
    )
    reaches = ""
    if found.curves:
        most = at_most(power_at(found))
        reaches = f" At your rate of false accusations the record with the largest η is found at most {most} times."
    return f"{means} {asks}{reaches}"


def power_at(found: TableNoise) -> float:
    """What the curve of a guarantee promises at the limit's rate of false accusations."""
    own = found.curves[0]
    return float(own.power[np.searchsorted(own.alpha, found.question.limit.alpha)])


def size(number: float) -> str:
    """To three digits."""
    return nearest(number, 3)


def times(ratio: float) -> str:
    """A factor in three digits."""
    return f"{ratio:,.0f}" if ratio >= 100.0 else nearest(ratio, 3)


def table(found: TableNoise) -> dict[str, list[str]]:
    """Every way as the columns of a table: standard deviations, for the laws differ."""
    swap, gaussian = found.factors[SWAP], found.question.noise is SwapNoise.GAUSSIAN
    columns: dict[str, list[str]] = {"way": list(found.factors)}
    for name, unit in found.units.items():
        numbers, cells = found.question.bins if name == HISTOGRAM else 1, []
        for way, factor in found.factors.items():
            deviation = np.sqrt(numbers + 1.0) if way == PAPER else 1.0 if gaussian else np.sqrt(2.0)
            cells.append(rounded_up(float(factor * unit * deviation), _DIGITS) if np.isfinite(factor) else "none")
        columns[f"standard deviation on the {name}"] = cells
    columns["times the bound's"] = [times(each / swap) if np.isfinite(each) else "" for each in found.factors.values()]
    if found.etas:
        columns["η it really gives"] = [
            rounded_up(found.etas[way]) if way in found.etas else "" for way in found.factors
        ]
    exact = Bound.CERTIFIED if gaussian else Bound.EXACT
    kinds = {LEAST: exact.value, SWAP: found.bound.value, PRIVATE: "guarantee", PAPER: "paper's guarantee"}
    columns["kind"] = [kinds[way] for way in found.factors]
    return columns
