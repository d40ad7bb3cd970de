"""Make the shipped tables of paper 001's figures. See README.md beside this file.

Run from the project's folder: ``python -m data.make_paper_001``, or with the names of some, such as ``fig_5``. A few
minutes on one core.
"""

import sys
from collections.abc import Callable, Generator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import scipy
from scipy.special import logsumexp

from data import written
from numerics import shipped
from numerics.audits.logit_space import Training, logits, logits_of_scores
from numerics.calibration import EpsilonTarget, noise_for
from numerics.epsilon_star import EMPIRICAL_CLIP, LossScale, Method, Transform, estimate
from numerics.epsilon_star.laws import Mixture
from numerics.epsilon_star.mixtures import HELD_OUT, MOST_COMPONENTS, fit_mixture, ks_p_value
from numerics.epsilon_star.rates import LogRates, ThresholdRates
from numerics.epsilon_star.simulations import GammaLosses, SampleEstimate, TwoLaws, truth
from numerics.mechanisms import Gaussian
from numerics.trade_off import Floats
from numerics.training import OneHiddenLayer, Protection, Recipe, Softmax, data_set, outcomes, train
from numerics.training.models import with_constant
from numerics.training.plans import ALPHA
from numerics.training.sweep import generator_for

DELTA = 1e-5
Cells = Generator[tuple[object, ...], None, None]


def noise(epsilon: float, recipe: Recipe) -> float:
    """The noise multiplier of DP-SGD with this promise."""
    mechanism = Gaussian(1.0, recipe.sampling_rate, recipe.steps)
    return noise_for(EpsilonTarget(epsilon, DELTA), mechanism).noise_multiplier


def fig_5(distances: tuple[int, ...] = (0, 1, 2, 3), sizes: tuple[int, ...] = (1_000, 10_000, 100_000)) -> Cells:
    """Mean and standard deviation of ten samples, and the truth, by distance, size and estimate."""
    for distance, size in product(distances, sizes):
        pair = GammaLosses(float(distance))
        exact = truth(pair, DELTA)
        for kind, values in simulate(pair, size, seed=size + distance).items():
            yield distance, size, str(kind), float(values.mean()), float(values.std(ddof=1)), *exact


def simulate(pair: TwoLaws, size: int, runs: int = 10, seed: int = 0) -> dict[SampleEstimate, Floats]:
    """Every estimate (runs,) in samples of ``size`` losses of each group, at DELTA."""
    ways = {
        SampleEstimate.EMPIRICAL: (Method.EMPIRICAL, EMPIRICAL_CLIP),
        SampleEstimate.PARAMETRIC: (Method.PARAMETRIC, DELTA),
        SampleEstimate.EXACT_TAILS: (Method.PARAMETRIC, None),
        SampleEstimate.BOUND: (Method.CONFIDENCE, None),
    }
    rng, found = np.random.default_rng(seed), {kind: np.empty(runs) for kind in SampleEstimate}
    for run in range(runs):
        losses = pair.draw(size, rng)
        for kind, (method, clip) in ways.items():
            found[kind][run] = estimate(*losses, DELTA, method, clip, scale=LossScale.PRINTED).value
    return found


def fig_2(runs: int = 5) -> Cells:
    """Strategies on digits, whose models show as little as Adult's: five models of each."""
    made: list[tuple[str, Recipe, float | None]] = [
        (f"{epochs} epochs", Recipe("digits", Softmax(), 1.0, 100, epochs, 0.5), None) for epochs in EPOCHS
    ]
    made += [
        (f"DP-SGD epsilon {epsilon:g}", Recipe("digits", Softmax(), clip, 100, epochs, rate), epsilon)
        for epsilon, clip, epochs, rate in product((1.0, 3.0, 10.0, 100.0), (0.3, 1.0), (10, 50), (1.0, 4.0))
    ]
    for strategy, recipe, epsilon in made:
        protection = Protection(clipped=False) if epsilon is None else Protection(noise(epsilon, recipe))
        weights = train(recipe, protection, [generator_for(recipe.label, seed) for seed in range(runs)])
        for seed, one in enumerate(outcomes(recipe.model, weights, data_set(recipe.data), ALPHA, DELTA)):
            settings = "" if epsilon is None else epsilon, recipe.clip, recipe.epochs, recipe.learning_rate
            yield strategy, seed, one.accuracy, one.epsilon_star_estimate_as_printed, one.epsilon_at_least, *settings


