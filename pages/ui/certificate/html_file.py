"""The certificate as one HTML file: no script, no request, one to two pages when printed and one of a report's fields.

It bears no date of its own, so the same release always gives the same file; who signs it dates it.
"""

from dataclasses import replace
from html import escape

from losses.errors import visible
from numerics.version import VERSION
from pages.ui import cached, release_curves, report_fields
from pages.ui.certificate import words
from pages.ui.certificate.numbers import NotionGuarantee, NotionRates, apart, beside, guarantees, rates
from pages.ui.certificate.program import program
from pages.ui.certificate.subject import RATES, CertificateSubject
from pages.ui.numbers_in_words import as_entered, one_in
from pages.ui.order_words import words_for
from pages.ui.threat_models.views import APART
from plotting.curves import Axes, OfAttacker, OperatingPoint
from plotting.profile import profile_figure
from plotting.static import COLUMN, drawing
from plotting.trade_off import trade_off_figure
from reports import document

_LONGEST = 160  # characters of what a person writes
_DRAWN = replace(COLUMN, plot=1.4)  # two of them share a page's width
_STYLE = """
h1{margin-top:0}.lead{margin:.2rem 0 .8rem}.side th:first-child{width:10rem}.side th,.side td{padding-right:.8rem}
.side tr:first-child th{border-bottom:2px solid #0077bb}.side :is(td,th):nth-child(2){background:#eef5fa;
padding-left:.4rem}
.pair{display:flex;gap:1rem;flex-wrap:wrap}.pair figure{flex:1 1 20rem;margin:.3rem 0;min-width:0}
.pair svg{min-width:0}.small{font-size:.85rem}ul{margin:.3rem 0;padding-left:1.2rem}section p{margin:.3rem 0}
.columns ul{columns:18rem;column-gap:2rem}.columns li{break-inside:avoid}
@page{margin:8mm 13mm}
@media print{body{font-size:8.3pt;line-height:1.26}h1{font-size:15pt}h2{font-size:10pt;margin:.5rem 0 .15rem}
.lead{margin:.1rem 0 .4rem}.answer{padding:.2rem .6rem}.answer p{margin:.2rem 0;font-size:9pt}table{font-size:7.8pt}
th,td{padding:.05rem .5rem .05rem 0}.side th:first-child{width:40mm}.facts th{width:37mm}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:6mm}
pre{font-size:6.2pt;line-height:1.2;padding:.3rem;margin:.2rem 0}figcaption,.small{font-size:7.4pt}
.columns{font-size:7.3pt}.columns ul{columns:2;column-gap:6mm}ul{margin:.15rem 0}section p{margin:.15rem 0}
.sign{margin-top:7mm}.sign span{font-size:8pt}.pair svg{max-height:none;max-width:89mm}.second{break-inside:avoid}
.annex{break-before:page}}
"""


def page(subject: CertificateSubject) -> str:
    """The file."""
    found = guarantees(subject)
    name = visible(subject.named.release, _LONGEST) or subject.setting.release.label
    body = (
        f"{_head(subject)}{document.answer(map(document.marked, words.sentences(subject)))}"
        f"{document.section('The release', document.facts(words.parameters(subject)))}"
        f"{_side_by_side(subject, beside(found))}{_apart(subject, apart(found))}{_rates(rates(subject))}"
        f"{_assumptions(subject, found)}{_figures(subject, beside(found))}"
        f"{_check(subject)}{document.signature(_signer(subject), 'Date, signature')}{_fields(subject)}"
    )
    return document.page(f"Privacy certificate: {name}", body, _STYLE)


def _head(subject: CertificateSubject) -> str:
    named = subject.named
    lines = [
        f"{label}: <strong>{document.stranger(text, _LONGEST)}</strong>"
        for label, text in (("Release", named.release), ("Responsible", named.responsible))
        if text.strip()
    ]
    lines.append(f"Computed with privacy trade-offs {VERSION}")
    return f'<h1>Privacy certificate</h1>\n<p class="lead">{". ".join(lines)}.</p>\n'


def _signer(subject: CertificateSubject) -> str:
    return visible(subject.named.responsible, _LONGEST) or "Responsible"


