"""An audit of losses and its parts: what is said, reported and taken away is what was found, on the safe side."""

import json
import re
from dataclasses import replace
from functools import cache
from hashlib import sha256
from typing import Any

import numpy as np
import pytest

from data.make_paper_001 import simulate
from losses import SAMPLES, Groups
from numerics.epsilon_star import EpsilonStar, LossScale, Method, estimate
from numerics.epsilon_star.confidence import Ascending, lower_bound
from numerics.epsilon_star.estimators import Caveat
from numerics.epsilon_star.mixtures import ACCEPTED
from numerics.epsilon_star.rates import Term
from numerics.epsilon_star.simulations import GammaLosses, NormalLosses, SampleEstimate, TwoLaws, truth
from numerics.trade_off import Floats
from pages.audit.epsilon_star import audits, figures, options, words
from pages.audit.epsilon_star.audits import EpsilonStarAudit
from pages.audit.epsilon_star.options import Clip, Options, Unit
from pages.audit.epsilon_star.report import DELTAS, bootstrap_interval, fit_tests, over_delta, report
from pages.audit.evidence import LossSource
from pages.ui.numbers_in_words import rounded_down, rounded_up
from reports import json_file, losses_audit, sheet
from reports.losses_audit import ASSUMPTIONS, ORIENTATION
from tests import ROOT
from tests.html import Elements
from tests.pages.answers import Answers
from tests.reference import Reference, rows

DIGITS = 1e-9  # maxima over a grid, refined
PRINTED = 1e-12  # numbers are printed with all digits
STANDARD_ERRORS = 4.0  # of the mean of ten runs: one in 16,000 by chance
RNG = np.random.default_rng(3)
TRAIN, FRESH = (np.sort(RNG.gamma(shape, 1.0, 600)) for shape in (2.0, 3.0))
NEAR = Groups(np.sort(RNG.normal(0.0, 1.0, 900)), np.sort(RNG.normal(0.4, 1.0, 900)))
BENT = (np.sort(RNG.normal(0, 1, 2000)), np.sort(RNG.choice([0.0, 3.0], 2000) + RNG.normal(0, 0.1, 2000)))
ZERO_ONE = np.repeat([0.0, 1.0], [377, 23]), np.repeat([0.0, 1.0], [282, 118])
BOUND = replace(lower_bound(Ascending(TRAIN), Ascending(FRESH), 1e-4), value=1.23456, attainable=4.11111)
LAWS = [*rows("Epsilon* N(0,1) vs N(m,1)"), *rows("Epsilon* Gamma(2) train vs Gamma(2+d) pop, exact sup")]


def source_of(train: Floats = TRAIN, fresh: Floats = FRESH) -> LossSource:
    line = "groups = split(read_table(open('losses.csv', 'rb').read()), 'loss', 'member', '1')"
    files = (("a\u202egpj.csv", sha256(b"x").hexdigest()),)
    python = f"from losses import read_table, split\n\n{line}"
    return LossSource(("one", "digest"), "losses.csv", lambda: Groups(train, fresh), python, files=files)


@cache
def sample() -> tuple[LossSource, Floats, Floats]:
    """A shipped sample, with Python that reads it, and its losses."""
    groups = SAMPLES[0].groups()
    read = f'read_table(__import__("pathlib").Path("data/{SAMPLES[0].file}").read_bytes())'
    python = f'from losses import read_table, split\n\ngroups = split({read}, "loss", "member", "1")'
    return LossSource(("sample", "digits"), "digits", lambda: groups, python), groups.train, groups.population


def of(method: Method, train: Floats, fresh: Floats, delta: float, clip: Clip = Clip.NONE) -> EpsilonStarAudit:
    return audits.of_groups(Groups(train, fresh), Options(method, clip, delta, 0.95, 2, LossScale.LOG_ODDS))


@cache
def audit_of(
    method: Method = Method.PARAMETRIC, delta: float | None = None, clip: float | None = None
) -> EpsilonStarAudit:
    chosen = Options(method, Clip.NONE if clip is None else Clip.PAPER, delta, scale=LossScale.NATS)
    return audits.of_groups(Groups(TRAIN, FRESH, 7), chosen)


