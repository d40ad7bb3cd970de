"""What the page that compares attackers says of a release: the verdict, whom it compares, and kinds of bound."""

import re
from dataclasses import replace

import numpy as np
import pytest

from numerics import membership, relaxed
from numerics.calibration import AdvantageTarget
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Mechanism, Sampling
from numerics.mechanisms.noisy_max import PermuteAndFlip
from numerics.membership import Game
from numerics.relaxed import Reading
from numerics.trade_off import Bound, Order
from pages.attackers import answer, formulas, ledger, noise_needed
from pages.ui import cached_threat_models, people_scene
from pages.ui.release_choice import ReleaseChoice
from pages.ui.threat_models import notions, views
from pages.ui.threat_models.release import ReleaseSetting

ROUNDED = 1e-9
# Releases under every convention that the controls offer.
RELEASES: list[Mechanism] = [
    Gaussian(1.0, 400 / 48_000, 1200),
    Gaussian(1.0, 400 / 48_000, 1200, Adjacency.REPLACE_ONE),
    Gaussian(1.0, 400 / 48_000, 1200, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE),
    Gaussian(2.0),
    Laplace(1.0, 0.3, 4),
    Composition((Gaussian(2.0, 0.1, 20), Gaussian(3.0, 0.1, 20))),
]


def setting(
    release: Mechanism, alpha: float = 0.01, dimension: int = 1, reading: Reading = Reading.MINIMAX
) -> ReleaseSetting:
    choice = ReleaseChoice(release, alpha, Order.ADD, 1e-5, records=48_000, dimension=dimension)
    return ReleaseSetting(choice, reading)


@pytest.mark.parametrize("release", RELEASES, ids=str)
def test_nobody_who_knows_less_finds_more(release: Mechanism) -> None:
    """At the operating point, and along the estimate that could lie above."""
    known, *others = views.comparable(views.views(setting(release, dimension=1_000_000)))
    for _, curve, found in others:
        assert found.upper <= known[2].upper
        if len(curve.alpha) == len(known[1].alpha) and curve.bound is Bound.ESTIMATE and known[1].lower is not None:
            assert np.all(curve.power <= known[1].lower.power * (1.0 + ROUNDED))


@pytest.mark.parametrize("release", RELEASES[:3], ids=str)
def test_the_example_release_under_every_convention(release: Mechanism) -> None:
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
    return answer.in_full(at, full, others)


def test_the_verdict_compares_counts_of_one_crowd_with_the_limit() -> None:
    at = setting(RELEASES[0])
    assert verdict(at) == (
        "At most **268** of 10,000 people can be found while 100 of 10,000 outsiders are wrongly accused: "
        "13 times your limit of 20. Record unknown: about **188**. Guessing finds 100."
    )
    full, unknown, drawn, _ = views.views(at)
    assert answer.shown(at, full, unknown).startswith("About **188** of 10,000 people can be found while")
    assert answer.shown(at, full, drawn).startswith("At most **268** of 10,000 people can be found while")
    assert answer.in_full(at, full, []) == f"{answer.verdict(at, full)} Guessing finds 100."
    assert answer.verdict(at, full).endswith("your limit of 20.")


@pytest.mark.parametrize("alpha", [1e-3, 1e-4, 2e-6])
def test_people_are_counted_of_as_many_as_on_the_page_of_the_release(alpha: float) -> None:
    at = setting(RELEASES[0], alpha=alpha)
    crowd = f"{people_scene.scene(at.choice, 'beside').crowd:,}"
    assert f"of {crowd} people" in verdict(at)
    full, unknown, drawn, others = views.views(at)
    looked = [answer.shown(at, full, one) for one in (unknown, drawn)] + [answer.apart(at, others)]
    assert {found for words in looked for found in re.findall(r"of ([\d,]+)", words)} == {crowd}


@pytest.mark.parametrize(
    ("limit", "words"),
    [(0.03, "within your limit of 300"), (0.02, "1.3 times your limit of 200"), (0.0134, "twice your")],
)
def test_the_verdict_says_how_the_limit_is_kept(limit: float, words: str) -> None:
    at = setting(RELEASES[0])
    assert words in verdict(replace(at, choice=replace(at.choice, limit=limit)))


@pytest.mark.parametrize("release", RELEASES, ids=str)
def test_the_verdict_is_short(release: Mechanism) -> None:
    assert all(len(one.split()) < 25 for one in verdict(setting(release, dimension=650)).split(". "))


def test_a_demonstrated_attack_is_rounded_down_and_a_guarantee_up() -> None:
    at = setting(Gaussian(1.0, 0.01, 1000), alpha=1e-3, reading=Reading.MAGNITUDE)
    seen = views.views(at)
    assert seen[1].found is not None
    assert seen[1].found.lower == pytest.approx(0.00170734, rel=1e-4)
    assert "at least **17**" in verdict(at)
    assert ledger.number(at, seen[1]) == "0.00170"


def test_the_other_order_rules_out_outsiders() -> None:
    at = replace(setting(RELEASES[0]), choice=ReleaseChoice(RELEASES[0], 0.01, Order.REMOVE, 1e-5))
    words = verdict(at)
    assert "outsiders can be ruled out while 100 of 10,000 members are wrongly ruled out" in words
    assert "found" not in words
    assert "finds" not in words


@pytest.mark.parametrize("order", [Order.ADD, Order.REMOVE])
def test_a_guarantee_that_allows_all_claims_no_attack_that_finds_them(order: Order) -> None:
    """An attack on several choices is known that finds half."""
    release = PermuteAndFlip(0.2, 1.0, 30)
    at = replace(setting(release), choice=ReleaseChoice(release, 0.01, order, 1e-5))
    assert verdict(at).startswith("No promise: up to **10,000** of 10,000")


@pytest.mark.parametrize("spread", [False, True])
def test_what_is_not_symmetric_is_shown_in_its_own_order_only(spread: bool) -> None:
    """Eq. 8 and the mixture over records are add-one curves; other orders get the symmetric limit."""
    choice = ReleaseChoice(Gaussian(1e-3), 0.01, Order.ADD, 1e-5, records=50, dimension=20)
    release = ReleaseSetting(choice, spread=spread)
    add, remove = (
        views.views(replace(release, choice=replace(choice, order=order)))[3].found
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
    limit = AdvantageTarget(0.99)
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
    limit = AdvantageTarget(0.1)
    noise = {model: found(release, limit)[0] for model, found in noise_needed.NOISES.items()}
    assert Gaussian(noise[notions.FULL]).advantage().upper <= 0.1
    assert noise[notions.RELAXED] < noise[notions.FULL]
    assert membership.eta(Gaussian(noise[notions.SAMPLE]), Game.COINS).upper <= 0.05
    assert noise[notions.OTHERS] <= noise_needed.noise_of(release.fixed_size, limit)
    found = relaxed.trade_off(Gaussian(noise[notions.RELAXED]), np.linspace(0.0, 1.0, 2001), dimension=20)
    assert np.max(found.power - found.alpha) <= 0.1 * (1.0 + 1e-6)


def test_a_memo_says_what_those_who_know_less_do_not_know() -> None:
    seen = views.views(setting(RELEASES[0]))
    assert answer.unknown(seen[:1]) == ()
    assert answer.unknown(seen) == (
        "Record unknown: the attacker does not know the record's side or direction.",
        "Draw unknown: the attacker does not know which records of the pool are used.",
    )
