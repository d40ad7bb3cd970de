"""A promise held against one run with canaries, or against many runs: the verdict in words, and its report.

That a promise was not refuted does not confirm it: the sentences say what was seen, what the promise allows, and what
else is refuted or would have been found.
"""

from dataclasses import asdict

from numerics.audits import ApproximateClaim, Claim, ClaimVerdict, Cut, Decision, ReleaseClaim, ScoreOrientation
from numerics.audits.one_run import Finding, Guesses
from numerics.sampling import Adjacency
from plotting.people import quantity
from reports import python_code
from reports.audit_report import AuditReport, Data, ReportPart
from reports.rounding import as_entered, capitalised, nearest, rounded_down, rounded_up

_SYMBOLS = {"mu": "μ", "epsilon": "ε", "noise_multiplier": "noise"}
_WRONG = "The code, its accounting or the stated settings are wrong."
_ABOUT_CODE = "A refutation is about this code with these settings: the code, the accounting or the settings are wrong."


def named(claim: Claim, parameter: float | None = None) -> str:
    """The claim as somebody chose it, ``ε 2 at δ = 10⁻⁵``, or another member of its family: ``noise 0.667``."""
    return _named(claim, quantity(claim.parameter) if parameter is None else quantity(parameter, 3))


def in_words(claim: Claim) -> str:
    """The claim in a sentence: a release by its label, all else as ``named``."""
    return claim.label if isinstance(claim, ReleaseClaim) else named(claim)


def at_least(claim: Claim, parameter: float) -> str:
    """The same of a computed member: rounded so that what is named allows no less than it."""
    return _named(claim, (rounded_up if claim.grows else rounded_down)(parameter))


def all_refuted(claim: Claim, last: float | None) -> str:
    """Which members of the claim's family are refuted, where ``last`` is the loosest of them; empty where none is."""
    if last is None:
        return ""
    if claim.grows:
        return f"Every promise up to {_named(claim, rounded_down(last))} is refuted."
    return f"Every promise of {_named(claim, rounded_up(last))} or more is refuted."


def _named(claim: Claim, value: str) -> str:
    at = f" at δ = {as_entered(claim.delta)}" if isinstance(claim, ApproximateClaim) else ""
    return f"{_SYMBOLS[claim.parameter_name]} {value}{at}"


def _value(p_value: float, claim: Claim, last: float | None) -> str:
    """The p-value, and what is proved, of the promise or short of it."""
    return " ".join(filter(None, (f"p = {rounded_up(p_value, 2)}.", all_refuted(claim, last))))


def _settings(claim: Claim | None, level: float, neighbours: str) -> tuple[tuple[str, str], ...]:
    """What is chosen before the data are seen, as far as every promise has it."""
    return (
        ("Promise", "none" if claim is None else in_words(claim)),
        ("Neighbours", neighbours),
        ("Confidence of a refutation", f"{100 * level:g} %"),
    )


def _numbers(claim: Claim | None, level: float) -> dict[str, object]:
    """The promise with all digits."""
    if claim is None:
        return {"promise": None, "level": level, "tested": "epsilon 0"}
    return {"promise": claim.label, "parameter": claim.parameter_name, "promised": claim.parameter, "level": level}


# One run with canaries.


CANARIES_PROVE_NOTHING = (
    "That a promise was not refuted does not confirm it, and says nothing about the people in the data: canaries are "
    "chosen records."
)
CANARIES_BOUND = (
    "It is about this code with these settings. The true ε may be larger, and nothing is said about the people in the "
    "data: canaries are chosen records."
)
CANARIES_CONFIRMED = (
    "Each canary was in or out by its own fair coin. All else was fixed before. Scores and numbers of guesses were "
    "chosen without a look at the coins. It is one run, not the best of several. All canaries are listed, those "
    "without a guess too. The promise is about the neighbours that the coins decide between."
)
CANARIES_ASSUMPTIONS = (
    "Canaries are in or out by independent fair coins, and nothing else was chosen after the coins.",
    _ABOUT_CODE,
    "Several numbers of guesses share the risk of a false refutation.",
    "No area under the curve, true positive rate or advantage is given: their limits take independent scores, and "
    "canaries of one run share that run.",
)