EPOCHS = (1, 5, 10, 20, 50)


def fig_6(second_samples: int = 101) -> Cells:
    """P-values of the fits of 1 to 20 components to the training losses of two networks, at 100 to 1,000 losses.

    By the exact test of one sample, and by that of the paper: of two samples, the second drawn from the fit (median).
    """
    recipe = Recipe("mnist", OneHiddenLayer(32), 1.0, 128, 20, 0.5)
    for name, protection in (
        ("without DP-SGD", Protection(clipped=False)),
        ("with DP-SGD", Protection(noise(3.0, recipe))),
    ):
        weights = train(recipe, protection, [generator_for(recipe.label, 0)])
        found = data_set(recipe.data)
        scores = recipe.model.scores(weights, with_constant(found.features))[0]
        losses = np.sort(-logits_of_scores(scores, found.labels))
        transform = Transform(LossScale.PRINTED, float(losses[0]), float(losses[-1]))
        fitting, held_out = _held_out(transform.scores(losses))
        for components in range(1, MOST_COMPONENTS + 1):
            fit, rng = fit_mixture(fitting, components), np.random.default_rng(components)
            for size in range(100, HELD_OUT + 1, 100):
                own = held_out[:size]
                seconds = [_drawn(fit, size, rng) for _ in range(second_samples)]
                two_samples = float(np.median([scipy.stats.ks_2samp(own, second).pvalue for second in seconds]))
                yield name, components, size, ks_p_value(fit, own), two_samples


def _held_out(ascending: Floats) -> tuple[Floats, Floats]:
    """The losses to fit, ascending, and those to test the fit on, in random order."""
    drawn = np.zeros(len(ascending), dtype=bool)
    drawn[np.random.default_rng(0).choice(len(ascending), HELD_OUT, replace=False)] = True
    return ascending[~drawn], np.random.default_rng(0).permutation(ascending[drawn])


def _drawn(fit: Mixture, size: int, rng: np.random.Generator) -> Floats:
    """A sample (size,) of a fit."""
    law = rng.choice(len(fit.weights), size, p=fit.weights)
    return rng.normal(np.array(fit.means)[law], np.array(fit.sds)[law])


def epsilon_bar(models: int = 40) -> Cells:
    """Softmax models of as many random halves of the digits: epsilon* of each, epsilon-bar, and the promise."""
    found = data_set("digits")
    features = with_constant(np.concatenate((found.features, found.fresh_features)))
    labels = np.concatenate((found.labels, found.fresh_labels))
    start = np.zeros((features.shape[1], found.classes))
    for promise in ("", 1.0, 3.0, 10.0):
        rng = np.random.default_rng(11)
        inside = rng.random((models, len(labels))) < 0.5
        scale = 0.0 if promise == "" else _full_batch_noise(float(promise))
        plan = Training(scale, STEPS, 20.0 if promise == "" else 4.0, 1e6 if promise == "" else 1.0)
        weights = plan.run(features, labels, inside.astype(float), start, rng)
        losses = -logits(features, labels, weights)
        groups = [(row[used], row[~used]) for row, used in zip(losses, inside, strict=True)]
        level = of_losses(groups, 1e-3, 1e-3)
        for each in level.each:
            yield promise, float(each), level.value, level.false_positive_rate, level.log_mean_exp


STEPS = 50


class MechanismLevel(NamedTuple):
    """Epsilon-bar of models of one mechanism, the false positive rate where it is found, and epsilon* of each (m,).

    ``log_mean_exp`` is the log of the mean of e^epsilon*, which ``value`` does not exceed where rates are not cut.
    """

    value: float
    false_positive_rate: float
    each: Floats
    log_mean_exp: float


