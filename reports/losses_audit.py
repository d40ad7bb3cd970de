"""A model's losses: the lower bound with its place, estimates with what they are worth, in words and as a report."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, isinf

from losses import Membership
from numerics.audits.threshold_attack import ThresholdAttack
from numerics.epsilon_star import EpsilonStar, LowerBound, Method, default_delta
from numerics.epsilon_star.confidence import BestCut
from numerics.epsilon_star.estimators import Caveat, GroupSummary
from numerics.epsilon_star.laws import NormalLaw
from numerics.epsilon_star.rates import Term
from numerics.epsilon_star.resampling import PermutationNull
from numerics.epsilon_star.verdict import EstimateVerdict, Standing
from reports.attack_scores import LIMITS, numbers_of_rates, rows_of_rates
from reports.audit_report import AuditReport, Data, ReportPart, skipped
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


# What the bound and the estimates say.


def bound_sentence(bound: LowerBound) -> str:
    """The counts that show most, and what they prove."""
    proved = f"with {percent(bound.level)} confidence ε\\* is at least **{rounded_down(bound.value)}**"
    if bound.cut is None:
        return f"These losses do not show that anybody can be told apart: {proved}."
    return f"{shown(bound.cut)}: {proved}."


def bound_details(bound: LowerBound) -> str:
    """What the bound means, and what these losses could have shown at most."""
    ceiling = f"Samples of these sizes can show at most {rounded_up(bound.attainable)}."
    if bound.cut is None:
        return f"A share δ = {bound.delta:.2g} of people is set aside. {ceiling}"
    factor = rounded_down(exp(bound.value))
    aside = f"a share δ = {bound.delta:.2g} of people set aside"
    return f"Some threshold moves the odds of membership by a factor of at least {factor}, {aside}. {ceiling}"


def attack_sentence(attack: ThresholdAttack) -> str:
    """What accusing whoever has a small loss finds at two rates of false alarms, its area and its advantage."""
    found = [
        f"at least {rounded_down(rate.lower)} of the members at {percent(rate.alpha)} false alarms"
        if rate.lower
        else f"nothing for sure at {percent(rate.alpha)}"
        for rate in attack.rates
    ]
    low, high = attack.area_limits
    return (
        f"Accusing where a loss is small finds {' and '.join(found)}; area under the curve {rounded_down(low)} to "
        f"{rounded_up(high)}; advantage at least {rounded_down(attack.gained) if attack.gained else 0} "
        f"({percent(attack.level)} confidence each)."
    )


def shown(place: BestCut) -> str:
    """What the bound rests on: the counts at its cut."""
    named, wronged = ("members", "outsiders") if place.term.names_members else ("outsiders", "members")
    tied, is_above = place.tied_share, place.term.is_above
    side = ("of at least" if is_above else "up to") if tied > _ALL else ("above" if is_above else "below")
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


def warnings(found: EpsilonStar) -> Sequence[str]:
    """The caveats that matter here, in words."""
    capped = "" if found.clip is None else f"; the clip caps it at {found.cap:.3g}"
    words = {
        Caveat.INFINITE: "**Infinite.** With a δ below 1/n this happens in nearly every sample, also where there is "
        "nothing to find: one extreme loss is enough. The paper's clip, or normal fits, give a number.",
        Caveat.SEPARATED: "**The groups do not overlap:** one threshold tells every member from every outsider. "
        f"Counted, ε\\* is infinite{capped}. Check that both groups went through the same model.",
        Caveat.SAME_LOSSES: "**Both groups hold the same losses**, so there is nothing to find. Is it one file twice?",
        Caveat.CLIPPED: f"**The clip is active:** it caps the estimate at {found.cap:.3g} (correction 23).",
        Caveat.DELTA_TOO_LARGE: "**δ is larger than 1/n:** it leaves out whole people, and ε\\* looks too good.",
        Caveat.FEW_VALUES: "**A few values only:** a normal law describes no losses that are counts or yes and no. "
        "Choose the empirical method, or rely on the lower bound, which needs no law.",
        Caveat.UNEQUAL_SPREADS: f"**Unequal spreads:** the fitted standard deviations differ by a factor of "
        f"{exp(abs(found.log_sd_ratio)):.3g}, and far out in the tails that alone makes ε\\* large (correction 26).",
    }
    return [words[caveat] for caveat in found.caveats]


@dataclass(frozen=True, eq=False)
class EstimateReport:
    """An estimate with what it is worth.

    Attributes:
        method: of the estimate.
        found: the estimate; None where these losses allow none.
        verdict: what it is worth; None where there is none.
        refused: why there is none.
        null: what it gives where labels are shuffled; None where that was not done.
        at_most: upper end of the interval that holds it, where losses were counted in bins.
        scale: on which laws were fitted; empty for counts.
    """

    method: Method
    found: EpsilonStar | None
    verdict: EstimateVerdict | None
    refused: str = ""
    null: PermutationNull | None = None
    at_most: float | None = None
    scale: str = ""

    @property
    def sentence(self) -> str:
        """The estimate, struck out where it says nothing about these losses, and why."""
        name = f"Estimate ({self.method})"
        if self.found is None or self.verdict is None:
            return f"**{name}: not shown as a number,** because {_ended(self.refused)}"
        value, standing = short(self.found.value), self.verdict.standing
        if standing is Standing.GREY:
            return f"{name}: :gray[~~{value}~~] :gray-badge[{standing}] Because {_ended(self.why)}"
        if standing is Standing.AMBER:
            return f"{name}: **{value}** :orange-badge[{standing}] Because {_ended(self.why)}"
        return f"{name}: **{value}**"

    @property
    def why(self) -> str:
        """Why it is worth no more."""
        return "" if self.verdict is None else self.verdict.words

    def flagged(self, said: Callable[[float], str]) -> str:
        """The number as it is ``said``, and its flag: never the number alone."""
        if self.found is None or self.verdict is None:
            return f"none: {self.refused}"
        value = "infinite" if isinf(self.found.value) else said(self.found.value)
        because = f" because {self.why}" if self.verdict.reasons else ""
        return f"{value} ({self.verdict.standing}{because})"

    @property
    def how(self) -> str:
        """How rates were estimated, on which scale, and whether they were cut."""
        clip = None if self.found is None else self.found.clip
        cut = "no clip" if clip is None else f"rates cut to ({clip:.3g}, 1 − {clip:.3g})"
        return f"{self.method}; {f'scale of the fit: {self.scale}; ' if self.scale else ''}{cut}"


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith(".") else f"{sentence}."


# The report.


@dataclass(frozen=True, eq=False)
class MeasuredLosses:
    """What the losses of one model show.

    Attributes:
        bounded: the lower bound.
        estimates: beside it.
        data: what was read.
        attack: what a threshold finds where small losses speak for members.
        membership: which rows were taken for training data, and why; None where each group is a file of its own.
        dropped: rows that were left out.
        notes: what was done about rows that belong together, a sentence each.
        doubts: what looks like dependence, and was left alone.
        code: the Python, or the command, that prints the numbers.
    """

    bounded: EpsilonStar
    estimates: tuple[EstimateReport, ...]
    data: Data
    attack: ThresholdAttack
    membership: Membership | None = None
    dropped: int = 0
    notes: Sequence[str] = ()
    doubts: Sequence[str] = ()
    code: str = ""

    @property
    def bound(self) -> LowerBound:
        """The lower bound, with what it rests on."""
        assert self.bounded.confidence is not None
        return self.bounded.confidence

    @property
    def groups(self) -> GroupSummary:
        """What the losses look like."""
        assert self.bounded.groups is not None
        return self.bounded.groups

    @property
    def result(self) -> EpsilonStar:
        """What tables show: the first estimate that says something about these losses, or else the bound."""
        worth = (one for one in self.estimates if one.verdict and one.verdict.standing is not Standing.GREY)
        return next((one.found for one in worth if one.found), self.bounded)

    @property
    def has_usual_delta(self) -> bool:
        """Whether delta is the rule's."""
        return self.bound.delta == default_delta(self.groups.train_size)


