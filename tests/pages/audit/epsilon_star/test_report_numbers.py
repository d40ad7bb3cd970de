"""Numbers of the report: rounded to the safe side, tested on losses not seen, all digits in the JSON."""

import json
from dataclasses import replace
from typing import Any

import numpy as np

from losses import Groups
from numerics.epsilon_star import EMPIRICAL_CLIP, LossScale, Method
from numerics.epsilon_star.confidence import Ascending, lower_bound
from pages.audit.epsilon_star import audits
from pages.audit.epsilon_star.audits import EpsilonStarAudit
from pages.audit.epsilon_star.options import Clip, Options
from pages.audit.epsilon_star.report import FitTest, fit, fit_tests, report, threshold
from reports import json_file, losses_words
from tests.pages.audit.epsilon_star.test_report import (
    FRESH,
    HOSTILE,
    TRAIN,
    audit_of,
    estimated,
    page,
    source_of,
)


def test_bound_is_never_rounded_up() -> None:
    found = lower_bound(Ascending(TRAIN), Ascending(FRESH), 1e-4)
    assert found.place is not None
    bound = replace(found, value=1.23456, attainable=4.11111)
    assert "at least **1.23**" in losses_words.bound_sentence(bound)
    assert "at most 4.12." in losses_words.bound_details(bound)
    audit = audit_of()
    assert "1.234, with confidence" in page(audit=replace(audit, bounded=replace(audit.bounded, confidence=bound)))


def test_bound_that_shows_nothing() -> None:
    nothing = lower_bound(Ascending(TRAIN), Ascending(TRAIN), 1e-4)
    assert "do not show that anybody can be told apart" in losses_words.bound_sentence(nothing)


def test_losses_that_tell_nothing_have_no_threshold() -> None:
    audit = audit_of()
    peaks = (audit.bounded.peaks[0]._replace(log_ratio=0.0), *audit.bounded.peaks[1:])
    same = replace(audit, bounded=replace(audit.bounded, peaks=peaks), estimated=None)
    assert threshold(same).startswith("No threshold")


def test_fits_are_tested_on_losses_they_have_not_seen() -> None:
    rng = np.random.default_rng(1)
    normal, odd = np.sort(rng.normal(0, 1, 2000)), np.sort(rng.choice([0.0, 3.0], 2000) + rng.normal(0, 0.1, 2000))
    options = Options(Method.PARAMETRIC, Clip.NONE, None, scale=LossScale.LOG_ODDS)
    audit = audits.of_groups(Groups(normal, odd), options)
    tests = fit_tests(source_of(train=normal, fresh=odd), audit)
    assert [test.group for test in tests] == ["training data", "fresh data"]
    assert [size for size, _ in tests[0].p_values] == [100, 200, 400, 1000]
    assert "is rejected" in fit(tests[1])
    few = "Fresh data: too few different losses to test"
    assert fit(FitTest("fresh data", 3, ())) == f"{few} the mixture of 3 normal laws."
    assert fit(FitTest("fresh data", 1, ())) == f"{few} the normal law."


def numbers(audit: EpsilonStarAudit, interval: tuple[float, float] | None = None) -> Any:
    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    text = json_file.text(report(source_of(HOSTILE[4]), audit, interval))
    assert text.isascii()
    return json.loads(text, parse_constant=refuse)["numbers"]


def test_json_holds_every_number_with_all_digits() -> None:
    audit = audit_of()
    found = numbers(audit, (0.5, 1.5))
    assert found["estimates"]["parametric"]["value"] == estimated(audit).value
    assert found["lower_bound"]["epsilon_star_at_least"] == audit.bound.value
    for name, one in (("parametric", estimated(audit)), ("confidence", audit.bounded)):
        assert [term["log_ratio"] for term in found["estimates"][name]["terms"]] == [
            peak.log_ratio if np.isfinite(peak.log_ratio) else str(peak.log_ratio) for peak in one.peaks
        ]
    assert found["bootstrap_interval"] == [0.5, 1.5]
    assert found["rows_left_out"] == 7
    assert len(found["estimates"]["parametric"]["laws"]) == len(found["goodness_of_fit"]) == 2


def test_infinite_numbers_read_back() -> None:
    found = numbers(audit_of(Method.EMPIRICAL))
    assert float(str(found["estimates"]["empirical"]["value"])) == np.inf
    assert numbers(audit_of(Method.MIXTURE))["estimates"]["mixture"]["laws"]


def test_unclipped_value_is_in_the_report() -> None:
    audit = audit_of(Method.EMPIRICAL, clip=EMPIRICAL_CLIP)
    clipped = estimated(audit)
    assert f"{clipped.cap:.4g}; without the clip the estimate is infinite" in page(audit=audit)
