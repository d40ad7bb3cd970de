"""Is the relaxed guarantee true? Random releases beside simulated attacks, exact binomial sums and full knowledge.

The power at alpha is the least, over c, of E[(1 - e^(c - Z))+] + e^c alpha, with Z the log-likelihood ratio of all
steps under a record on one side (Neyman-Pearson, in its dual form). That needs no rare events, and at the least the
error of c is of second order. Gaussian noise has a control variate: the same for the magnitude of the sum, whose mean
is an exact binomial sum.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp, ndtr, ndtri
from scipy.stats import binom

from benchmarks.timing import table
from numerics import relaxed
from numerics.mechanisms import Gaussian, Laplace, SampledMechanism
from numerics.privacy_loss import Precision
from numerics.relaxed import Reading
from numerics.trade_off import Floats

RELEASES = 100  # a round
DEVIATES = 4.5  # standard errors that count: one of 150,000 brackets is that far out by chance
_DRAWS, _SAMPLES, _CHUNK = 3_000_000, 100_000, 500_000
_UNSEEN = 0.2
_DECISIVE = 100  # samples; a control variate fitted to fewer would fit their noise
_FEWEST = 300  # samples; longer releases are compared with sums and full knowledge only
_ALPHAS = (1e-6, 1e-4, 1e-2, 0.1, 0.5, 0.9, 0.99)
_ROUNDING = 1e-9  # of an attack's power read off 250 thresholds, of which the bracket states as much


@dataclass(frozen=True)
class Simulated:
    """An estimate of the power and its standard error."""

    power: float
    error: float


def violations(rounds: int) -> str:
    """Table of how many brackets of the guarantee contradict what, over ``rounds`` times 100 releases."""
    rng, found = np.random.default_rng(13), {region: Counter[str]() for region in _REGIONS}
    worst: list[str] = []
    for _ in range(rounds * RELEASES):
        region = rng.choice(list(_REGIONS))
        release, alpha = _release(rng, str(region)), float(rng.choice(_ALPHAS))
        wrong = _contradicted(release, alpha, rng)
        found[region].update(wrong | {"releases": 1})
        worst += [
            f"{release.label} at {alpha:g}: {', '.join(wrong)}" for _ in range(any(wrong[n] for n in _COLUMNS[2:]))
        ]
    rows = [[region, *(str(counts[name]) for name in _COLUMNS)] for region, counts in found.items()]
    return "\n".join([table(["rates", *_COLUMNS], rows), *worst])


_COLUMNS = ("releases", "simulated", "off simulation", "below an attack", "above full knowledge")
_REGIONS = {"1e-7 to 1": (1e-7, 1.0), "0.7 to 0.9999": (0.7, 0.9999), "0.9999 to 1": (0.9999, 1.0)}


def _release(rng: np.random.Generator, region: str) -> SampledMechanism:
    """Rates even in their logarithms, near 1 in those of 1 - rate; noise about what the rate and steps ask for."""
    low, high = _REGIONS[region]
    near_1 = 1.0 - np.exp(rng.uniform(np.log(1e-9), np.log(1.0 - low))) if low > 0.5 else 1.0
    rate = min(near_1, high) if low > 0.5 else float(np.exp(rng.uniform(np.log(low), np.log(high))))
    longest = rng.choice([30.0, 3000.0, 1e6], p=[0.3, 0.6, 0.1])
    steps = int(np.exp(rng.uniform(np.log(2.0), np.log(longest))))
    noise = float(np.exp(rng.normal()) * max(rate * np.sqrt(steps), 0.7))
    return (Gaussian if rng.random() < 0.8 else Laplace)(noise, rate, steps)


def _contradicted(release: SampledMechanism, alpha: float, rng: np.random.Generator) -> Counter[str]:
    found, wrong = relaxed.power(release, alpha), Counter[str]()
    attacks = [_reading(release, alpha, reading) for reading in (Reading.MAGNITUDE, Reading.FOLDED_STEPS)]
    attacks += [magnitude(release, alpha)] if isinstance(release, Gaussian) else []
    wrong["below an attack"] += max(attacks) > found.upper + _ROUNDING
    wrong["above full knowledge"] += found.upper > release.power(alpha, precision=Precision()).upper * (1.0 + 1e-12)
    if _DRAWS // release.steps >= _FEWEST:
        simulated = simulation(release, alpha, rng)
        beyond = max(found.lower - simulated.power, simulated.power - found.upper)
        wrong.update({"simulated": 1, "off simulation": int(beyond > DEVIATES * simulated.error)})
    return wrong


def _reading(release: SampledMechanism, alpha: float, reading: Reading) -> float:
    try:
        return relaxed.power(release, alpha, reading=reading).estimate
    except ValueError:  # not defined for this noise, or beyond the memory limit
        return alpha


def magnitude(release: SampledMechanism, alpha: float) -> float:
    """Power of the magnitude of the sum, by the binomial sum over all participations."""
    share, centre = _participations(release)
    critical = -ndtri(0.5 * alpha)
    return float(share @ (ndtr(centre - critical) + ndtr(-centre - critical)))


def _participations(release: SampledMechanism) -> tuple[Floats, Floats]:
    """Chances of the numbers of steps taken part in, and the mean of the scaled sum; all but 1e-30 of them."""
    law = binom(release.steps, release.sampling_rate)
    count = np.arange(law.ppf(1e-30), law.isf(1e-30) + 1.0)
    return np.asarray(law.pmf(count)), np.asarray(count * release.effect_size / np.sqrt(release.steps))


def simulation(release: SampledMechanism, alpha: float, rng: np.random.Generator) -> Simulated:
    """Power of the best test on a record of unknown side.

    Drawn with the record where the power is small and without it where beta is: those samples decide.
    """
    samples, present = min(_DRAWS // release.steps, _SAMPLES), alpha < 0.5
    chunk = max(_CHUNK // release.steps, 1)
    parts = [_drawn(release, min(chunk, samples - at), present, rng) for at in range(0, samples, chunk)]
    ratio, total = (np.concatenate(column) for column in zip(*parts, strict=True))
    c = _critical(ratio, alpha, present)
    gain = _gain(ratio, c, present)
    control = _control(release, np.abs(total), alpha, present) if isinstance(release, Gaussian) else np.zeros(samples)
    slope = 0.0
    if np.count_nonzero(gain != np.median(gain)) >= _DECISIVE and control.var() > 0.0:
        slope = float(np.cov(gain, control)[0, 1] / control.var())
    rest = gain - slope * control
    # What no sample has shown may have a chance of about one in as many samples.
    unseen = (_UNSEEN if rest.std() > 0.0 else 3.0) / samples
    return Simulated(float(rest.mean() + np.exp(c) * alpha), float(rest.std() / np.sqrt(samples)) + unseen)


def _critical(ratio: Floats, alpha: float, present: bool) -> float:
    """The c that at most ``alpha`` of the null exceeds: at it the mean gain and e^c alpha are least together."""
    if not present:
        return float(np.quantile(ratio, 1.0 - alpha))
    falling = np.sort(ratio)[::-1]
    accused = np.cumsum(np.exp(-falling)) / len(ratio)
    return float(falling[int(np.searchsorted(accused, alpha))]) if accused[-1] > alpha else -np.inf


def _gain(ratio: Floats, c: float, present: bool) -> Floats:
    """(1 - e^(c - Z))+ of samples with the record, 1 - min(e^Z, e^c) of samples without it: their means are equal."""
    return np.maximum(-np.expm1(c - ratio), 0.0) if present else -np.expm1(np.minimum(ratio, c))


def _control(release: SampledMechanism, total: Floats, alpha: float, present: bool) -> Floats:
    """The gain of the magnitude of the scaled sum, (n,), less its mean."""
    share, centre = _participations(release)
    critical = float(-ndtri(0.5 * alpha))
    grid = np.linspace(0.0, max(float(total.max()), critical) + 0.1, 2000)
    at = [logsumexp(np.logaddexp(centre * y, -centre * y) - 0.5 * centre**2 - np.log(2.0), b=share) for y in grid]
    c = float(np.interp(critical, grid, at))
    expected = magnitude(release, alpha) - np.exp(c) * alpha
    return np.asarray(_gain(np.interp(total, grid, at), c, present) - expected)


def _drawn(release: SampledMechanism, samples: int, present: bool, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Log-likelihood ratios of all steps and scaled sums, (samples,) each; a present record is on one side."""
    size, s, rate = (samples, release.steps), release.noise_multiplier, release.sampling_rate
    x = rng.normal(0.0, s, size) if isinstance(release, Gaussian) else rng.laplace(0.0, s, size)
    x += (rng.random(size) < rate) * present
    above, below = (np.log1p(rate * np.expm1(_shift_loss(release, side))).sum(axis=1) for side in (x, -x))
    return np.logaddexp(above, below) - np.log(2.0), x.sum(axis=1) / (s * np.sqrt(release.steps))


def _shift_loss(release: SampledMechanism, x: Floats) -> Floats:
    s = release.noise_multiplier
    return (2.0 * x - 1.0) / (2.0 * s**2) if isinstance(release, Gaussian) else (np.abs(x) - np.abs(x - 1.0)) / s
