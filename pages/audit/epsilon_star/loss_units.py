"""What the losses are, asked where nobody can know it, and the scale on which laws are fitted to them."""

from enum import StrEnum
from typing import Literal

import streamlit as st

from numerics.epsilon_star import LossScale
from pages.ui.controls import segmented_control

_URL: Literal["query-params"] = "query-params"
KEYS = ("audit.fit_scale", "audit.unit")


class FitScale(StrEnum):
    """On what laws are fitted; the values are the labels, and the values in the URL."""

    LOG_ODDS = "log odds"
    PRINTED = "as printed"


class Unit(StrEnum):
    """What the losses are; the values are the labels, and the values in the URL."""

    NOT_SAID = "not said"
    NATS = "cross-entropy, nats"
    BITS = "cross-entropy, bits"
    LOG_ODDS = "log odds"
    OTHER = "something else"


SCALES = {Unit.NATS: LossScale.NATS, Unit.BITS: LossScale.BITS, Unit.LOG_ODDS: LossScale.LOG_ODDS}
WITHOUT_SCALE = {
    Unit.NOT_SAID: "what the losses are was not said, and the same model has other numbers on other scales: "
    "cross-entropy in nats or in bits, or log odds. The lower bound does not need it",
    Unit.OTHER: "no scale is known on which such losses are nearly normal. Only their order counts, as in the lower "
    "bound and in counted rates",
}


def draw(known: LossScale | None) -> LossScale | Unit:
    """Draw the choice of the scale, and of what the losses are where it is not ``known``; the scale, or why none."""
    fit = segmented_control("Scale of the fit", list(FitScale), default=FitScale.LOG_ODDS, key=KEYS[0], help=_SCALE)
    if fit == FitScale.PRINTED:
        return LossScale.PRINTED
    if known is not None:
        return known
    said = st.selectbox("The losses are", list(Unit), key=KEYS[1], bind=_URL, width=220, help=_UNIT)
    unit = Unit(said or Unit.NOT_SAID)
    return SCALES.get(unit, unit)


_SCALE = (
    "log odds: of the right answer, where losses of models that give little away are nearly normal. as printed: the "
    "paper's scaling of all losses to [1, 2], which fits normal laws to the losses as they came (correction 24)."
)
_UNIT = (
    "cross-entropy: −log p of the right answer, with natural logarithms (nats, as PyTorch and scikit-learn have it) or "
    "to base 2 (bits). log odds: log(1 − p) − log p. The fit needs to know it; the lower bound does not."
)