def report(
    measured: MeasuredLosses, parts: Sequence[ReportPart] = (), further: Mapping[str, object] | None = None
) -> AuditReport:
    """The report.

    Args:
        measured: the audit.
        parts: what else was computed, as tables.
        further: the same as numbers.
    """
    bound, data = measured.bound, measured.data
    told = "each group is a source of its own" if measured.membership is None else measured.membership.words
    rule = "the rule 1 / (n log n) with n training losses" if measured.has_usual_delta else "chosen by hand"
    first = next((one.found for one in measured.estimates if one.found), measured.bounded)
    lines = tuple((line,) for line in warnings(first))
    caveats = [ReportPart("Before this number is used", lines)] if lines else []
    return AuditReport(
        "losses",
        f"epsilon* at least {rounded_down(bound.value, 4)}" if bound.value else "nothing shown",
        (
            bound_sentence(bound),
            bound_details(bound),
            attack_sentence(measured.attack),
            *(one.sentence for one in measured.estimates),
            NO_BOUND,
            *(f"Mind: {doubt}" for doubt in measured.doubts),
        ),
        Data(data.name, data.files, data.python, (*data.notes, told, *measured.notes, *skipped(measured.dropped))),
        (
            ("Confidence of the lower bound", percent(bound.level)),
            ("δ", f"{bound.delta:.6g} ({rule})"),
            ("Adjacency", "one record is in the training data, or is not"),
            ("Cuts", "at ranks fixed by the sizes of the groups; all four ratios share the risk"),
        ),
        (f"{RESTS_ON} {BY_ITSELF}", *ASSUMPTIONS),
        (_facts(measured), _attack(measured.attack), _ratios(measured), *caveats, *parts),
        _numbers(measured) | dict(further or {}),
        measured.code,
    )


