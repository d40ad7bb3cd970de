"""What is said of an audit of losses, on the page, in the report and in its JSON: every number, on the safe side."""

import json
import re
from dataclasses import replace
from functools import cache
from hashlib import sha256
from typing import Any

import numpy as np
import pytest

from losses import SAMPLES, Groups
from numerics.epsilon_star import EMPIRICAL_CLIP, EpsilonStar, LossScale, Method, default_delta, estimate
from numerics.epsilon_star.audit_caveats import Caveat
from numerics.epsilon_star.confidence import Ascending, Place, lower_bound
from numerics.epsilon_star.error_ratios import Term
from numerics.epsilon_star.permutation import Null
from numerics.epsilon_star.verdict import Reason
from numerics.trade_off import Floats
from pages.audit.epsilon_star import audits, figures, options, words
from pages.audit.epsilon_star.audits import EpsilonStarAudit
from pages.audit.epsilon_star.loss_units import WITHOUT_SCALE, Unit
from pages.audit.epsilon_star.options import Clip, Options
from pages.audit.epsilon_star.report import FitTest, fit, fit_tests, report, threshold
from pages.audit.epsilon_star.source import LossSource
from pages.ui.numbers_in_words import rounded_down, rounded_up
from reports import html_file, json_file, losses_words
from reports.losses_words import ASSUMPTIONS, ORIENTATION
from tests import ROOT
from tests.html import Elements

RNG = np.random.default_rng(3)
TRAIN, FRESH = (np.sort(RNG.gamma(shape, 1.0, 600)) for shape in (2.0, 3.0))
ZERO_ONE = np.repeat([0.0, 1.0], [377, 23]), np.repeat([0.0, 1.0], [282, 118])
PRINTED = 1e-12  # numbers are printed with all digits


def source_of(train: Floats = TRAIN, fresh: Floats = FRESH) -> LossSource:
    line = "groups = split(read_table(open('losses.csv', 'rb').read()), 'loss', 'member', '1')"
    python = f"from losses import read_table, split\n\n{line}"
    files = (("a\u202egpj.csv", sha256(b"x").hexdigest()),)
    return LossSource(("one", "digest"), "losses.csv", lambda: Groups(train, fresh), python, files=files)


def of(method: Method, train: Floats, fresh: Floats, delta: float, clip: Clip = Clip.NONE) -> EpsilonStarAudit:
    return audits.of_groups(Groups(train, fresh), Options(method, clip, delta, 0.95, 2, LossScale.LOG_ODDS))


@cache
def audit_of(
    method: Method = Method.PARAMETRIC, delta: float | None = None, clip: float | None = None
) -> EpsilonStarAudit:
    chosen = Options(method, Clip.NONE if clip is None else Clip.PAPER, delta, scale=LossScale.NATS)
    return audits.of_groups(Groups(TRAIN, FRESH, 7), chosen)


def estimated(audit: EpsilonStarAudit) -> EpsilonStar:
    assert audit.estimated is not None
    return audit.estimated


def text_of(audit: EpsilonStarAudit, interval: tuple[float, float] | None = None) -> str:
    return str(Elements(html_file.page(report(source_of(), audit, interval))).text)


def test_the_report_says_what_an_auditor_must_know_and_no_loss() -> None:
    audit = audit_of()
    text = text_of(audit, (0.5, 1.25))
    expected = [
        f"Estimate (parametric): {estimated(audit).value:.4g} says nothing about these losses. Because",
        f"with 95 % confidence ε* is at least {rounded_down(audit.bound.value)}",
        f"{rounded_down(audit.bound.value, 4)}, with confidence 95 %",
        f"can show at most {rounded_up(audit.bound.attainable)}",
        "parametric; scale of the fit: cross-entropy in nats; no clip",
        *("the rule 1 / (n log n)", "600 losses", "the losses are independent", "chosen before the losses"),
        *("Bootstrap interval (middle 95 %): 0.5 to 1.25", "shuffled 199 times", "held-out losses"),
        *(sha256(b"x").hexdigest(), "from numerics.epsilon_star import"),
        "not rejected" if fit_tests(source_of(), audit)[0].p_values[-1][1] >= 0.05 else "is rejected",
        *(*ORIENTATION.values(), *ASSUMPTIONS),
    ]
    assert [said for said in expected if said not in text] == []
    assert text.index("ε* is at least") < text.index("Estimate (parametric):")
    assert "\u202e" not in text
    assert len([loss for loss in TRAIN if f"{loss:.9g}" in text]) <= 1
    assert "The bootstrap was not run" in text_of(audit)
    assert "0.01 (chosen by hand)" in text_of(audit_of(delta=0.01))
    assert "chosen by hand" not in text_of(audit_of(delta=default_delta(len(TRAIN))))


