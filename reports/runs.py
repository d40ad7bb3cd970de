"""Many runs with and without a record, held against a promise: the verdict in words, and its report."""

from numerics.audits import ClaimVerdict, Cut, Decision, ScoreOrientation
from reports import python_code
from reports.audit_report import AuditReport, Data, ReportPart
from reports.promises import all_refuted, at_least, in_words, numbers, settings
from reports.rounding import capitalised, nearest, rounded_up

CONFIRMED = (
    "The runs are independent, each with randomness of its own. All have the same two neighbouring data sets, or the "
    "rest of the data was drawn anew in each, whether the record was in or not. The score was fixed before. A record "
    "left out is absent where the promise is about add/remove, and replaced where it is about replace-one."
)
NOT_A_PROOF = (
    "It is about this record and this attack: a better attack may exist, and other records may be more exposed. A "
    "promise that is not refuted is not confirmed."
)
ASSUMPTIONS = (
    "Runs are independent; the score was fixed before them.",
    "A refutation is about this code with these settings: the code, the accounting or the settings are wrong.",
    "The shaded region contains the attack's curve at all false positive rates together, with the stated confidence.",
)
CAPTION = "Across: runs without the record that are accused. Up: runs with it that are, promised and measured."


def sentence(verdict: ClaimVerdict) -> str:
    """Counts and verdict."""
    test = verdict.test
    sure = f"{100 * test.level:g} % confidence"
    if verdict.decision is Decision.REFUTED:
        return f"**Refuted:** {_seen(test.cut)}; the promise, {in_words(test.claim)}, does not allow that, with {sure}."
    if verdict.decision is Decision.TOO_FEW:
        return f"**Too few runs to tell** whether the promise, {in_words(test.claim)}, is kept."
    return f"**Not refuted:** {_seen(test.cut)}; the promise, {in_words(test.claim)}, allows that."


def _seen(cut: Cut) -> str:
    ours, other = ("with", "without") if cut.reading.order.name == "ADD" else ("without", "with")
    side = "above" if cut.reading.above else "below"
    many, few = f"{cut.true_positives:,} of {cut.positives:,}", f"{cut.false_positives:,} of {cut.negatives:,}"
    return f"{many} runs {ours} the record, but {few} {other} it, score {side} {nearest(cut.threshold)}"


def place(cut: Cut) -> tuple[float, float] | None:
    """Where the cut is in a figure of runs with the record against runs without; None of another reading."""
    if cut.reading is not ScoreOrientation.MEMBERS_ABOVE:
        return None
    return cut.false_positives / cut.negatives, cut.true_positives / cut.positives


def meaning(verdict: ClaimVerdict) -> str:
    """The p-value, what else is refuted or would have been found, and what follows."""
    claim = verdict.test.claim
    said = f"p = {rounded_up(verdict.test.p_value, 2)}."
    if verdict.decision is Decision.REFUTED:
        least = verdict.largest_refuted
        if least is not None:
            said += f" {all_refuted(claim, least)}"
        return f"{said} The code, its accounting or the stated settings are wrong."
    if verdict.test.is_constant:
        return f"{said} All scores are the same number: they say nothing of any promise."
    if not verdict.can_refute:
        return f"{said} No scores of so few runs could speak against it."
    if verdict.detectable is None:
        return f"{said} With so many runs there is no violation that 4 of 5 audits are sure to find."
    worse = at_least(claim, verdict.detectable)
    found = f"{capitalised(worse)} or worse would have been found in 4 of 5 such audits"
    return f"{said} {found} by the best attack there is; a weaker one finds less."


def report(verdict: ClaimVerdict, data: Data) -> AuditReport:
    """The report; ``data.python`` makes ``values`` and ``is_in``."""
    test = verdict.test
    neighbours = "as the runs with and without the record differ"
    if test.claim.adjacency is not None:
        neighbours = f"{test.claim.adjacency.value}, {neighbours}"
    return AuditReport(
        "runs",
        verdict.decision.value,
        (sentence(verdict), meaning(verdict), NOT_A_PROOF),
        data,
        (
            *settings(test.claim, test.level, neighbours),
            ("Cuts", "at ranks 1, 3, 9, … up to the middle, of both worlds and from both ends"),
        ),
        (CONFIRMED, *ASSUMPTIONS[1:], *test.claim.assumptions),
        (_evidence(test.cut), *_design(verdict)),
        numbers(test.claim, test.level) | _numbers(verdict),
        f"{python_code.claim(test.claim)}\nfrom numerics.audits import Scores, claim_verdict\n{data.python}\n"
        f"scores = Scores(values[~is_in], values[is_in])\nprint(claim_verdict(scores, claim, {test.level!r}))\n",
    )


def _evidence(cut: Cut) -> ReportPart:
    return ReportPart(
        "The cut that speaks most against the promise",
        (
            ("Reading", cut.reading.words),
            ("Score", nearest(cut.threshold, 6)),
            ("Accused", f"{cut.true_positives:,} of {cut.positives:,} runs"),
            ("Wronged", f"{cut.false_positives:,} of {cut.negatives:,} runs"),
            ("p-value of this cut alone", rounded_up(cut.p_value, 2)),
        ),
    )


def _design(verdict: ClaimVerdict) -> list[ReportPart]:
    """What so many runs can find."""
    if verdict.detectable is None:
        return []
    found = f"{at_least(verdict.test.claim, verdict.detectable)} or worse"
    return [ReportPart("What so many runs find", (("In 4 of 5 such audits, by the best attack there is", found),))]


def _numbers(verdict: ClaimVerdict) -> dict[str, object]:
    test, cut = verdict.test, verdict.test.cut
    return {
        "p_value": test.p_value,
        "refuted": verdict.largest_refuted,
        "detectable": verdict.detectable,
        "factor": verdict.factor,
        "can_refute": verdict.can_refute,
        "cut": {
            "reading": cut.reading.words,
            "threshold": cut.threshold,
            "tied_share": cut.tied_share,
            "accused": cut.true_positives,
            "accused_of": cut.positives,
            "wronged": cut.false_positives,
            "wronged_of": cut.negatives,
            "p_value": cut.p_value,
        },
    }