@cache
def of_unit(unit: Unit) -> EpsilonStarAudit:
    return audits.of_groups(Groups(TRAIN, FRESH), Options(Method.MIXTURE, Clip.NONE, 1e-3, scale=unit))


def estimated(audit: EpsilonStarAudit) -> EpsilonStar:
    assert audit.estimated is not None
    return audit.estimated


def text_of(audit: EpsilonStarAudit) -> str:
    return str(Elements(sheet.of_audit(report(source_of(), audit)).html).text)


def too_small() -> EpsilonStarAudit:
    """An estimate below the bound."""
    train, fresh = np.random.default_rng(1).normal(size=(2, 4000))
    train[:400] -= 8.0
    audit = audits.of_groups(Groups(train, fresh), Options(Method.EMPIRICAL, Clip.PAPER, 0.05))
    largest = estimated(audit).maxima[0]._replace(log_ratio=0.5 * audit.bound.value)
    return replace(audit, estimated=replace(estimated(audit), maxima=(largest, *estimated(audit).maxima[1:])))


def flat() -> EpsilonStarAudit:
    """An audit whose losses show nothing anywhere."""
    bounded = audit_of().bounded
    maxima = (bounded.maxima[0]._replace(log_ratio=0.0), *bounded.maxima[1:])
    return replace(audit_of(), bounded=replace(bounded, maxima=maxima), estimated=None)


test_what_is_said = Answers(__file__, globals()).test()


@pytest.mark.parametrize("row", LAWS, ids=lambda row: row.id)
def test_truth_of_known_laws(row: Reference) -> None:
    pair = NormalLosses(row.number("m")) if "m" in row.params else GammaLosses(row.number("d"))
    assert truth(pair, row.number("delta")).exact == pytest.approx(row.expected, rel=DIGITS)


@pytest.mark.parametrize("pair", [NormalLosses(1.0, 1.5), GammaLosses(1.0)], ids=str)
def test_samples_are_of_the_laws_and_a_cut_lowers_their_truth(pair: TwoLaws) -> None:
    found = truth(pair, 1e-5)
    assert found.exact > found.clipped_at_delta > found.clipped > 0.0
    size = 4_000
    for losses, law in zip(pair.draw(size, np.random.default_rng(0)), pair.laws, strict=True):
        gap = np.max(np.abs(np.exp(law.logcdf(losses)) - (np.arange(size) + 0.5) / size))
        assert gap < 2.3 / np.sqrt(size)  # Kolmogorov: 5e-5 by chance


def test_estimates_of_nothing_are_as_biased_as_correction_25_says_and_a_bound_is_below_the_truth() -> None:
    """Means 0.627 and 1.284 at 1,000 losses; the bound is 0 but for its risk."""
    found = simulate(GammaLosses(0.0), 1_000)
    for kind, mean in ((SampleEstimate.EXACT_TAILS, 0.627), (SampleEstimate.EMPIRICAL, 1.284)):
        error = found[kind].std(ddof=1) / np.sqrt(10)
        assert abs(found[kind].mean() - mean) < STANDARD_ERRORS * error
    assert np.sum(found[SampleEstimate.BOUND] > 0.0) <= 3  # each with probability 0.05 at most
    found, known = simulate(GammaLosses(1.0), 1_000), truth(GammaLosses(1.0), 1e-5)
    assert np.all(found[SampleEstimate.BOUND] < known.exact)
    assert found[SampleEstimate.PARAMETRIC].mean() > known.clipped_at_delta


