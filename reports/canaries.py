"""One run with canaries, held against a promise: the verdict in words, and its report."""

from numerics.audits import Claim, Decision
from numerics.audits.one_run import Finding, Guesses
from numerics.sampling import Adjacency
from reports import python_code
from reports.audit_report import AuditReport, Data, ReportPart
from reports.promises import all_refuted, at_least, in_words, numbers, settings
from reports.rounding import capitalised, rounded_up

NOT_A_PROOF = (
    "That a promise was not refuted does not confirm it, and says nothing about the people in the data: canaries are "
    "chosen records."
)
CONFIRMED = (
    "Each canary was in or out by its own fair coin. All else was fixed before. Scores and numbers of guesses were "
    "chosen without a look at the coins. It is one run, not the best of several. All canaries are listed, those "
    "without a guess too. The promise is about the neighbours that the coins decide between."
)
ASSUMPTIONS = (
    "Canaries are in or out by independent fair coins, and nothing else was chosen after the coins.",
    "A refutation is about this code with these settings: the code, the accounting or the settings are wrong.",
    "Several numbers of guesses share the risk of a false refutation.",
)
CAPTION = "Right guesses about canaries, by the number of guesses, and from where on the promise is refuted."
_GUESSES = (
    "from numerics.audits.one_run import Canaries\nfrom numerics.sampling import Adjacency\n"
    "guesses = Canaries(values, is_in, Adjacency.{adjacency}).guesses()"
)


def guesses_in_python(adjacency: Adjacency) -> str:
    """The lines that make ``guesses`` of scores and coins, ``values`` and ``is_in``."""
    return _GUESSES.format(adjacency=adjacency.name)


def rights(guesses: Guesses) -> str:
    """The right guesses at every number of them."""
    return "; ".join(f"{v:,} of {g:,}" for v, g in zip(guesses.correct, guesses.counts, strict=True))


def _clearest(guesses: Guesses) -> int:
    """Which number of guesses lies furthest beyond chance, in standard deviations."""
    pairs = list(zip(guesses.correct, guesses.counts, strict=True))
    return max(range(len(pairs)), key=lambda place: (2 * pairs[place][0] - pairs[place][1]) / pairs[place][1] ** 0.5)


def sentence(guesses: Guesses, claim: Claim, found: Finding) -> str:
    """Counts and verdict."""
    place = _clearest(guesses)
    right, count = guesses.correct[place], guesses.counts[place]
    seen = f"{right:,} of the {count:,} surest guesses about {guesses.canaries:,} canaries are right"
    sure = f"{100 * found.level:g} % confidence"
    if found.decision is Decision.REFUTED:
        return f"**Refuted:** {seen}, which the promise, {in_words(claim)}, does not allow, with {sure}."
    if found.decision is Decision.TOO_FEW:
        if any(least is not None for least in found.critical):
            return (
                f"**Too few canaries to tell:** {seen}; only what is far from {in_words(claim)} could be told from it."
            )
        return f"**Too few canaries to tell:** {seen}, and no such number could speak against {in_words(claim)}."
    return f"**Not refuted:** {seen}, which the promise, {in_words(claim)}, allows."


def meaning(claim: Claim, found: Finding) -> str:
    """The p-value, what else is refuted or would have been found, and what follows."""
    p_value = f"p = {rounded_up(found.p_value, 2)}."
    if found.decision is Decision.REFUTED:
        also = "" if found.refuted is None else f" {all_refuted(claim, found.refuted)}"
        return f"{p_value}{also} The code, its accounting or the stated settings are wrong."
    if found.detectable is None:
        return f"{p_value} With so many canaries there is no violation that 4 of 5 audits would find."
    worse = at_least(claim, found.detectable)
    return (
        f"{p_value} {capitalised(worse)} would have been found in 4 of 5 such audits with the best possible "
        "scores, if canaries do not disturb each other."
    )


def report(guesses: Guesses, claim: Claim, found: Finding, data: Data) -> AuditReport:
    """The report; ``data.python`` makes ``guesses``."""
    verdict = [sentence(guesses, claim, found), meaning(claim, found)]
    if found.decision is not Decision.REFUTED:
        verdict.append(NOT_A_PROOF)
    counts = ", ".join(f"{count:,}" for count in guesses.counts)
    return AuditReport(
        "canaries",
        found.decision.value,
        tuple(verdict),
        data,
        (
            *settings(claim, found.level, f"{guesses.adjacency.value}, as the coins decide"),
            ("Numbers of guesses", f"{counts}, of {guesses.canaries:,} canaries"),
        ),
        (CONFIRMED, *ASSUMPTIONS[1:], *claim.assumptions),
        (_evidence(guesses, found),),
        numbers(claim, found.level) | _numbers(guesses, found),
        f"{python_code.claim(claim)}\nfrom numerics.audits.one_run import audit\n{data.python}\n"
        f"print(audit(guesses, claim, {found.level!r}))\n",
    )


def _evidence(guesses: Guesses, found: Finding) -> ReportPart:
    rows = zip(guesses.counts, guesses.correct, found.critical, strict=True)
    return ReportPart(
        "Guesses, the surest first",
        tuple(
            (f"{count:,}", f"{right:,}", "not even all" if least is None else f"{least:,}")
            for count, right, least in rows
        ),
        ("Guesses", "Right", "Refuted from"),
        " ".join(f"{note.value.capitalize()}." for note in found.notes),
    )


def _numbers(guesses: Guesses, found: Finding) -> dict[str, object]:
    return {
        "adjacency": guesses.adjacency.value,
        "canaries": guesses.canaries,
        "guesses": guesses.counts,
        "right": guesses.correct,
        "refuted_from": found.critical,
        "p_value": found.p_value,
        "refuted": found.refuted,
        "detectable": found.detectable,
        "notes": [note.value for note in found.notes],
    }
