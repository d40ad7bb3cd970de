"""Epsilon* in words: the sentence, the numbers, the caveats, and how it is computed."""

from math import exp, isinf, log

from numerics.epsilon_star import Method
from numerics.epsilon_star.audit_caveats import Caveat
from numerics.epsilon_star.confidence import Place
from numerics.epsilon_star.error_ratios import Term
from numerics.epsilon_star.loss_summary import FOUND_AT
from pages.measuring.audits import Audit, percent
from pages.shared.frequencies import CROWD, at_least, at_most, counted, rounded_down, rounded_up
from pages.shared.readout import Formula, Metric

_ALL = 0.995  # of tied losses

NO_BOUND = (
    "An audit estimate of this one model's losses: no guarantee, and **no lower bound** on the ε of the mechanism that "
    "trained it. On losses with nothing to find the estimate is above 0; the confidence bound is 0 there, but for "
    "its risk."
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


def sentence(audit: Audit) -> str:
    """The answer for somebody who has never heard of epsilon."""
    return f"{_odds(audit)} {_counted(audit)}"


def bound_sentence(audit: Audit) -> str:
    """What can be said with confidence."""
    bound, level = audit.bound, percent(audit.bound.level)
    if bound.place is None:
        return (
            f"**With {level} confidence: at least 0.** These samples do not show that the losses tell anybody apart; "
            f"samples of their size could show up to {rounded_up(bound.attainable)}."
        )
    return (
        f"**With {level} confidence, ε\\* is at least {rounded_down(bound.value)}:** {_shown(bound.place)}. "
        f"{_alone(bound.place, audit.result.delta)}No law of the losses is assumed, and all thresholds count; samples "
        f"of this size can show up to {rounded_up(bound.attainable)}."
    )


def _alone(place: Place, delta: float) -> str:
    """What the two limits give that a reader can divide: less than the bound, which takes the counts together."""
    gain = place.named_at_least - delta
    if gain <= place.wronged_at_most:
        return "The bound takes both counts together; the two limits by themselves give nothing. "
    alone = rounded_down(log(gain / place.wronged_at_most))
    return f"The bound takes both counts together; the two limits by themselves give {alone}. "


def _shown(place: Place) -> str:
    """What the bound rests on: the two limits at its cut."""
    members = place.term in (Term.MEMBERS_BELOW, Term.MEMBERS_ABOVE)
    named, wronged = ("members", "outsiders") if members else ("outsiders", "members")
    below = place.term in (Term.MEMBERS_BELOW, Term.OUTSIDERS_BELOW)
    tied = place.tied_share
    side = ("up to" if below else "of at least") if tied > _ALL else ("below" if below else "above")
    lots = f" (of those equal to it {100.0 * tied:.0f} % count too, by lot)" if 1.0 - _ALL < tied <= _ALL else ""
    wrongly = at_most(place.wronged_at_most)
    found = at_least(place.named_at_least, max(wrongly.of, CROWD))
    return (
        f"of {found.of:,} {named} at least {found.count:,} have a loss {side} {place.threshold:.4g}{lots}, "
        f"and of {wrongly.of:,} {wronged} at most {wrongly.count:,}"
    )


def _odds(audit: Audit) -> str:
    result = audit.result
    if result.value == 0.0:
        return "**These losses tell nothing:** no threshold finds members better than chance."
    if isinf(result.value):
        return (
            "**Counted without a clip, ε\\* is infinite:** some threshold names people without a single error. In a "
            "sample, one extreme loss is enough for that."
        )
    factor = exp(min(result.value, 700.0))
    return (
        f"**ε\\* is {_short(result.value)}:** seeing on which side of a threshold a loss lies can move the odds that "
        f"this person was trained on by a factor of {_factor(factor)}, a share δ = {result.delta:.2g} of people aside."
    )


def _factor(factor: float) -> str:
    return f"{factor:,.2f}" if factor < 10 else f"{factor:,.0f}" if factor < 1e6 else rounded_up(factor, 2)


def _counted(audit: Audit) -> str:
    """What the losses themselves show at a rate of errors that can be counted, on the side of the optimum."""
    term = audit.result.peaks[0].term
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


def _short(value: float) -> str:
    return "∞" if isinf(value) else f"{value:.4g}"


def rate(rate: float) -> str:
    """A rate; its distance to 1 where that is small."""
    return f"1 − {1.0 - rate:.2g}" if 0.999 < rate < 1.0 else f"{rate:.3g}"


def metrics(audit: Audit) -> list[Metric]:
    """The numbers below the sentence."""
    result, evidence = audit.result, audit.result.evidence
    peak = result.peaks[0]
    row = [
        Metric(
            f"ε* at least ({percent(audit.bound.level)})",
            rounded_down(audit.bound.value),
            "Lower confidence bound, valid for all thresholds together; 0 where these losses show nothing.",
        ),
        Metric("ε* (audit estimate)", _short(result.value), f"{result.method}; {_clip(audit)}."),
        Metric("δ", f"{result.delta:.3g}", "The share that ε* leaves out."),
        Metric(
            "With nothing to find",
            "∞" if isinf(result.null_mean) else f"≈ {result.null_mean:.2g}",
            "Mean of this estimate for two samples of one law, of the smaller group's size, at δ = 1e-5 (simulated, "
            "correction 25); mixtures have more. “bootstrap” below simulates it for these losses and this δ.",
        ),
        Metric("t at the optimum", rate(peak.false_positive_rate), "Outsiders with a loss up to the threshold."),
        Metric("η at the optimum", rate(peak.false_negative_rate), "Members with a loss beyond the threshold."),
    ]
    if evidence is not None:
        sizes = f"{evidence.train_size:,} / {evidence.population_size:,}"
        row.append(Metric("Losses", sizes, "Training data / fresh data."))
    return row


def _clip(audit: Audit) -> str:
    clip = audit.result.clip
    return "exact tails" if clip is None else f"rates cut to ({clip:.3g}, 1 − {clip:.3g})"


def warnings(audit: Audit) -> list[str]:
    """The caveats that matter here, in words."""
    result = audit.result
    words = {
        Caveat.INFINITE: "**Infinite.** With a δ below 1/n this happens in nearly every sample, also where there is "
        "nothing to find. The paper's clip, or normal fits, give a number.",
        Caveat.SEPARATED: "**The groups do not overlap:** one threshold tells every member from every outsider. "
        f"Counted, ε\\* is infinite{_capped(audit)}. Check that both groups went through the same model.",
        Caveat.SAME_LOSSES: "**Both groups hold the same losses**, so there is nothing to find. Is it one file twice?",
        Caveat.CLIPPED: f"**The clip is active:** it caps ε\\* at {result.cap:.3g}. Without it: "
        f"{_short(result.unclipped)} (correction 23).",
        Caveat.DELTA_TOO_LARGE: "**δ is larger than 1/n:** it leaves out whole people, and ε\\* looks too good.",
        Caveat.BIASED: f"**Biased upwards:** where there is nothing to find, samples of this size give about "
        f"{_short(result.null_mean) if isinf(result.null_mean) else format(result.null_mean, '.2g')} on average "
        "(correction 25).",
        Caveat.EXTRAPOLATED: "**No data there:** the ratio is largest where less than one person of a group is left; "
        "only the fitted laws speak there.",
        Caveat.INCONSISTENT: "**Not consistent:** more data do not bring the parametric estimate to the truth; it "
        "tends to normal laws fitted to the raw losses (correction 24).",
        Caveat.FEW_VALUES: "**A few values only:** a normal law describes no losses that are counts or yes and no. "
        "Choose the empirical method, or rely on the lower bound, which needs no law.",
        Caveat.UNEQUAL_SPREADS: f"**Unequal spreads:** the fitted standard deviations differ by a factor of "
        f"{exp(abs(result.log_sd_ratio)):.3g}, and far out in the tails that alone makes ε\\* large (correction 26).",
    }
    return [words[caveat] for caveat in result.caveats]


def _capped(audit: Audit) -> str:
    return "" if audit.result.clip is None else f"; the clip caps it at {audit.result.cap:.3g}"


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
FORMULAS = {
    Method.PARAMETRIC: (
        Formula(
            r"\begin{gathered} x = 1 + \frac{\ell - \ell_{\min}}{\ell_{\max} - \ell_{\min}}, \quad p = e^{-x} \\ "
            r"\varphi = \log p - \log(1 - p) \end{gathered}",
            "Losses of both groups are scaled together and transformed towards normality; normal laws are fitted by "
            "moments. φ falls as the loss grows; here −φ is used, which keeps the order.",
            "paper 001, Section 8.1",
            "direction of the logit (correction 22).",
        ),
    ),
    Method.EMPIRICAL: (),
}
FORMULAS[Method.MIXTURE] = (*FORMULAS[Method.PARAMETRIC], _MIXTURE)
COMMON = Formula(
    r"\begin{gathered} \varepsilon^* = \log \max_\tau \max \Bigl( \tfrac{1-\delta-\eta}{t}, "
    r"\tfrac{1-\delta-t}{\eta}, \\ \tfrac{\eta-\delta}{1-t}, \tfrac{t-\delta}{1-\eta}, 1 \Bigr) \end{gathered}",
    "t is the share of outsiders with a loss up to τ, η the share of members beyond it. The maximum is taken over all "
    "thresholds, on a log scale, each rate from its own tail.",
    "paper 001, Equation 7",
    "the display in Section 3.1 has two wrong denominators (19); all four ratios are needed (20); the clip is no "
    "numerical nicety but removes the maximum (23); the fit does not converge to the truth (24).",
)
ASSUMPTIONS = (
    "The fresh losses come from the same source as the training data, and from the same model.",
    "The attacker sees one loss and compares it with one threshold; better attacks may exist.",
    "The model is fixed: nothing is said about training runs that did not happen.",
)


def formulas(method: Method) -> tuple[Formula, ...]:
    """The steps of the computation, in order."""
    return (*FORMULAS[method], COMMON, _BOUND)
