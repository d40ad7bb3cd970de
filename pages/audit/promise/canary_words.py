"""What an audit by one run with canaries says in words, and what has to hold for it."""

from numerics.audits import Claim
from numerics.audits.one_run import Finding, Guesses, Verdict
from pages.audit.promise.claims import all_refuted, named
from pages.audit.promise.plan import PlanWords
from pages.ui.numbers_in_words import rounded_up
from pages.ui.readout import Formula

CONFIRMED = (
    "Each canary was in or out by its own fair coin. All else was fixed before. Scores and numbers of guesses were "
    "chosen without a look at the coins. It is one run, not the best of several. All canaries are listed, those "
    "without a guess too. The promise is about the neighbours that the coins decide between."
)
NOT_A_PROOF = (
    "That a promise was not refuted does not confirm it, and says nothing about the people in the data: canaries are "
    "chosen records."
)
PLAN = PlanWords(
    "{needed} canaries in one run catch {wrong} in place of the promised {promised} in 4 of 5 such audits, with the "
    "best possible scores.",
    "No number of canaries up to a million catches {wrong} in place of the promised {promised} in 4 of 5 audits: what "
    "one run shows stays below the truth. Many runs show more.",
    "Canaries in the run",
    "Computed for the best possible scores, and canaries that do not disturb each other; a real attack usually needs "
    "more.",
)
FORMULAS = (
    Formula(
        r"r_{i+1} \le F(h_i), \; r_i = \sum_{l \ge i} \tfrac{l}{m} p_l, \; h_i = \sum_{l \ge i} \tfrac{g-l}{m} p_l",
        "p_l is the probability that l of g guesses about m canaries are right; F is the most that the promise allows. "
        "The p-value is the largest probability of as many right guesses under these inequalities.",
        "Mahloujifar, Melis and Chaudhuri 2024, Algorithm 3",
    ),
    Formula(
        r"\Pr(v \text{ of } g \text{ right}) \le \Pr\bigl(\mathrm{Bin}(g, \tfrac{1}{1 + e^{-\varepsilon}}) \ge v\bigr)",
        "Where ε is promised with δ = 0: given all before, a guess is right at most as often as a coin that ε allows.",
        "Steinke, Nasr and Jagielski 2023, Theorem 5.2",
    ),
)
ASSUMPTIONS = (
    "Canaries are in or out by independent fair coins, and nothing else was chosen after the coins.",
    "A refutation is about this code with these settings: the code, the accounting or the settings are wrong.",
    "Several numbers of guesses share the risk of a false refutation.",
)


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
    if found.verdict is Verdict.REFUTED:
        return f"**Refuted:** {seen}, which the promise, {claim.label}, does not allow, with {sure}."
    if found.verdict is Verdict.TOO_FEW:
        if any(least is not None for least in found.critical):
            return f"**Too few canaries to tell:** {seen}; only what is far from {claim.label} could be told from it."
        return f"**Too few canaries to tell:** {seen}, and no such number could speak against {claim.label}."
    return f"**Not refuted:** {seen}, which the promise, {claim.label}, allows."


def meaning(claim: Claim, found: Finding) -> str:
    """The p-value, what else is refuted or would have been found, and what follows."""
    p_value = f"p = {rounded_up(found.p_value, 2)}."
    if found.verdict is Verdict.REFUTED:
        also = "" if found.refuted is None else f" {all_refuted(claim, found.refuted)}"
        return f"{p_value}{also} The code, its accounting or the stated settings are wrong."
    if found.detectable is None:
        return f"{p_value} With so many canaries no violation is found in 4 of 5 audits."
    return (
        f"{p_value} {named(claim, found.detectable)} would have been found in 4 of 5 such audits with the best "
        "possible scores."
    )
