"""A report of an audit to hand in: one HTML file without scripts, which prints to PDF; and all numbers as JSON.

Names of files, columns and labels are a stranger's text, and are shown as ``pages.ui.document`` shows it.
"""

from html import escape
from math import inf

from losses.errors import visible
from numerics.epsilon_star.verdict import Standing
from numerics.version import VERSION
from pages.audit.epsilon_star import figures
from pages.audit.epsilon_star.audits import Audit
from pages.audit.epsilon_star.report import words as report_words
from pages.audit.epsilon_star.report.numbers import Extras, fit_tests, now, numbers_json
from pages.audit.epsilon_star.source_controls import Source
from pages.audit.epsilon_star.words import ASSUMPTIONS, NO_BOUND, ORIENTATION, QUOTIENT, flagged, rate, warnings
from pages.ui import document
from pages.ui.numbers_in_words import rounded_down, rounded_up
from plotting.curves import Axes
from plotting.epsilon_star import densities_figure, errors_figure
from plotting.static import drawing

__all__ = ["Extras", "numbers_json", "page"]

_HOW = "<p>In the project's folder, with the files beside it:</p>"


def page(source: Source, audit: Audit, extras: Extras) -> str:
    """The report as one HTML file: it loads nothing, runs nothing, and holds no losses but the few it names."""
    title = f"Epsilon* audit: {visible(source.name, document.LONGEST)}"
    body = (
        "<h1>Epsilon* audit report</h1>\n"
        f"<p>Losses: {document.stranger(source.name)}. Made on {now()} with privacy trade-offs {VERSION}.</p>\n"
        f"{_answer(audit)}{_facts(source, audit)}{_figures(audit)}{_ratios(audit)}"
        f"{document.section('Goodness of fit', document.items(_fits(source, audit)))}"
        f"{document.section('How much the estimate varies', document.items(report_words.spread(extras, audit)))}"
        f"{_warnings(audit)}"
        f"{document.section('Assumptions', document.items(ASSUMPTIONS))}{_files(source)}"
        f"{document.section('How to reproduce', _HOW + document.code(figures.snippet(source, audit)))}"
        f"{document.signature('Prepared by', 'Date, signature')}"
    )
    return document.page(title, body)


def _answer(audit: Audit) -> str:
    lines = [f"<strong>Valid lower bound.</strong> {escape(report_words.bound(audit.bound))}"]
    lines.append(_estimate(audit))
    lines.append(f"<strong>What this is.</strong> {document.marked(NO_BOUND)}")
    return document.answer(lines)


def _estimate(audit: Audit) -> str:
    """The estimate with its flag, struck out where it says nothing about these losses."""
    name = f"<strong>Estimate ({escape(audit.options.method)})</strong>"
    if audit.estimated is None or audit.verdict is None:
        return f"{name}: not shown as a number, because {escape(audit.refused)}"
    value, verdict = report_words.number(audit.estimated.value), audit.verdict
    if verdict.standing is Standing.PLAIN:
        return f"{name}: {value}."
    shown = f"<s>{value}</s>" if verdict.standing is Standing.GREY else value
    return f"{name}: {shown}, {verdict.standing}, because {escape(verdict.words)}."


def _facts(source: Source, audit: Audit) -> str:
    result, evidence, bound = audit.result, audit.result.evidence, audit.bound
    best = figures.best(audit)
    rows = {
        "ε* at least": f"{rounded_down(bound.value, 4)}, with confidence {100.0 * bound.level:.6g} %, "
        f"at δ = {bound.delta:.6g}",
        "Samples of these sizes can show at most": rounded_up(bound.attainable, 4),
        "Estimate": flagged(audit),
        "Method": report_words.method(audit),
        "δ": report_words.delta(audit),
        "Training data": "" if evidence is None else f"{evidence.train_size:,} losses",
        "Fresh data": "" if evidence is None else f"{evidence.population_size:,} losses",
        "Rows left out": f"{audit.dropped:,}",
        "Who is training data": "each group is a file" if source.membership is None else source.membership.words,
        "Threshold": report_words.threshold(audit, best.alpha, best.power),
    }
    if result.clip is not None:
        without = report_words.number(result.unclipped)
        rows["Largest value the clip allows"] = f"{result.cap:.4g}; without the clip the estimate is {without}"
    if audit.notes:
        rows["Rows that belong together"] = " ".join(audit.notes)
    return document.section("In numbers", document.facts(rows.items()))


def _figures(audit: Audit) -> str:
    best = figures.best(audit)
    errors = errors_figure(figures.curves(audit), best, Axes.LOG, figures.smallest(audit, best))
    drawn = (
        (drawing(errors, "Trade-off of both errors"), "Errors of attacks by threshold."),
        (
            drawing(densities_figure(audit.summary, best), "Densities of the losses"),
            "How the losses of both groups lie.",
        ),
    )
    return document.section("Figures", "".join(document.figure(svg, words) for svg, words in drawn))


def _ratios(audit: Audit) -> str:
    head = ("What stands out", "Ratio", "Log of its maximum", "Threshold (loss)", "t", "η")
    rows = (
        (
            ORIENTATION[peak.term],
            QUOTIENT[peak.term],
            "none" if peak.log_ratio == -inf else f"{peak.log_ratio:.5g}",
            f"{audit.result.loss_at(peak.threshold):.5g}",
            rate(peak.false_positive_rate),
            rate(peak.false_negative_rate),
        )
        for peak in audit.result.peaks
    )
    of = "the estimate" if audit.result.confidence is None else "the lower bound"
    note = f"Of {of}. t: share of outsiders with a loss up to the threshold; η: share of members with a loss beyond it."
    return document.section("The four ratios", f"{document.table(head, rows)}<p>{note}</p>\n")


def _fits(source: Source, audit: Audit) -> list[str]:
    tests = fit_tests(source, audit)
    return [report_words.fit(test) for test in tests] or ["What is shown rests on no fitted law."]


def _warnings(audit: Audit) -> str:
    found = [document.marked(line) for line in warnings(audit)] + [escape(doubt) for doubt in audit.doubts]
    return document.section("Before this number is used", document.items(found, escaped=True)) if found else ""


def _files(source: Source) -> str:
    rows = "".join(
        f"<tr><td>{document.stranger(name)}</td><td><code>{escape(digest)}</code></td></tr>"
        for name, digest in source.files
    )
    if not rows:
        return document.section("Files", "<p>The losses came from no file.</p>\n")
    return document.section("Files", f'<table class="files"><tr><th>Name</th><th>SHA-256</th></tr>{rows}</table>\n')
