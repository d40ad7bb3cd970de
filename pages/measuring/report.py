"""A report of an audit to hand in: one HTML file without scripts, which prints to PDF; and all numbers as JSON.

Names of files, columns and labels are a stranger's text: they are escaped, lose their direction marks, and stand in
elements of their own direction. A content policy in the file forbids scripts and requests whatever it contains.
"""

import re
from collections.abc import Iterable
from html import escape
from math import inf

from losses.errors import visible
from numerics.version import VERSION
from pages.measuring import figures, report_words
from pages.measuring.audits import Audit
from pages.measuring.report_numbers import Extras, fit_tests, now, numbers_json
from pages.measuring.source import Source
from pages.measuring.words import ASSUMPTIONS, NO_BOUND, ORIENTATION, QUOTIENT, rate, sentence, warnings
from pages.shared.frequencies import rounded_down
from plotting.curves import Axes
from plotting.epsilon_star import densities_figure, errors_figure
from plotting.static import drawing

__all__ = ["Extras", "numbers_json", "page"]

_LONGEST = 1000
_STYLE = """
:root{color-scheme:light}
body{font:16px/1.5 system-ui,sans-serif;color:#1f2730;background:#fff;max-width:46rem;margin:2rem auto;padding:0 1rem;
overflow-wrap:anywhere}
h1{font-size:1.7rem;margin-bottom:.2rem}h2{font-size:1.15rem;margin:1.6rem 0 .4rem;border-bottom:1px solid #d5dbe1}
.answer{border:2px solid #0077bb;border-radius:6px;padding:.6rem 1rem}.answer p{margin:.4rem 0}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.25rem .6rem .25rem 0;border-bottom:1px solid #d5dbe1;
overflow-wrap:normal}.files td,.facts td{overflow-wrap:anywhere}
.facts th{width:11rem}td.n{font-variant-numeric:tabular-nums;white-space:nowrap}
figure{margin:.8rem 0;overflow-x:auto}svg{width:100%;min-width:30rem;height:auto;display:block}
figcaption{font-size:.9rem}
pre{white-space:pre-wrap;background:#f2f5f8;padding:.6rem;font-size:.85rem}code{font-size:.85rem}
.wide{overflow-x:auto}.sign{display:flex;gap:2rem;margin-top:2.5rem}
.sign span{flex:1;border-top:1px solid #1f2730;font-size:.9rem}
@page{margin:15mm}
@media print{body{font-size:10.5pt;margin:0;padding:0;max-width:none;print-color-adjust:exact;
-webkit-print-color-adjust:exact}figure,table,pre,.answer,.sign{break-inside:avoid}h2{break-after:avoid}
svg{min-width:0;max-height:8.5cm}figure,.wide{overflow:visible}}
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(source: Source, audit: Audit, extras: Extras) -> str:
    """The report as one HTML file: it loads nothing, runs nothing, and holds no losses but the few it names."""
    title = f"Epsilon* audit: {visible(source.name, _LONGEST)}"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n<body>\n"
        "<h1>Epsilon* audit report</h1>\n"
        f"<p>Losses: {_stranger(source.name)}. Made on {now()} with privacy trade-offs {VERSION}.</p>\n"
        f"{_answer(audit)}{_facts(audit)}{_figures(audit)}{_ratios(audit)}"
        f"{_section('Goodness of fit', _items(_fits(source, audit)))}"
        f"{_section('How much the estimate varies', _items(report_words.spread(extras, audit.result)))}"
        f"{_warnings(audit)}"
        f"{_section('Assumptions', _items(ASSUMPTIONS))}{_files(source)}"
        f"{_section('How to reproduce', _code(figures.snippet(source, audit)))}"
        '<div class="sign"><span>Prepared by</span><span>Date, signature</span></div>\n</body></html>\n'
    )


def _stranger(text: str) -> str:
    """A name from outside: no markup, no direction marks, and its own direction stays inside."""
    return f"<bdi>{escape(visible(text, _LONGEST))}</bdi>"


def _marked(text: str) -> str:
    """The page's own Markdown, of which it uses bold and escaped stars, as HTML."""
    plain = escape(text).replace(r"\*", "&#42;")
    return re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", plain)


def _section(title: str, content: str) -> str:
    return f"<section><h2>{escape(title)}</h2>\n{content}</section>\n"


def _items(lines: Iterable[str], escaped: bool = False) -> str:
    return "<ul>" + "".join(f"<li>{line if escaped else escape(line)}</li>" for line in lines) + "</ul>\n"


