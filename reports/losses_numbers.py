"""Numbers of an audit of losses with all digits, by name."""

from numerics.epsilon_star import EpsilonStar, LowerBound
from numerics.epsilon_star.laws import NormalLaw
from numerics.epsilon_star.resampling import Null
from numerics.epsilon_star.verdict import EstimateVerdict
from reports.losses_words import NO_BOUND, ORIENTATION


def of_bound(bound: LowerBound) -> dict[str, object]:
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
            "named": bound.place.named,
            "named_of": bound.place.named_size,
            "wronged": bound.place.wronged,
            "wronged_of": bound.place.wronged_size,
        }
    return found


def of_estimate(
    found: EpsilonStar,
    verdict: EstimateVerdict | None = None,
    null: Null | None = None,
    at_most: float | None = None,
    scale: str = "",
) -> dict[str, object]:
    """An estimate, never without what it is worth; or the bound in the same form."""
    known: dict[str, object] = {"value": found.value}
    if found.confidence is not None:
        known |= {"level": found.confidence.level, "attainable": found.confidence.attainable}
    else:
        known |= {"kind": NO_BOUND.replace("*", ""), "scale": scale or None, "laws": _laws(found)}
        known |= {"cap": None if found.clip is None else found.cap, "shuffled_labels": of_null(null)}
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


def of_null(null: Null | None) -> dict[str, object] | None:
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
