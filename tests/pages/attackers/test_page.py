"""The page that compares attackers: views, sentence, ledger, presets, tables; and what it does with nonsense."""

import re
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from numerics import membership, relaxed
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, SampledMechanism, Sampling
from numerics.membership import Game
from numerics.relaxed import Reading
from numerics.trade_off import Bound, Order
from pages.attackers import answer, formulas, ledger, noise_needed, paper_tables
from pages.ui import cached_threat_models, figure_presets
from pages.ui.release_controls import ReleaseChoice
from pages.ui.release_curves import Release
from pages.ui.threat_models import notions, views
from pages.ui.threat_models.release import ReleaseSetting
from tests.pages.visit import unfold
from tests.reference import Reference, each
from tests.test_app import app_with_url

PAGE = "pages/attackers/page.py"
ROUNDED = 1e-9
# Releases under every convention that the controls offer.
RELEASES: list[Release] = [
    Gaussian(1.0, 400 / 48_000, 1200),
    Gaussian(1.0, 400 / 48_000, 1200, Adjacency.REPLACE_ONE),
    Gaussian(1.0, 400 / 48_000, 1200, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE),
    Gaussian(2.0),
    Laplace(1.0, 0.3, 4),
    Composition((Gaussian(2.0, 0.1, 20), Gaussian(3.0, 0.1, 20))),
]


def setting(
    release: Release, alpha: float = 0.01, dimension: int = 1, reading: Reading = Reading.MINIMAX
) -> ReleaseSetting:
    return ReleaseSetting(
        ReleaseChoice(release, alpha, Order.ADD, 1e-5), 48_000, dimension, None, reading, spread=False
    )


def page(**query: str) -> AppTest:
    app = unfold(app_with_url(**query)).switch_page(PAGE).run()
    assert not app.exception
    return app


def headline(app: AppTest) -> str:
    return next(markdown.value for markdown in app.markdown if markdown.value.startswith("## "))


@pytest.mark.parametrize("release", RELEASES, ids=str)
def test_nobody_who_knows_less_finds_more(release: Release) -> None:
    """At the operating point, and along the estimate that could lie above."""
    known, *others = views.comparable(views.views(setting(release, dimension=1_000_000)))
    for _, curve, found in others:
        assert found.upper <= known[2].upper
        if len(curve.alpha) == len(known[1].alpha) and curve.bound is Bound.ESTIMATE and known[1].lower is not None:
            assert np.all(curve.power <= known[1].lower.power * (1.0 + ROUNDED))


@pytest.mark.parametrize("release", RELEASES[:3], ids=str)
def test_the_example_release_under_every_convention(release: Release) -> None:
    """GMIP mu .78449 (the ledger in docs/corrections.md), whatever the release in force; the rest is in one_axis."""
    others = views.views(setting(release, dimension=650))[3]
    assert "0.7845" in others.note
    assert others.found is not None
    assert others.found.estimate == pytest.approx(0.0615541, abs=1e-5)  # Phi(mu - z) at a rate of .01


def test_kinds_of_bound_are_not_mixed_up() -> None:
    bounds = [view.curve.bound for view in views.views(setting(RELEASES[0])) if view.curve]
    assert bounds == [Bound.CERTIFIED, Bound.ESTIMATE, Bound.LOWER, Bound.ESTIMATE]
    (attack,) = (
        view.curve.bound
        for view in views.views(setting(RELEASES[0], reading=Reading.MAGNITUDE))
        if view.curve and view.model is notions.RELAXED
    )
    assert attack is Bound.UPPER


def test_a_notion_without_an_answer_says_why() -> None:
    _, _, _, others = views.views(setting(Laplace(1.0)))
    assert others.curve is None
    assert "Gaussian noise in one phase" in others.note


def test_many_dimensions_of_sampled_steps_are_answered_by_their_worst_case() -> None:
    flat, deep = (views.views(setting(RELEASES[0], dimension=d))[1] for d in (1, 1000))
    assert flat.found == deep.found
    assert "one dimension" in deep.note


def verdict(at: ReleaseSetting) -> str:
    """With every door open."""
    full, *others = views.views(at)
    return answer.verdict(at, full, others)


