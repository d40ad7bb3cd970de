"""How an estimate is made: method, scale, clip, delta, and the confidence of the bound beside it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

import streamlit as st

from numerics.epsilon_star import EMPIRICAL_CLIP, LossScale, Method, is_clipped_usually
from numerics.epsilon_star.mixtures import MOST_COMPONENTS, ComponentChoice
from pages.ui.controls import segmented_control
from reports.losses_audit import percent

_URL: Literal["query-params"] = "query-params"
METHODS = (Method.PARAMETRIC, Method.EMPIRICAL, Method.MIXTURE)
LEVELS = (0.9, 0.95, 0.99, 0.999)
_BY_HAND = "by hand"
_CLIP_KEYS = {
    Method.PARAMETRIC: "audit.clip_parametric",
    Method.EMPIRICAL: "audit.clip_empirical",
    Method.MIXTURE: "audit.clip_mixture",
}
_SCALE_KEYS = ("audit.fit_scale", "audit.unit")
KEYS = (
    "audit.method",
    *_CLIP_KEYS.values(),
    "audit.delta",
    "audit.level",
    "audit.components",
    "audit.components_exact",
    *_SCALE_KEYS,
)


class Clip(StrEnum):
    """What is done about error rates near 0 and 1; the values are the labels, and the values in the URL."""

    NONE = "exact"
    PAPER = "paper's clip"


class FitScale(StrEnum):
    """On what laws are fitted; the values are the labels, and the values in the URL."""

    LOG_ODDS = "log odds"
    PRINTED = "as printed"


class Unit(StrEnum):
    """What the losses are, asked where nobody can know it; the values are the labels, and the values in the URL."""

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


@dataclass(frozen=True)
class Options:
    """How the estimate is made.

    Attributes:
        method: how the error rates are estimated.
        clip: what is done about rates near 0 and 1.
        delta: None stands for the rule 1 / (n log n).
        level: confidence of the lower bound beside the estimate.
        components: of the Gaussian mixtures, for each group: a number, or how it is chosen.
        scale: on which laws are fitted; a unit where the losses have no scale, or none that is known.
    """

    method: Method
    clip: Clip
    delta: float | None
    level: float = 0.95
    components: int | ComponentChoice = ComponentChoice.BIC
    scale: LossScale | Unit = Unit.NOT_SAID

    @property
    def is_fit(self) -> bool:
        """Whether laws are fitted, which needs a scale."""
        return self.method in (Method.PARAMETRIC, Method.MIXTURE)


def draw(known: LossScale | None = None) -> Options:
    """Draw method, scale, clip, delta and confidence; ``known`` is the scale of the losses where it needs no asking."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        method = segmented_control("Error rates", METHODS, default=METHODS[0], key="audit.method", help=_METHOD)
        components = _components() if method is Method.MIXTURE else ComponentChoice.BIC
        scale = _draw_scale(known)
        clip = segmented_control(
            "Rates near 0 and 1",
            list(Clip),
            default=usual_clip(method),
            key=_CLIP_KEYS[method],
            help=_CLIP,
        )
        delta = st.number_input(
            "δ",
            value=None,
            format="%g",
            key="audit.delta",
            bind=_URL,
            placeholder="1 / (n log n)",
            width=160,
            help=_DELTA,
        )
        level = st.select_slider(
            "Confidence of the lower bound", LEVELS, 0.95, percent, key="audit.level", bind=_URL, width=220, help=_LEVEL
        )
    return Options(method, clip, delta, float(level), components, scale)


def _draw_scale(known: LossScale | None) -> LossScale | Unit:
    """Draw the choice of the scale, and of what the losses are where it is not ``known``; the scale, or why none."""
    fit = segmented_control(
        "Scale of the fit", list(FitScale), default=FitScale.LOG_ODDS, key=_SCALE_KEYS[0], help=_SCALE
    )
    if fit == FitScale.PRINTED:
        return LossScale.PRINTED
    if known is not None:
        return known
    said = st.selectbox("The losses are", list(Unit), key=_SCALE_KEYS[1], bind=_URL, width=220, help=_UNIT)
    unit = Unit(said or Unit.NOT_SAID)
    return SCALES.get(unit, unit)


def usual_clip(method: Method) -> Clip:
    """What is done if nobody chose."""
    return Clip.PAPER if is_clipped_usually(method) else Clip.NONE


def _components() -> int | ComponentChoice:
    """How many normal laws a mixture has."""
    chosen = st.selectbox(
        "Components", [*ComponentChoice, _BY_HAND], key="audit.components", bind=_URL, width=260, help=_COMPONENTS_HELP
    )
    if chosen != _BY_HAND:
        return ComponentChoice(chosen)
    return int(
        st.number_input(
            "Number", 1.0, float(MOST_COMPONENTS), 3.0, 1.0, "%.0f", key="audit.components_exact", bind=_URL
        )
    )


_SCALE = (
    "log odds: of the right answer, where losses of models that give little away are nearly normal. as printed: the "
    "paper's scaling of all losses to [1, 2], which fits normal laws to the losses as they came (correction 24)."
)
_UNIT = (
    "cross-entropy: −log p of the right answer, with natural logarithms (nats, as PyTorch and scikit-learn have it) or "
    "to base 2 (bits). log odds: log(1 − p) − log p. The fit needs to know it; the lower bound does not."
)
_METHOD = (
    "parametric: normal laws are fitted to the transformed losses, and speak for tails where there are no data "
    "(the paper's). empirical: the losses are counted. Gaussian mixtures: as parametric, with several normal laws."
)
_CLIP = (
    "The paper cuts error rates to (δ, 1 − δ), or (0.001, 0.999) when counting. That caps ε* and usually removes its "
    "maximum (correction 23)."
)
_COMPONENTS_HELP = "How many normal laws are mixed, for each group by itself; up to 20."
_LEVEL = (
    "Beside the estimate stands a lower bound that holds with this confidence for all thresholds together, whatever "
    "the laws of the losses. Where there is nothing to find it is 0, but for the rest of the confidence. Choose the "
    "level before you look at the result."
)
_DELTA = (
    "The share that ε* leaves out. Empty: 1 / (n log n) with n training losses, the paper's rule. Choose it before you "
    "look at the result: the bound holds for one δ chosen in advance."
)


def clip_of(options: Options, delta: float) -> float | None:
    """Where rates are cut; None where they are not, or where that is impossible: delta is refused in its own name."""
    clip = EMPIRICAL_CLIP if options.method is Method.EMPIRICAL else delta
    return clip if options.clip is Clip.PAPER and 0.0 < clip < 0.5 else None


def fit_scale(options: Options) -> LossScale | None:
    """The scale on which laws are fitted; None for counts, and where there is none."""
    return options.scale if options.is_fit and isinstance(options.scale, LossScale) else None