def guesses_in_python(adjacency: Adjacency) -> str:
    """The lines that make ``guesses`` of scores and coins, ``values`` and ``is_in``."""
    return (
        "from numerics.audits.one_run import Canaries\nfrom numerics.sampling import Adjacency\n"
        f"guesses = Canaries(values, is_in, Adjacency.{adjacency.name}).guesses()"
    )


def right_guesses(guesses: Guesses) -> str:
    """The right guesses at every number of them."""
    return "; ".join(f"{v:,} of {g:,}" for v, g in zip(guesses.correct, guesses.counts, strict=True))


def proved_by_canaries(found: Finding) -> str:
    """The largest epsilon that is refuted at its delta, in the words after "they prove"."""
    shown = found.proved
    if shown.epsilon == 0.0:
        return f"nothing of ε at δ = {as_entered(shown.delta)}"
    return f"ε of at least {rounded_down(shown.epsilon)} at δ = {as_entered(shown.delta)}"


def sentence_of_canaries(guesses: Guesses, claim: Claim | None, found: Finding) -> str:
    """Counts, verdict and what is proved; of several numbers of guesses the one that lies furthest beyond chance.

    Without a promise (None) it is what is proved alone.
    """
    pairs = zip(guesses.correct, guesses.counts, strict=True)
    right, count = max(pairs, key=lambda pair: (2 * pair[0] - pair[1]) / pair[1] ** 0.5)  # in standard deviations
    seen = f"{right:,} of the {count:,} surest guesses about {guesses.canaries:,} canaries are right"
    sure, proved = f"{100 * found.level:g} % confidence", proved_by_canaries(found)
    if claim is None:
        return f"{capitalised(seen)}: with {sure} they prove **{proved}**."
    promise, they_prove = in_words(claim), f"With {sure} they prove {proved}."
    if found.decision is Decision.REFUTED:
        said = f"**Refuted:** {seen}, which the promise, {promise}, does not allow, with {sure}."
        return f"{said} They prove {proved}."
    if found.decision is not Decision.TOO_FEW:
        return f"**Not refuted:** {seen}, which the promise, {promise}, allows. {they_prove}"
    if any(least is not None for least in found.critical):
        far = f"only what is far from {promise} could be told from it"
        return f"**Too few canaries to tell:** {seen}; {far}. {they_prove}"
    return f"**Too few canaries to tell:** {seen}, and no such number could speak against {promise}. {they_prove}"


def meaning_of_canaries(claim: Claim, found: Finding) -> str:
    """The p-value, what else is refuted or would have been found, and what follows."""
    p_value = _value(found.p_value, claim, None if isinstance(claim, ApproximateClaim) else found.refuted)
    if found.decision is Decision.REFUTED:
        return f"{p_value} {_WRONG}"
    if found.detectable is None:
        worse = "With so many canaries there is no violation that 4 of 5 audits would find."
    else:
        worse = (
            f"{capitalised(at_least(claim, found.detectable))} would have been found in 4 of 5 such audits with the "
            "best possible scores, if canaries do not disturb each other."
        )
    return " ".join(filter(None, (p_value, worse, _found_by_curve(found))))


def _found_by_curve(found: Finding) -> str:
    """What a promise by noise, rate and steps finds where epsilon and delta were promised; empty for others."""
    if (noise := found.by_curve) is None:
        return ""
    by_pair = "none" if noise.by_pair is None else f"noise {rounded_down(noise.by_pair)} or less"
    return (
        f"Promise noise, rate and steps where they are known: of Gaussian noise {nearest(noise.promised)} in one step, "
        f"which has this ε at this δ, the best scores find noise {rounded_down(noise.by_curve)} or less by these, and "
        f"{by_pair} by ε and δ, in 4 of 5 audits."
    )