def _side_by_side(subject: CertificateSubject, found: list[NotionGuarantee]) -> str:
    """The notions as columns, what they assume and promise as rows."""
    rows = {
        "Notion": [one.view.model.title for one in found],
        "Attacker": [one.view.model.name for one in found],
        "Knows": [one.view.model.knows for one in found],
        "Hidden": [one.view.model.hidden for one in found],
        "Neighbours; sampling": [words.compared(one) for one in found],
        "Its own measure": [words.own(one) for one in found],
        words.operating_point(subject): [words.qualified(one.found) for one in found],
        "Advantage": [words.qualified(one.advantage) for one in found],
        "Reconstruction by the prior guess": [words.qualified(one.rebuilt) for one in found],
        "Kind of bound": [words.kind(one) for one in found],
    }
    head = "".join(f"<th>{escape(one.view.model.notion)}</th>" for one in found)
    lines = "".join(
        f"<tr><th>{escape(name)}</th>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
        for name, cells in rows.items()
    )
    table = f'<div class="wide"><table class="side"><tr><th></th>{head}</tr>{lines}</table></div>'
    notes = _small(document.items(words.notes(found)))
    return document.section("What it promises, against whom", f"<p>{words.BESIDE}</p>{table}{notes}")


def _apart(subject: CertificateSubject, found: list[NotionGuarantee]) -> str:
    """What may not stand beside the release's own numbers, with the reason and the guarantee of the same kind."""
    lines = [line for one in found for line in words.apart(subject, one)]
    return document.section("Apart", f"<p>{APART}</p>{document.items(lines)}") if lines else ""


def _small(html: str) -> str:
    return f'<div class="small">{html}</div>\n'


def _rates(columns: list[NotionRates]) -> str:
    """What is found at round rates, both orders side by side."""
    head = ["Error rate", "or", *(f"{one.notion} {words_for(one.order).found}" for one in columns)]
    rows = [
        (as_entered(rate), one_in(rate), *(words.number(column.values[index]) for column in columns))
        for index, rate in enumerate(RATES)
    ]
    note = (
        "Found: members, while that share of outsiders is falsely accused (add-one order). Ruled out: outsiders, while "
        "that share of members is wrongly cleared (remove-one order)."
    )
    if unsure := words.unsure(columns):
        note += f" {unsure}"
    return document.section("At other rates", f"{document.table(head, rows)}{_small(f'<p>{note}</p>')}")


def _figures(subject: CertificateSubject, found: list[NotionGuarantee]) -> str:
    drawn = _trade_off(subject, found) + _profile(subject)
    return document.section("Figures", f'<div class="pair">{drawn}</div>', "second") if drawn else ""


def _trade_off(subject: CertificateSubject, found: list[NotionGuarantee]) -> str:
    choice = subject.setting.choice
    views = [one.view for one in found]
    seen = [(OfAttacker(one.curve, one.model.color), one.found) for one in views if one.curve and one.found]
    if not seen:
        return ""
    curves = [curve for curve, _ in seen]
    point = OperatingPoint(choice.alpha, seen[0][1])
    figure = trade_off_figure(curves[0], point, Axes.LOG, 1.0, curves[1:], order=choice.order)
    caption = words.drawn(subject)
    return document.figure(drawing(figure, caption, _DRAWN), caption)


def _profile(subject: CertificateSubject) -> str:
    choice = subject.setting.choice
    try:
        curve = release_curves.profile(choice.mechanism, choice.delta, cached.PRECISION)
        epsilon = cached.epsilon(choice.mechanism, choice.delta)
    except ValueError:
        return ""  # said in the first lines
    svg = drawing(
        profile_figure(curve, choice.delta, as_entered(choice.delta), epsilon), "Delta against epsilon", _DRAWN
    )
    return document.figure(svg, "Every point is a valid (ε, δ) promise about this release.")


def _assumptions(subject: CertificateSubject, found: list[NotionGuarantee]) -> str:
    of: dict[str, list[str]] = {}
    for one in found:
        for note in () if one.view.curve is None else one.view.curve.assumptions:
            of.setdefault(note, []).append(one.view.model.notion)
    own = [f"{', '.join(notions)}: {note}" for note, notions in of.items()]
    return document.section(
        "Assumptions", document.items([*words.presupposed(subject.setting.release), *own]), "columns"
    )


def _fields(subject: CertificateSubject) -> str:
    """What regulators and reviewers ask for, on a page of its own."""
    rows = report_fields.rows(subject.setting.choice, dict(subject.named.answers))
    table = "".join(f"<tr><th>{escape(name)}</th><td>{document.stranger(text)}</td></tr>" for name, text in rows)
    content = f'<p>{report_fields.NO_CLAIM}</p><table class="facts">{table}</table>'
    return document.section("Annex: the fields of a report", content, "annex")


def _check(subject: CertificateSubject) -> str:
    how = f"<p>With privacy trade-offs {VERSION}, in its folder, this program prints its main numbers:</p>"
    link = document.link(subject.address)
    restored = f"<p>This address shows the release and its figures: {link}</p>" if link else ""
    return document.section("How to check it", restored + how + document.code(program(subject)))