def test_the_verdict_compares_counts_of_one_crowd_with_the_limit() -> None:
    at = setting(RELEASES[0])
    assert verdict(at) == (
        "Whoever knows all but the noise finds at most **268** of 10,000 people: 13 times your limit of 20. "
        "Record unknown: about **188**."
    )
    full, unknown, drawn, _ = views.views(at)
    assert answer.shown(full, unknown).startswith("**About 188 of 10,000.**")
    assert answer.shown(full, drawn).startswith("**At most 268 of 10,000.**")
    assert answer.verdict(at, full, []).endswith("your limit of 20.")


def test_a_memo_says_what_those_who_know_less_do_not_know() -> None:
    seen = views.views(setting(RELEASES[0]))
    assert answer.unknown(seen[:1]) == ()
    assert answer.unknown(seen) == (
        "Record unknown: the attacker does not know the record's side or direction.",
        "Draw unknown: the attacker does not know which records of the pool are used.",
    )


@pytest.mark.parametrize(
    ("limit", "words"),
    [(0.03, "within your limit of 300"), (0.02, "1.3 times your limit of 200"), (0.0134, "twice your")],
)
def test_the_verdict_says_how_the_limit_is_kept(limit: float, words: str) -> None:
    at = setting(RELEASES[0])
    assert words in verdict(replace(at, choice=replace(at.choice, limit=limit)))


@pytest.mark.parametrize("release", RELEASES, ids=str)
def test_the_verdict_is_short(release: Release) -> None:
    assert len(verdict(setting(release, dimension=650)).split()) < 25


def test_a_demonstrated_attack_is_rounded_down_and_a_guarantee_up() -> None:
    at = setting(Gaussian(1.0, 0.01, 1000), alpha=1e-3, reading=Reading.MAGNITUDE)
    seen = views.views(at)
    assert seen[1].found is not None
    assert seen[1].found.lower == pytest.approx(0.00170734, rel=1e-4)
    assert "at least **17**" in verdict(at)
    assert ledger.number(at, seen[1]) == "0.00170"


def test_the_noise_of_several_phases_is_said_of_the_first_alone() -> None:
    said = " ".join(str(block.value) for block in page(phases="2", noise_2="3", records="48000", clip="1").caption)
    assert "A batch in the first phase holds on average 480 of 48,000 records." in said
    assert "The noise on the mean gradient is 0.00208 in each coordinate there." in said


def test_the_other_order_rules_out_outsiders() -> None:
    at = replace(setting(RELEASES[0]), choice=ReleaseChoice(RELEASES[0], 0.01, Order.REMOVE, 1e-5))
    words = verdict(at)
    assert "rules out at most" in words
    assert "outsiders:" in words
    assert "finds" not in words


@pytest.mark.parametrize("spread", [False, True])
def test_what_is_not_symmetric_is_shown_in_its_own_order_only(spread: bool) -> None:
    """Eq. 8 and the mixture over records are add-one curves; other orders get the symmetric limit."""
    release = replace(setting(Gaussian(1e-3), dimension=20), records=50, spread=spread)
    add, remove = (
        views.views(replace(release, choice=ReleaseChoice(Gaussian(1e-3), 0.01, order, 1e-5)))[3].found
        for order in (Order.ADD, Order.REMOVE)
    )
    assert add is not None
    assert remove is not None
    assert remove.upper == pytest.approx(
        cached_threat_models.level(release.gradients()).trade_off(np.array([0.01])).power[0]
    )
    assert add.upper != pytest.approx(remove.upper, rel=1e-3)


def test_same_success_never_asks_for_more_noise_where_less_is_known() -> None:
    at = setting(Gaussian(1.0, 0.01, 1000))
    limit = noise_needed.Limit(0.99, None)
    full, unknown = (noise_needed.NOISES[model](at, limit)[0] for model in (notions.FULL, notions.RELAXED))
    assert unknown <= full


def test_the_snippet_prints_the_rates_of_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    at = setting(RELEASES[0], dimension=650)
    exec(formulas.snippet(at), {})
    printed = [
        float(number)
        for number in re.findall(r"(?:estimate=|most |about |record: )([0-9.e-]+)", capsys.readouterr().out)
    ]
    shown = [view.found for view in views.views(at)]
    assert len(printed) == 4
    for number, found in zip(printed, shown, strict=True):
        assert found is not None
        assert found.lower * (1.0 - 1e-9) <= number <= found.upper * (1.0 + 1e-9)


