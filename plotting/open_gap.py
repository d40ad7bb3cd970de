"""The gap between a guarantee and a known attack that do not meet: where its name stands."""

import numpy as np

from numerics.trade_off import Floats

_RATE, _SHARE = 0.02, 0.3  # where that is: a false positive rate, or on linear axes a share of the axis
_TALL = 0.12  # of the figure: a gap that takes its name in


def name_place(
    x: Floats, sides: tuple[Floats, Floats], start: float | None, end: float, found: bool
) -> tuple[float, float, str]:
    """A point and the side of it at which the name stands: in the gap, or beside a narrow one, away from guessing.

    Args:
        x: positions (n,).
        sides: heights (n,) of the guarantee and of the attack.
        start: where logarithmic axes start; None for linear ones.
        end: where the axes end.
        found: whether heights are people found, above guessing; otherwise those missed, below it.
    """
    place = min(int(np.searchsorted(x, _SHARE * end if start is None else _RATE)), len(x) - 1)
    at, guarantee, attack = (float(values[place]) for values in (x, *sides))
    tall = attack - guarantee if start is None else np.log(attack / guarantee) / np.log(start)
    if abs(tall) < _TALL:
        return at, guarantee, "top left" if found else "bottom left"
    return at, (guarantee + attack) / 2.0 if start is None else (guarantee * attack) ** 0.5, "middle center"
