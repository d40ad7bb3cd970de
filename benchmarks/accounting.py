"""Certified 1,000-point curves and epsilon(delta), against riskcal and dp-accounting, in processor time."""

import time

import numpy as np

from benchmarks import peers
from benchmarks.cases import CASES, Case
from benchmarks.timing import Timed, interleaved, milliseconds, ratio, table
from numerics.privacy_loss import Precision
from numerics.privacy_loss.certify import forget
from numerics.trade_off import Bracket, Floats, Order, TradeOffCurve, alpha_grid

ALPHA = alpha_grid(1_000)
# Widths of the bracket in power, anywhere on the curve.
WIDTHS = (1.2e-4, 1.2e-6)
# Widths of the bracket in epsilon: about dp-accounting's own error, and our default.
EPSILON_WIDTHS = (2e-5, 5e-7)


def our_curve(case: Case, width: float) -> TradeOffCurve:
    """The symmetric curve, from scratch."""
    forget()
    return case.mechanism.trade_off(ALPHA, Order.SYMMETRIC, Precision(width=width, relative=1.0))


def our_epsilon(case: Case, width: float) -> Bracket:
    """Epsilon at the case's delta, from scratch."""
    forget()
    return case.mechanism.epsilon(case.delta, width)


def curves(rounds: int) -> str:
    """Table of times and errors of the curve."""
    header = ["case", *(f"ours <= {width:g}" for width in WIDTHS), "reached", "riskcal", "ratios"]
    header += ["unsafe by, from alpha", "dp-accounting", "ratios", "slack"]
    return table(header, [_curve_row(case, rounds) for case in CASES])


def _curve_row(case: Case, rounds: int) -> list[str]:
    timed = interleaved(
        {
            "coarse": lambda: our_curve(case, WIDTHS[0]),
            "fine": lambda: our_curve(case, WIDTHS[1]),
            "riskcal": lambda: peers.riskcal_beta(case.mechanism, ALPHA),
            "dp-accounting": lambda: peers.dp_accounting_beta(case.mechanism, ALPHA, case.largest_epsilon),
        },
        rounds,
        clock=time.process_time,
    )
    finest = timed["fine"].result
    upper = finest.upper or finest
    return [
        case.name,
        *(milliseconds(timed[name].seconds) for name in ("coarse", "fine")),
        " ".join(_width(timed[name].result) for name in ("coarse", "fine")),
        milliseconds(timed["riskcal"].seconds),
        _ratios(timed, "riskcal"),
        _unsafe(timed["riskcal"].result, upper.beta),
        milliseconds(timed["dp-accounting"].seconds),
        _ratios(timed, "dp-accounting"),
        f"{np.max(upper.beta - timed['dp-accounting'].result):.1e}",
    ]


def _width(curve: TradeOffCurve) -> str:
    if curve.lower is None or curve.upper is None:
        return "exact"
    return f"{np.max(curve.upper.beta - curve.lower.beta):.1e}"


def _ratios(timed: dict[str, Timed], peer: str) -> str:
    return " ".join(ratio(timed[name].seconds, timed[peer].seconds) for name in ("coarse", "fine"))


def _unsafe(beta: Floats, attack: Floats) -> str:
    """How far a claimed beta exceeds a demonstrated attack, and up to which alpha it exceeds 1 - alpha."""
    impossible = ALPHA[beta > (1.0 - ALPHA) * (1.0 + 1e-12)]
    above = f"; > 1 - alpha up to {impossible[impossible < 0.5].max():.1e}" if np.any(impossible < 0.5) else ""
    return f"{max(np.max(beta - attack), 0.0):.1e}{above}"


def epsilons(rounds: int) -> str:
    """Table of times and values of epsilon."""
    header = ["case", "delta", "certified", "dp-accounting", *(f"ours <= {width:g}" for width in EPSILON_WIDTHS)]
    return table([*header, "dp-accounting", "ratios"], [_epsilon_row(case, rounds) for case in CASES])


def _epsilon_row(case: Case, rounds: int) -> list[str]:
    timed = interleaved(
        {
            "coarse": lambda: our_epsilon(case, EPSILON_WIDTHS[0]),
            "fine": lambda: our_epsilon(case, EPSILON_WIDTHS[1]),
            "dp-accounting": lambda: peers.dp_accounting_epsilon(case.mechanism, case.delta),
        },
        rounds,
        clock=time.process_time,
    )
    fine, theirs = timed["fine"].result, timed["dp-accounting"].result
    times = [milliseconds(run.seconds) for run in timed.values()]
    bracket = f"[{fine.lower:.8f}, {fine.upper:.8f}]"
    return [case.name, f"{case.delta:g}", bracket, f"{theirs:.8f}", *times, _ratios(timed, "dp-accounting")]
