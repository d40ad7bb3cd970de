"""A promise held against scores from the command line: of one run with canaries, or of many runs with and without."""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

from losses.errors import TableError, quoted, visible
from losses.membership import Membership, training_label
from losses.scores import Labelled, labelled, read_scores, small_means_in
from losses.table import LossTable
from numerics.audits import Answer, ApproximateClaim, Claim, GdpClaim, ReleaseClaim, Scores, claim_verdict
from numerics.audits.one_run import Canaries, Verdict, audit
from numerics.mechanisms import MECHANISMS
from numerics.sampling import Adjacency, Sampling
from numerics.version import VERSION

CANARIES, RUNS = "canaries", "runs"
_CLAIM = (
    "what was promised: mu=1, or epsilon=1,delta=1e-5, or a release: its kind of noise, noise=1,rate=0.01,steps=1000, "
    "and adjacency=replace-one or sampling=fixed-size where that is so"
)
_HOLDS = {
    CANARIES: "Each canary was in or out by its own fair coin; all else, scores and numbers of guesses were fixed "
    "without a look at the coins; it is one run, not the best of several; all canaries are in the file.",
    RUNS: "Runs are independent; all have the same two neighbouring data sets, or the rest drawn anew in each; the "
    "score was fixed before.",
}
_FOUND_BY = {
    CANARIES: "with the best possible scores, if canaries do not disturb each other",
    RUNS: "by the best attack there is",
}
_NO_PROOF = "A promise that is not refuted is not confirmed."


@dataclass(frozen=True)
class PromiseReport:
    """What the command prints of a promise.

    Attributes:
        source: the file.
        claim: the promise.
        evidence: canaries or runs.
        membership: which rows are in, and why.
        sizes: rows that are in, and out.
        verdict: in its three words.
        p_value: of the promise.
        level: confidence of a refutation.
        refuted: parameter of the loosest promise that is refuted; None where none is.
        detectable: parameter of the smallest violation that the best attack finds in 4 of 5 such audits; None where
            none, or not asked.
    """

    source: str
    claim: Claim
    evidence: str
    membership: Membership
    sizes: tuple[int, int]
    verdict: Verdict | Answer
    p_value: float
    level: float
    refuted: float | None
    detectable: float | None

    @property
    def exceeded(self) -> bool:
        """Whether the promise is refuted."""
        return self.verdict in (Verdict.REFUTED, Answer.REFUTED)

    @property
    def undecided(self) -> bool:
        """Whether there is too little to tell."""
        return self.verdict in (Verdict.TOO_FEW, Answer.TOO_FEW)

    def text(self) -> str:
        """In words."""
        name = self.claim.parameter_name
        told = f"{quoted(self.membership.member)} in column {quoted(self.membership.column)} counts as in"
        lines = [
            f"{self.verdict.value.capitalize()} ({100 * self.level:g} % confidence): {self.claim.label}.",
            f"p = {self.p_value:.3g}, from {visible(self.source, 200)}: {self.sizes[0]:,} {self.evidence} in, "
            f"{self.sizes[1]:,} out; {told}.",
        ]
        if self.refuted is not None:
            lines.append(
                f"Refuted is every promise of {name} {self.refuted:.4g} or {'less' if self.claim.grows else 'more'}."
            )
        if self.detectable is not None:
            found = f"{name} {self.detectable:.4g} would have been found {_FOUND_BY[self.evidence]}"
            lines.append(f"In 4 of 5 such audits {found}.")
        return "\n".join([*lines, f"It rests on this: {_HOLDS[self.evidence]} {_NO_PROOF}"])

    def json(self) -> str:
        """Every number."""
        everything = {
            "software": f"privacy trade-offs {VERSION}",
            "source": self.source,
            "evidence": self.evidence,
            "promise": self.claim.label,
            "in": self.sizes[0],
            "out": self.sizes[1],
            "membership": {"column": self.membership.column, "in": self.membership.member},
            "verdict": self.verdict.value,
            "p_value": self.p_value,
            "level": self.level,
            "parameter": self.claim.parameter_name,
            "promised": self.claim.parameter,
            "refuted": self.refuted,
            "detectable": self.detectable,
            "rests on": _HOLDS[self.evidence],
        }
        return json.dumps(everything, indent=2, allow_nan=False, ensure_ascii=False)


