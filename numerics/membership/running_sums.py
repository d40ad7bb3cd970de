"""Sums in which what came before fades: y_i = kept_i y_(i-1) + added_i, without a step of Python for each."""

import numpy as np

from numerics.trade_off import Floats


def running_sums(kept: Floats, added: Floats) -> Floats:
    """Sums (n, ...) of which each is ``kept`` (n,) times the one before, from 0, and what is ``added`` (n, ...).

    In rows of about sqrt(n), all at once, each as if it began with 0; then what each row takes over from those before.
    Nothing is divided, so that sums of positive terms keep their digits where others would over- or underflow.
    """
    width = int(np.ceil(np.sqrt(len(kept))))
    factors, sums = np.zeros(width * width), np.zeros((width * width, *added.shape[1:]))
    factors[: len(kept)], sums[: len(kept)] = kept, added
    factors = np.ascontiguousarray(factors.reshape(width, width).T)
    sums = np.ascontiguousarray(np.swapaxes(sums.reshape(width, width, *added.shape[1:]), 0, 1))
    each = (..., *(np.newaxis,) * (added.ndim - 1))  # a factor for all numbers of a place
    for column in range(1, width):
        sums[column] += factors[column][each] * sums[column - 1]
        factors[column] *= factors[column - 1]
    taken = np.zeros((width, *added.shape[1:]))
    for row in range(1, width):
        taken[row] = sums[-1, row - 1] + factors[-1, row - 1] * taken[row - 1]
    sums += factors[each] * taken
    return np.swapaxes(sums, 0, 1).reshape(width * width, *added.shape[1:])[: len(kept)]
