"""Fits of Gaussian mixtures of up to 20 components to the scores, and their choice (paper 001, goodness of fit).

Fits see at most 5,000 scores: the middles of equally large blocks of the ascending ones, within 1/10,000 of the whole
group's distribution. What is beyond the last 1/10,000 of either tail is extrapolated. Nothing is drawn for the start.
"""

import warnings
from enum import StrEnum

import numpy as np
import scipy

from numerics.epsilon_star.laws import Mixture
from numerics.trade_off import Floats
from numerics.validation import Interval, PositiveCount, checked

MOST_COMPONENTS = 20
FITTED = 5_000
HELD_OUT = 1_000  # losses on which the fit is tested: the paper's largest sample
ACCEPTED = 0.05  # p-value
_SEED = 0
_NARROWEST = 1e-9  # variance floor, as a share of the scores' variance


class ComponentChoice(StrEnum):
    """How the number of components is chosen."""

    KS = "fewest that pass the Kolmogorov-Smirnov test"
    BIC = "Bayesian information criterion"


@checked
def thinned(ascending: Floats, size: PositiveCount = FITTED) -> Floats:
    """The middles of ``size`` equally large blocks of ascending values (n,); all of them if there are no more."""
    if len(ascending) <= size:
        return ascending
    return ascending[((np.arange(size) + 0.5) * (len(ascending) / size)).astype(np.intp)]


@checked
def fit_mixture(ascending: Floats, components: int) -> Mixture:
    """Mixture of ``components`` for ascending scores (n,), by expectation maximisation (scikit-learn's)."""
    from sklearn.mixture import GaussianMixture  # noqa: PLC0415 - a second to load, and most sessions need no mixture

    values = thinned(ascending)
    Interval(1, min(MOST_COMPONENTS, len(np.unique(values)))).check("components", components)
    mean, sd = float(values.mean()), float(values.std())
    if not sd > 0.0 or values[0] == values[-1]:
        raise ValueError(f"scores must differ for a mixture, but all of them are {mean!r}.")
    standard = (values - mean) / sd
    blocks = np.array_split(standard, components)
    model = GaussianMixture(
        components,
        covariance_type="spherical",
        reg_covar=_NARROWEST,
        max_iter=200,
        weights_init=np.array([len(block) / len(standard) for block in blocks]),
        means_init=np.array([[float(block.mean())] for block in blocks]),
        precisions_init=1.0 / np.array([max(float(block.var()), 1e-2 / components**2) for block in blocks]),
        random_state=_SEED,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an unfinished fit is judged by the tests of fit, as any other
        model.fit(standard[:, None])
    means, sds = mean + sd * model.means_[:, 0], sd * np.sqrt(model.covariances_)
    return Mixture(*(tuple(map(float, part)) for part in (model.weights_ / model.weights_.sum(), means, sds)))


@checked
def chosen_mixture(ascending: Floats, choice: ComponentChoice, most: PositiveCount = MOST_COMPONENTS) -> Mixture:
    """Mixture for ascending scores (n,) with the number of components, up to ``most``, that ``choice`` prefers.

    By KS: the fewest components that pass on held-out scores, or those with the largest p-value; refitted to all.
    """
    most = min(most, len(np.unique(thinned(ascending))))
    if choice is ComponentChoice.BIC:
        return min((fit_mixture(ascending, k) for k in range(1, most + 1)), key=lambda fit: bic(fit, ascending))
    fitting, held_out = _split(ascending, HELD_OUT)
    found: dict[int, float] = {}
    for k in range(1, min(most, len(np.unique(fitting))) + 1):
        found[k] = ks_p_value(fit_mixture(fitting, k), held_out)
        if found[k] >= ACCEPTED:
            break
    return fit_mixture(ascending, max(found, key=lambda k: found[k]))


def bic(fit: Mixture, ascending: Floats) -> float:
    """Bayesian information criterion of a fit to ascending scores (n,); its likelihood is that of thinned ones."""
    density = np.maximum(fit.density(thinned(ascending)), np.finfo(float).tiny)
    likelihood = len(ascending) * float(np.mean(np.log(density)))
    return (3 * len(fit.means) - 1) * float(np.log(len(ascending))) - 2.0 * likelihood


def ks_p_value(fit: Mixture, sample: Floats) -> float:
    """P-value of the Kolmogorov-Smirnov test of a fit on scores that it has not seen, (n,).

    Against the fit's exact law; the paper draws a second sample from the fit instead, which adds noise.
    """
    return float(scipy.stats.kstest(np.exp(fit.logcdf(sample)), "uniform", method="exact").pvalue)


@checked
def goodness_of_fit(
    ascending: Floats, components: int, sizes: tuple[PositiveCount, ...] = tuple(range(100, 1001, 100))
) -> dict[int, float]:
    """P-values of a fit to ascending scores (n,) by the number of held-out ones, of these ``sizes`` up to half of them.

    Kolmogorov-Smirnov, as in paper 001 Fig. 6.
    """
    sizes = tuple(size for size in sizes if size <= len(ascending) // 2) or (len(ascending) // 2,)
    fitting, held_out = _split(ascending, max(sizes))
    held_out = np.random.default_rng(_SEED).permutation(held_out)
    fit = fit_mixture(fitting, components)
    return {size: ks_p_value(fit, held_out[:size]) for size in sizes}


def _split(ascending: Floats, size: int) -> tuple[Floats, Floats]:
    """The ascending scores without, and with only, ``size`` drawn ones (at most half of them)."""
    drawn = np.zeros(len(ascending), dtype=bool)
    drawn[np.random.default_rng(_SEED).choice(len(ascending), min(size, len(ascending) // 2), replace=False)] = True
    return ascending[~drawn], ascending[drawn]
