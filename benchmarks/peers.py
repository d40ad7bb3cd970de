"""What other tools answer to the questions that people ask, beside what is certified: ``python -m benchmarks.peers``.

Prints tables in Markdown for ``docs/peers.md``. A tool is asked as its documentation says, with its defaults unless
another value stands here; one that is not installed is named and left out (``requirements-bench.txt`` says how each is
had). Every number but an audit's is meant as a guarantee for one record added or removed, so it must not be smaller
than the truth.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from datetime import date
from functools import cache, partial
from importlib import import_module, metadata, util
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from benchmarks.timing import interleaved, milliseconds, ratio
from numerics.audits.one_run import Canaries, odds
from numerics.calibration import AdvantageTarget, EpsilonTarget, PowerTarget, Target, noise_for
from numerics.mechanisms import Gaussian, Laplace, SampledMechanism
from numerics.privacy_loss import Precision
from numerics.privacy_loss.certify import forget
from numerics.trade_off import Bracket, Floats, Order, TradeOffCurve, alpha_grid

DELTA = 1e-5
FLOOR = 1e-10  # mu is that of both error rates above it: gdpnum's default
RECORDS = 100_000  # where a tool asks for batches instead of a rate
CANARIES, GUESSES, RISK = 1_000, 100, 0.05
USUAL = Gaussian(1.0, 0.01, 1_000)
LARGE_NOISE, LITTLE_NOISE = Gaussian(10.5, 0.08192, 1_000), Gaussian(0.3, 0.01, 1_000)
MANY_STEPS, COMPOSED = Gaussian(0.6, 0.001, 10_000), Laplace(1.0, 1.0, 30)
_MORE = (Gaussian(2.0, 0.9, 1), Gaussian(1.15, 4096 / 549_361, 405))  # whose curves are published too
_ALPHA, _WIDTHS = alpha_grid(1_000), (1.2e-4, 1.2e-6)
_NARROW, _FINE = Precision(width=1e-6, relative=1e-4), Precision(width=1e-9, relative=1e-6)
_CLOSE = 1e-5  # relative: so much less noise than ours misses the target
Scores = Callable[[np.random.Generator, NDArray[np.bool_]], Floats]


class Question(NamedTuple):
    """What is asked, what is certified, and who answers: a number, or a lower end, an estimate and a number."""

    asked: str
    certified: Callable[[], Bracket]
    answers: dict[str, Callable[[], Any]]


def questions() -> Iterator[Question]:
    """All of them but audits."""
    for release in (USUAL, LARGE_NOISE, LITTLE_NOISE, MANY_STEPS, COMPOSED):
        asked: dict[str, Callable[[SampledMechanism], Any]]
        asked = {"dp-accounting": _dp_accounting, "prv-accountant": _prv_accountant}
        if isinstance(release, Gaussian):
            asked |= {"jax-privacy": _jax_privacy, "tensorflow-privacy": partial(_tensorflow_privacy, "RDP")}
            asked["tensorflow-privacy, PLD"] = partial(_tensorflow_privacy, "PLD")
        answers = {peer: partial(answer, release) for peer, answer in asked.items()}
        yield Question(f"ε at δ = 1e-5: {_words(release)}", partial(release.epsilon, DELTA), answers)
    for release, alpha in ((USUAL, 1e-3), (MANY_STEPS, 1e-3), (LITTLE_NOISE, 1e-5)):
        certified = partial(release.narrow_power, alpha, Order.SYMMETRIC, _NARROW)
        answers = {"riskcal": lambda release=release, alpha=alpha: 1.0 - _riskcal_beta(release, alpha)}
        yield Question(f"TPR at FPR {alpha:g}: {_words(release)}", certified, answers)
    for release in (USUAL, LARGE_NOISE, MANY_STEPS):
        certified, answers = partial(release.gaussian_mu, FLOOR, _NARROW), {"gdpnum": partial(_gdpnum, release)}
        yield Question(f"μ of GDP, error rates from 1e-10 on: {_words(release)}", certified, answers)
    of_noise: dict[Target, dict[str, Callable[[], float]]] = {
        EpsilonTarget(1.0, DELTA): {
            "dp-accounting": _dp_accounting_noise,
            "prv-accountant": _prv_accountant_noise,
            "jax-privacy": _jax_privacy_noise,
            "tensorflow-privacy": _tensorflow_privacy_noise,
        },
        AdvantageTarget(0.1): {"riskcal": partial(_riskcal_noise, "advantage", 0.1)},
        PowerTarget(1e-2, 1e-3, Order.SYMMETRIC): {"riskcal": partial(_riskcal_noise, "err_rates", 1e-3, 0.99)},
    }
    for target, answers in of_noise.items():
        yield Question(f"noise for {target.label}: rate 0.01, 1,000 steps", partial(_noise, target), answers)


def _words(release: SampledMechanism) -> str:
    sampled = f", rate {release.sampling_rate:g}" if release.sampling_rate < 1.0 else ""
    steps = f"{release.steps:,} steps" if release.steps > 1 else "one step"
    return f"{release.name} noise {release.noise_multiplier:g}{sampled}, {steps}"


def _noise(target: Target) -> Bracket:
    """The noise that meets the target, and one that certainly misses it."""
    enough = noise_for(target, USUAL).noise_multiplier
    less = enough * (1.0 - _CLOSE)
    if target.measure(USUAL.with_noise(less), _FINE).lower <= target.goal:
        raise ArithmeticError(f"less noise may do: {target.label}")
    return Bracket(less, enough, enough)


def _event(release: SampledMechanism, noise: float) -> Any:
    events = import_module("dp_accounting")
    event = (events.GaussianDpEvent if isinstance(release, Gaussian) else events.LaplaceDpEvent)(noise)
    if release.sampling_rate < 1.0:
        event = events.PoissonSampledDpEvent(release.sampling_rate, event)
    return events.SelfComposedDpEvent(event, release.steps)


def _dp_accounting(release: SampledMechanism) -> float:
    accountant = import_module("dp_accounting.pld").PLDAccountant()
    return accountant.compose(_event(release, release.noise_multiplier)).get_epsilon(DELTA)


def _dp_accounting_noise() -> float:
    accountant = import_module("dp_accounting.pld").PLDAccountant
    return import_module("dp_accounting").calibrate_dp_mechanism(accountant, partial(_event, USUAL), 1.0, DELTA)


def _prv_accountant(release: SampledMechanism) -> tuple[float, float, float]:
    prv = import_module("prv_accountant")
    if isinstance(release, Gaussian):
        law = prv.PoissonSubsampledGaussianMechanism(release.sampling_rate, release.noise_multiplier)
    else:
        law = prv.LaplaceMechanism(1.0 / release.noise_multiplier)
    accountant = prv.PRVAccountant(law, 0.1, DELTA / 1_000, max_self_compositions=release.steps)
    return accountant.compute_epsilon(DELTA, release.steps)


def _prv_accountant_noise() -> float:
    return import_module("prv_accountant.dpsgd").find_noise_multiplier(USUAL.sampling_rate, USUAL.steps, 1.0, DELTA)


def _jax_privacy(release: SampledMechanism) -> float:
    accounting, batch = import_module("jax_privacy.accounting"), round(RECORDS * release.sampling_rate)
    run = {"noise_multipliers": release.noise_multiplier, "num_samples": RECORDS, "batch_size": batch, "delta": DELTA}
    accountant = accounting.DpsgdTrainingAccountant(accounting.PldAccountantConfig())
    return accountant.compute_epsilon(release.steps, accounting.DpParams(**run))


def _jax_privacy_noise() -> float:
    accounting, batch = import_module("jax_privacy.accounting"), round(RECORDS * USUAL.sampling_rate)
    run = {"batch_sizes": batch, "num_samples": RECORDS, "num_updates": USUAL.steps, "target_delta": DELTA}
    accountant = accounting.DpsgdTrainingAccountant(accounting.PldAccountantConfig())
    return accounting.calibrate_noise_multiplier(target_epsilon=1.0, accountant=accountant, **run)


def _tensorflow_privacy(accountant: str, release: SampledMechanism) -> float:
    """What its statement prints; RDP is the default."""
    module = _file("privacy/analysis/compute_dp_sgd_privacy_lib.py")
    epochs, batch = round(release.steps * release.sampling_rate, 9), round(RECORDS * release.sampling_rate)
    how = {"used_microbatching": False, "accountant_type": module.AccountantType[accountant]}
    run = (RECORDS, batch, epochs, release.noise_multiplier, DELTA)
    statement = module.compute_dp_sgd_privacy_statement(*run, **how)
    return float(statement.split("Poisson sampling (*):")[1].split()[0])


def _tensorflow_privacy_noise() -> float:
    module, batch = _file("privacy/analysis/compute_noise_from_budget_lib.py"), round(RECORDS * USUAL.sampling_rate)
    with redirect_stdout(StringIO()):
        return module.compute_noise(RECORDS, batch, 1.0, USUAL.steps * USUAL.sampling_rate, DELTA, noise_lbd=0.5)


@cache
def _file(path: str) -> Any:
    """One file of TensorFlow Privacy: its package imports TensorFlow, which these files have no need of."""
    folder = util.find_spec("tensorflow_privacy").submodule_search_locations[0]
    spec = util.spec_from_file_location(Path(path).stem, Path(folder) / path)
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _riskcal_beta(release: SampledMechanism, alpha: float | Floats) -> Any:
    pld = import_module("dp_accounting.pld.privacy_loss_distribution")
    build = pld.from_gaussian_mechanism if isinstance(release, Gaussian) else pld.from_laplace_mechanism
    one = build(release.noise_multiplier, sampling_prob=release.sampling_rate, use_connect_dots=True)
    return import_module("riskcal.analysis").get_beta_from_pld(one.self_compose(release.steps), alpha=alpha)


def _riskcal_noise(target: str, *values: float) -> float:
    """In a range of noise that it is told: from its default of 0.1 on it takes minutes and 2 GB."""
    search = getattr(import_module("riskcal.calibration.dpsgd"), f"find_noise_multiplier_for_{target}")
    return search(*values, USUAL.sampling_rate, USUAL.steps, noise_min=0.6, noise_max=2.0)


def _gdpnum(release: SampledMechanism) -> float:
    mu_and_regret = import_module("gdpnum").dpsgd.get_mu_and_regret_for_dpsgd
    return mu_and_regret(release.noise_multiplier, release.sampling_rate, release.steps, err=FLOOR)[0]


def answered(rounds: int) -> str:
    """Table of all answers."""
    rows = [["asked", "of", "says", "certified", "so", "its CPU time", "ours"]]
    return _markdown(rows + [row for question in questions() for row in _rows(question, rounds)])


def _rows(question: Question, rounds: int) -> Iterator[list[str]]:
    def certified() -> Bracket:
        forget()
        return question.certified()

    asked = {peer: run for peer, run in question.answers.items() if _version(peer)}
    timed = interleaved({"ours": certified, **asked}, rounds, clock=time.process_time)
    truth, ours = timed["ours"].result, timed.pop("ours").seconds
    for peer, (seconds, result) in timed.items():
        low, _, number = result if isinstance(result, tuple) else (0.0, 0.0, float(result))
        says = f"{number:.7g}" + (f", at least {low:.7g}" if low else "")
        times = (milliseconds(seconds), f"{milliseconds(ours)} ({ratio(ours, seconds)})")
        certainly = f"{truth.lower:.9g} to {truth.upper:.9g}"
        yield [question.asked, _named(peer), says, certainly, verdict(low, number, truth), *times]


def verdict(low: float, number: float, truth: Bracket) -> str:
    """What a number is worth that is meant to be no smaller than the truth, and the truth no smaller than ``low``."""
    if low > truth.upper:
        return "holds; its lower end does not"
    if number < truth.lower:
        return f"**no guarantee**: {100.0 * (1.0 - number / truth.lower):.2g} % too small"
    return "within" if number <= truth.upper else f"holds, {100.0 * (number / truth.upper - 1.0):.2g} % too large"


def curves(rounds: int) -> str:
    """Table of curves of both orders at 1,000 points: certified to two widths, and by riskcal at its grid of 1e-4."""

    def certified(release: SampledMechanism, width: float) -> TradeOffCurve:
        forget()
        return release.trade_off(_ALPHA, Order.SYMMETRIC, Precision(width=width, relative=1.0))

    rows = [["release", *(f"ours, width {width:g}" for width in _WIDTHS), "riskcal", "power that riskcal leaves out"]]
    for release in (USUAL, MANY_STEPS, LARGE_NOISE, *_MORE, COMPOSED, Laplace(1.0, 0.1, 100)):
        ours = {f"{width:g}": partial(certified, release, width) for width in _WIDTHS}
        contenders = {**ours, "riskcal": partial(_riskcal_beta, release, _ALPHA)}
        *brackets, (theirs, beta) = interleaved(contenders, rounds, clock=time.process_time).values()
        attack = (brackets[-1].result.upper or brackets[-1].result).beta
        times = [f"{milliseconds(seconds)} ({ratio(seconds, theirs)})" for seconds, _ in brackets]
        rows.append([_words(release), *times, milliseconds(theirs), f"{max(np.max(beta - attack), 0.0):.1e}"])
    return _markdown(rows)


def audited(rounds: int) -> str:
    """Table of what audits of one run prove: how often more than is so, and the median."""
    bounds = {peer: bound for peer, bound in _BOUNDS.items() if peer == "ours" or _version(peer)}
    normal = Gaussian(1.0).epsilon(DELTA).estimate
    laws: dict[str, tuple[float, Scores]] = {
        "each coin told, odds e": (1.0, lambda rng, coins: 1.0 * (coins == (rng.random(len(coins)) < expit(1.0)))),
        "normal, 1 more for those included": (normal, lambda rng, coins: rng.standard_normal(len(coins)) + coins),
    }
    rows, runs = [["scores", "ε", "bound of", "above ε", "median", "CPU time a run"]], 40 * rounds
    for law, (truth, scores) in laws.items():
        draw = drawn(np.random.default_rng(0), CANARIES, scores)
        found = [[bound(canaries) for bound in bounds.values()] for _, canaries in zip(range(runs), draw, strict=False)]
        for peer, results in zip(bounds, zip(*found, strict=True), strict=True):
            values, seconds = zip(*results, strict=True)
            said = f"{sum(value > truth for value in values)} of {runs}", f"{statistics.median(values):.2f}"
            rows.append([law, f"{truth:.3g}", _named(peer), *said, milliseconds(statistics.mean(seconds))])
    return _markdown(rows)


def drawn(rng: np.random.Generator, size: int, scores: Scores) -> Iterator[Canaries]:
    """Canaries of one run after the other; coins that look unfair, one time in a thousand, are thrown again."""
    while True:
        coins = rng.random(size) < 0.5
        try:
            canaries = Canaries(scores(rng, coins), coins)
        except ValueError as refusal:
            if "fair coins" not in str(refusal):
                raise
            continue
        yield canaries


def _timed(bound: Callable[[], float]) -> tuple[float, float]:
    start = time.process_time()
    return float(bound()), time.process_time() - start


def _by_jax_privacy(bound: str, canaries: Canaries) -> tuple[float, float]:
    groups = canaries.score[canaries.included], canaries.score[~canaries.included]
    auditor = import_module("jax_privacy.auditing").CanaryScoreAuditor(*groups)
    return _timed(lambda: getattr(auditor, bound)(RISK, DELTA))


def _by_tensorflow_privacy(canaries: Canaries) -> tuple[float, float]:
    """Each canary counts as a run of its own, delta is left out, and the best threshold between scores is taken."""
    module, scores = _file("privacy/privacy_tests/epsilon_lower_bound.py"), np.unique(canaries.score)
    groups = canaries.score[canaries.included], canaries.score[~canaries.included]
    bounds = module.EpsilonLowerBound(*groups, alpha=RISK, thresholds=0.5 * (scores[1:] + scores[:-1]))
    return _timed(lambda: bounds.compute_epsilon_lower_bound(module.BoundMethod.CLOPPER_PEARSON, k=1)[0])


@cache
def _by_privacy_guard(right: int) -> tuple[float, float]:
    """From one number of guesses alone, and it takes the mechanism to be Gaussian."""
    node = import_module("privacy_guard.analysis.mia.fdp_analysis_node").FDPAnalysisNode
    return _timed(lambda: node(CANARIES, right, GUESSES, threshold=RISK, delta=DELTA).run_analysis().eps)


_BOUNDS: dict[str, Callable[[Canaries], tuple[float, float]]] = {
    "ours": lambda canaries: _timed(lambda: odds.epsilon_at_least(canaries.guesses(), DELTA, 1.0 - RISK)),
    "jax-privacy, `epsilon_one_run`": partial(_by_jax_privacy, "epsilon_one_run"),
    "jax-privacy, `epsilon_one_run_fdp`": partial(_by_jax_privacy, "epsilon_one_run_fdp"),
    "tensorflow-empirical-privacy": _by_tensorflow_privacy,
    "privacyguard-platform, `FDPAnalysisNode`": lambda canaries: _by_privacy_guard(
        *canaries.guesses((GUESSES,)).correct
    ),
}


@cache
def _version(peer: str) -> str:
    """Of the distribution; nothing where it is not installed."""
    try:
        return metadata.version(peer.partition(",")[0])
    except metadata.PackageNotFoundError:
        return ""


def _named(peer: str) -> str:
    name, _, how = peer.partition(",")
    return f"{name} {_version(peer)}".strip() + (f",{how}" if how else "")


def _markdown(rows: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in [rows[0], ["---"] * len(rows[0]), *rows[1:]])


def compared(rounds: int) -> str:
    """Both tables, below the day and who is not installed."""
    peers = {peer.partition(",")[0] for answers in (*(q.answers for q in questions()), _BOUNDS) for peer in answers}
    missing = ", ".join(sorted(peer for peer in peers - {"ours"} if not _version(peer))) or "none"
    return f"{date.today():%d %B %Y}. Not installed: {missing}.\n\n{answered(rounds)}\n\n{audited(rounds)}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="of which the median time is shown; 40 audits each")
    print(compared(parser.parse_args().rounds))
