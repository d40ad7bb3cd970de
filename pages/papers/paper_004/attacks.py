"""Fig. 1, 2, 4 and 5: the test for one gradient among those averaged, in theory and carried out."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from numerics.audits import Scores, SimulatedGradients, collected, repeated
from numerics.audits.glir import DrawnGradients
from numerics.gaussian_membership import StepTest
from numerics.trade_off import alpha_grid
from pages.attackers import audit_attacks as audits
from pages.papers.audit_presets import PRESETS
from pages.papers.figure import Drawing, MovingParameter, Notice, PaperFigure, Printed, of_100
from pages.server.shared_cache import shared_cache
from pages.ui.address import Query
from pages.ui.catalog import ATTACKERS
from pages.ui.figure_presets import OF_PAPER_004
from plotting import theme
from plotting.lines import Dots, Line, LineAxis

_UNIT, _FAR = (0.0, 1.0), (1e-3, 1.0)
AXES = LineAxis("False positive rate α", ends=_UNIT), LineAxis("False negative rate β", ends=_UNIT)
_LOG_AXES = LineAxis("False positive rate α", log=True, ends=_FAR), LineAxis("Members found", log=True, ends=_FAR)
_BLIND = Line("guessing", np.array(_UNIT), np.array(_UNIT[::-1]), theme.NEUTRAL, None)
_LOG_BLIND = Line("guessing", np.array(_FAR), np.array(_FAR), theme.NEUTRAL, None)
RATES, LOG_RATES = np.linspace(0.05, 0.95, 19), np.geomspace(2e-3, 1.0, 13)[:-1]
AUDITS, ROUNDS, _SEED = 10, 1000, 1
AUDIT_ROUNDS = AUDITS * ROUNDS
CIFAR_D, CIFAR_N = 650, 500
_QUERY: Query = next(preset.query for preset in PRESETS if preset.name == "004 Fig. 2a")


@shared_cache
def scores(attack: SimulatedGradients | DrawnGradients, rounds: int) -> Scores:
    """What an attack measures in ``rounds`` rounds without the gradient, and as many with it."""
    return Scores(*collected(attack.rounds(rounds, _SEED)))


@shared_cache
def _real_scores(batch: int, rounds: int) -> Scores:
    return Scores(*collected(audits.real_gradients(batch).rounds(rounds, _SEED)))


def _theory(test: StepTest, *, log: bool = False) -> list[Line]:
    """Eq. 8, and the normal law that it tends to."""
    alpha = alpha_grid(300, 1e-4)
    exact, limit = test.trade_off(alpha), test.normal_limit(alpha)
    looks = ((exact, "Eq. 8, K = d", theme.OTHERS_UNKNOWN, ""), (limit, "Cor. 5.1", theme.COMPARED[0], "cross"))
    return [
        Line(name, one.alpha, one.power if log else one.beta, color, one.bound, symbol)
        for one, name, color, symbol in looks
    ]


def measured(scores: Scores, *, log: bool = False) -> Dots:
    """Mean and scatter over audits."""
    rates = LOG_RATES if log else RATES
    found = repeated(scores, AUDITS, rates)
    y = 1.0 - found.mean if log else found.mean
    return Dots("measured", found.alpha, y, theme.MEASURED, found.deviation, "circle")


def drawing(what: str, test: StepTest, found: Scores | None, *, log: bool = False) -> Drawing:
    """The curves of theory, and the points that an attack ``found``."""
    return put_together(what, test, [measured(found, log=log)] if found else [], log=log)


def put_together(what: str, test: StepTest, dots: Sequence[Dots], *, log: bool = False) -> Drawing:
    """The curves of theory with measured points."""
    lines = _theory(test, log=log)
    parts: list[Line | Dots] = [*lines, *dots]
    values = ", ".join(f"{part.name} {np.interp(0.1, part.x, part.y):.3f}" for part in parts)
    side = "true positive" if log else "false negative"
    alt = f"{what}, μ = {test.mu:.3f}: {side} rates at a false positive rate of 0.1 are {values}."
    return Drawing.of(alt, _LOG_AXES if log else AXES, lines, dots, _LOG_BLIND if log else _BLIND)


def step_test(batch: float, dimension: float) -> StepTest:
    """One mean of ``batch`` gradients; K is their expected value d."""
    return StepTest(float(batch), int(dimension), float(dimension))


def _convergence(dimension: float) -> Drawing:
    return drawing(f"One mean of 50 gradients in {dimension:g} dimensions", step_test(50, dimension), None)


def _simulated(batch: float, *, log: bool = False) -> Drawing:
    attack = SimulatedGradients(CIFAR_D, int(batch), float(CIFAR_D))
    found = scores(attack, AUDIT_ROUNDS)
    return drawing(f"Simulated gradients, batches of {batch:g}", step_test(batch, CIFAR_D), found, log=log)


def _real(batch: float, *, log: bool = False) -> Drawing:
    dimension = audits.gradients_of_digits()[1].dimension
    found = _real_scores(int(batch), AUDIT_ROUNDS)
    return drawing(
        f"Gradients of a model of the digits, batches of {batch:g}", step_test(batch, dimension), found, log=log
    )


RUNS = (
    f"Points: mean and standard deviation of {AUDITS} audits of {ROUNDS:,} rounds each, computed on arrival with a "
    "fixed seed; the paper does not say how many."
)


def figure(
    name: str,
    words: str,
    draw: Callable[[float], Drawing],
    parameter: MovingParameter,
    notice: Notice,
    *corrections: int,
    source: str = RUNS,
    **rest: Any,
) -> PaperFigure:
    """A figure whose points an attack measures, with what ``corrections`` say of it."""
    return PaperFigure(
        name,
        words,
        ATTACKERS,
        _QUERY,
        draw=draw,
        parameter=parameter,
        notice=notice,
        corrections=corrections,
        source=source,
        **rest,
    )


def found_in_theory(second: str, alpha: float, seen: Drawing) -> str:
    """Members that an attack finds at ``alpha`` beside both curves of theory; on linear axes misses are drawn."""
    names = ("measured", "Eq. 8, K = d", "Cor. 5.1")
    drawn = [seen.at(name, alpha) for name in names]
    is_power = seen.at(names[1], 1.0) > 0.5
    found, exact, limit = (of_100(one if is_power else 1.0 - one) for one in drawn)
    return f"At α = {alpha:g} the attack finds {found} members; Eq. 8 has {exact}, the normal curve {limit}. {second}"


def _beside_the_limit(seen: Drawing) -> str:
    exact, limit = (of_100(seen.at(name, 0.1)) for name in ("Eq. 8, K = d", "Cor. 5.1"))
    return (
        f"At α = 0.1 the exact curve of Eq. 8 misses {exact} members, the normal one of Corollary 5.1 {limit}. Slide "
        "d: at the left end the corollary errs to one side, at the right end to the other."
    )


_BATCHES = (100, 200, 500, 1000, 2000)
_REAL_BATCHES = (25, 50, 100, 200, 400)

_FIRST = next(preset for preset in OF_PAPER_004 if preset.name == "004 Fig. 1")

FIGURES = (
    PaperFigure.of_preset(
        _FIRST,
        ATTACKERS,
        "One mean of gradients: the exact curve of Eq. 8 beside the normal one that it tends to.",
        settings="50 gradients",
        draw=_convergence,
        parameter=MovingParameter("Dimension d", (1, 2, 5, 10, 20, 50, 100, 650), 20, is_printed=False),
        notice=_beside_the_limit,
        corrections=(44, 46),
        source="The paper prints neither the number of gradients nor the dimensions of its curves: both are ours.",
    ),
    figure(
        "004 Fig. 2a",
        "Is this gradient part of that average? The law of the gradients is known, and no noise is added.",
        _simulated,
        MovingParameter("Batch size n", _BATCHES, CIFAR_N),
        "The attack reaches its theory. No noise was added anywhere: what protects are the other gradients of the "
        "batch, so with larger batches fewer are found.",
        47,
        48,
        settings=f"{CIFAR_D} parameters",
        printed=(Printed("μ of one step", "App. C.1", 1.14, lambda: step_test(CIFAR_N, CIFAR_D).mu, 0.005),),
    ),
    figure(
        "004 Fig. 2b",
        "The same on gradients of a trained model, whose law the attacker has to estimate.",
        _real,
        MovingParameter("Batch size n", _REAL_BATCHES, 100, is_printed=False),
        "With gradients of a real model the attack stays behind its theory: their law is not normal, and has to be "
        "estimated. So K = d is no bound, but here it errs on the safe side.",
        46,
        source=f"{RUNS} The paper's data do not come with the tool: softmax regression on the digits.",
    ),
    figure(
        "004 Fig. 5",
        "Fig. 2a on logarithmic axes: the corner of few false alarms.",
        partial(_simulated, log=True),
        MovingParameter("Batch size n", _BATCHES, CIFAR_N),
        partial(found_in_theory, "No noise was added: the others of the batch protect.", 0.01),
        47,
        settings=f"{CIFAR_D} parameters",
        case="known law",
    ),
    figure(
        "004 Fig. 5",
        "Fig. 2b on logarithmic axes: the corner of few false alarms.",
        partial(_real, log=True),
        MovingParameter("Batch size n", _REAL_BATCHES, 100, is_printed=False),
        partial(found_in_theory, "The law of a real model's gradients has to be estimated, and is not normal.", 0.01),
        46,
        case="trained model",
        source=f"{RUNS} The paper's data do not come with the tool: softmax regression on the digits.",
    ),
)
