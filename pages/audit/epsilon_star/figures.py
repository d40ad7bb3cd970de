"""The figures, the table and the downloads of an audit: all of the one object the sentence is about."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import streamlit as st

from numerics.audits.threshold_attack import threshold_attack
from numerics.epsilon_star import LossScale, Method, ascending
from numerics.epsilon_star.aggregates import LossBins
from numerics.epsilon_star.mixtures import ComponentChoice
from numerics.epsilon_star.summary import limit
from numerics.trade_off import Bound, TradeOffCurve, alpha_grid
from pages.audit import take_away
from pages.audit.epsilon_star.audits import EpsilonStarAudit
from pages.audit.evidence import LossSource
from pages.ui import chart, downloads
from pages.ui.controls import segmented_control
from plotting import theme
from plotting.curves import Axes
from plotting.epsilon_star import Best, densities_figure, errors_figure, judged_figure, judged_groups
from reports import figures as report_figures
from reports.audit_report import AuditReport, Data
from reports.figures import Drawn
from reports.losses_audit import ASSUMPTIONS, NO_BOUND, ORIENTATION, QUOTIENT, MeasuredLosses, rate
from reports.rounding import nearest
from reports.sheet import Against

_RATIOS_OF_BOUND = (
    "The four ratios, of the lower bound: t and η are counted, each maximum allows for chance. Infinite below 0: that "
    "ratio shows nothing."
)
_FITS = {Method.PARAMETRIC: "normal fits", Method.MIXTURE: "Gaussian mixtures"}


def draw_densities(audit: EpsilonStarAudit) -> None:
    """Draw how the losses of both groups lie."""
    place = nearest(audit.result.loss_at(audit.result.maxima[0].threshold), 3)
    alt = f"Densities of the losses on training data and on fresh data; the best threshold is a loss of {place}."
    chart.draw(densities_figure(audit.summary, best(audit)), alt, key="audit.densities")


def draw_judged(audit: EpsilonStarAudit) -> None:
    """Draw the people whom the best threshold names, rightly and by mistake."""
    place = audit.bound.cut
    if place is None:
        st.markdown("**No threshold tells anybody apart** with this confidence.")
        return
    groups = judged_groups(place)
    chart.draw(judged_figure(groups), "; ".join(group.said for group in groups), key="audit.people")


def draw_errors(audit: EpsilonStarAudit) -> None:
    """Draw the trade-off of both errors, with a choice of axes, when it is asked for."""
    fold = st.expander(
        "Errors of every threshold", type="compact", key="audit.every_threshold", on_change="rerun", bind="query-params"
    )
    if not fold.open:
        return
    with fold:
        axes = segmented_control("Axes", list(Axes), default=Axes.LOG, key="audit.axes", label_visibility="collapsed")
        optimum = best(audit)
        alt = (
            f"Errors of attacks by threshold; the best one finds {optimum.power:.3g} at an error rate of "
            f"{optimum.alpha:.3g}."
        )
        chart.draw(errors(audit, axes), alt, key="audit.errors")
        draw_table(audit)


def errors(audit: EpsilonStarAudit, axes: Axes = Axes.LOG) -> theme.Figure:
    """The trade-off of both errors, by counting and by fits."""
    optimum = best(audit)
    return errors_figure(curves(audit), optimum, axes, report_figures.smallest(audit.result, optimum))


def drawn(audit: EpsilonStarAudit) -> list[Drawn]:
    """Both figures for a report, on logarithmic axes."""
    densities = densities_figure(audit.summary, best(audit))
    return [Drawn(errors(audit), report_figures.ERRORS), Drawn(densities, "How the losses of both groups lie.")]


def measured(source: LossSource, audit: EpsilonStarAudit) -> MeasuredLosses:
    """The audit as a report takes it, with the attack by threshold, which the page itself does not show."""
    groups = source.groups()
    losses = LossBins.of_losses(ascending(groups.train), ascending(groups.population))
    about = (source.about,) if source.about else ()
    return MeasuredLosses(
        audit.bounded,
        (audit.estimate,),
        Data(source.name, source.files, source.python, about),
        threshold_attack(losses, audit.bound.level),
        source.membership,
        audit.dropped,
        audit.notes,
        audit.doubts,
        snippet(source, audit),
    )


def curves(audit: EpsilonStarAudit) -> list[TradeOffCurve]:
    """The counted errors, and those of fits and the limit at epsilon* where the estimate says anything."""
    term, summary, result = audit.result.maxima[0].term, audit.summary, audit.result
    found = [summary.counted.curve(term, Bound.AUDIT, "counted")]
    if result.confidence is None and summary.of_fits is not None:
        found.append(summary.of_fits.curve(term, Bound.ESTIMATE, _FITS[result.method]))
    if result.confidence is None and np.isfinite(result.value):
        found.append(limit(result.value, result.delta, alpha_grid(400, report_figures.SMALLEST)))
    return found


def best(audit: EpsilonStarAudit) -> Best:
    """The optimum as the figures show it."""
    score = audit.result.maxima[0].threshold
    if audit.result.transform is None:
        score = float(audit.summary.transform.scores(np.array([score]))[0])
    return report_figures.best(audit.result, score)


def _columns(audit: EpsilonStarAudit) -> dict[str, list[str] | list[float]]:
    maxima = audit.result.maxima
    return {
        "What stands out": [ORIENTATION[maximum.term] for maximum in maxima],
        "Ratio": [QUOTIENT[maximum.term] for maximum in maxima],
        "Log of its maximum": [maximum.log_ratio for maximum in maxima],
        "Threshold τ (loss)": [audit.result.loss_at(maximum.threshold) for maximum in maxima],
        "t": [maximum.false_positive_rate for maximum in maxima],
        "η": [maximum.false_negative_rate for maximum in maxima],
    }


def draw_table(audit: EpsilonStarAudit) -> None:
    """Draw the four ratios at their maxima: of the estimate, or of the lower bound where that says nothing."""
    is_bound = audit.result.confidence is not None
    st.caption(_RATIOS_OF_BOUND if is_bound else "The four ratios, of the estimate.")
    small = st.column_config.NumberColumn(format="%.4g")
    numeric = ("Log of its maximum", "Threshold τ (loss)")
    shown = _columns(audit) | {
        "t": [rate(maximum.false_positive_rate) for maximum in audit.result.maxima],
        "η": [rate(maximum.false_negative_rate) for maximum in audit.result.maxima],
    }
    downloads.draw_table(shown, column_config=dict.fromkeys(numeric, small), width="stretch")


def settings(source: LossSource, audit: EpsilonStarAudit) -> dict[str, str]:
    """What a reader of an export must know."""
    result, evidence = audit.result, audit.bounded.groups
    found = audit.estimated or audit.bounded
    sizes = "" if evidence is None else f"{evidence.train_size} training, {evidence.population_size} fresh"
    return {
        "losses": source.name,
        "number of losses": sizes,
        "rows left out": str(audit.dropped),
        "rows that belong together": " ".join((*audit.notes, *audit.doubts)) or "none were noticed",
        "epsilon* at least": f"{audit.bound.value!r} with confidence {audit.bound.level!r}",
        "such losses can show at most": repr(audit.bound.attainable),
        "estimate of epsilon*": audit.estimate.flagged(repr),
        "delta": repr(result.delta),
        "method": audit.options.method.value,
        "scale": "none" if not audit.options.is_fit else audit.options.scale.value,
        "ratios": "of the lower bound" if result.confidence is not None else "of the estimate",
        "clip": "none" if found.clip is None else repr(found.clip),
        "kind": NO_BOUND.replace("*", ""),
        "caveats": "; ".join(caveat.value for caveat in found.caveats),
        "assumptions": " ".join(ASSUMPTIONS),
    }


def offer(
    source: LossSource,
    audit: EpsilonStarAudit,
    made: Callable[[], AuditReport],
    pictures: Callable[[], Sequence[Drawn]],
    limit: Against,
) -> None:
    """Offer the sheet, the report, the four ratios, and the Python that prints the same number."""
    header = settings(source, audit)
    columns = {
        name: np.array(column) if isinstance(column[0], float) else [str(cell) for cell in column]
        for name, column in _columns(audit).items()
    }
    others = {
        "errors": lambda: downloads.of_curves(curves(audit), header),
        "densities": lambda: densities_table(audit, header),
    }
    ratios = partial(downloads.table, columns, header)
    take_away.offer("epsilon-star", made, pictures, snippet(source, audit), ratios, others, limit)


def densities_table(audit: EpsilonStarAudit, header: dict[str, str]) -> str:
    """CSV of both histograms of scores: from, to, and the density of each group between."""
    summary = audit.summary
    groups = {"density of training data": summary.train.density, "density of fresh data": summary.population.density}
    return downloads.table({"from": summary.edges[:-1], "to": summary.edges[1:], **groups}, header)


def snippet(source: LossSource, audit: EpsilonStarAudit) -> str:
    """Python that prints the number; run it in the project's folder."""
    bound = audit.bound
    return f"""from numerics.epsilon_star import Method, LossScale, estimate
from numerics.epsilon_star.mixtures import ComponentChoice
{source.python}
delta = {bound.delta!r}
bound = estimate(groups.train, groups.population, delta, level={bound.level!r})
print("at least:", bound.value)
{_snippet_of_estimate(audit)}"""


def _snippet_of_estimate(audit: EpsilonStarAudit) -> str:
    """The lines that print the estimate with its flag; none where there is none."""
    found = audit.estimated
    if found is None or audit.verdict is None:
        return ""
    chosen = audit.options.components
    components = f"ComponentChoice.{chosen.name}" if isinstance(chosen, ComponentChoice) else repr(chosen)
    mixed = f", components={components}" if found.method is Method.MIXTURE else ""
    scale = "" if found.transform is None else f", scale=LossScale.{LossScale(found.transform.scale).name}"
    method = f"Method.{Method(found.method).name}"
    return f"""result = estimate(groups.train, groups.population, delta, {method}, {found.clip!r}{mixed}{scale})
print("estimate ({audit.verdict.standing}):", result.value)
print("caveats:", *result.caveats, sep="\\n- ")
"""
