"""Figure 4: does the theory hold where the gradients are not what it assumes?"""

from dataclasses import replace
from functools import partial

from numerics.audits.glir import DrawnGradients, GradientLaw
from pages.papers.figure import Drawing, MovingParameter, PaperFigure
from pages.papers.paper_004.attacks import AUDIT_ROUNDS, RUNS, drawing, figure, found_in_theory, scores, step_test


def _ablation(what: str, value: float, *, log: bool = False) -> Drawing:
    base = DrawnGradients(10, 20)
    attack = {
        "batch size": lambda: replace(base, batch=int(value)),
        "uniform law": lambda: replace(base, batch=int(value), law=GradientLaw.UNIFORM),
        "clipping": lambda: replace(base, clip=value),
        "dimension": lambda: replace(base, dimension=int(value)),
    }[what]()
    words = f"Gradients drawn one by one, {what} {value:g}"
    return drawing(words, step_test(attack.batch, attack.dimension), scores(attack, AUDIT_ROUNDS), log=log)


_BATCHES = MovingParameter("Batch size n", (2, 5, 10, 20, 50), 5)
_CLIPS = MovingParameter("Clipping norm C, of the usual length", (0.1, 0.2, 0.5, 0.8, 1.0, 1.5), 0.2)
_DIMENSIONS = MovingParameter("Dimension d", (1, 2, 5, 10, 20, 50), 2)
_ABLATIONS = (
    (
        "batch size",
        _BATCHES,
        "normal gradients, d = 10, unclipped",
        "The smaller the batch, the easier its members are found.",
    ),
    ("uniform law", _BATCHES, "d = 10, unclipped", "A mean of bounded variables is soon nearly normal."),
    (
        "clipping",
        _CLIPS,
        "normal gradients, n = 20, d = 10",
        "Clipping scales what is released and what is looked for alike, so the curve hardly moves.",
    ),
    (
        "dimension",
        _DIMENSIONS,
        "normal gradients, n = 20, unclipped",
        "The more parameters, the easier a gradient is recognised: μ grows with the root of d.",
    ),
)


def _ablated(what: str, parameter: MovingParameter, settings: str, second: str, *, log: bool) -> PaperFigure:
    """A panel of Fig. 4."""
    return figure(
        "004 Fig. 4",
        f"Does the theory hold where its assumptions do not: {what}{', on logarithmic axes' if log else ''}.",
        partial(_ablation, what, log=log),
        parameter,
        partial(found_in_theory, second, 0.01 if log else 0.1),
        46,
        49,
        settings=settings,
        case=f"{what}, logarithmic" if log else what,
        source=f"{RUNS} What is fixed here is ours: the paper names only what it moves, for gradients of mean length "
        "5, which it clips to C = 1.",
    )


FIGURES = tuple(_ablated(*row, log=log) for log in (False, True) for row in _ABLATIONS)
