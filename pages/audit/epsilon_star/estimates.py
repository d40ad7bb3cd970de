"""Every estimate beside the bound: with what it gives where labels are shuffled, and what it is worth."""

from dataclasses import replace

import streamlit as st

from numerics.epsilon_star import Method
from numerics.epsilon_star.verdict import Standing
from pages.audit.epsilon_star import audits, words
from pages.audit.epsilon_star.audits import EpsilonStarAudit
from pages.audit.epsilon_star.options import METHODS, Options, Unit, usual_clip
from pages.audit.evidence import LossSource
from pages.ui import chart
from pages.ui.numbers_in_words import rounded_down, rounded_up
from plotting.estimates import CertainBound, EstimateMark, estimates_figure
from reports import losses_audit

_MOST_FITTED = 2_000  # losses of a group to which mixtures are fitted unasked; it takes a second
_MOST_SHUFFLED = 10_000  # the same of shuffles for an estimate that nobody has chosen
_NAMES = {Method.PARAMETRIC: "two normal laws", Method.EMPIRICAL: "counted", Method.MIXTURE: "normal mixtures"}
_LEGEND = (
    "A grey, hollow mark is an estimate that says nothing about these losses; at the end of the line it is beyond. A "
    "grey bar is what the same estimate gives where labels are shuffled, in 19 cases of 20."
)


def of(source: LossSource, audit: EpsilonStarAudit) -> dict[Method, EpsilonStarAudit]:
    """The audit by every method: the one at hand, and the others with what they usually do near 0 and 1."""
    size = max(audit.sizes)
    found = dict[Method, EpsilonStarAudit]()
    for method in METHODS:
        if method is audit.options.method:
            found[method] = audit
        elif method is not Method.MIXTURE or size <= _MOST_FITTED:
            found[method] = _aside(source, audit.options, method, size)
    return found


def _aside(source: LossSource, options: Options, method: Method, size: int) -> EpsilonStarAudit:
    other = replace(options, method=method, clip=usual_clip(method))
    return audits.of(source, other, has_null=size <= _MOST_SHUFFLED)


def draw(source: LossSource, audit: EpsilonStarAudit) -> None:
    """Draw the estimates and what each of them is worth, when it is asked for."""
    fold = st.expander(
        "Estimates, and what they are worth", type="compact", key="audit.worth", on_change="rerun", bind="query-params"
    )
    if fold.open:
        with fold:
            _draw(source, audit)


def line(audit: EpsilonStarAudit) -> str:
    """The estimate that was chosen in a line, as Markdown; struck out where it says nothing about these losses."""
    name, found, verdict = f"Estimate, no bound ({audit.options.method})", audit.estimated, audit.verdict
    if found is None or verdict is None:
        return f"{name}: none."
    value = losses_audit.short(found.value)
    return f"{name}: {f'~~{value}~~' if verdict.standing is Standing.GREY else value}, {verdict.standing}."


def _draw(source: LossSource, audit: EpsilonStarAudit) -> None:
    try:
        found = of(source, audit)
    except ValueError:  # no time for the others, or a file that is gone, which is said where it is asked for
        found = {audit.options.method: audit}
    bound = audit.bound
    sizes = " + ".join(f"{size:,}" for size in audit.sizes)
    most = f"{rounded_up(bound.attainable)}: the most that {sizes} losses can show"
    known = CertainBound(
        f"at least, {losses_audit.percent(bound.level)}", bound.value, rounded_down(bound.value), bound.attainable, most
    )
    shown = [_row(one) for one in found.values()]
    alt = f"ε* is at least {known.said}; {most}. " + " ".join(f"{one.name}: {one.said} {one.reason}." for one in shown)
    chart.draw(estimates_figure(known, shown), alt, key="audit.estimates")
    st.caption(_LEGEND)
    st.markdown(words.counted_sentence(audit))
    for one in found.values():
        st.markdown(one.estimate.sentence)
        if one.null is not None:
            st.caption(losses_audit.null_sentence(one.null))
    if any(one.options.is_fit and one.options.scale is Unit.NOT_SAID for one in found.values()):
        st.caption("Say what they are under “The losses are”, in Settings beside the limit.")
    if warnings := losses_audit.warnings(audit.estimated or audit.bounded):
        st.markdown("**Before you use these numbers**\n" + "\n".join(f"- {line}" for line in warnings))
    st.caption(losses_audit.NO_BOUND)


def _row(audit: EpsilonStarAudit) -> EstimateMark:
    name, null = _NAMES[audit.options.method], None if audit.null is None else audit.null.upper
    if audit.estimated is None or audit.verdict is None:
        unit = audit.options.is_fit and isinstance(audit.options.scale, Unit)
        return EstimateMark(name, None, "no number: what are the losses?" if unit else "no number", audit.refused)
    value, standing = audit.estimated.value, audit.verdict.standing
    return EstimateMark(name, value, losses_audit.short(value), standing, standing is Standing.GREY, null)
