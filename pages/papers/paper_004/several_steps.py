"""Fig. 2c, 5 (third) and 6: several steps on the same records, by their gradients and by their losses."""

from dataclasses import replace
from functools import partial

import numpy as np

from numerics import shipped
from numerics.audits import SimulatedGradients
from numerics.audits.glir import Pooling
from pages.attackers import audit_attacks as audits
from pages.papers.figure import Drawing, MovingParameter, PaperFigure, Printed, of_100
from pages.papers.paper_004.attacks import (
    AUDITS,
    CIFAR_D,
    CIFAR_N,
    LOG_RATES,
    RATES,
    ROUNDS,
    figure,
    measured,
    put_together,
    scores,
    step_test,
)
from plotting import theme
from plotting.lines import Dots

_STEPS, _BATCH = 5, 100
_GRADIENTS, _LOSSES = "paper_004_fig_2c", "paper_004_fig_6"


def _simulated(steps: float) -> Drawing:
    """Pooled statistics reach the theory, pooled p-values do not."""
    one = SimulatedGradients(CIFAR_D, CIFAR_N, float(CIFAR_D), steps=int(steps), pooling=Pooling.STATISTICS)
    dots = [
        replace(measured(scores(attack, ROUNDS)), name=name, symbol=symbol)
        for name, attack, symbol in (
            ("statistics pooled", one, "circle"),
            ("p-values pooled", replace(one, pooling=Pooling.P_VALUES), "square-open"),
        )
    ]
    return put_together(f"{steps:g} steps", step_test(CIFAR_N, CIFAR_D).repeated(int(steps)), dots)


def _found(table: str, steps: float, name: str, symbol: str, *, log: bool, color: str = theme.MEASURED) -> Dots:
    """What is shipped of an attack on this many steps."""
    rates = LOG_RATES if log else RATES
    rows = [row for row in shipped.rows(table) if float(row["steps"]) == steps]
    kept = [row for row in rows if np.isclose(float(row["alpha"]), rates, rtol=1e-6).any()]
    alpha, missed, deviation = (np.array([float(row[key]) for row in kept]) for key in ("alpha", "missed", "sd"))
    return Dots(name, alpha, 1.0 - missed if log else missed, color, deviation, symbol)


def _trained(steps: float, *, log: bool = False) -> Drawing:
    """The theory of independent steps, and GLiR on a real model, whose gradients hardly change from step to step."""
    dimension = audits.gradients_of_digits()[1].dimension
    dots = [_found(_GRADIENTS, 1.0, "one step", "square-open", log=log, color=theme.COMPARED[1])]
    if steps > 1:
        dots.append(_found(_GRADIENTS, steps, f"{steps:g} steps", "circle", log=log))
    test = step_test(_BATCH, dimension).repeated(int(steps))
    return put_together(f"Gradients of {steps:g} steps of a model of the digits", test, dots, log=log)


def _by_losses(steps: float) -> Drawing:
    """The attack that sees losses beside the one that sees gradients of five steps, and the theory of the latter."""
    dimension = audits.gradients_of_digits()[1].dimension
    dots = [
        _found(_GRADIENTS, _STEPS, "gradients, 5 steps", "square-open", log=True, color=theme.COMPARED[1]),
        _found(_LOSSES, steps, f"losses, {steps:g} steps", "circle", log=True),
    ]
    test = step_test(_BATCH, dimension).repeated(_STEPS)
    return put_together(f"Losses after {steps:g} steps of training on 100 digits", test, dots, log=True)


def _after_all_steps(alpha: float, seen: Drawing) -> str:
    one, all_, theory = (seen.at(name, alpha) for name in ("one step", seen.names[-1], "Eq. 8, K = d"))
    if seen.at("Eq. 8, K = d", 1.0) < 0.5:  # misses are drawn
        one, all_, theory = 1.0 - one, 1.0 - all_, 1.0 - theory
    return (
        f"At α = {alpha:g} the attack finds {of_100(one)} members after one step and {of_100(all_)} after all of them, "
        f"where the theory of independent steps has {of_100(theory)}. Gradients of the same records change little from "
        "step to step: slide to the right, and the theory alone rises."
    )


def _pooled(seen: Drawing) -> str:
    statistics, p_values, theory = (
        of_100(1.0 - seen.at(name, 0.1)) for name in ("statistics pooled", "p-values pooled", "Eq. 8, K = d")
    )
    return (
        f"At α = 0.1 adding the statistics of all steps finds {statistics} members, where the theory has {theory}. "
        f"Adding log p-values, as the algorithm does, finds {p_values}."
    )


def _losses_beside_gradients(seen: Drawing) -> str:
    gradients, losses = (of_100(seen.at(name, 0.01)) for name in seen.names[2:])
    return (
        f"At α = 0.01 losses find {losses} members, gradients of 5 steps {gradients}. Slide to the right: the more the "
        "model has learned its records, the more its losses show."
    )


_MADE = (
    f"Shipped (data/make_paper_004.py): mean and standard deviation of {AUDITS} audits of {ROUNDS:,} rounds each. The "
    "paper's data do not come with the tool: softmax regression on the digits, batches of 100."
)
_NUMBER = MovingParameter("Number of steps", (1, 2, 5, 10), _STEPS)

FIGURES: tuple[PaperFigure, ...] = (
    figure(
        "004 Fig. 2c",
        "Several steps of a trained model on the same records: the evidence of its gradients, beside the theory.",
        _trained,
        _NUMBER,
        partial(_after_all_steps, 0.1),
        47,
        48,
        51,
        case="trained model",
        source=_MADE,
    ),
    figure(
        "004 Fig. 2c",
        "The same with simulated gradients, drawn anew at each step: how their evidence adds up.",
        _simulated,
        _NUMBER,
        _pooled,
        47,
        51,
        settings=f"{CIFAR_D} parameters, batches of {CIFAR_N}",
        case="simulated",
        printed=(
            Printed(
                "μ of five steps",
                "App. C.1",
                2.54,
                lambda: step_test(CIFAR_N, CIFAR_D).repeated(_STEPS).mu,
                0.005,
                "the paper cuts the digits off instead of rounding",
            ),
        ),
        source=f"Points: simulated gradients, {AUDITS} audits of {ROUNDS // AUDITS:,} rounds each, on arrival. The "
        "paper has gradients of trained models alone.",
    ),
    figure(
        "004 Fig. 5",
        "Fig. 2c on logarithmic axes: several steps of a trained model, in the corner of few false alarms.",
        partial(_trained, log=True),
        _NUMBER,
        partial(_after_all_steps, 0.01),
        47,
        48,
        51,
        case="several steps",
        source=_MADE,
    ),
    figure(
        "004 Fig. 6",
        "An attack that sees losses only, beside the one that sees gradients: likelihood ratios by shadow models.",
        _by_losses,
        MovingParameter("Steps of training", (5, 50, 500), 5),
        _losses_beside_gradients,
        46,
        settings="gradients of 5 steps",
        source=f"{_MADE} Losses: 600 models of 100 digits each, every one attacked with all others as shadow models. "
        "Panel a has the fewest steps; panel b trains as many epochs as Fig. 3.",
    ),
)
