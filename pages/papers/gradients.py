"""Membership by gradients: noise for a level, one gradient in an average, and its assumptions (Leemann et al. 2023)."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from numerics.audits import Scores, SimulatedGradients, collected, repeated
from numerics.audits.digits import gradients_of_digits, real_gradients
from numerics.audits.glir import DrawnGradients, GradientLaw
from numerics.gaussian_membership import GradientRelease, StepTest, level
from numerics.gaussian_membership.calibration import MembershipCalibration, MuTarget
from numerics.gaussian_membership.calibration import noise_for as membership_noise_for
from numerics.trade_off import Bound, Floats, alpha_grid
from pages.papers import corrections, links
from pages.papers.membership import GROUP
from pages.papers.question import Drawing, Drawn, Knob, Link, Panel, Paper, Printed, Question, shipped_columns
from pages.server.shared_cache import shared_cache
from pages.ui.address import query
from pages.ui.catalog import ATTACKERS
from plotting import theme
from plotting.bars import Bars
from plotting.lines import Dots, Line, LineAxis

PAPER = Paper("004", "Leemann, Pawelczyk and Kasneci", "2023", "Gaussian membership inference privacy")
_question = partial(Question, GROUP, PAPER)


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


@shared_cache
def _noise_at(mu: float, release: GradientRelease) -> MembershipCalibration:
    return membership_noise_for(MuTarget(mu), release)


def noises(data: str, epochs: float) -> tuple[list[float], list[float]]:
    """Noise on the mean gradient that keeps each level: under differential privacy, and under membership privacy."""
    run = TRAINED[data]
    found = [_noise_at(mu, run.release(epochs)) for mu in LEVELS]
    unit = run.clip / run.batch
    return [one.private_noise * unit for one in found], [one.noise_multiplier * unit for one in found]


def _table_5(data: str, epochs: float) -> Drawing:
    mu, (private, relaxed), run = np.array(LEVELS), noises(data, epochs), TRAINED[data]
    parts: list[Drawn] = [
        Line("DP", mu, np.array(private), theme.KNOWS_ALL, Bound.ESTIMATE),
        Line("MIP", mu, np.array(relaxed), theme.OTHERS_UNKNOWN, Bound.ESTIMATE, "circle"),
    ]
    if epochs == run.epochs:
        printed = np.array(_CELLS[data].split(), dtype=float)
        of_mip = np.where(np.arange(len(mu)) < run.with_noise, printed, 0.0)
        parts += [Dots("DP, printed", mu, printed), Dots("MIP, printed", mu, of_mip, symbol="square-open")]
    across = LineAxis("Level μ", log=True, ends=(0.36, 55.0))
    up = LineAxis("Noise τ on the mean gradient", ends=(0.0, 5.0))
    return Drawing.of((across, up), parts, links.fixed_size(1.0, run.release(epochs)))


def _no_noise_from(seen: Drawing) -> str:
    mu, relaxed = seen.series("MIP")
    free = [f"From μ = **{one:.2f}** on membership privacy asks for no noise. " for one in mu[relaxed == 0.0][:1]]
    return (
        f"{''.join(free)}Where it asks for noise, it is that of differential privacy, {{DP @ 0.4|.2f}} at the smallest "
        "level: the formula's own noise never wins."
    )


VERIFIED = {"CIFAR-10": (500, 650), "Purchase": (1970, 2580), "Adult": (790, 1026)}
"""Records and dimensions of the runs of Table 3: steps on all records, without noise."""


def _verified(data: str, steps: float) -> GradientRelease:
    records, dimension = VERIFIED[data]
    return GradientRelease(records, records, int(steps), dimension)


def _table_3(steps: float) -> Drawing:
    nothing = np.zeros(len(VERIFIED))
    series = [
        Bars(name, np.array([level(_verified(data, taken)).mu for data in VERIFIED]), nothing, color)
        for name, taken, color in (("one step", 1, theme.OTHERS_UNKNOWN), ("all steps", steps, theme.COMPARED[0]))
    ]
    link = links.fixed_size(links.NO_NOISE, _verified("CIFAR-10", steps))
    return Drawing.of_bars(list(VERIFIED), series, LineAxis("Effect size μ", ends=(0.0, 4.0)), link)


def _of_cifar(words: str, place: str, value: float, steps: int, why: str = "") -> Printed:
    return Printed(f"μ of {words}, CIFAR-10", place, value, lambda: level(_verified("CIFAR-10", steps)).mu, why=why)


_CUT = "the paper cuts the digits off instead of rounding"
_LESS = _question(
    "less-noise",
    "When does membership privacy ask for less noise than differential privacy?",
    finds="MIP GMIP GDP level table noise τ",
).answered_by(
    *(
        Panel(
            f"Table 5, {data}: Noise for each level μ under differential and under membership privacy, {data}",
            Knob("Epochs", (1, 3, 10, 20, 50), run.epochs),
            partial(_table_5, data),
            _no_noise_from,
            corrections=(50, 53, 54),
            ours="All 40 printed values of these two rows are drawn; a test compares all 120 of the table.",
        )
        for data, run in TRAINED.items()
    ),
    Panel(
        "Table 3: Effect sizes μ of one step and of several, for the three runs that the attacks are verified on",
        Knob("Number of steps", (1, 2, 5, 10), 5),
        _table_3,
        "One step has a μ of {one step @ 0|.2f} on CIFAR-10: the three runs are chosen so, though their sizes "
        "differ. Steps add up by the root of the sum of squares, here to {all steps @ 0|.2f}.",
        printed=(_of_cifar("one step", "Table 3", 1.13, 1, _CUT), _of_cifar("five steps", "Table 3", 2.54, 5, _CUT)),
        corrections=(51, 53),
    ),
    corrections.PANELS[50],
)


_AUDITS, _ROUNDS, _SEED = 10, 1000, 1
_CIFAR_D, _CIFAR_N = 650, 500
_STEPS, _BATCH = 5, 100
_LARGEST_BATCH = 200  # of real gradients on Attackers
_RATES = np.linspace(0.05, 0.95, 19)
_SMALL_RATES = np.append(np.geomspace(2e-3, 1.0, 13)[:-1], (0.8, 0.95))  # of Fig. 5, whose axes are logarithmic


@shared_cache
def _scores(attack: SimulatedGradients | DrawnGradients | int) -> Scores:
    """What an attack measures in all rounds of its audits; a number is a batch of real gradients."""
    run = (real_gradients(attack) if isinstance(attack, int) else attack).run
    return Scores(*collected(run(_AUDITS * _ROUNDS, _SEED)))


def _measured(attack: SimulatedGradients | DrawnGradients | int, rates: Floats) -> Dots:
    """Mean and scatter over audits."""
    audits = repeated(_scores(attack), _AUDITS, rates)
    return Dots("measured", audits.alpha, 1.0 - audits.mean, theme.MEASURED, audits.deviation, "circle")


def _shipped(table: str, steps: float, name: str, symbol: str, color: str = theme.MEASURED) -> Dots:
    """What is shipped of an attack on this many steps."""
    columns = shipped_columns(table, "alpha", "missed", "sd", steps=steps)
    alpha, missed, deviation = columns[:, np.isclose(columns[0][:, np.newaxis], _SMALL_RATES, rtol=1e-6).any(axis=1)]
    return Dots(name, alpha, 1.0 - missed, color, deviation, symbol)


def _step_test(batch: float, dimension: float) -> StepTest:
    """One mean of ``batch`` gradients; K is their expected value d."""
    return StepTest(float(batch), int(dimension), float(dimension))


def _test_of_digits(batch: float = _BATCH) -> StepTest:
    return _step_test(batch, gradients_of_digits()[1].dimension)


def _beside_theory(test: StepTest, opens: Link | str, *dots: Dots, is_log: bool = True) -> Drawing:
    """Eq. 8, and the normal law that it tends to, with measured points."""
    alpha, ends = alpha_grid(300, 1e-4), (1e-3 if is_log else 0.0, 1.0)
    theory = [
        Line.of_power("Eq. 8, K = d", test.trade_off(alpha), theme.OTHERS_UNKNOWN),
        Line.of_power("Cor. 5.1", test.normal_limit(alpha), theme.COMPARED[0], "cross"),
    ]
    axes = LineAxis("False positive rate α", is_log, ends), LineAxis("Members found", is_log, ends)
    return Drawing.of(axes, [*theory, *dots], opens, Line.guessing(ends))


def _in_theory(place: float, then: str) -> str:
    return (
        f"At α = {place:g} the attack finds {{measured @ {place:g}}} members; Eq. 8 has {{Eq. 8, K = d @ {place:g}}}, "
        f"the normal curve {{Cor. 5.1 @ {place:g}}}. {then}"
    )


def _mean_of_fifty(dimension: float) -> Drawing:
    link = links.fixed_size(links.NO_NOISE, GradientRelease(50, 50, 1, int(dimension)))
    return _beside_theory(_step_test(50, dimension), link, is_log=False)


def _simulated(batch: float) -> Drawing:
    found = _measured(SimulatedGradients(_CIFAR_D, int(batch), float(_CIFAR_D)), _SMALL_RATES)
    return _beside_theory(_step_test(batch, _CIFAR_D), links.simulated_gradients(_CIFAR_D, batch), found)


def _real(batch: float) -> Drawing:
    opens: Link | str = f"Attackers takes batches of up to {_LARGEST_BATCH} digits."
    if batch <= _LARGEST_BATCH:
        opens = ATTACKERS, query(links.audit("GLiR, real gradients", real_batch=batch), {})
    return _beside_theory(_test_of_digits(batch), opens, _measured(int(batch), _SMALL_RATES))


_SHIPPED_ALONE = "Attackers audits one step; what many steps show takes long, and is shipped."


def _trained(steps: float) -> Drawing:
    """The theory of independent steps, and GLiR on a real model, whose gradients hardly change from step to step."""
    one = _shipped("paper_004_fig_2c", 1.0, "one step", "square-open", theme.COMPARED[1])
    every = _shipped("paper_004_fig_2c", steps, "all steps", "circle")
    return _beside_theory(_test_of_digits().repeated(int(steps)), _SHIPPED_ALONE, one, every)


def _by_losses(steps: float) -> Drawing:
    """The attack that sees losses beside the one that sees gradients of five steps, and the theory of the latter."""
    known = _shipped("paper_004_fig_2c", _STEPS, "gradients, 5 steps", "square-open", theme.COMPARED[1])
    losses = _shipped("paper_004_fig_6", steps, "losses", "circle")
    return _beside_theory(_test_of_digits().repeated(_STEPS), _SHIPPED_ALONE, known, losses)


_POINTS = f"Points: mean and standard deviation of {_AUDITS} audits of {_ROUNDS:,} rounds; the paper names no number."
_DIGITS = "Softmax regression on the digits in place of the paper's data."
_IN_AVERAGE = _question(
    "gradient-in-average",
    "Is this gradient in that average?",
    "Gradients of the digits in place of CIFAR-10's.",
    "GLiR gradient likelihood ratio audit chi-squared",
).answered_by(
    Panel(
        "Fig. 1: One mean of gradients: the exact curve of Eq. 8 beside the normal one that it tends to",
        Knob("Dimension d", (1, 2, 5, 10, 20, 50, 100, 650), 20, ""),
        _mean_of_fifty,
        "At α = 0.1 by the exact curve of Eq. 8 {Eq. 8, K = d @ 0.1} members are found, by the normal one of "
        "Corollary 5.1 {Cor. 5.1 @ 0.1}. For few parameters the corollary errs to one side, for many to the other.",
        "50 gradients",
        corrections=(44, 46),
        ours="The paper prints neither the number of gradients nor the dimensions of its curves: both are ours.",
    ),
    Panel(
        "Fig. 2a/5a: The law of the gradients is known, and no noise is added",
        Knob("Batch size n", (100, 200, 500, 1000, 2000), _CIFAR_N),
        _simulated,
        _in_theory(0.01, "No noise was added: what protects are the other gradients of the batch."),
        f"{_CIFAR_D} parameters",
        (_of_cifar("one step", "App. C.1", 1.14, 1),),
        (47, 48),
        f"{_POINTS} Of the five attacks of Table 2 this is the last, GLiR. Fig. 2 has plain axes.",
        is_slow=True,
    ),
    Panel(
        "Fig. 2b/5b: Gradients of a trained model, whose law the attacker estimates",
        Knob("Batch size n", (25, 50, 100, 200, 400), _BATCH, ""),
        _real,
        _in_theory(0.01, "The law of a real model's gradients is not normal: K = d is no bound."),
        corrections=(46,),
        ours=f"{_POINTS} {_DIGITS} Fig. 2 has plain axes.",
        is_slow=True,
    ),
    Panel(
        "Fig. 2c/5c: Several steps of a trained model on the same records",
        Knob("Number of steps", (1, 2, 5, 10), _STEPS),
        _trained,
        "At α = 0.01 the attack finds {one step @ 0.01} members after one step and {all steps @ 0.01} after all, where "
        "independent steps have {Eq. 8, K = d @ 0.01}. Gradients of the same records change little.",
        corrections=(47, 48, 51),
        ours=f"{_POINTS} {_DIGITS} Shipped (data/make_paper_004.py). Fig. 2 has plain axes.",
    ),
    *map(corrections.PANELS.__getitem__, (45, 51)),
)


def _ablated(change: Callable[[float], DrawnGradients], value: float) -> Drawing:
    attack = change(value)
    opens: Link | str = "Attackers simulates normal gradients that are not clipped; all others are drawn here alone."
    if attack.law is GradientLaw.NORMAL and not np.isfinite(attack.clip):
        opens = links.simulated_gradients(attack.dimension, attack.batch)
    return _beside_theory(_step_test(attack.batch, attack.dimension), opens, _measured(attack, _RATES), is_log=False)


_SMALL_BATCHES = Knob("Batch size n", (2, 5, 10, 20, 50), 5)
_CLIPS = Knob("Clipping norm C, of the usual length", (0.1, 0.2, 0.5, 0.8, 1.0, 1.5), 0.2)
_ASSUMPTIONS = _question(
    "assumptions",
    "Does the theory hold where its assumptions do not?",
    "Gradients drawn by us; digits in place of Adult.",
    "GLiR ablation clipping uniform LiRA losses",
).answered_by(
    *(
        Panel(
            f"Fig. 4, {what}: Gradients drawn one by one: {what}",
            knob,
            partial(_ablated, change),
            _in_theory(0.1, then),
            settings,
            corrections=(46, 49),
            ours=f"{_POINTS} What is fixed is ours: the paper names what it moves, and clips mean lengths of 5 to 1.",
        )
        for what, knob, change, settings, then in (
            (
                *("batch size", _SMALL_BATCHES, lambda batch: DrawnGradients(10, int(batch))),
                "normal gradients, d = 10, unclipped",
                "The smaller the batch, the easier its members are found.",
            ),
            (
                *("uniform law", _SMALL_BATCHES, lambda batch: DrawnGradients(10, int(batch), GradientLaw.UNIFORM)),
                *("d = 10, unclipped", "A mean of bounded variables is soon nearly normal."),
            ),
            (
                *("clipping", _CLIPS, lambda clip: DrawnGradients(10, 20, clip=clip)),
                "normal gradients, n = 20, d = 10",
                "Clipping scales the mean and the gradient alike: the curve hardly moves.",
            ),
            (
                *("dimension", Knob("Dimension d", (1, 2, 5, 10, 20, 50), 2), lambda d: DrawnGradients(int(d), 20)),
                "normal gradients, n = 20, unclipped",
                "The more parameters, the easier a gradient is recognised: μ grows with the root of d.",
            ),
        )
    ),
    Panel(
        "Fig. 6: An attack that sees losses only, by shadow models, beside the one that sees gradients",
        Knob("Steps of training", (5, 50, 500), 5),
        _by_losses,
        "At α = 0.01 losses find {losses @ 0.01} members, gradients of 5 steps {gradients, 5 steps @ 0.01}. Slide "
        "to the right: the more the model has learned its records, the more its losses show.",
        "gradients of 5 steps",
        corrections=(46,),
        ours=f"Of the five attacks of Table 2 this is the third. {_DIGITS} Losses: 600 models of 100 digits each, "
        "every one attacked with all others as shadow models. Panel a has the fewest steps.",
    ),
)

QUESTIONS = (_LESS, _IN_AVERAGE, _ASSUMPTIONS)
