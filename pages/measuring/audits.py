"""Epsilon* of the chosen losses: options, computation, and the results this session keeps."""

from dataclasses import dataclass
from enum import StrEnum
from time import perf_counter
from typing import Literal

import streamlit as st

from losses import TableError
from numerics.epsilon_star import (
    EMPIRICAL_CLIP,
    EpsilonStar,
    LowerBound,
    Method,
    ascending,
    default_delta,
    estimate,
    loss_at,
    lower_bound,
)
from numerics.epsilon_star.audit_caveats import evidence_of
from numerics.epsilon_star.confidence import Ascending
from numerics.epsilon_star.loss_summary import LossSummary, summarise
from numerics.epsilon_star.mixtures import MOST_COMPONENTS, Choice
from pages.measuring.source import Source
from pages.shared import uploads
from pages.shared.one_of import one_of
from pages.shared.remembered import remembered

_URL: Literal["query-params"] = "query-params"
_MOST_KEPT = 12
_KEPT = "audits"
METHODS = (Method.PARAMETRIC, Method.EMPIRICAL, Method.MIXTURE)
LEVELS = (0.9, 0.95, 0.99, 0.999)
_BY_HAND = "by hand"
_CLIP_KEYS = {Method.PARAMETRIC: "clip_parametric", Method.EMPIRICAL: "clip_empirical", Method.MIXTURE: "clip_mixture"}
KEYS = ("method", *_CLIP_KEYS.values(), "audit_delta", "level", "components", "components_exact")


class Clip(StrEnum):
    """What is done about error rates near 0 and 1; the values are the labels, and the values in the URL."""

    NONE = "exact"
    PAPER = "paper's clip"


@dataclass(frozen=True)
class Options:
    """How the estimate is made.

    Attributes:
        method: how the error rates are estimated.
        clip: what is done about rates near 0 and 1.
        delta: None stands for the rule 1 / (n log n).
        level: confidence of the lower bound beside the estimate.
        components: of the Gaussian mixtures, for each group: a number, or how it is chosen.
    """

    method: Method
    clip: Clip
    delta: float | None
    level: float = 0.95
    components: int | Choice = Choice.BIC


@dataclass(frozen=True, eq=False)
class Audit:
    """A result with what the figures need, the lower bound beside it, and how long it took to compute.

    ``notes`` and ``doubts`` are those of ``Groups`` about rows that are no independent evidence.
    """

    result: EpsilonStar
    bound: LowerBound
    summary: LossSummary
    dropped: int
    seconds: float
    options: Options
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    def threshold(self, threshold: float) -> float:
        """A threshold of the result as a loss."""
        evidence = self.result.evidence
        if self.result.laws is None or evidence is None:
            return threshold
        return loss_at(threshold, evidence.lowest, evidence.highest)


def draw_options() -> Options:
    """Draw method, clip, delta and confidence."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        method = one_of("Error rates", METHODS, default=METHODS[0], key="method", help=_METHOD)
        components = _components() if method is Method.MIXTURE else Choice.BIC
        # Counted rates of 0 make nearly every sample infinite, so there the paper's clip is the default.
        usual = Clip.PAPER if method is Method.EMPIRICAL else Clip.NONE
        clip = one_of(
            "Rates near 0 and 1",
            list(Clip),
            default=usual,
            key=_CLIP_KEYS[method],
            help=_CLIP,
        )
        delta = st.number_input(
            "δ",
            value=None,
            format="%g",
            key="audit_delta",
            bind=_URL,
            placeholder="1 / (n log n)",
            width=160,
            help=_DELTA,
        )
        level = st.select_slider(
            "Confidence of the lower bound", LEVELS, 0.95, percent, key="level", bind=_URL, width=220, help=_LEVEL
        )
    return Options(method, clip, delta, float(level), components)


def _components() -> int | Choice:
    """How many normal laws a mixture has."""
    chosen = st.selectbox(
        "Components", [*Choice, _BY_HAND], key="components", bind=_URL, width=260, help=_COMPONENTS_HELP
    )
    if chosen != _BY_HAND:
        return Choice(chosen)
    return int(
        st.number_input("Number", 1.0, float(MOST_COMPONENTS), 3.0, 1.0, "%.0f", key="components_exact", bind=_URL)
    )


def percent(level: float) -> str:
    """A level of confidence as it is said, ``95 %``."""
    return f"{100 * level:g} %"


_WELCOME = (
    "**Upload the model's losses on data it was trained on, and on fresh data of its kind.** A row for every record; "
    "any column may hold the losses. The file's bytes are dropped as soon as they are read, and what was read stays in "
    "the memory of your session."
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


def attempt(source: Source | None, options: Options) -> Audit | None:
    """The audit; where there is none, draw what is missing or what is wrong."""
    if source is None:
        st.markdown(_WELCOME)
        return None
    try:
        with st.spinner("Estimating …", show_time=True):
            return of(source, options)
    except TableError as problem:
        uploads.complain(problem)
    except ValueError as refusal:
        st.error(f"**No estimate:** {uploads.literal(str(refusal))}", icon=":material/error:")
    return None


def of(source: Source, options: Options) -> Audit:
    """The audit, from this session's results if it is among them.

    Raises ValueError (a TableError is one) where there is none.
    """
    return remembered(_KEPT, (source.key, options), _MOST_KEPT, lambda: _computed(source, options))


def _computed(source: Source, options: Options) -> Audit:
    started = perf_counter()
    groups = source.groups()
    train, population = ascending(groups.train), ascending(groups.population)
    delta = default_delta(len(train)) if options.delta is None else options.delta
    result = estimate(train, population, delta, options.method, clip_of(options, delta), components=options.components)
    bound = lower_bound(Ascending(train), Ascending(population), delta, options.level)
    summary = summarise(train, population, evidence_of(train, population), result.laws)
    return Audit(result, bound, summary, groups.dropped, perf_counter() - started, options, groups.notes, groups.doubts)


def clip_of(options: Options, delta: float) -> float | None:
    """Where rates are cut; None where they are not, or where that is impossible: delta is refused in its own name."""
    clip = EMPIRICAL_CLIP if options.method is Method.EMPIRICAL else delta
    return clip if options.clip is Clip.PAPER and 0.0 < clip < 0.5 else None
