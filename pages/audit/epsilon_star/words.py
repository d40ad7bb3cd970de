"""Epsilon* in words: the sentence, the numbers, the caveats, and how it is computed."""

from math import exp, isinf

from numerics.epsilon_star import EpsilonStar, LossScale, Method
from numerics.epsilon_star.audit_caveats import Caveat
from numerics.epsilon_star.confidence import Place
from numerics.epsilon_star.error_ratios import Term
from numerics.epsilon_star.loss_summary import FOUND_AT
from numerics.epsilon_star.permutation import Null
from numerics.epsilon_star.verdict import Standing
from pages.audit.epsilon_star.audits import Audit
from pages.audit.epsilon_star.options import Options, percent
from pages.ui.numbers_in_words import CROWD, counted, rounded_down, rounded_up
from pages.ui.readout import Formula

_ALL = 0.995  # of tied losses

NO_BOUND = (
    "An audit of this one model's losses: no guarantee about the ε of the mechanism that trained it. The bound is "
    "above the truth at most as often as its confidence leaves open. An estimate may lie on either side of the truth: "
    "it is **no lower bound**."
)

ORIENTATION = {
    Term.MEMBERS_BELOW: "members have small losses",
    Term.OUTSIDERS_ABOVE: "outsiders have large losses",
    Term.MEMBERS_ABOVE: "members have large losses",
    Term.OUTSIDERS_BELOW: "outsiders have small losses",
}
QUOTIENT = {
    Term.MEMBERS_BELOW: "(1 − δ − η) / t",
    Term.OUTSIDERS_ABOVE: "(1 − δ − t) / η",
    Term.MEMBERS_ABOVE: "(η − δ) / (1 − t)",
    Term.OUTSIDERS_BELOW: "(t − δ) / (1 − η)",
}


def bound_sentence(audit: Audit) -> str:
    """The counts that show most, and what they prove."""
    bound = audit.bound
    proved = f"with {percent(bound.level)} confidence ε\\* is at least **{rounded_down(bound.value)}**"
    if bound.place is None:
        return f"These losses do not show that anybody can be told apart: {proved}."
    return f"{shown(bound.place)}: {proved}."


def bound_details(audit: Audit) -> str:
    """What the bound means, and what these losses could have shown at most."""
    bound = audit.bound
    ceiling = f"Samples of these sizes can show at most {rounded_up(bound.attainable)}."
    if bound.place is None:
        return f"A share δ = {bound.delta:.2g} of people is set aside. {ceiling}"
    factor = rounded_down(exp(bound.value))
    aside = f"a share δ = {bound.delta:.2g} of people set aside"
    return f"Some threshold moves the odds of membership by a factor of at least {factor}, {aside}. {ceiling}"


def shown(place: Place) -> str:
    """What the bound rests on: the counts at its cut."""
    members = place.term in (Term.MEMBERS_BELOW, Term.MEMBERS_ABOVE)
    named, wronged = ("members", "outsiders") if members else ("outsiders", "members")
    below = place.term in (Term.MEMBERS_BELOW, Term.OUTSIDERS_BELOW)
    tied = place.tied_share
    side = ("up to" if below else "of at least") if tied > _ALL else ("below" if below else "above")
    lots = f" (of those equal to it {100.0 * tied:.0f} % count too, by lot)" if 1.0 - _ALL < tied <= _ALL else ""
    return (
        f"{place.named:,} of {place.named_size:,} {named}, but {place.wronged:,} of {place.wronged_size:,} {wronged}, "
        f"have a loss {side} {place.threshold:.4g}{lots}"
    )


def estimate_sentence(audit: Audit) -> str:
    """The estimate, struck out where it says nothing about these losses, and why."""
    name = f"Estimate ({audit.options.method})"
    found, verdict = audit.estimated, audit.verdict
    if found is None or verdict is None:
        return f"**{name}: not shown as a number,** because {_ended(audit.refused)}"
    value = short(found.value)
    if verdict.standing is Standing.GREY:
        return f"{name}: :gray[~~{value}~~] :gray-badge[{verdict.standing}] Because {_ended(verdict.words)}"
    if verdict.standing is Standing.AMBER:
        return f"{name}: **{value}** :orange-badge[{verdict.standing}] Because {_ended(verdict.words)}"
    return f"{name}: **{value}**"


def _ended(words: str) -> str:
    return words if words.endswith(".") else f"{words}."


def null_sentence(null: Null) -> str:
    """What the estimate gives where labels are shuffled."""
    sizes = f"{null.sizes[0]:,} and {null.sizes[1]:,}"
    where = f"{sizes} of these losses, drawn once, on which it is {short(null.observed)}," if null.is_subset else "them"
    return (
        f"With nothing to find in these losses: who was a member was shuffled {len(null.values):,} times, and the same "
        f"estimate on {where} has the median {short(null.median)} and exceeds {short(null.upper)} in one case of 20 (p "
        f"= {rounded_up(null.p_value, 2)})."
    )


def counted_sentence(audit: Audit) -> str:
    """What the losses themselves show at a rate of errors that can be counted, on the side of the bound."""
    term = audit.bound.peaks[0].term
    found = round(audit.summary.found[term] * CROWD)
    luck = round(FOUND_AT * CROWD)
    if term in (Term.MEMBERS_BELOW, Term.MEMBERS_ABOVE):
        return (
            f"Counted here: of {CROWD:,} people in the training data, a threshold finds **{found:,}** while falsely "
            f"accusing {counted(FOUND_AT, CROWD)} outsiders; blind guessing finds {luck}."
        )
    return (
        f"Counted here: of {CROWD:,} outsiders, a threshold rules out **{found:,}** while wrongly ruling out "
        f"{counted(FOUND_AT, CROWD)} people in the training data; blind guessing rules out {luck}."
    )


