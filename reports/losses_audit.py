"""A model's losses: the lower bound with its place, estimates with what they are worth, and the report of both."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isinf

from losses import Membership
from numerics.epsilon_star import EpsilonStar, LowerBound, Method, default_delta
from numerics.epsilon_star.estimators import GroupSummary
from numerics.epsilon_star.resampling import PermutationNull
from numerics.epsilon_star.verdict import EstimateVerdict, Standing
from reports import losses_words as words
from reports.audit_report import AuditReport, Data, ReportPart, left_out
from reports.losses_words import numbers_of_bound, numbers_of_estimate
from reports.rounding import nearest, rounded_down, rounded_up


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
        value = words.short(self.found.value)
        if self.verdict.standing is Standing.GREY:
            return f"{name}: :gray[~~{value}~~] :gray-badge[{self.verdict.standing}] Because {_ended(self.why)}"
        if self.verdict.standing is Standing.AMBER:
            return f"{name}: **{value}** :orange-badge[{self.verdict.standing}] Because {_ended(self.why)}"
        return f"{name}: **{value}**"

    @property
    def why(self) -> str:
        """Why it is worth no more."""
        return "" if self.verdict is None else self.verdict.words

    def flagged(self, said: Callable[[float], str]) -> str:
        """The number as it is ``said``, and its flag: never the number alone."""
        if self.found is None or self.verdict is None:
            return f"none: {self.refused}"
        value = self.found.value
        return words.flagged("infinite" if isinf(value) else said(value), self.verdict)

    @property
    def how(self) -> str:
        """How rates were estimated, on which scale, and whether they were cut."""
        clip = None if self.found is None else self.found.clip
        cut = "no clip" if clip is None else f"rates cut to ({clip:.3g}, 1 − {clip:.3g})"
        return f"{self.method}; {f'scale of the fit: {self.scale}; ' if self.scale else ''}{cut}"


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith(".") else f"{sentence}."


@dataclass(frozen=True, eq=False)
class MeasuredLosses:
    """What the losses of one model show.

    Attributes:
        bounded: the lower bound.
        estimates: beside it.
        data: what was read.
        membership: which rows were taken for training data, and why; None where each group is a file of its own.
        dropped: rows that were left out.
        notes: what was done about rows that belong together, a sentence each.
        doubts: what looks like dependence, and was left alone.
        code: the Python, or the command, that prints the numbers.
    """

    bounded: EpsilonStar
    estimates: tuple[EstimateReport, ...]
    data: Data
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
    def evidence(self) -> GroupSummary:
        """What the losses look like."""
        assert self.bounded.evidence is not None
        return self.bounded.evidence

    @property
    def result(self) -> EpsilonStar:
        """What tables show: the first estimate that says something about these losses, or else the bound."""
        worth = (one for one in self.estimates if one.verdict and one.verdict.standing is not Standing.GREY)
        return next((one.found for one in worth if one.found), self.bounded)


def report(
    measured: MeasuredLosses, parts: Sequence[ReportPart] = (), further: Mapping[str, object] | None = None
) -> AuditReport:
    """The report.

    Args:
        measured: the audit.
        parts: what else was computed, as tables.
        further: the same as numbers.
    """
    bound = measured.bound
    verdict = [words.bound_sentence(bound), words.bound_details(bound), *(one.sentence for one in measured.estimates)]
    told = "each group is a source of its own" if measured.membership is None else measured.membership.words
    return AuditReport(
        "losses",
        f"epsilon* at least {rounded_down(bound.value, 4)}" if bound.value else "nothing shown",
        (*verdict, words.NO_BOUND, *(f"Mind: {doubt}" for doubt in measured.doubts)),
        Data(
            measured.data.name,
            measured.data.files,
            measured.data.python,
            (*measured.data.notes, told, *measured.notes, *left_out(measured.dropped)),
        ),
        (
            ("Confidence of the lower bound", words.percent(bound.level)),
            ("δ", _delta(measured)),
            ("Adjacency", "one record is in the training data, or is not"),
            ("Cuts", "at ranks fixed by the sizes of the groups; all four ratios share the risk"),
        ),
        (f"{words.RESTS_ON} {words.BY_ITSELF}", *words.ASSUMPTIONS),
        (_facts(measured), _ratios(measured), *_warnings(measured), *parts),
        _numbers(measured) | dict(further or {}),
        measured.code,
    )


def _delta(measured: MeasuredLosses) -> str:
    delta = measured.bound.delta
    is_rule = delta == default_delta(measured.evidence.train_size)
    return f"{delta:.6g} ({'the rule 1 / (n log n) with n training losses' if is_rule else 'chosen by hand'})"


def _facts(measured: MeasuredLosses) -> ReportPart:
    evidence, bound = measured.evidence, measured.bound
    rows = [
        ("ε* at least", f"{rounded_down(bound.value, 4)}, with confidence {100.0 * bound.level:.6g} %"),
        ("Samples of these sizes can show at most", rounded_up(bound.attainable, 4)),
        *((f"Estimate: {one.how}", one.flagged(words.short)) for one in measured.estimates),
        ("Training data", f"{evidence.train_size:,} losses"),
        ("Fresh data", f"{evidence.population_size:,} losses"),
        ("Losses", f"from {nearest(evidence.lowest, 6)} to {nearest(evidence.highest, 6)}"),
    ]
    for one in measured.estimates:
        found = one.found
        if found is not None and one.at_most is not None and one.at_most > found.value:
            rows.append((f"Losses were counted in bins: at most ({found.method})", words.short(one.at_most)))
        if found is not None and found.clip is not None:
            without = "infinite" if isinf(found.unclipped) else words.short(found.unclipped)
            said = f"{found.cap:.4g}; without the clip the estimate is {without}"
            rows.append((f"Largest value the clip allows ({found.method})", said))
    return ReportPart("In numbers", tuple(rows))


def _ratios(measured: MeasuredLosses) -> ReportPart:
    result = measured.result
    rows = tuple(
        (
            words.ORIENTATION[peak.term],
            words.QUOTIENT[peak.term],
            "none" if peak.log_ratio == -inf else nearest(peak.log_ratio, 5),
            nearest(result.loss_at(peak.threshold), 5),
            words.rate(peak.false_positive_rate),
            words.rate(peak.false_negative_rate),
        )
        for peak in result.peaks
    )
    of = "the estimate" if result.confidence is None else "the lower bound"
    head = ("What stands out", "Ratio", "Log of its maximum", "Threshold (loss)", "t", "η")
    note = f"Of {of}. t: share of outsiders with a loss up to the threshold; η: share of members with a loss beyond it."
    return ReportPart("The four ratios", rows, head, note)


def _warnings(measured: MeasuredLosses) -> list[ReportPart]:
    first = next((one.found for one in measured.estimates if one.found), measured.bounded)
    lines = [(line,) for line in words.warnings(first)]
    return [ReportPart("Before this number is used", tuple(lines))] if lines else []


def _numbers(measured: MeasuredLosses) -> dict[str, object]:
    evidence, membership = measured.evidence, measured.membership
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
        "delta_rule": "1 / (n log n)" if measured.bound.delta == default_delta(evidence.train_size) else "chosen",
        "lower_bound": numbers_of_bound(measured.bound),
        "estimates": {
            "confidence": numbers_of_estimate(measured.bounded),
            **{
                method.name.lower(): numbers_of_estimate(one.found, one.verdict, one.null, one.at_most, one.scale)
                for method, one in found.items()
                if one.found is not None
            },
        },
        "refused": {method.name.lower(): one.refused for method, one in found.items() if one.found is None},
    }
