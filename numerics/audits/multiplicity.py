"""Many statements at once: which of them stand, and what that takes."""

from enum import StrEnum
from math import comb

import numpy as np
import scipy
from numpy.typing import NDArray

from numerics.validation import OpenProbability, PositiveCount, Probabilities, checked

_MOST_MODELS = 500


class Procedure(StrEnum):
    """How p-values are compared where the expected share of false discoveries is kept to a rate."""

    BENJAMINI_HOCHBERG = "Benjamini-Hochberg"  # independent, or positively dependent as conformal ones are
    BENJAMINI_YEKUTIELI = "Benjamini-Yekutieli"  # any dependence, as of records that share models


@checked
def discoveries(
    p_values: Probabilities,
    rate: OpenProbability = 0.05,
    procedure: Procedure = Procedure.BENJAMINI_HOCHBERG,
) -> NDArray[np.bool_]:
    """Which p-values (n,) are discoveries at this false discovery ``rate``.

    Benjamini and Hochberg 1995; Benjamini and Yekutieli 2001. Raises ValueError for p-values outside of [0, 1].
    """
    if not len(p_values):
        return np.zeros(0, bool)
    independent = procedure is Procedure.BENJAMINI_HOCHBERG
    adjusted = scipy.stats.false_discovery_control(p_values, method="bh" if independent else "by")
    return np.asarray(adjusted <= rate)


@checked
def holm(p_values: Probabilities, risk: OpenProbability = 0.05) -> NDArray[np.bool_]:
    """Which hypotheses (n,) are rejected, not one of them falsely but with probability ``risk`` (Holm 1979).

    Any dependence. Raises ValueError for p-values outside of [0, 1].
    """
    order = np.argsort(p_values, kind="stable")
    left = len(p_values) - np.arange(len(p_values))
    passed = np.logical_and.accumulate(p_values[order] <= risk / left)
    rejected = np.zeros(len(p_values), bool)
    rejected[order] = passed
    return rejected


@checked
def models_needed(
    records: PositiveCount,
    rate: OpenProbability = 0.05,
    procedure: Procedure = Procedure.BENJAMINI_YEKUTIELI,
) -> int:
    """Fewest models with each record, and as many without, of which any scores name a single one of ``records``.

    The smallest p-value of the exact rank test is 1 / C(2k, k); it must be at most the procedure's first threshold.
    Raises ValueError where 500 models of each kind do not suffice.
    """
    harmonic = float(np.sum(1.0 / np.arange(1, records + 1)))
    threshold = rate / records / (harmonic if procedure is Procedure.BENJAMINI_YEKUTIELI else 1.0)
    for models in range(1, _MOST_MODELS):
        if threshold * comb(2 * models, models) >= 1.0:
            return models
    raise ValueError(f"records must be few enough for {_MOST_MODELS} models of each kind, got {records}.")