def _facts(measured: MeasuredLosses) -> ReportPart:
    evidence, bound = measured.groups, measured.bound
    rows = [
        ("ε* at least", f"{rounded_down(bound.value, 4)}, with confidence {100.0 * bound.level:.6g} %"),
        ("Samples of these sizes can show at most", rounded_up(bound.attainable, 4)),
        *((f"Estimate: {one.how}", one.flagged(short)) for one in measured.estimates),
        ("Training data", f"{evidence.train_size:,} losses"),
        ("Fresh data", f"{evidence.population_size:,} losses"),
        ("Losses", f"from {nearest(evidence.lowest, 6)} to {nearest(evidence.highest, 6)}"),
    ]
    for one in measured.estimates:
        found = one.found
        if found is not None and one.at_most is not None and one.at_most > found.value:
            rows.append((f"Losses were counted in bins: at most ({found.method})", short(one.at_most)))
        if found is not None and found.clip is not None:
            without = "infinite" if isinf(found.unclipped) else short(found.unclipped)
            said = f"{found.cap:.4g}; without the clip the estimate is {without}"
            rows.append((f"Largest value the clip allows ({found.method})", said))
    return ReportPart("In numbers", tuple(rows))


def _attack(attack: ThresholdAttack) -> ReportPart:
    rows = rows_of_rates(attack.rates)
    low, high = attack.area_limits
    rows.append(("Area under the curve", f"{attack.area:.4g}", rounded_down(low), rounded_up(high)))
    rows.append(("Advantage", "", rounded_down(attack.gained) if attack.gained else "0", ""))
    note = (
        f"Each limit holds by itself, with {percent(attack.level)} confidence, for this attack; a better one may exist."
    )
    return ReportPart("Accusing where a loss is small", tuple(rows), ("", "Of these losses", *LIMITS), note)


def _ratios(measured: MeasuredLosses) -> ReportPart:
    result = measured.result
    rows = tuple(
        (
            ORIENTATION[maximum.term],
            QUOTIENT[maximum.term],
            "none" if maximum.log_ratio == -inf else nearest(maximum.log_ratio, 5),
            nearest(result.loss_at(maximum.threshold), 5),
            rate(maximum.false_positive_rate),
            rate(maximum.false_negative_rate),
        )
        for maximum in result.maxima
    )
    of = "the estimate" if result.confidence is None else "the lower bound"
    head = ("What stands out", "Ratio", "Log of its maximum", "Threshold (loss)", "t", "η")
    note = f"Of {of}. t: share of outsiders with a loss up to the threshold; η: share of members with a loss beyond it."
    return ReportPart("The four ratios", rows, head, note)


