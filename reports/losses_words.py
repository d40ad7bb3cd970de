"""What an audit of losses says in words: the bound, the estimate with its flag, the threshold, the spread."""

from collections.abc import Sequence
from math import exp, isinf

from numerics.epsilon_star import EpsilonStar, LowerBound
from numerics.epsilon_star.confidence import Place
from numerics.epsilon_star.estimators import Caveat
from numerics.epsilon_star.laws import NormalLaw
from numerics.epsilon_star.rates import Term
from numerics.epsilon_star.resampling import PermutationNull
from numerics.epsilon_star.verdict import EstimateVerdict
from reports.rounding import nearest, rounded_down, rounded_up

_ALL = 0.995  # of tied losses

NO_BOUND = (
    "An audit of this one model's losses: no guarantee about the ε of the mechanism that trained it. The bound is "
    "above the truth at most as often as its confidence leaves open. An estimate may lie on either side of the truth: "
    "it is **no lower bound**."
)
NO_GUARANTEE = (
    "An audit of these models' losses: no guarantee about the ε of the mechanism that trained them. A bound is above "
    "the truth at most as often as the confidence leaves open, all of them taken together."
)
RESTS_ON = (
    "It holds for all thresholds and all four ratios together (exact limits at every threshold, the risk divided "
    "among them), for any law of the losses and at any size. It rests on two assumptions: that the losses are "
    "independent, within and between the groups; and that δ and the confidence were chosen before the losses were "
    "looked at."
)
BY_ITSELF = "Of several such bounds, each holds by itself."
ASSUMPTIONS = (
    "The fresh losses come from the same source as the training data, and from the same model.",
    "The attacker sees one loss and compares it with one threshold; better attacks may exist.",
    "The model is fixed: nothing is said about training runs that did not happen.",
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


def percent(level: float) -> str:
    """A level of confidence as it is said, ``95 %``."""
    return f"{100 * level:g} %"


def short(value: float) -> str:
    """Four digits."""
    return "∞" if isinf(value) else f"{value:.4g}"


def rate(rate: float) -> str:
    """A rate; its distance to 1 where that is small."""
    return f"1 − {1.0 - rate:.2g}" if 0.999 < rate < 1.0 else f"{rate:.3g}"


def bound_sentence(bound: LowerBound) -> str:
    """The counts that show most, and what they prove."""
    proved = f"with {percent(bound.level)} confidence ε\\* is at least **{rounded_down(bound.value)}**"
    if bound.place is None:
        return f"These losses do not show that anybody can be told apart: {proved}."
    return f"{shown(bound.place)}: {proved}."


def bound_details(bound: LowerBound) -> str:
    """What the bound means, and what these losses could have shown at most."""
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
        f"{place.true_positives:,} of {place.positives:,} {named}, "
        f"but {place.false_positives:,} of {place.negatives:,} {wronged}, "
        f"have a loss {side} {nearest(place.threshold)}{lots}"
    )


def null_sentence(null: PermutationNull) -> str:
    """What the estimate gives where labels are shuffled."""
    sizes = f"{null.sizes[0]:,} and {null.sizes[1]:,}"
    where = f"{sizes} of these losses, drawn once, on which it is {short(null.observed)}," if null.is_subset else "them"
    return (
        f"With nothing to find in these losses: who was a member was shuffled {len(null.values):,} times, and the same "
        f"estimate on {where} has the median {short(null.median)} and exceeds {short(null.upper)} in one case of 20 (p "
        f"= {rounded_up(null.p_value, 2)})."
    )


def flagged(value: str, verdict: EstimateVerdict) -> str:
    """An estimate and its flag: never the number alone."""
    because = f" because {verdict.words}" if verdict.reasons else ""
    return f"{value} ({verdict.standing}{because})"


def warnings(found: EpsilonStar) -> Sequence[str]:
    """The caveats that matter here, in words."""
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


# Numbers of an audit of losses with all digits, by name.


def numbers_of_bound(bound: LowerBound) -> dict[str, object]:
    """The lower bound, with the counts that show it."""
    found: dict[str, object] = {
        "epsilon_star_at_least": bound.value,
        "level": bound.level,
        "delta": bound.delta,
        "attainable": bound.attainable,
    }
    if bound.place is not None:
        found |= {
            "orientation": ORIENTATION[bound.place.term],
            "threshold_loss": bound.place.threshold,
            "share_of_equal_losses": bound.place.tied_share,
            "named": bound.place.true_positives,
            "named_of": bound.place.positives,
            "wronged": bound.place.false_positives,
            "wronged_of": bound.place.negatives,
        }
    return found


def numbers_of_estimate(
    found: EpsilonStar,
    verdict: EstimateVerdict | None = None,
    null: PermutationNull | None = None,
    at_most: float | None = None,
    scale: str = "",
) -> dict[str, object]:
    """An estimate, never without what it is worth; or the bound in the same form."""
    known: dict[str, object] = {"value": found.value}
    if found.confidence is not None:
        known |= {"level": found.confidence.level, "attainable": found.confidence.attainable}
    else:
        known |= {"kind": NO_BOUND.replace("*", ""), "scale": scale or None, "laws": _laws(found)}
        known |= {"cap": None if found.clip is None else found.cap, "shuffled_labels": numbers_of_null(null)}
    if at_most is not None:
        known["at_most"] = at_most
    if verdict is not None:
        known |= {"standing": verdict.standing.value, "reasons": [reason.value for reason in verdict.reasons]}
    known |= {"clip": found.clip, "unclipped": found.unclipped, "terms": _terms(found)}
    return known | {"caveats": [caveat.value for caveat in found.caveats]}


def _terms(found: EpsilonStar) -> list[dict[str, object]]:
    """The four ratios at their maxima."""
    return [
        {
            "term": peak.term.value,
            "log_ratio": peak.log_ratio,
            "threshold": found.loss_at(peak.threshold),
            "false_positive_rate": peak.false_positive_rate,
            "false_negative_rate": peak.false_negative_rate,
        }
        for peak in found.peaks
    ]


def _laws(found: EpsilonStar) -> list[dict[str, object]]:
    """The laws of the scores: training data first."""
    return [
        {"mean": law.mean, "sd": law.sd}
        if isinstance(law, NormalLaw)
        else {"weights": law.weights, "means": law.means, "sds": law.sds}
        for law in found.laws or ()
    ]


def numbers_of_null(null: PermutationNull | None) -> dict[str, object] | None:
    """The estimate where labels are shuffled; None where that was not done."""
    if null is None:
        return None
    return {
        "p_value": null.p_value,
        "median": null.median,
        "exceeded_by_one_in_20": null.upper,
        "estimate_on_these": null.observed,
        "shuffles": len(null.values),
        "sizes": null.sizes,
        "is_subset": null.is_subset,
    }
