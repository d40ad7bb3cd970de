"""All numbers of an audit, as one JSON file and for the report."""

import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from math import isfinite

from numerics.epsilon_star import LowerBound, default_delta
from numerics.epsilon_star.error_ratios import Normal
from numerics.epsilon_star.mixtures import goodness_of_fit
from numerics.epsilon_star.permutation import Null
from numerics.trade_off import Floats
from numerics.version import VERSION
from pages.audit.epsilon_star import figures
from pages.audit.epsilon_star.audits import Audit
from pages.audit.epsilon_star.source_controls import Source
from pages.audit.epsilon_star.words import ASSUMPTIONS, NO_BOUND, ORIENTATION, QUOTIENT

SIZES = (100, 200, 400, 1000)  # of held-out losses on which the fit is tested


@dataclass(frozen=True)
class Extras:
    """What was computed besides the estimate.

    Attributes:
        interval: bootstrap interval; None where it was not run.
    """

    interval: tuple[float, float] | None


@dataclass(frozen=True)
class FitTest:
    """Kolmogorov-Smirnov tests of one group's law on held-out losses: p-values by their number."""

    group: str
    components: int
    p_values: tuple[tuple[int, float], ...]


def follows_rule(audit: Audit) -> bool:
    """Whether delta is that of the rule 1 / (n log n)."""
    evidence = audit.bounded.evidence
    return evidence is not None and audit.bound.delta == default_delta(evidence.train_size)


def fit_tests(source: Source, audit: Audit) -> list[FitTest]:
    """Tests of the laws that the estimate used, refitted without the losses held out; none for counted rates."""
    result = audit.estimated
    if result is None or result.laws is None or result.transform is None:
        return []
    groups = source.groups()
    found = []
    for law, losses, name in zip(
        result.laws, (groups.train, groups.population), ("training data", "fresh data"), strict=True
    ):
        components = 1 if isinstance(law, Normal) else len(law.means)
        values = result.transform.scores(losses)
        found.append(FitTest(name, components, _p_values(values, components)))
    return found


def _p_values(values: Floats, components: int) -> tuple[tuple[int, float], ...]:
    """None where too few distinct scores are left to fit so many components."""
    try:
        fit = goodness_of_fit(values, (components,), SIZES)
    except ValueError:
        return ()
    return tuple(zip(fit.sizes, map(float, fit.p_values[0]), strict=True))


def now() -> str:
    """The time in UTC, to the minute."""
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")


def numbers_json(source: Source, audit: Audit, extras: Extras) -> str:
    """Every number of the audit as JSON; infinite ones are the strings "inf" and "-inf", which Python's float reads.

    Names of files and columns are ASCII with escapes, so no direction mark reaches a screen unseen.
    """
    content = {
        "software": f"privacy trade-offs {VERSION}",
        "made": now(),
        "losses": source.name,
        "files": [{"name": name, "sha256": digest} for name, digest in source.files],
        "training_data": None if source.membership is None else asdict(source.membership),
        "groups": _groups(audit),
        "dependence": {"handled": audit.notes, "doubts": audit.doubts},
        "lower_bound": _bound(audit.bound),
        "estimate": _estimate(audit),
        "ratios_of": "estimate" if audit.result.confidence is None else "lower bound",
        "ratios": _ratios(audit),
        "bootstrap_interval": extras.interval,
        "shuffled_labels": _null(audit.null),
        "laws": _laws(audit),
        "goodness_of_fit": [
            {"group": test.group, "components": test.components, "p_values": dict(test.p_values)}
            for test in fit_tests(source, audit)
        ],
        "caveats": [caveat.value for caveat in (audit.estimated or audit.bounded).caveats],
        "assumptions": ASSUMPTIONS,
        "python": figures.snippet(source, audit),
    }
    return json.dumps(_finite(content), indent=2, allow_nan=False) + "\n"


def _groups(audit: Audit) -> dict[str, object]:
    evidence = audit.bounded.evidence
    if evidence is None:
        return {"rows_left_out": audit.dropped}
    return {
        "training": evidence.train_size,
        "fresh": evidence.population_size,
        "rows_left_out": audit.dropped,
        "smallest_loss": evidence.lowest,
        "largest_loss": evidence.highest,
    }


def _estimate(audit: Audit) -> dict[str, object]:
    """The estimate, never without what it is worth."""
    found, verdict, options = audit.estimated, audit.verdict, audit.options
    settings: dict[str, object] = {
        "method": options.method.value,
        "scale": options.scale.value if options.is_fit else None,
        "delta": audit.bound.delta,
        "delta_rule": "1 / (n log n)" if follows_rule(audit) else "chosen",
    }
    if found is None or verdict is None:
        return {"standing": "none", "reasons": [audit.refused], **settings}
    return {
        "standing": verdict.standing.value,
        "reasons": list(verdict.reasons),
        "epsilon_star": found.value,
        "kind": NO_BOUND.replace("*", ""),
        **settings,
        "clip": found.clip,
        "cap": None if found.clip is None else found.cap,
        "without_clip": found.unclipped,
        "threshold_loss": found.loss_at(found.peaks[0].threshold),
    }


def _null(null: Null | None) -> dict[str, object] | None:
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


def _ratios(audit: Audit) -> list[dict[str, object]]:
    return [
        {
            "ratio": QUOTIENT[peak.term],
            "orientation": ORIENTATION[peak.term],
            "log_maximum": peak.log_ratio,
            "threshold_loss": audit.result.loss_at(peak.threshold),
            "false_positive_rate": peak.false_positive_rate,
            "false_negative_rate": peak.false_negative_rate,
        }
        for peak in audit.result.peaks
    ]


def _bound(bound: LowerBound) -> dict[str, object]:
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


def _laws(audit: Audit) -> list[dict[str, object]]:
    """The laws of the scores: training data first."""
    return [
        {"mean": law.mean, "sd": law.sd}
        if isinstance(law, Normal)
        else {"weights": law.weights, "means": law.means, "sds": law.sds}
        for law in (() if audit.estimated is None else audit.estimated.laws or ())
    ]


def _finite(value: object) -> object:
    """The same without infinite numbers, which JSON does not have."""
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(part) for part in value]
    return str(value) if isinstance(value, float) and not isfinite(value) else value
