"""Certified 1,000-point curves and epsilon(delta), against riskcal and dp-accounting."""

import numpy as np

from benchmarks import peers
from benchmarks.cases import CASES, Case
from benchmarks.timing import Timed, interleaved, milliseconds, ratio, table
from numerics.privacy_loss import Precision, PrecisionError, certify
from numerics.trade_off import Bracket, Floats, Order, TradeOffCurve, alpha_grid

ALPHA = alpha_grid(1_000)
# Widths of the bracket in power, anywhere on the curve.
WIDTHS = (1.2e-4, 1.2e-6)


def our_curve(case: Case, width: float) -> TradeOffCurve | None:
    """The symmetric curve, from scratch; None where the width is out of reach."""
    certify.cache_clear()
    try:
        return case.mechanism.trade_off(ALPHA, Order.SYMMETRIC, Precision(width=width, relative=1.0))
    except PrecisionError:
        return None


def our_epsilon(case: Case) -> Bracket:
    """Epsilon at the case's delta, from scratch."""
    certify.cache_clear()
    return case.mechanism.epsilon(case.delta)


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
    )
    finest = timed["fine"].result or timed["coarse"].result or case.mechanism.trade_off(ALPHA, Order.SYMMETRIC)
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


def _width(curve: TradeOffCurve | None) -> str:
    if curve is None:
        return "not reached"
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
    rows = []
    for case in CASES:
        timed = interleaved(
            {
                "ours": lambda case=case: our_epsilon(case),
                "dp-accounting": lambda case=case: peers.dp_accounting_epsilon(case.mechanism, case.delta),
            },
            rounds,
        )
        ours, theirs = timed["ours"], timed["dp-accounting"]
        bracket = f"[{ours.result.lower:.8f}, {ours.result.upper:.8f}]"
        times = [milliseconds(ours.seconds), milliseconds(theirs.seconds), ratio(ours.seconds, theirs.seconds)]
        rows.append([case.name, f"{case.delta:g}", bracket, f"{theirs.result:.8f}", *times])
    return table(["case", "delta", "ours, certified", "dp-accounting", "ours", "dp-accounting", "ratio"], rows)