@pytest.mark.parametrize(
    ("method", "clip", "said"),
    [
        (Method.EMPIRICAL, EMPIRICAL_CLIP, "rests on no fitted law|without the clip the estimate is infinite"),
        (Method.EMPIRICAL, None, "infinite"),
        (Method.MIXTURE, None, "held-out losses"),
    ],
)
def test_every_method_has_a_report(method: Method, clip: float | None, said: str) -> None:
    text = text_of(audit_of(method, clip=clip))
    assert re.search(said, text)
    assert "no lower bound" in text
    assert not re.search(r"\bnan\b|None of|\binf\b", text)


def test_json_holds_every_number_with_all_digits() -> None:
    def numbers(audit: EpsilonStarAudit) -> Any:
        text = json_file.text(report(source_of(), audit, (0.5, 1.5)))
        assert text.isascii()
        return json.loads(text, parse_constant=pytest.fail)["numbers"]

    audit = audit_of()
    found = numbers(audit)
    assert found["estimates"]["parametric"]["value"] == estimated(audit).value
    assert found["lower_bound"]["epsilon_star_at_least"] == audit.bound.value
    for name, one in (("parametric", estimated(audit)), ("confidence", audit.bounded)):
        ratios = [float(term["log_ratio"]) for term in found["estimates"][name]["terms"]]
        assert ratios == [peak.log_ratio for peak in one.peaks]
    assert (found["bootstrap_interval"], found["rows_left_out"]) == ([0.5, 1.5], 7)
    assert len(found["estimates"]["parametric"]["laws"]) == len(found["goodness_of_fit"]) == 2
    assert float(str(numbers(audit_of(Method.EMPIRICAL))["estimates"]["empirical"]["value"])) == np.inf


def test_a_bound_is_never_rounded_up_and_nothing_shown_is_said() -> None:
    found = lower_bound(Ascending(TRAIN), Ascending(FRESH), 1e-4)
    bound = replace(found, value=1.23456, attainable=4.11111)
    assert "at least **1.23**" in losses_words.bound_sentence(bound)
    assert "at most 4.12." in losses_words.bound_details(bound)
    audit = audit_of()
    assert "1.234, with confidence" in text_of(replace(audit, bounded=replace(audit.bounded, confidence=bound)))
    nothing = losses_words.bound_sentence(lower_bound(Ascending(TRAIN), Ascending(TRAIN), 1e-3))
    assert "do not show that anybody can be told apart" in nothing
    assert nothing.endswith("with 95 % confidence ε\\* is at least **0**.")
    peaks = (audit.bounded.peaks[0]._replace(log_ratio=0.0), *audit.bounded.peaks[1:])
    same = replace(audit, bounded=replace(audit.bounded, peaks=peaks), estimated=None)
    assert threshold(same).startswith("No threshold")


def test_fits_are_tested_on_losses_they_have_not_seen() -> None:
    rng = np.random.default_rng(1)
    normal, odd = np.sort(rng.normal(0, 1, 2000)), np.sort(rng.choice([0.0, 3.0], 2000) + rng.normal(0, 0.1, 2000))
    tests = fit_tests(source_of(normal, odd), of(Method.PARAMETRIC, normal, odd, 1e-4))
    assert [test.group for test in tests] == ["training data", "fresh data"]
    assert [size for size, _ in tests[0].p_values] == [100, 200, 400, 1000]
    assert "is rejected" in fit(tests[1])
    assert fit(FitTest("fresh data", 3, ())).endswith("too few different losses to test the mixture of 3 normal laws.")


def test_what_is_shown_is_true_of_losses_that_are_0_or_1_and_ties_are_said_to_count() -> None:
    bound = of(Method.EMPIRICAL, *ZERO_ONE, 1e-3, Clip.PAPER).bound
    found = re.search(r"(\d+) of 400 outsiders, but (\d+) of 400 members", losses_words.bound_sentence(bound))
    assert found
    named, wronged = map(int, found.groups())
    assert (named, wronged) <= (118, 23)  # the counts of losses of 1, but for the lots
    assert named / max(wronged, 1) > np.exp(bound.value)
    by_lot = "below 2 (of those equal to it 37 % count too, by lot)"
    for tied, side in ((0.0, "below 2"), (0.37, by_lot), (1.0, "up to 2")):
        said = losses_words.shown(Place(Term.MEMBERS_BELOW, 2.0, tied, 37, 899, 8, 898))
        assert said == f"37 of 899 members, but 8 of 898 outsiders, have a loss {side}"
    assert [losses_words.rate(rate) for rate in (0.5, 0.999, 0.99951, 1.0)] == ["0.5", "0.999", "1 − 0.00049", "1"]
    null = Null(1.0, np.array([2.0] * 12 + [0.0] * 87), 99, (10, 10), False)
    assert "(p = 0.13)" in losses_words.null_sentence(null)