def of_losses(
    models: Sequence[tuple[Floats, Floats]],
    delta: float,
    clip: float | None = None,
    rates: int = 999,
) -> MechanismLevel:
    """From training losses (n,) and fresh losses (k,) of every model, counted; an estimate (Theorems 2 and 4, Eq. 18).

    Every model has the same false positive rate t, at a threshold of its own, and the false negative rates are
    averaged over models. The mechanism's epsilon bounds it but for what the sample errs, and log E e^epsilon* does, as
    the ratios are convex in eta. Our copy of Eq. 19 has a fifth ratio, which is not used (correction 19).

    Thresholds are the fresh losses at ``rates`` evenly spaced false positive rates; with ties more are accused, which
    is counted. Without a clip a model that separates the groups makes its own epsilon* infinite, not epsilon-bar.
    """
    if not len(models):
        raise ValueError("models must not be empty.")
    share = np.arange(1, rates + 1) / (rates + 1.0)
    found = []
    for members, fresh in models:
        if not len(members) or not len(fresh):
            raise ValueError(f"losses must not be empty, got {len(members)} and {len(fresh)}.")
        own, others = np.sort(members), np.sort(fresh)
        threshold = others[np.maximum(np.ceil(share * len(others)).astype(np.int64), 1) - 1]
        found.append(ThresholdRates.of(own, others, threshold))
    with np.errstate(divide="ignore"):
        every = LogRates(*(np.log(np.array(rate)) for rate in zip(*found, strict=True)))
    together = every.each(lambda rate: logsumexp(rate, axis=0) - np.log(len(rate)))
    with np.errstate(invalid="ignore"):  # a ratio of nothing over nothing does not count
        ratios, of_each = (
            np.fmax(np.fmax.reduce(list(one.clipped(clip).log_ratios(delta).values())), 0.0)
            for one in (together, every)
        )
    best, each = int(np.argmax(ratios)), np.max(of_each, axis=1)
    at, mean = together.clipped(clip).fpr[best], float(logsumexp(each) - np.log(len(each)))
    return MechanismLevel(float(ratios[best]), float(np.exp(at)), each, mean)


def _full_batch_noise(epsilon: float) -> float:
    """Every record takes part in every step; a record more or less at delta 1e-3."""
    return noise_for(EpsilonTarget(epsilon, 1e-3), Gaussian(1.0, 1.0, STEPS)).noise_multiplier


TABLES: dict[str, tuple[Callable[[], Cells], tuple[str, ...], str]] = {
    "fig_2": (
        fig_2,
        ("strategy", "run", "accuracy", "as_printed", "at_least", "epsilon", "clip", "epochs", "learning_rate"),
        f"digits, softmax; epsilon* by normal fits as printed, and the 95 % lower bound, delta {DELTA:g}",
    ),
    "fig_5": (
        fig_5,
        ("distance", "size", "estimate", "mean", "sd", "exact", "clipped_at_delta", "clipped"),
        f"Gamma(2, 5) against Gamma(2 + distance, 5), ten samples, delta {DELTA:g}",
    ),
    "fig_6": (
        fig_6,
        ("model", "components", "size", "p_value", "two_samples"),
        "mnist, one hidden layer of 32, 20 epochs; DP-SGD at epsilon 3; Kolmogorov-Smirnov on losses held out, and "
        "with a second sample drawn from the fit, the median over 101 of them",
    ),
    "epsilon_bar": (
        epsilon_bar,
        ("promise", "each", "epsilon_bar", "false_positive_rate", "log_mean_exp"),
        "digits, softmax on random halves, a record more or less; rates cut to 0.001, delta 0.001",
    ),
}


def table(name: str) -> str:
    """The text of one of them."""
    rows, columns, what = TABLES[name]
    return written.document(columns, rows(), {"what": what})


if __name__ == "__main__":
    for name in sys.argv[1:] or TABLES:
        (shipped.DATA / f"paper_001_{name}.csv").write_text(table(name), encoding="utf-8")
        print(f"paper_001_{name}.csv", flush=True)
