"""What an audit by many runs says in words, and what has to hold for it."""

from numerics.audits import Answer, ClaimVerdict, Cut, Reading
from pages.audit.promise.claims import all_refuted, named
from pages.audit.promise.plan import PlanWords
from pages.ui.numbers_in_words import rounded_up
from pages.ui.readout import Formula

CONFIRMED = (
    "The runs are independent, each with randomness of its own. All have the same two neighbouring data sets, or the "
    "rest of the data was drawn anew in each, whether the record was in or not. The score was fixed before. A record "
    "left out is absent where the promise is about add/remove, and replaced where it is about replace-one."
)
NOT_A_PROOF = (
    "It is about this record and this attack: a better attack may exist, and other records may be more exposed. A "
    "promise that is not refuted is not confirmed."
)
PLAN = PlanWords(
    "{needed} runs with the record and as many without catch {wrong} in place of the promised {promised} in 4 of 5 "
    "such audits.",
    "Not even ten million runs catch {wrong} in place of the promised {promised} in 4 of 5 audits.",
    "Runs with the record, and as many without",
    "Computed for the best attack there is; a weaker one needs more runs.",
)
FORMULAS = (
    Formula(
        r"p_j = \mathrm{E}_U\, \Pr\bigl(\mathrm{Bin}(n_1, F(U)) \ge a\bigr), \quad U \sim \mathrm{B}(j, n_0 - j + 1)",
        "At the j-th largest of n₀ scores without the record, a of the n₁ scores with it lie above; F is the most that "
        "the promise allows. All four ways to read the scores are tried at preset ranks, and the p-values are "
        "multiplied by their number.",
        "beyond the papers; the ranks' beta law and the union bound",
    ),
)
ASSUMPTIONS = (
    "Runs are independent; the score was fixed before them.",
    "A refutation is about this code with these settings: the code, the accounting or the settings are wrong.",
    "The shaded region contains the attack's curve at all false positive rates together, with the stated confidence.",
)


def sentence(verdict: ClaimVerdict) -> str:
    """Counts and verdict."""
    test = verdict.test
    sure = f"{100 * test.level:g} % confidence"
    if verdict.answer is Answer.REFUTED:
        return f"**Refuted:** {_seen(test.cut)}; the promise, {test.claim.label}, does not allow that, with {sure}."
    if verdict.answer is Answer.TOO_FEW:
        return f"**Too few runs to tell** whether the promise, {test.claim.label}, is kept."
    return f"**Not refuted:** {_seen(test.cut)}; the promise, {test.claim.label}, allows that."


def _seen(cut: Cut) -> str:
    ours, other = ("with", "without") if cut.reading.order.name == "ADD" else ("without", "with")
    side = "above" if cut.reading.above else "below"
    many, few = f"{cut.accused:,} of {cut.accused_of:,}", f"{cut.wronged:,} of {cut.wronged_of:,}"
    return f"{many} runs {ours} the record, but {few} {other} it, score {side} {cut.threshold:.4g}"


def place(cut: Cut) -> tuple[float, float] | None:
    """Where the cut is in a figure of runs with the record against runs without; None of another reading."""
    if cut.reading is not Reading.MEMBERS_ABOVE:
        return None
    return cut.wronged / cut.wronged_of, cut.accused / cut.accused_of


def meaning(verdict: ClaimVerdict) -> str:
    """The p-value, what else is refuted or would have been found, and what follows."""
    claim = verdict.test.claim
    said = f"p = {rounded_up(verdict.test.p_value, 2)}."
    if verdict.answer is Answer.REFUTED:
        least = verdict.largest_refuted
        if least is not None:
            said += f" {all_refuted(claim, least)}"
        return f"{said} The code, its accounting or the stated settings are wrong."
    if not verdict.can_refute:
        return f"{said} No scores of so few runs could speak against it."
    if verdict.detectable is None:
        return f"{said} With so many runs no violation is sure to be found in 4 of 5 audits."
    worse = named(claim, verdict.detectable)
    found = f"{worse[:1].upper()}{worse[1:]} or worse would have been found in 4 of 5 such audits"
    return f"{said} {found} by the best attack there is; a weaker one finds less."