def add_arguments(group: "argparse._ArgumentGroup") -> None:
    """Add the settings of a promise."""
    group.add_argument("--claim", metavar="PROMISE", help=_CLAIM)
    group.add_argument("--evidence", choices=_HOLDS, help="what the rows are: canaries of one run, or runs")
    group.add_argument(
        "--confirm",
        action="store_true",
        help="what the verdict rests on holds; without it, it is told and nothing else",
    )


def claim_of(text: str) -> Claim:
    """The promise that ``text`` says; raises ValueError."""
    if not text.strip():
        raise ValueError(f"--claim says {_CLAIM}.")
    first, *rest = [part.strip() for part in text.split(",")]
    kinds = {kind.name.lower(): kind for kind in MECHANISMS}
    kind = kinds.get(first.lower())
    given = dict(_pair(part) for part in (rest if kind else [first, *rest]))
    if kind is not None:
        adjacency = Adjacency(given.pop("adjacency", Adjacency.ADD_REMOVE.value))
        sampling = Sampling(given.pop("sampling", Sampling.POISSON.value).replace("-", " "))
        noise, rate, steps = (given.pop(name, usual) for name, usual in (("noise", ""), ("rate", "1"), ("steps", "1")))
        _nothing_left(given)
        return ReleaseClaim(kind(float(noise), float(rate), int(steps), adjacency, sampling))
    if given.keys() == {"mu"}:
        return GdpClaim(float(given["mu"]))
    epsilon, delta = given.pop("epsilon", ""), given.pop("delta", "0")
    _nothing_left(given)
    return ApproximateClaim(float(epsilon), float(delta))


def _pair(part: str) -> tuple[str, str]:
    name, sign, value = part.partition("=")
    if not sign:
        raise ValueError(f"{part!r} in --claim is neither a kind of noise nor name=value: it says {_CLAIM}.")
    return name.strip(), value.strip()


def _nothing_left(given: dict[str, str]) -> None:
    if given:
        raise ValueError(f"nothing is called {', '.join(given)} in a promise.")


def audited(chosen: argparse.Namespace) -> PromiseReport:
    """The report on ``--claim``; raises TableError, and ValueError for settings that do not fit."""
    if chosen.evidence is None:
        raise ValueError("--evidence canaries or --evidence runs must be given with --claim.")
    if chosen.source is None or chosen.population is not None:
        raise ValueError("--claim takes one file, with a score and a label in every row.")
    if not chosen.confirm:
        raise ValueError(f"no verdict without --confirm, that all of this holds: {_HOLDS[chosen.evidence]}")
    claim = claim_of(chosen.claim)
    rows, membership = _rows(chosen)
    level = chosen.level
    sizes = int(rows.is_in.sum()), int((~rows.is_in).sum())
    if chosen.evidence == CANARIES:
        adjacency = claim.adjacency or Adjacency.ADD_REMOVE
        found = audit(Canaries(rows.values, rows.is_in, adjacency).guesses(), claim, level)
        said = (found.verdict, found.p_value, level, found.refuted, found.detectable)
        return PromiseReport(chosen.source, claim, CANARIES, membership, sizes, *said)
    verdict = claim_verdict(Scores(rows.values[~rows.is_in], rows.values[rows.is_in]), claim, level)
    of_runs = (verdict.answer, verdict.test.p_value, level, verdict.largest_refuted, verdict.detectable)
    return PromiseReport(chosen.source, claim, RUNS, membership, sizes, *of_runs)


def _rows(chosen: argparse.Namespace) -> tuple[Labelled, Membership]:
    table = read_scores(Path(chosen.source).read_bytes())
    score = chosen.loss or table.numbers[0].name
    membership = _membership(table, chosen)
    rows = labelled(table, score, membership.column, membership.member, chosen.drop, small_means_in(score))
    return rows, membership


def _membership(table: LossTable, chosen: argparse.Namespace) -> Membership:
    column = chosen.membership or (table.labels[0].name if table.labels else "")
    if not column:
        raise TableError("There is no column that says what was in.", "Name it with --membership.")
    labels = list(table.label(column).labels)
    found = training_label(column, labels, chosen.member)
    if found is None:
        raise TableError(f"It is not clear which label of {quoted(column)} means in.", "Say it with --member.")
    return found
