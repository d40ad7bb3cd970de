"""Epsilon* of the chosen losses: options, computation, and the results this session keeps."""

from dataclasses import dataclass
from time import perf_counter

import streamlit as st

from losses import Groups, Sample, TableError
from numerics.deadline import UNLIMITED, Deadline, DeadlineError
from numerics.epsilon_star import (
    EpsilonStar,
    LossScale,
    LowerBound,
    Method,
    ascending,
    default_delta,
    estimate,
)
from numerics.epsilon_star.estimators import transform_of
from numerics.epsilon_star.resampling import PermutationNull, shuffled
from numerics.epsilon_star.summary import LossSummary, summarise
from numerics.epsilon_star.verdict import EstimateVerdict, ScoreShape, Standing, shape_of, verdict_of
from numerics.trade_off import Floats
from pages.audit.epsilon_star.options import WITHOUT_SCALE, Options, Unit, clip_of, fit_scale
from pages.audit.evidence import LossSource
from pages.server.shared_cache import session_cache, shared_cache
from pages.ui import uploads
from pages.ui.plain_text import literal
from reports.losses_audit import EstimateReport

_MOST_KEPT = 36  # three estimates of a dozen views
_KEPT = "audit.audits"


@dataclass(frozen=True, eq=False)
class EpsilonStarAudit:
    """The lower bound, the estimate with what it is worth, what the figures need, and how long it took to compute.

    ``notes`` and ``doubts`` are those of ``Groups`` about rows that are no independent evidence.

    Attributes:
        bounded: the lower bound.
        estimated: the estimate; None where there is none.
        refused: why there is none.
        shape: of the losses, for a fit.
        null: the estimate where labels are shuffled; None where that was not done.
        summary: for the figures.
        dropped: rows that were left out.
        seconds: it took.
        options: how the estimate was to be made.
    """

    bounded: EpsilonStar
    estimated: EpsilonStar | None
    refused: str
    shape: ScoreShape | None
    null: PermutationNull | None
    summary: LossSummary
    dropped: int
    seconds: float
    options: Options
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def bound(self) -> LowerBound:
        """The lower bound, with what it rests on."""
        assert self.bounded.confidence is not None
        return self.bounded.confidence

    @property
    def sizes(self) -> tuple[int, int]:
        """How many losses of members and of outsiders there are."""
        assert self.bounded.groups is not None
        return self.bounded.groups.train_size, self.bounded.groups.population_size

    @property
    def verdict(self) -> EstimateVerdict | None:
        """What the estimate is worth; None without one."""
        if self.estimated is None:
            return None
        return verdict_of(self.estimated, self.bound, self.shape, None if self.null is None else self.null.p_value)

    @property
    def estimate(self) -> EstimateReport:
        """The estimate with what it is worth, as reports take it."""
        scale = str(self.options.scale) if self.options.is_fit else ""
        return EstimateReport(self.options.method, self.estimated, self.verdict, self.refused, self.null, scale=scale)

    @property
    def result(self) -> EpsilonStar:
        """What figures and tables show: the estimate, or the bound where the estimate says nothing about the losses."""
        if self.estimated is None or self.verdict is None or self.verdict.standing is Standing.GREY:
            return self.bounded
        return self.estimated


def audited(source: LossSource, options: Options) -> EpsilonStarAudit | None:
    """The audit; where there is none, draw what is wrong."""
    try:
        with st.spinner("Measuring …", show_time=True):
            return of(source, options)
    except TableError as problem:
        uploads.complain(problem)
    except ValueError as refusal:
        st.error(f"**No answer:** {literal(str(refusal))}", icon=":material/error:")
    return None


def of(source: LossSource, options: Options, *, has_null: bool = True) -> EpsilonStarAudit:
    """The audit, from this session's results if it is among them; ``has_null``: whether labels are shuffled.

    Raises ValueError (a TableError is one) where there is none.
    """
    if source.shipped is not None:
        return _of_sample(source.shipped, options, has_null)

    def computed() -> EpsilonStarAudit:
        return of_groups(source.groups(), options, source.cut, has_null=has_null)

    return session_cache(_KEPT, (source.key, options, has_null), _MOST_KEPT, computed)


@shared_cache
def _of_sample(sample: Sample, options: Options, has_null: bool, deadline: Deadline = UNLIMITED) -> EpsilonStarAudit:
    """The audit of shipped losses, which all sessions share."""
    return of_groups(sample.groups(), options, has_null=has_null, deadline=deadline)


def of_groups(
    groups: Groups, options: Options, cut: int = 0, *, has_null: bool = True, deadline: Deadline = UNLIMITED
) -> EpsilonStarAudit:
    """The audit of two groups of losses, ``cut`` of which come from probabilities that were cut.

    The bound comes first, and stays where there is no estimate.

    Raises ValueError where there is no bound either.
    """
    started = perf_counter()
    train, population = ascending(groups.train), ascending(groups.population)
    delta = default_delta(len(train)) if options.delta is None else options.delta
    bounded = estimate(train, population, delta, level=options.level)
    deadline.check()
    estimated, refused, shape, null = None, "", None, None
    try:
        estimated = estimated_of(train, population, delta, options)
        deadline.check()
        if estimated.transform is not None:
            shape = shape_of(train, population, estimated.transform, cut)
        # Mixtures are fitted anew to each shuffle, which takes minutes.
        if has_null and options.method is not Method.MIXTURE:
            null = shuffled(train, population, delta, options.method, estimated.clip, fit_scale(options), deadline)
    except DeadlineError:
        raise
    except ValueError as refusal:
        refused = str(refusal)
    assert bounded.groups is not None
    transform = transform_of(bounded.groups, LossScale.PRINTED)
    if estimated is not None and estimated.transform is not None:
        transform = estimated.transform
    summary = summarise(train, population, transform, None if estimated is None else estimated.laws)
    seconds = perf_counter() - started
    return EpsilonStarAudit(
        bounded, estimated, refused, shape, null, summary, groups.dropped, seconds, options, groups.notes, groups.doubts
    )


def estimated_of(train: Floats, population: Floats, delta: float, options: Options) -> EpsilonStar:
    """The estimate from ascending losses.

    Raises ValueError where there is none.
    """
    if options.is_fit and isinstance(options.scale, Unit):
        raise ValueError(WITHOUT_SCALE[options.scale] + ".")
    clip = clip_of(options, delta)
    return estimate(
        train, population, delta, options.method, clip, components=options.components, scale=fit_scale(options)
    )