@pytest.mark.parametrize("method", [Method.PARAMETRIC, Method.EMPIRICAL, Method.MIXTURE])
def test_over_delta_are_the_audits_own_numbers_at_the_delta_in_force(method: Method) -> None:
    source = LossSource(("sample", "digits"), "digits", lambda: NEAR, "groups = None")
    clip = Clip.NONE if method is Method.PARAMETRIC else Clip.PAPER
    audit = audits.of_groups(NEAR, Options(method, clip, 3e-4, components=1, scale=LossScale.LOG_ODDS))
    deltas, bounds, values = zip(*over_delta(source, audit), strict=True)
    at = deltas.index(3e-4)
    assert deltas == (*DELTAS[:at], 3e-4, *DELTAS[at:])
    assert bounds[at] == audit.bound.value
    assert values[at] == pytest.approx(estimated(audit).value, rel=DIGITS)
    assert np.all(np.diff([values, bounds]) <= DIGITS)
    interval = bootstrap_interval(source, audit)
    assert (interval is None) == (method is Method.MIXTURE)
    assert interval is None or interval[0] < estimated(audit).value < interval[1]


def test_the_report_says_what_an_auditor_must_know_and_no_loss() -> None:
    audit = audit_of()
    text = text_of(audit)
    expected = [
        f"Estimate (parametric): {estimated(audit).value:.4g} says nothing about these losses. Because",
        f"with 95 % confidence ε* is at least {rounded_down(audit.bound.value)}",
        f"{rounded_down(audit.bound.value, 4)}, with confidence 95 %",
        f"can show at most {rounded_up(audit.bound.attainable)}",
        "parametric; scale of the fit: cross-entropy in nats; no clip",
        *("the rule 1 / (n log n)", "600 losses", "the losses are independent", "chosen before the losses"),
        *("Bootstrap interval (middle 95 %): ", "ε* at other δ", "shuffled 199 times", "held-out losses"),
        *(sha256(b"x").hexdigest(), "from numerics.epsilon_star import"),
        "not rejected" if fit_tests(source_of(), audit)[0].p_values[-1][1] >= ACCEPTED else "is rejected",
        *(*ORIENTATION.values(), *ASSUMPTIONS),
    ]
    assert [said for said in expected if said not in text] == []
    assert text.index("ε* is at least") < text.index("Estimate (parametric):")
    assert "\u202e" not in text
    assert len([loss for loss in TRAIN if f"{loss:.9g}" in text]) <= 1


def test_json_holds_every_number_with_all_digits() -> None:
    def numbers(audit: EpsilonStarAudit) -> Any:
        text = json_file.text(report(source_of(), audit))
        return json.loads(text, parse_constant=pytest.fail)["numbers"]

    audit = audit_of()
    found = numbers(audit)
    assert found["estimates"]["parametric"]["value"] == estimated(audit).value
    assert found["lower_bound"]["epsilon_star_at_least"] == audit.bound.value
    for name, one in (("parametric", estimated(audit)), ("confidence", audit.bounded)):
        ratios = [float(term["log_ratio"]) for term in found["estimates"][name]["terms"]]
        assert ratios == [maximum.log_ratio for maximum in one.maxima]
    assert found["bootstrap_interval"] == list(bootstrap_interval(source_of(), audit) or ())
    assert found["rows_left_out"] == 7
    assert [one["delta"] for one in found["over_delta"]] == sorted({*DELTAS, audit.bound.delta})
    assert len(found["estimates"]["parametric"]["laws"]) == len(found["goodness_of_fit"]) == 2
    assert float(str(numbers(audit_of(Method.EMPIRICAL))["estimates"]["empirical"]["value"])) == np.inf


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
        said = losses_audit.warnings(one)
        assert len(said) == len(one.caveats)
        assert not re.search("None|nan", " ".join(said))
        if audit.bound.cut is not None:
            accuses = audit.bound.cut.term in (Term.MEMBERS_BELOW, Term.MEMBERS_ABOVE)
            assert ("accusing" in words.counted_sentence(audit)) == accuses


@pytest.mark.parametrize("method", options.METHODS)
def test_the_snippet_prints_the_numbers_on_the_page_and_exports_say_what_they_are(
    method: Method, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    source, train, fresh = sample()
    audit = of(method, train, fresh, 1e-4, Clip.PAPER)
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
    made = report(source_of(train, fresh), audit)
    assert "not shown as a number" in sheet.of_audit(made).html
    assert made.numbers["refused"] == {"parametric": audit.refused}