# The same with all digits, by name.


def _numbers(measured: MeasuredLosses) -> dict[str, object]:
    evidence, membership = measured.groups, measured.membership
    found = {one.method: one for one in measured.estimates}
    return {
        "sizes": {"train": evidence.train_size, "population": evidence.population_size},
        "range": {"lowest": evidence.lowest, "highest": evidence.highest},
        "rows_left_out": measured.dropped,
        "training_data": None
        if membership is None
        else {"column": membership.column, "member": membership.member, "why": membership.why.value},
        "dependence": {"handled": list(measured.notes), "doubts": list(measured.doubts)},
        "delta": measured.bound.delta,
        "delta_rule": "1 / (n log n)" if measured.has_usual_delta else "chosen",
        "lower_bound": numbers_of_bound(measured.bound),
        "attack": _numbers_of_attack(measured.attack),
        "estimates": {
            "confidence": _numbers_of(measured.bounded),
            **{
                method.name.lower(): _numbers_of(one.found, one)
                for method, one in found.items()
                if one.found is not None
            },
        },
        "refused": {method.name.lower(): one.refused for method, one in found.items() if one.found is None},
    }


def _numbers_of_attack(attack: ThresholdAttack) -> dict[str, object]:
    low, high = attack.area_limits
    return {
        "accuses": "small losses",
        "level": attack.level,
        "true_positive_rates": numbers_of_rates(attack.rates),
        "area_under_curve": {"value": attack.area, "at_least": low, "at_most": high},
        "advantage_at_least": attack.gained,
    }


def numbers_of_bound(bound: LowerBound) -> dict[str, object]:
    """The lower bound, with the counts that show it."""
    found: dict[str, object] = {
        "epsilon_star_at_least": bound.value,
        "level": bound.level,
        "delta": bound.delta,
        "attainable": bound.attainable,
    }
    if bound.cut is not None:
        found |= {
            "orientation": ORIENTATION[bound.cut.term],
            "threshold_loss": bound.cut.threshold,
            "share_of_equal_losses": bound.cut.tied_share,
            "named": bound.cut.true_positives,
            "named_of": bound.cut.positives,
            "wronged": bound.cut.false_positives,
            "wronged_of": bound.cut.negatives,
        }
    return found


def _numbers_of(found: EpsilonStar, one: EstimateReport | None = None) -> dict[str, object]:
    """An estimate, never without what it is worth; or the bound in the same form."""
    known: dict[str, object] = {"value": found.value}
    if found.confidence is not None:
        known |= {"level": found.confidence.level, "attainable": found.confidence.attainable}
    if one is not None:
        null = one.null
        known |= {
            "kind": NO_BOUND.replace("*", ""),
            "scale": one.scale or None,
            "laws": [  # of the scores: training data first
                {"mean": law.mean, "sd": law.sd}
                if isinstance(law, NormalLaw)
                else {"weights": law.weights, "means": law.means, "sds": law.sds}
                for law in found.laws or ()
            ],
            "cap": None if found.clip is None else found.cap,
            "shuffled_labels": None
            if null is None
            else {
                "p_value": null.p_value,
                "median": null.median,
                "exceeded_by_one_in_20": null.upper,
                "estimate_on_these": null.observed,
                "shuffles": len(null.values),
                "sizes": null.sizes,
                "is_subset": null.is_subset,
            },
        }
        known |= {} if one.at_most is None else {"at_most": one.at_most}
        if one.verdict is not None:
            reasons = [reason.value for reason in one.verdict.reasons]
            known |= {"standing": one.verdict.standing.value, "reasons": reasons}
    terms = [
        {
            "term": maximum.term.value,
            "log_ratio": maximum.log_ratio,
            "threshold": found.loss_at(maximum.threshold),
            "false_positive_rate": maximum.false_positive_rate,
            "false_negative_rate": maximum.false_negative_rate,
        }
        for maximum in found.maxima
    ]
    caveats = [caveat.value for caveat in found.caveats]
    return known | {"clip": found.clip, "unclipped": found.unclipped, "terms": terms, "caveats": caveats}