def report_of_canaries(guesses: Guesses, claim: Claim | None, found: Finding, data: Data) -> AuditReport:
    """The report, of a promise or of none; ``data.python`` makes ``guesses``."""
    verdict = [sentence_of_canaries(guesses, claim, found)]
    if claim is None:
        verdict.append(CANARIES_BOUND)
    else:
        verdict.append(meaning_of_canaries(claim, found))
        verdict += [] if found.decision is Decision.REFUTED else [CANARIES_PROVE_NOTHING]
    counts, delta = ", ".join(f"{count:,}" for count in guesses.counts), found.proved.delta
    rows = tuple(
        (f"{count:,}", f"{right:,}", "not even all" if least is None else f"{least:,}")
        for count, right, least in zip(guesses.counts, guesses.correct, found.critical, strict=True)
    )
    notes = " ".join(f"{note.value.capitalize()}." for note in found.notes)
    head = "Guesses", "Right", "ε above 0 from" if claim is None else "Refuted from"
    return AuditReport(
        "canaries",
        "measured" if claim is None else found.decision.value,
        tuple(verdict),
        data,
        (
            *_settings(claim, found.level, f"{guesses.adjacency.value}, as the coins decide"),
            ("Numbers of guesses", f"{counts}, of {guesses.canaries:,} canaries"),
            ("δ of the ε that is proved", as_entered(delta)),
        ),
        (CANARIES_CONFIRMED, *CANARIES_ASSUMPTIONS[2 if claim is None else 1 :], *found.claim.assumptions),
        (ReportPart("Guesses, the surest first", rows, head, notes),),
        {
            **_numbers(claim, found.level),
            "adjacency": guesses.adjacency.value,
            "canaries": guesses.canaries,
            "guesses": guesses.counts,
            "right": guesses.correct,
            "refuted_from": found.critical,
            "p_value": found.p_value,
            "refuted": found.refuted,
            "detectable": found.detectable,
            "epsilon_at_least": found.proved.epsilon,
            "delta": delta,
            "by_noise_rate_and_steps": None if found.by_curve is None else asdict(found.by_curve),
            "notes": [note.value for note in found.notes],
        },
        f"{python_code.claim(found.claim)}\nfrom numerics.audits.one_run import audit\n{data.python}\n"
        f"print(audit(guesses, claim, {found.level!r}, delta={delta!r}))\n",
    )


# Many runs with and without a record.


RUNS_CONFIRMED = (
    "The runs are independent, each with randomness of its own. All have the same two neighbouring data sets, or the "
    "rest of the data was drawn anew in each, whether the record was in or not. The score was fixed before. A record "
    "left out is absent where the promise is about add/remove, and replaced where it is about replace-one."
)
RUNS_PROVE_NOTHING = (
    "It is about this record and this attack: a better attack may exist, and other records may be more exposed. A "
    "promise that is not refuted is not confirmed."
)
RUNS_ASSUMPTIONS = (
    "Runs are independent; the score was fixed before them.",
    _ABOUT_CODE,
    "The shaded region contains the attack's curve at all false positive rates together, with the stated confidence.",
)


def sentence_of_runs(verdict: ClaimVerdict) -> str:
    """Counts and verdict."""
    test, promise = verdict.test, in_words(verdict.test.claim)
    if verdict.decision is Decision.TOO_FEW:
        return f"**Too few runs to tell** whether the promise, {promise}, is kept."
    cut = test.cut
    ours, other = ("with", "without") if cut.orientation.order.name == "ADD" else ("without", "with")
    side = "above" if cut.orientation.above else "below"
    many, few = f"{cut.true_positives:,} of {cut.positives:,}", f"{cut.false_positives:,} of {cut.negatives:,}"
    seen = f"{many} runs {ours} the record, but {few} {other} it, score {side} {nearest(cut.threshold)}"
    if verdict.decision is Decision.REFUTED:
        return (
            f"**Refuted:** {seen}; the promise, {promise}, does not allow that, with {100 * test.level:g} % confidence."
        )
    return f"**Not refuted:** {seen}; the promise, {promise}, allows that."


