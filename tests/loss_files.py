"""A file of losses of both groups as text."""

import numpy as np

from numerics.trade_off import Floats

TRAIN = np.round(np.random.default_rng(1).gamma(2, 1, 30), 6)
FRESH = np.round(np.random.default_rng(2).gamma(3, 1, 20), 6)


def both(header: str = "loss,member", labels: tuple[str, str] = ("1", "0")) -> str:
    """One file with both groups."""
    rows = [f"{loss},{label}" for own, label in zip((TRAIN, FRESH), labels, strict=True) for loss in own]
    return "\n".join([header, *rows]) + "\n"


def one(losses: Floats = TRAIN, header: str = "loss") -> str:
    """One file of one group."""
    return "\n".join([header, *map(str, losses)]) + "\n"