def test_same_success_bars_keep_the_limit() -> None:
    release = setting(Gaussian(1.0), dimension=20)
    limit = noise_needed.Limit(0.1, None)
    noise = {model: found(release, limit)[0] for model, found in noise_needed.NOISES.items()}
    assert Gaussian(noise[notions.FULL]).advantage().upper <= 0.1
    assert noise[notions.RELAXED] < noise[notions.FULL]
    assert membership.eta(Gaussian(noise[notions.SAMPLE]), Game.COINS).upper <= 0.05
    assert noise[notions.OTHERS] <= noise_needed.noise_of(release.fixed_size, release, limit)[0]
    found = relaxed.trade_off(Gaussian(noise[notions.RELAXED]), np.linspace(0.0, 1.0, 2001), dimension=20)
    assert np.max(found.power - found.alpha) <= 0.1 * (1.0 + 1e-6)


@each("Table 3 mu_step")
def test_table_3_of_the_page(row: Reference) -> None:
    names = {"CIFAR-10": "CIFAR"}
    table = paper_tables.table_3()
    column = [names.get(name, name) for name in table["Data"]].index(row.id.split("_")[1])
    assert float(table["μ of a step"][column]) == pytest.approx(row.expected, abs=1e-6)


def test_table_5_of_the_page_says_none_needed() -> None:
    table = paper_tables.table_5()
    assert len(table["μ"]) == 20
    assert table["CIFAR-10 (DP)"][:3] == [2.84, 2.44, 2.13]
    assert table["CIFAR-10 (MIP)"][:4] == [2.84, 2.44, 2.13, 0.0]


@pytest.mark.parametrize("preset", [*figure_presets.OF_PAPER_000, *figure_presets.OF_PAPER_004], ids=lambda p: p.name)
def test_presets_of_figures_set_every_control(preset: figure_presets.FigurePreset) -> None:
    app = page(
        noise="7", reading="magnitude of the mean", susceptibility="spread", clip="3", window="up to 1 %", delta="0.001"
    )
    next(button for button in app.button if button.label == preset.name).click().run()
    assert not app.exception
    assert not app.error
    assert not refusals(app)
    state = app.session_state
    made: SampledMechanism = preset.mechanism
    assert (state["mechanism"], state["steps"], state["dimension"]) == (made.name, made.steps, preset.dimension)
    assert (state["order"], state["axes"], state["records"]) == (preset.order, preset.axes, preset.records)
    assert (state["reading"], state["susceptibility"], state["clip"]) == (Reading.MINIMAX, "K = d", None)
    assert (state["window"], state["delta"], state["accused"]) == ("in people", 1e-5, 10_000 * preset.alpha)


def refusals(app: AppTest) -> list[str]:
    return [warning.value for warning in app.warning if warning.value.startswith("**No ")]


@pytest.mark.parametrize("part", ["same success", "converters", "noise for η", "audit", "paper 004 tables"])
def test_parts_of_the_page_run(part: str) -> None:
    app = page(part=part)
    assert not app.error
    assert not refusals(app)


@pytest.mark.parametrize(
    "query",
    [
        {"dimension": "1e300", "records": "-4", "clip": "nan", "reading": "nonsense", "susceptibility": ""},
        {"noise_exact": "0.001", "steps": "1000000", "rate_exact": "1e-7", "dimension": "1000000000"},
        {"noise_exact": "0.001", "steps": "1000000", "rate_exact": "1e-7", "records": "1000000000"},
        {"noise_exact": "0.02", "rate_exact": "0.001", "steps": "1", "dimension": "2", "order": "remove-one"},
        {"noise_exact": "1000", "rate_exact": "1", "mechanism": "Laplace", "steps": "3"},
        {"phases": "3", "mechanism": "Laplace", "sampling": "fixed size", "order": "both", "axes": "linear"},
        {"part": "nonsense", "same_limit": "members found", "same_found": "0.0001", "alpha_exact": "0.5"},
    ],
    ids=str,
)
def test_nonsense_and_extremes_are_harmless(query: dict[str, str]) -> None:
    app = page(**query)
    assert re.search(r"all but the noise (finds|rules out)|None of the attackers", headline(app))


def test_every_attackers_assumptions_and_kind_are_named() -> None:
    text = " ".join(block.value for block in page(how="true").markdown)
    for start in ("**DP: ", "**RTM: ", "**MIP: ", "**Certified.**", "**Guarantee.**", "**Estimate.**"):
        assert start in text, start
