"""One page for whoever decides: the verdict, one figure, and three assumptions in plain words.

It says what the page says, in the page's own words, and shows the figure that was drawn. Details are the certificate's.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from numerics.mechanisms import Adjacency, Mechanism
from numerics.version import VERSION
from plotting import static, theme
from plotting.static import PAGE
from reports import document

_STYLE = """
h1{margin-top:0}.lead{margin:.2rem 0 .8rem}.answer{font-size:1.15rem}section ul{margin:.3rem 0;padding-left:1.2rem}
@page{margin:12mm}
@media print{h1{font-size:16pt}h2{font-size:12pt;margin:.5rem 0 .1rem}.answer{font-size:11.5pt}
.lead,.small{font-size:9.5pt}
.report{font-size:8.5pt;line-height:1.3}figure svg{max-height:6cm}section ul{margin:.1rem 0}section p{margin:.1rem 0}}
"""
_LONGEST = 300  # characters of a release's name
_UNIT = "One record is protected. Somebody who gave several of them is protected less."
_OTHER = {
    Adjacency.ADD_REMOVE: "the other one lacks this one record",
    Adjacency.REPLACE_ONE: "the other one has another record in this one's place",
    Adjacency.ZERO_OUT: "in the other one this one record adds nothing",
}
_OTHER_PERSON = {
    Adjacency.ADD_REMOVE: "the other one lacks all records of this one person",
    Adjacency.REPLACE_ONE: "the other one has another person's records in place of all of this one's",
    Adjacency.ZERO_OUT: "in the other one all records of this one person add nothing",
}
_UNIT_OF_PEOPLE = (
    "One person is protected, with at most {} records. Somebody who has more is protected less, somebody who has fewer "
    "more."
)
_DETAILS = "The page that offers this memo has all numbers and assumptions, and how to check them."


@dataclass(frozen=True)
class Memo:
    """What a page says of a release.

    Attributes:
        question: what the memo answers, its title.
        verdict: the page's sentences, in its Markdown; against the limit, where the page has one.
        release: the release in words.
        assumptions: about neighbours, sampling and what is protected.
        caption: what the figure shows.
        address: restores the page.
        report: gives what a report is asked for, in short (``report_fields``), once the memo is asked for.
    """

    question: str
    verdict: tuple[str, ...]
    release: str
    assumptions: tuple[str, ...]
    caption: str
    address: str
    report: Callable[[], tuple[str, ...]] = tuple


def assumptions(release: Mechanism) -> tuple[str, str, str]:
    """With what the release is compared, how records are drawn, and what is protected."""
    most = release.records_per_person
    other = (_OTHER if most == 1 else _OTHER_PERSON)[release.adjacency]
    sampled = dict.fromkeys(phase.sampling.batches.in_short for phase in release.phases if phase.sampling_rate < 1.0)
    drawn = " ".join(sampled) or "Every record takes part in every step."
    compared = f"The attacker knows everything but which of two data sets was used: {other}."
    return compared, drawn, _UNIT if most == 1 else _UNIT_OF_PEOPLE.format(most)


def page(memo: Memo, figure: theme.Figure) -> str:
    """The memo as one HTML file without scripts, which prints on one page; dated the day it is made."""
    today = datetime.now(UTC).date().isoformat()
    link = document.link(memo.address)
    restored = f"<p>This address shows the release, the figure and all numbers: {link}</p>" if link else ""
    drawn = document.figure(static.drawing(figure, memo.caption, PAGE), memo.caption)
    body = (
        f"<h1>{document.marked(memo.question)}</h1>\n"
        f'<p class="lead">{document.stranger(memo.release, _LONGEST)}. '
        f"Made on {today} with privacy trade-offs {VERSION}.</p>\n"
        f"{document.answer(map(document.marked, memo.verdict))}{drawn}"
        f"{document.section('What this rests on', document.items(memo.assumptions))}"
        f"{document.section('For a report', document.items(said), 'small report') if (said := memo.report()) else ''}"
        f"{document.section('More', f'<p>{_DETAILS}</p>{restored}', 'small')}"
    )
    return document.page(memo.question, body, _STYLE)