def short(value: float) -> str:
    """Four digits."""
    return "∞" if isinf(value) else f"{value:.4g}"


def rate(rate: float) -> str:
    """A rate; its distance to 1 where that is small."""
    return f"1 − {1.0 - rate:.2g}" if 0.999 < rate < 1.0 else f"{rate:.3g}"


def flagged(audit: Audit) -> str:
    """The estimate with its flag, for exports: never the number alone."""
    if audit.estimated is None or audit.verdict is None:
        return f"none: {audit.refused}"
    because = f" because {audit.verdict.words}" if audit.verdict.reasons else ""
    return f"{audit.estimated.value!r} ({audit.verdict.standing}{because})"


def warnings(audit: Audit) -> list[str]:
    """The caveats that matter here, in words."""
    found = audit.bounded if audit.estimated is None else audit.estimated
    words = _words_of(found)
    return [words[caveat] for caveat in found.caveats]


def _words_of(result: EpsilonStar) -> dict[Caveat, str]:
    capped = "" if result.clip is None else f"; the clip caps it at {result.cap:.3g}"
    return {
        Caveat.INFINITE: "**Infinite.** With a δ below 1/n this happens in nearly every sample, also where there is "
        "nothing to find: one extreme loss is enough. The paper's clip, or normal fits, give a number.",
        Caveat.SEPARATED: "**The groups do not overlap:** one threshold tells every member from every outsider. "
        f"Counted, ε\\* is infinite{capped}. Check that both groups went through the same model.",
        Caveat.SAME_LOSSES: "**Both groups hold the same losses**, so there is nothing to find. Is it one file twice?",
        Caveat.CLIPPED: f"**The clip is active:** it caps the estimate at {result.cap:.3g} (correction 23).",
        Caveat.DELTA_TOO_LARGE: "**δ is larger than 1/n:** it leaves out whole people, and ε\\* looks too good.",
        Caveat.FEW_VALUES: "**A few values only:** a normal law describes no losses that are counts or yes and no. "
        "Choose the empirical method, or rely on the lower bound, which needs no law.",
        Caveat.UNEQUAL_SPREADS: f"**Unequal spreads:** the fitted standard deviations differ by a factor of "
        f"{exp(abs(result.log_sd_ratio)):.3g}, and far out in the tails that alone makes ε\\* large (correction 26).",
    }


_MIXTURE = Formula(
    r"\varphi \sim \textstyle\sum_{k=1}^{K} w_k\, N(m_k, s_k^2)",
    "Several normal laws are mixed, for each group; K is chosen by a criterion or by hand, the laws by expectation "
    "maximisation. Tails beyond the data are the laws' own.",
    "paper 001, Section 4",
)
_BOUND = Formula(
    r"\Pr\bigl(\hat\varepsilon^*_{\mathrm{lower}} \le \varepsilon^*\bigr) \ge 1 - \textstyle\sum_i \alpha_i",
    "The lower bound: at thresholds fixed in advance by rank, the ratio has an exact binomial limit, and the risk is "
    "shared by all of them (union bound): right in finite samples, for any laws, all four ratios together.",
    "beyond the paper; Clopper and Pearson 1934",
)
_LOG_ODDS = Formula(
    r"\varphi = \log \frac{p}{1 - p} = -\log\bigl(e^{\ell} - 1\bigr)",
    "The log odds of the right answer: of a cross-entropy ℓ in nats, or as they came. Normal laws are fitted by "
    "moments; −φ is used, which grows with the loss.",
    "beyond the paper; Carlini et al. 2022",
)
_PRINTED = Formula(
    r"\begin{gathered} x = 1 + \frac{\ell - \ell_{\min}}{\ell_{\max} - \ell_{\min}}, \quad p = e^{-x} \\ "
    r"\varphi = \log p - \log(1 - p) \end{gathered}",
    "Losses of both groups are scaled together, and normal laws are fitted by moments. φ falls as the loss grows; "
    "here −φ is used, which keeps the order.",
    "paper 001, Section 8.1",
    "direction of the logit (correction 22); the transform is nearly affine, so more data do not help (24).",
)
COMMON = Formula(
    r"\begin{gathered} \varepsilon^* = \log \max_\tau \max \Bigl( \tfrac{1-\delta-\eta}{t}, "
    r"\tfrac{1-\delta-t}{\eta}, \\ \tfrac{\eta-\delta}{1-t}, \tfrac{t-\delta}{1-\eta}, 1 \Bigr) \end{gathered}",
    "t is the share of outsiders with a loss up to τ, η the share of members beyond it. The maximum is taken over all "
    "thresholds, on a log scale, each rate from its own tail.",
    "paper 001, Equation 7",
    "the display in Section 3.1 has two wrong denominators (19); all four ratios are needed (20); the clip is no "
    "numerical nicety but removes the maximum (23).",
)
ASSUMPTIONS = (
    "The fresh losses come from the same source as the training data, and from the same model.",
    "The attacker sees one loss and compares it with one threshold; better attacks may exist.",
    "The model is fixed: nothing is said about training runs that did not happen.",
)


def formulas(options: Options) -> tuple[Formula, ...]:
    """The steps of the computation, in order: the bound first."""
    if not options.is_fit:
        return _BOUND, COMMON
    scale = _PRINTED if options.scale is LossScale.PRINTED else _LOG_ODDS
    return (_BOUND, COMMON, scale, *((_MIXTURE,) if options.method is Method.MIXTURE else ()))
