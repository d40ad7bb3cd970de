"""Reconstruction: 200 priors of a training run of ImageNet's size, certified, beside the estimates; Monte Carlo."""

from collections.abc import Callable

import numpy as np

from benchmarks.timing import interleaved, milliseconds, table
from numerics import approximations, reconstruction
from numerics.mechanisms import Gaussian
from numerics.privacy_loss import Precision
from numerics.privacy_loss.certify import forget
from numerics.trade_off import Order, TradeOffCurve

PRIORS = np.geomspace(1e-9, 1.0, 200)
IMAGENET = Gaussian(2.5, 16_384 / 1_281_167, 71_589)
SMALL = Gaussian(1.0, 0.1, 100)
RARE = Gaussian(0.6, 0.001, 10_000)
SAMPLES = 1_000_000


def certified() -> TradeOffCurve:
    """The certified curve, from scratch."""
    forget()
    return IMAGENET.trade_off(PRIORS, Order.ADD, Precision(width=1e-4))


def sampled() -> float:
    """The published Monte Carlo estimate at prior 0.01."""
    losses = np.concatenate([chunk.losses for chunk in reconstruction.hayes(SMALL, SAMPLES)])
    return float(reconstruction.hayes_estimate(losses, np.array([0.01])).success[0])


def curves(rounds: int) -> str:
    """Table of times, with the relative width or error of each."""
    runs: dict[str, Callable[[], object]] = {
        f"certified, {IMAGENET.label}": certified,
        "CLT": lambda: approximations.clt(IMAGENET, PRIORS),
        "Edgeworth, order 4": lambda: approximations.edgeworth(IMAGENET, PRIORS, 4),
        f"Monte Carlo, {SAMPLES:,} samples, {SMALL.label}": sampled,
    }
    timed = interleaved(runs, rounds)
    rare = np.array([1e-7])
    ratio = float(approximations.clt(RARE, rare).power[0] / RARE.trade_off(rare).power[0])
    notes = [
        f"relative width {_width():.1e}",
        f"{ratio:.3f} of the truth at 1e-7 for {RARE.label}",
        "",
        _sampled_error(),
    ]
    rows = [[name, milliseconds(run.seconds), note] for (name, run), note in zip(timed.items(), notes, strict=True)]
    return table(["200 priors from 1e-9 to 1", "time", ""], rows)


def _width() -> float:
    curve = certified()
    safe, reached = curve.lower or curve, curve.upper or curve
    return float(np.max(safe.power / reached.power - 1.0))


def _sampled_error() -> str:
    return f"{sampled() / SMALL.reconstruction(0.01).estimate - 1.0:+.1%} off at 0.01"