def _code(text: str) -> str:
    lines = "\n".join(_without_marks(line) for line in text.split("\n"))
    return f"<p>In the project's folder, with the files beside it:</p><pre>{lines}</pre>\n"


def _without_marks(line: str) -> str:
    indent = line[: len(line) - len(line.lstrip(" "))]
    return indent + escape(visible(line, _LONGEST))


def _answer(audit: Audit) -> str:
    lines = [f"<strong>Valid lower bound.</strong> {escape(report_words.bound(audit.bound))}"]
    if audit.result.confidence is None:
        lines.append(f"Estimate: {_marked(sentence(audit))}")
        lines.append(f"<strong>What the estimate is.</strong> {_marked(NO_BOUND)}")
    return f'<div class="answer">{"".join(f"<p>{line}</p>" for line in lines)}</div>\n'


def _facts(audit: Audit) -> str:
    result, evidence, bound = audit.result, audit.result.evidence, audit.bound
    best = figures.best(audit)
    rows = {
        "ε* (estimate)" if result.confidence is None else "ε* (bound)": report_words.number(result.value),
        "ε* at least": f"{rounded_down(bound.value, 4)}, with confidence {100.0 * bound.level:.6g} %, "
        f"at δ = {bound.delta:.6g}",
        "Method": report_words.method(result),
        "δ": report_words.delta(audit),
        "Training data": "" if evidence is None else f"{evidence.train_size:,} losses",
        "Fresh data": "" if evidence is None else f"{evidence.population_size:,} losses",
        "Rows left out": f"{audit.dropped:,}",
        "Threshold": report_words.threshold(audit, best.alpha, best.power),
    }
    if result.clip is not None:
        without = report_words.number(result.unclipped)
        rows["Largest value the clip allows"] = f"{result.cap:.4g}; without the clip ε* is {without}"
    return _section("In numbers", _fact_table(rows.items()))


def _fact_table(rows: Iterable[tuple[str, str]]) -> str:
    lines = "".join(f"<tr><th>{escape(name)}</th><td>{escape(words)}</td></tr>" for name, words in rows)
    return f'<table class="facts">{lines}</table>\n'


def _figures(audit: Audit) -> str:
    best = figures.best(audit)
    errors = errors_figure(figures.curves(audit), best, Axes.LOG, figures.smallest(audit, best))
    drawn = (
        (drawing(errors, "Trade-off of both errors"), "Errors of attacks by threshold, and the line at ε*."),
        (
            drawing(densities_figure(audit.summary, best), "Densities of the losses"),
            "How the losses of both groups lie.",
        ),
    )
    shown = (f"<figure>{svg}<figcaption>{escape(words)}</figcaption></figure>\n" for svg, words in drawn)
    return _section("Figures", "".join(shown))


def _ratios(audit: Audit) -> str:
    head = ("What stands out", "Ratio", "Log of its maximum", "Threshold (loss)", "t", "η")
    rows = (
        (
            ORIENTATION[peak.term],
            QUOTIENT[peak.term],
            "none" if peak.log_ratio == -inf else f"{peak.log_ratio:.5g}",
            f"{audit.threshold(peak.threshold):.5g}",
            rate(peak.false_positive_rate),
            rate(peak.false_negative_rate),
        )
        for peak in audit.result.peaks
    )
    lines = "".join("<tr>" + "".join(f'<td class="n">{escape(cell)}</td>' for cell in row) + "</tr>" for row in rows)
    table = f"<table><tr>{''.join(f'<th>{name}</th>' for name in head)}</tr>{lines}</table>"
    note = "t: share of outsiders with a loss up to the threshold; η: share of members with a loss beyond it."
    return _section("The four ratios", f'<div class="wide">{table}</div><p>{note}</p>\n')


def _fits(source: Source, audit: Audit) -> list[str]:
    tests = fit_tests(source, audit)
    return [report_words.fit(test) for test in tests] or ["Rates were counted: the number rests on no fitted law."]


def _warnings(audit: Audit) -> str:
    found = [_marked(line) for line in warnings(audit)]
    return _section("Before this number is used", _items(found, escaped=True)) if found else ""


def _files(source: Source) -> str:
    rows = "".join(
        f"<tr><td>{_stranger(name)}</td><td><code>{escape(digest)}</code></td></tr>" for name, digest in source.files
    )
    if not rows:
        return _section("Files", "<p>The losses came from no file.</p>\n")
    return _section("Files", f'<table class="files"><tr><th>Name</th><th>SHA-256</th></tr>{rows}</table>\n')