def place_of(cut: Cut) -> tuple[float, float] | None:
    """Where the cut is in a figure of runs with the record against runs without; None of another reading."""
    if cut.orientation is not ScoreOrientation.MEMBERS_ABOVE:
        return None
    return cut.false_positives / cut.negatives, cut.true_positives / cut.positives


def meaning_of_runs(verdict: ClaimVerdict) -> str:
    """The p-value, what else is refuted or would have been found, and what follows."""
    claim = verdict.test.claim
    p_value = _value(verdict.test.p_value, claim, verdict.largest_refuted)
    if verdict.decision is Decision.REFUTED:
        return f"{p_value} {_WRONG}"
    if verdict.test.is_constant:
        return f"{p_value} All scores are the same number: they say nothing of any promise."
    if not verdict.can_refute:
        return f"{p_value} No scores of so few runs could speak against it."
    if verdict.detectable is None:
        return f"{p_value} With so many runs there is no violation that 4 of 5 audits are sure to find."
    found = f"{capitalised(at_least(claim, verdict.detectable))} or worse would have been found in 4 of 5 such audits"
    return f"{p_value} {found} by the best attack there is; a weaker one finds less."


def report_of_runs(verdict: ClaimVerdict, data: Data) -> AuditReport:
    """The report; ``data.python`` makes ``values`` and ``is_in``."""
    test, cut = verdict.test, verdict.test.cut
    neighbours = "as the runs with and without the record differ"
    if test.claim.adjacency is not None:
        neighbours = f"{test.claim.adjacency.value}, {neighbours}"
    rows = (
        ("Reading", cut.orientation.words),
        ("Score", nearest(cut.threshold, 6)),
        ("Accused", f"{cut.true_positives:,} of {cut.positives:,} runs"),
        ("Wronged", f"{cut.false_positives:,} of {cut.negatives:,} runs"),
        ("p-value of this cut alone", rounded_up(cut.p_value, 2)),
    )
    evidence = [ReportPart("The cut that speaks most against the promise", rows)]
    if verdict.detectable is not None:
        found = f"{at_least(test.claim, verdict.detectable)} or worse"
        design = (("In 4 of 5 such audits, by the best attack there is", found),)
        evidence.append(ReportPart("What so many runs find", design))
    return AuditReport(
        "runs",
        verdict.decision.value,
        (sentence_of_runs(verdict), meaning_of_runs(verdict), RUNS_PROVE_NOTHING),
        data,
        (
            *_settings(test.claim, test.level, neighbours),
            ("Cuts", "at ranks 1, 3, 9, … up to the middle, of both worlds and from both ends"),
        ),
        (RUNS_CONFIRMED, *RUNS_ASSUMPTIONS[1:], *test.claim.assumptions),
        tuple(evidence),
        {
            **_numbers(test.claim, test.level),
            "p_value": test.p_value,
            "refuted": verdict.largest_refuted,
            "detectable": verdict.detectable,
            "factor": verdict.factor,
            "can_refute": verdict.can_refute,
            "cut": {
                "reading": cut.orientation.words,
                "threshold": cut.threshold,
                "tied_share": cut.tied_share,
                "accused": cut.true_positives,
                "accused_of": cut.positives,
                "wronged": cut.false_positives,
                "wronged_of": cut.negatives,
                "p_value": cut.p_value,
            },
        },
        f"{python_code.claim(test.claim)}\nfrom numerics.audits import Scores, claim_verdict\n{data.python}\n"
        f"scores = Scores(values[~is_in], values[is_in])\nprint(claim_verdict(scores, claim, {test.level!r}))\n",
    )