def test_every_caveat_has_words_and_the_attack_names_whom_the_sentence_says() -> None:
    rng = np.random.default_rng(2)
    train, fresh = rng.normal(0, 1, 200), rng.normal(1, 1.4, 200)
    found = [
        of(Method.PARAMETRIC, train, fresh, 1e-5),
        of(Method.PARAMETRIC, fresh, train, 1e-5, Clip.PAPER),
        of(Method.EMPIRICAL, train, fresh, 0.1, Clip.PAPER),
        of(Method.EMPIRICAL, train, train + 100.0, 1e-5),
        of(Method.EMPIRICAL, train, train, 1e-5, Clip.PAPER),
        of(Method.PARAMETRIC, *ZERO_ONE, 1e-3),
    ]
    assert {caveat for audit in found if audit.estimated for caveat in audit.estimated.caveats} == set(Caveat)
    for audit in found:
        one = audit.estimated or audit.bounded
        said = losses_words.warnings(one)
        assert len(said) == len(one.caveats)
        assert not re.search("None|nan", " ".join(said))
        if audit.bound.place is not None:
            accuses = audit.bound.place.term in (Term.MEMBERS_BELOW, Term.MEMBERS_ABOVE)
            assert ("accusing" in words.counted_sentence(audit)) == accuses


@pytest.mark.parametrize("method", options.METHODS)
def test_the_snippet_prints_the_numbers_on_the_page_and_exports_say_what_they_are(
    method: Method, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    groups = SAMPLES[0].groups()
    audit = of(method, groups.train, groups.population, 1e-4, Clip.PAPER)
    read = f'read_table(__import__("pathlib").Path("data/{SAMPLES[0].file}").read_bytes())'
    python = f'from losses import read_table, split\n\ngroups = split({read}, "loss", "member", "1")'
    source = LossSource(("sample",), "digits", SAMPLES[0].groups, python)
    exec(figures.snippet(source, audit), {})
    first, second = capsys.readouterr().out.splitlines()[:2]
    assert audit.verdict is not None
    said = f"estimate ({audit.verdict.standing}): "
    assert float(second.removeprefix(said)) == pytest.approx(estimated(audit).value, rel=PRINTED)
    assert float(first.removeprefix("at least: ")) == pytest.approx(audit.bound.value, rel=PRINTED)
    header = figures.settings(source, audit)
    assert header["estimate of epsilon*"].startswith(f"{estimated(audit).value!r} (")
    assert header["epsilon* at least"] == f"{audit.bound.value!r} with confidence 0.95"
    assert (header["such losses can show at most"], header["delta"]) == (repr(audit.bound.attainable), "0.0001")
    assert "no lower bound" in header["kind"]
    assert all(caveat.value in header["caveats"] for caveat in estimated(audit).caveats)


@pytest.mark.parametrize("scale", [LossScale.NATS, LossScale.PRINTED])
@pytest.mark.parametrize(
    ("train", "fresh"),
    [
        (np.zeros(300), np.repeat([0.0, 1.0], [200, 100])),
        (np.append(np.linspace(0.0, 1.0, 299), 1e300), np.linspace(0.5, 2.0, 300)),
    ],
)
def test_the_bound_and_all_else_stay_where_there_is_no_estimate(train: Floats, fresh: Floats, scale: LossScale) -> None:
    audit = audits.of_groups(Groups(train, fresh), Options(Method.PARAMETRIC, Clip.NONE, 1e-3, scale=scale))
    assert audit.estimated is None
    assert audit.bound == estimate(train, fresh, 1e-3).confidence
    assert audit.bound.value > 0.5
    assert f"not shown as a number,** because {audit.refused}" in audit.estimate.sentence
    assert figures.settings(source_of(), audit)["estimate of epsilon*"].startswith("none: ")
    made = report(source_of(train, fresh), audit, None)
    assert "not shown as a number" in html_file.page(made)
    assert made.numbers["refused"] == {"parametric": audit.refused}


def test_losses_of_unknown_kind_have_no_fit_and_what_estimates_are_worth_is_said() -> None:
    for unit in (Unit.NOT_SAID, Unit.OTHER):
        audit = audits.of_groups(Groups(TRAIN, FRESH), Options(Method.MIXTURE, Clip.NONE, 1e-3, scale=unit))
        assert (audit.estimated, audit.null) == (None, None)
        assert WITHOUT_SCALE[unit] in audit.estimate.sentence
        assert (audit.summary.train.fit, audit.summary.population.fit) == (None, None)
        assert audit.refused.rstrip(".") in text_of(audit)
    rng = np.random.default_rng(1)
    train, fresh = rng.normal(size=(2, 4000))
    train[:400] -= 8.0
    audit = audits.of_groups(Groups(train, fresh), Options(Method.EMPIRICAL, Clip.PAPER, 0.05))
    largest = estimated(audit).peaks[0]._replace(log_ratio=0.5 * audit.bound.value)
    too_small = replace(audit, estimated=replace(estimated(audit), peaks=(largest, *estimated(audit).peaks[1:])))
    assert "it is below the lower bound, so it is too small" in too_small.estimate.sentence
    verdict = audit_of(Method.MIXTURE).verdict
    assert verdict is not None
    assert Reason.UNCHECKED in verdict.reasons
