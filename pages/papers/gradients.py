"""Membership by gradients: noise for a level, one gradient in an average, and its assumptions (Leemann et al. 2023)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from numerics import shipped
from numerics.audits import Scores, SimulatedGradients, collected, repeated
from numerics.audits.digits import gradients_of_digits, real_gradients
from numerics.audits.glir import DrawnGradients, GradientLaw, Pooling
from numerics.gaussian_membership import GradientRelease, StepTest, level, step_mu
from numerics.trade_off import Bound, Floats, alpha_grid
from pages.papers import corrections, links
from pages.papers.membership import GROUP
from pages.papers.question import Drawing, Knob, Panel, Paper, Printed, Question, bar, reads
from pages.server.shared_cache import shared_cache
from pages.ui import cached_threat_models
from plotting import theme
from plotting.bars import Bars
from plotting.lines import Dots, Line, LineAxis

PAPER = Paper("004", "Leemann, Pawelczyk and Kasneci", "2023", "Gaussian membership inference privacy")
_question = partial(Question, GROUP, PAPER)


VERIFIED = {
    "CIFAR-10": GradientRelease(500, 500, 5, 650),
    "Purchase": GradientRelease(1970, 1970, 5, 2580),
    "Adult": GradientRelease(790, 790, 5, 1026),
}
"""The runs of Table 3: five steps on all records, without noise."""


class Trained(NamedTuple):
    """A training run of Table 4; Table 5 prints noise of MIP for the first so many levels, and 0.00 for the others."""

    records: int
    batch: int
    epochs: int
    dimension: int
    clip: float
    with_noise: int

    def release(self, epochs: float) -> GradientRelease:
        """Without noise, after this number of epochs."""
        return GradientRelease.of_epochs(self.records, self.batch, int(epochs), self.dimension)


TRAINED = {
    "CIFAR-10": Trained(48_000, 400, 10, 650, 500.0, 3),
    "Purchase": Trained(54_855, 795, 3, 2580, 2000.0, 6),
    "Adult": Trained(43_000, 1000, 20, 1026, 800.0, 5),
}
LEVELS = tuple(float(mu) for mu in 0.4 * 125.0 ** (np.arange(20) / 19.0))
# Table 5 as printed, from the smallest level up; the cells of MIP beyond the first few are 0.00.
_CELLS = {
    "CIFAR-10": "2.84 2.44 2.13 1.89 1.70 1.55 1.42 1.32 1.24 1.17 1.11 1.06 1.02 0.98 0.94 0.91 0.88 0.85 0.83 0.81",
    "Purchase": "4.72 4.14 3.68 3.32 3.04 2.81 2.62 2.46 2.32 2.21 2.11 2.02 1.94 1.87 1.81 1.75 1.70 1.65 1.61 1.57",
    "Adult": "3.38 2.77 2.30 1.93 1.65 1.43 1.26 1.13 1.02 0.94 0.87 0.81 0.77 0.73 0.69 0.66 0.63 0.61 0.59 0.57",
}


def noises(data: str, epochs: float) -> tuple[list[float], list[float]]:
    """Noise on the mean gradient that keeps each level: under differential privacy, and under membership privacy."""
    run = TRAINED[data]
    found = [cached_threat_models.membership_noise_at(mu, run.release(epochs)) for mu in LEVELS]
    unit = run.clip / run.batch
    return [one.private_noise * unit for one in found], [one.noise_multiplier * unit for one in found]


def _table_5(data: str, epochs: float) -> Drawing:
    mu, (private, relaxed) = np.array(LEVELS), noises(data, epochs)
    lines = [
        Line("DP", mu, np.array(private), theme.KNOWS_ALL, Bound.ESTIMATE),
        Line("MIP", mu, np.array(relaxed), theme.OTHERS_UNKNOWN, Bound.ESTIMATE, "circle"),
    ]
    printed, kept = np.array(_CELLS[data].split(), dtype=float), TRAINED[data].with_noise
    dots = [
        Dots("DP, printed", mu, printed),
        Dots("MIP, printed", mu, np.where(np.arange(len(mu)) < kept, printed, 0.0), symbol="square-open"),
    ]
    across = LineAxis("Level μ", log=True, ends=(0.36, 55.0))
    up = LineAxis("Noise τ on the mean gradient", ends=(0.0, 5.0))
    return Drawing.of((across, up), lines, dots if epochs == TRAINED[data].epochs else [])


def _no_noise_from(seen: Drawing) -> str:
    mu, relaxed = seen.series("MIP")
    free = [f"From μ = **{one:.2f}** on membership privacy asks for no noise. " for one in mu[relaxed == 0.0][:1]]
    return (
        f"{''.join(free)}Where it asks for noise, it is that of differential privacy, **{seen.at('DP', 0.4):.2f}** at "
        "the smallest level: the formula's own noise never wins."
    )


def _table_3(steps: float) -> Drawing:
    one = np.array([step_mu(run.effective_size, run.dimension) for run in VERIFIED.values()])
    many, nothing = one * np.sqrt(steps), np.zeros(len(one))
    series = [
        Bars("one step", one, nothing, theme.OTHERS_UNKNOWN),
        Bars("all steps", many, nothing, theme.COMPARED[0]),
    ]
    return Drawing.of_bars(list(VERIFIED), series, LineAxis("Effect size μ", ends=(0.0, 4.0)))


def _of_cifar(words: str, place: str, value: float, why: str = "") -> Printed:
    run = VERIFIED["CIFAR-10"]
    steps = {"one step": lambda: step_mu(run.effective_size, run.dimension), "five steps": lambda: level(run).mu}
    return Printed(f"μ of {words}, CIFAR-10", place, value, steps[words], 0.005, why)


_CUT = "the paper cuts the digits off instead of rounding"


def _panel_of_table_5(data: str) -> Panel:
    run = TRAINED[data]
    return Panel(
        f"Table 5, {data}",
        f"Noise for each level μ under differential and under membership privacy, {data}",
        Knob("Epochs", (1, 3, 10, 20, 50), run.epochs),
        partial(_table_5, data),
        _no_noise_from,
        lambda n: links.fixed_size(1.0, run.release(n)),
        corrections=(50, 53, 54),
        ours="All 40 printed values of these two rows are drawn; a test compares all 120 of the table.",
    )


_LESS = _question(
    "less-noise",
    "When does membership privacy ask for less noise than differential privacy?",
    (
        *map(_panel_of_table_5, TRAINED),
        Panel(
            "Table 3",
            "Effect sizes μ of one step and of several, for the three runs that the attacks are verified on",
            Knob("Number of steps", (1, 2, 5, 10), 5),
            _table_3,
            reads(
                "One step has a μ of {} on CIFAR-10: the three runs are chosen so, though their sizes differ. Steps "
                "add up by the root of the sum of squares, here to {}.",
                *(bar("one step", 0), bar("all steps", 0)),
                of=lambda mu: f"{mu:.2f}",
            ),
            printed=(
                _of_cifar("one step", "Table 3", 1.13, _CUT),
                _of_cifar("five steps", "Table 3", 2.54, _CUT),
            ),
            corrections=(51, 53),
        ),
        corrections.panel(50),
    ),
    finds="MIP GMIP GDP level table noise τ",
)


_AUDITS, _ROUNDS, _SEED = 10, 1000, 1
_CIFAR_D, _CIFAR_N = 650, 500
_STEPS, _BATCH = 5, 100
_THEORY, _LIMIT = "Eq. 8, K = d", "Cor. 5.1"


class View(NamedTuple):
    """How errors are shown: the ends of both axes, the rates of measured points, and where the sentence reads them."""

    ends: tuple[float, float]
    rates: Floats
    read: float

    @property
    def axes(self) -> tuple[LineAxis, LineAxis]:
        """Members found against the false positive rate."""
        is_log = self.ends[0] > 0.0
        return LineAxis("False positive rate α", is_log, self.ends), LineAxis("Members found", is_log, self.ends)


LINEAR = View((0.0, 1.0), np.linspace(0.05, 0.95, 19), 0.1)
LOG = View((1e-3, 1.0), np.geomspace(2e-3, 1.0, 13)[:-1], 0.01)


@shared_cache
def _scores(attack: SimulatedGradients | DrawnGradients, rounds: int) -> Scores:
    """What an attack measures in ``rounds`` rounds without the gradient, and as many with it."""
    return Scores(*collected(attack.run(rounds, _SEED)))


@shared_cache
def _real_scores(batch: int) -> Scores:
    return Scores(*collected(real_gradients(batch).run(_AUDITS * _ROUNDS, _SEED)))


def _step_test(batch: float, dimension: float) -> StepTest:
    """One mean of ``batch`` gradients; K is their expected value d."""
    return StepTest(float(batch), int(dimension), float(dimension))


def _test_of_digits(batch: float = _BATCH) -> StepTest:
    return _step_test(batch, gradients_of_digits()[1].dimension)


def _measured(scores: Scores, view: View, name: str = "measured", symbol: str = "circle") -> Dots:
    """Mean and scatter over audits."""
    audits = repeated(scores, _AUDITS, view.rates)
    return Dots(name, audits.alpha, 1.0 - audits.mean, theme.MEASURED, audits.deviation, symbol)


def _shipped(table: str, steps: float, view: View, name: str, symbol: str, color: str = theme.MEASURED) -> Dots:
    """What is shipped of an attack on this many steps."""
    rows = [row for row in shipped.rows(table) if float(row["steps"]) == steps]
    kept = [row for row in rows if np.isclose(float(row["alpha"]), view.rates, rtol=1e-6).any()]
    alpha, missed, deviation = (np.array([float(row[key]) for row in kept]) for key in ("alpha", "missed", "sd"))
    return Dots(name, alpha, 1.0 - missed, color, deviation, symbol)


def _beside_theory(test: StepTest, view: View, *dots: Dots) -> Drawing:
    """Eq. 8, and the normal law that it tends to, with measured points."""
    alpha = alpha_grid(300, 1e-4)
    exact, limit = test.trade_off(alpha), test.normal_limit(alpha)
    lines = [
        Line.of_power(_THEORY, exact, theme.OTHERS_UNKNOWN),
        Line.of_power(_LIMIT, limit, theme.COMPARED[0], "cross"),
    ]
    return Drawing.of(view.axes, lines, dots, Line.guessing(view.ends))


def _simulated(view: View, batch: float) -> Drawing:
    attack = SimulatedGradients(_CIFAR_D, int(batch), float(_CIFAR_D))
    found = _measured(_scores(attack, _AUDITS * _ROUNDS), view)
    return _beside_theory(_step_test(batch, _CIFAR_D), view, found)


def _real(view: View, batch: float) -> Drawing:
    return _beside_theory(_test_of_digits(batch), view, _measured(_real_scores(int(batch)), view))


def _trained(view: View, steps: float) -> Drawing:
    """The theory of independent steps, and GLiR on a real model, whose gradients hardly change from step to step."""
    one = _shipped("paper_004_fig_2c", 1.0, view, "one step", "square-open", theme.COMPARED[1])
    every = _shipped("paper_004_fig_2c", steps, view, "all steps", "circle")
    return _beside_theory(_test_of_digits().repeated(int(steps)), view, one, every)


def _pooled(steps: float) -> Drawing:
    """Pooled statistics reach the theory, pooled p-values do not."""
    one = SimulatedGradients(_CIFAR_D, _CIFAR_N, float(_CIFAR_D), steps=int(steps), pooling=Pooling.STATISTICS)
    other = replace(one, pooling=Pooling.P_VALUES)
    statistics = _measured(_scores(one, _ROUNDS), LINEAR, "statistics pooled")
    p_values = _measured(_scores(other, _ROUNDS), LINEAR, "p-values pooled", "square-open")
    return _beside_theory(_step_test(_CIFAR_N, _CIFAR_D).repeated(int(steps)), LINEAR, statistics, p_values)


def _by_losses(steps: float) -> Drawing:
    """The attack that sees losses beside the one that sees gradients of five steps, and the theory of the latter."""
    known = _shipped("paper_004_fig_2c", _STEPS, LOG, "gradients, 5 steps", "square-open", theme.COMPARED[1])
    losses = _shipped("paper_004_fig_6", steps, LOG, "losses", "circle")
    return _beside_theory(_test_of_digits().repeated(_STEPS), LOG, known, losses)


def _found(words: str, view: View, *names: str) -> Callable[[Drawing], str]:
    """The sentence with the members found under each name, where the view reads them."""
    return reads(f"At α = {view.read:g} {words}", *((name, view.read) for name in names))


def _found_in_theory(second: str, view: View) -> Callable[[Drawing], str]:
    words = f"the attack finds {{}} members; Eq. 8 has {{}}, the normal curve {{}}. {second}"
    return _found(words, view, "measured", _THEORY, _LIMIT)


def _after_all_steps(view: View) -> Callable[[Drawing], str]:
    words = (
        "the attack finds {} members after one step and {} after all of them, where the theory of independent steps "
        "has {}. Gradients of the same records change little from step to step."
    )
    return _found(words, view, "one step", "all steps", _THEORY)


_POINTS = (
    f"Points: mean and standard deviation of {_AUDITS} audits of {_ROUNDS:,} rounds each; the paper does not say how "
    "many."
)
_DIGITS = "The paper's data do not come with the tool: softmax regression on the digits."
_BATCHES = Knob("Batch size n", (100, 200, 500, 1000, 2000), _CIFAR_N)
_REAL_BATCHES = Knob("Batch size n", (25, 50, 100, 200, 400), 100, is_printed=False)
_NUMBER = Knob("Number of steps", (1, 2, 5, 10), _STEPS)
_OTHERS_PROTECT = partial(_found_in_theory, "No noise was added: what protects are the other gradients of the batch.")
_ESTIMATED_LAW = partial(_found_in_theory, "The law of a real model's gradients is not normal: K = d is no bound.")

_IN_AVERAGE = _question(
    "gradient-in-average",
    "Is this gradient in that average?",
    (
        Panel(
            "Fig. 1",
            "One mean of gradients: the exact curve of Eq. 8 beside the normal one that it tends to",
            Knob("Dimension d", (1, 2, 5, 10, 20, 50, 100, 650), 20, is_printed=False),
            lambda dimension: _beside_theory(_step_test(50, dimension), LINEAR),
            _found(
                "by the exact curve of Eq. 8 {} members are found, by the normal one of Corollary 5.1 {}. For "
                "few parameters the corollary errs to one side, for many to the other.",
                *(LINEAR, _THEORY, _LIMIT),
            ),
            lambda dimension: links.fixed_size(1e-3, GradientRelease(50, 50, 1, int(dimension))),
            "50 gradients",
            corrections=(44, 46),
            ours="The paper prints neither the number of gradients nor the dimensions of its curves: both are ours.",
        ),
        *(
            Panel(
                f"Fig. {5 if view is LOG else 2}{letter}",
                f"{words}{', in the corner of few false alarms' if view is LOG else ''}",
                knob,
                partial(draw, view),
                says(view),
                links.simulated_gradients if letter == "a" else None,
                f"{_CIFAR_D} parameters" if letter == "a" else "",
                (_of_cifar("one step", "App. C.1", 1.14),) if letter == "a" else (),
                touching,
                f"{_POINTS} {ours}",
            )
            for view in (LINEAR, LOG)
            for letter, words, knob, draw, says, touching, ours in (
                (
                    *("a", "The law of the gradients is known, and no noise is added", _BATCHES),
                    *(_simulated, _OTHERS_PROTECT, (47, 48), "Of the five attacks of Table 2 this is the last, GLiR."),
                ),
                (
                    *("b", "Gradients of a trained model, whose law the attacker estimates"),
                    *(_REAL_BATCHES, _real, _ESTIMATED_LAW, (46,), _DIGITS),
                ),
                (
                    *("c", "Several steps of a trained model on the same records", _NUMBER),
                    *(_trained, _after_all_steps, (47, 48, 51), f"{_DIGITS} Shipped (data/make_paper_004.py)."),
                ),
            )
        ),
        Panel(
            "Fig. 2c, simulated",
            "Several steps with simulated gradients, drawn anew at each step: how their evidence adds up",
            _NUMBER,
            _pooled,
            _found(
                "adding the statistics of all steps finds {} members, where the theory has {}. Adding log p-values, as "
                "the algorithm does, finds {}.",
                *(LINEAR, "statistics pooled", _THEORY, "p-values pooled"),
            ),
            settings=f"{_CIFAR_D} parameters, batches of {_CIFAR_N}",
            printed=(_of_cifar("five steps", "App. C.1", 2.54, _CUT),),
            corrections=(47, 51),
            ours=f"Simulated gradients, {_AUDITS} audits of {_ROUNDS // _AUDITS:,} rounds each; the paper has those of "
            "trained models alone.",
        ),
        *map(corrections.panel, (45, 51)),
    ),
    "Gradients of the digits in place of CIFAR-10's.",
    "GLiR gradient likelihood ratio audit chi-squared",
)


def _ablated(change: Callable[[float], DrawnGradients], value: float) -> Drawing:
    attack = change(value)
    found = _measured(_scores(attack, _AUDITS * _ROUNDS), LINEAR)
    return _beside_theory(_step_test(attack.batch, attack.dimension), LINEAR, found)


_SMALL_BATCHES = Knob("Batch size n", (2, 5, 10, 20, 50), 5)

_ASSUMPTIONS = _question(
    "assumptions",
    "Does the theory hold where its assumptions do not?",
    (
        *(
            Panel(
                f"Fig. 4, {what}",
                f"Gradients drawn one by one: {what}",
                knob,
                partial(_ablated, change),
                _found_in_theory(second, LINEAR),
                settings=settings,
                corrections=(46, 49),
                ours=f"{_POINTS} What is fixed here is ours: the paper names only what it moves, for gradients of mean "
                "length 5, which it clips to C = 1.",
            )
            for what, knob, settings, change, second in (
                (
                    *("batch size", _SMALL_BATCHES, "normal gradients, d = 10, unclipped"),
                    lambda batch: DrawnGradients(10, int(batch)),
                    "The smaller the batch, the easier its members are found.",
                ),
                (
                    *("uniform law", _SMALL_BATCHES, "d = 10, unclipped"),
                    lambda batch: DrawnGradients(10, int(batch), GradientLaw.UNIFORM),
                    "A mean of bounded variables is soon nearly normal.",
                ),
                (
                    *("clipping", Knob("Clipping norm C, of the usual length", (0.1, 0.2, 0.5, 0.8, 1.0, 1.5), 0.2)),
                    *("normal gradients, n = 20, d = 10", lambda clip: DrawnGradients(10, 20, clip=clip)),
                    "Clipping scales what is released and what is looked for alike, so the curve hardly moves.",
                ),
                (
                    *("dimension", Knob("Dimension d", (1, 2, 5, 10, 20, 50), 2)),
                    *("normal gradients, n = 20, unclipped", lambda dimension: DrawnGradients(int(dimension), 20)),
                    "The more parameters, the easier a gradient is recognised: μ grows with the root of d.",
                ),
            )
        ),
        Panel(
            "Fig. 6",
            "An attack that sees losses only, beside the one that sees gradients: likelihood ratios by shadow models",
            Knob("Steps of training", (5, 50, 500), 5),
            _by_losses,
            _found(
                "losses find {} members, gradients of 5 steps {}. Slide to the right: the more the model has learned "
                "its records, the more its losses show.",
                *(LOG, "losses", "gradients, 5 steps"),
            ),
            settings="gradients of 5 steps",
            corrections=(46,),
            ours=f"Of the five attacks of Table 2 this is the third. {_DIGITS} Losses: 600 models of 100 digits each, "
            "every one attacked with all others as shadow models. Panel a has the fewest steps.",
        ),
    ),
    "Gradients drawn by us; digits in place of Adult.",
    "GLiR ablation clipping uniform LiRA losses",
)

QUESTIONS = (_LESS, _IN_AVERAGE, _ASSUMPTIONS)
