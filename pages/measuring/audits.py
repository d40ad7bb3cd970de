"""Epsilon* of the chosen losses: options, computation, and the results this session keeps."""

from dataclasses import dataclass
from enum import StrEnum
from time import perf_counter
from typing import Literal

import streamlit as st

from losses import TableError
from numerics.epsilon_star import EMPIRICAL_CLIP, EpsilonStar, Method, default_delta, estimate, loss_at
from numerics.epsilon_star.audit_caveats import evidence_of
from numerics.epsilon_star.loss_summary import LossSummary, summarise
from pages.measuring.source import Source
from pages.shared import uploads

_URL: Literal["query-params"] = "query-params"
_MOST_KEPT = 12
_KEPT = "audits"
METHODS = (Method.PARAMETRIC, Method.EMPIRICAL)


class Clip(StrEnum):
    """What is done about error rates near 0 and 1; the values are the labels, and the values in the URL."""

    NONE = "exact"
    PAPER = "paper's clip"


@dataclass(frozen=True)
class Options:
    """How the estimate is made; ``delta`` None stands for the rule 1 / (n log n)."""

    method: Method
    clip: Clip
    delta: float | None


@dataclass(frozen=True, eq=False)
class Audit:
    """A result with what the figures need, and how long it took to compute."""

    result: EpsilonStar
    summary: LossSummary
    dropped: int
    seconds: float

    def threshold(self, threshold: float) -> float:
        """A threshold of the result as a loss."""
        evidence = self.result.evidence
        if self.result.laws is None or evidence is None:
            return threshold
        return loss_at(threshold, evidence.lowest, evidence.highest)


def draw_options() -> Options:
    """Draw method, clip and delta."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        method = st.segmented_control(
            "Error rates", METHODS, default=METHODS[0], key="method", bind=_URL, required=True, help=_METHOD
        )
        method = Method(method or METHODS[0])  # an address that says "method=" leaves nothing chosen
        # Counted rates of 0 make nearly every sample infinite, so there the paper's clip is the default.
        usual = Clip.NONE if method is Method.PARAMETRIC else Clip.PAPER
        key = f"clip_{method}"
        clip = st.segmented_control(
            "Rates near 0 and 1", list(Clip), default=usual, key=key, bind=_URL, required=True, help=_CLIP
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
    return Options(method, Clip(clip or usual), delta)


_WELCOME = (
    "**Upload the model's losses on data it was trained on, and on fresh data of its kind.** A row for every record; "
    "any column may hold the losses. The file's bytes are dropped as soon as they are read, and what was read stays in "
    "the memory of your session."
)
_METHOD = (
    "parametric: normal laws are fitted to the transformed losses, and speak for tails where there are no data "
    "(the paper's). empirical: the losses are counted."
)
_CLIP = (
    "The paper cuts error rates to (δ, 1 − δ), or (0.001, 0.999) when counting. That caps ε* and usually removes its "
    "maximum (correction 23)."
)
_DELTA = "The share that ε* leaves out. Empty: 1 / (n log n) with n training losses, the paper's rule."


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
    kept: dict[tuple[object, ...], Audit] = st.session_state.setdefault(_KEPT, {})
    key = (source.key, options)
    if key not in kept:
        kept[key] = _computed(source, options)
        while len(kept) > _MOST_KEPT:
            del kept[next(iter(kept))]
    return kept[key]


def _computed(source: Source, options: Options) -> Audit:
    started = perf_counter()
    groups = source.groups()
    delta = default_delta(len(groups.train)) if options.delta is None else options.delta
    paper = delta if options.method is Method.PARAMETRIC else EMPIRICAL_CLIP
    clip = paper if options.clip is Clip.PAPER else None
    if clip is not None and not 0.0 < clip < 0.5:
        clip = None  # the delta is refused below, in its own name
    result = estimate(groups.train, groups.population, delta, options.method, clip)
    summary = summarise(groups.train, groups.population, evidence_of(groups.train, groups.population))
    return Audit(result, summary, groups.dropped, perf_counter() - started)
