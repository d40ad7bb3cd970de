"""What a verdict on a promise leaves with: its figure, its numbers, the Python that prints them, and a memo."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from numerics.audits import ApproximateClaim, Claim, GdpClaim, ReleaseClaim
from numerics.trade_off import Floats
from pages.ui import address, cached, csv_tables, downloads
from pages.ui.downloads import Downloads
from pages.ui.memo import Memo
from pages.ui.python_snippet import constructor, imports
from plotting import theme


@dataclass(frozen=True, eq=False)
class Verdict:
    """What is taken away.

    Attributes:
        name: start of the files' names.
        question: the memo's title.
        said: the page's sentences.
        claim: the promise.
        level: confidence of a refutation.
        rests_on: what has to hold, in sentences.
        facts: what else a reader must know, by name.
        files: names and SHA-256 of the files that hold the data.
        table: the figure's numbers, by column.
        python: the lines that print the verdict.
        caption: what the figure shows.
    """

    name: str
    question: str
    said: tuple[str, ...]
    claim: Claim
    level: float
    rests_on: Sequence[str]
    facts: Mapping[str, str]
    files: tuple[tuple[str, str], ...]
    table: Mapping[str, Floats]
    python: str
    caption: str


def draw(verdict: Verdict, figure: theme.Figure) -> None:
    """Draw the fold with all files."""
    parameters = {
        "promise": verdict.claim.label,
        "confidence of a refutation": repr(verdict.level),
        **verdict.facts,
        **{f"file {name}": f"SHA-256 {digest}" for name, digest in verdict.files},
        "verdict": " ".join(verdict.said).replace("*", ""),
        "assumptions": " ".join(verdict.rests_on),
    }
    memo = Memo(
        verdict.question,
        verdict.said,
        verdict.claim.label,
        tuple(verdict.rests_on)[:3],
        verdict.caption,
        address.permalink(),
    )
    downloads.draw(
        Downloads(
            verdict.name,
            figure,
            verdict.python,
            parameters,
            table=partial(csv_tables.table, verdict.table, parameters),
            memo=memo,
        )
    )


def claim_in_python(claim: Claim) -> str:
    """The lines that make the claim, imports included."""
    if isinstance(claim, (GdpClaim, ApproximateClaim)):
        return f"from numerics.audits import {type(claim).__name__}\nclaim = {constructor(claim)}"
    assert isinstance(claim, ReleaseClaim)
    return (
        f"{imports(claim.release)}\nfrom numerics.audits import ReleaseClaim\n"
        "from numerics.privacy_loss import Precision\n"
        f"claim = ReleaseClaim({constructor(claim.release)}, {cached.PRECISION!r})"
    )
