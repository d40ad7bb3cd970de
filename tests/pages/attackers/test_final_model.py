"""Who sees the final model only: conditions are asked and checked, numbers stand where they belong."""

from dataclasses import replace

import pytest

from numerics.final_model import ConvexLoss, bounded_mu, composed_mu, cyclic_mu, power, strongly_convex_mu
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Mechanism
from numerics.trade_off import Bound, Order
from pages.attackers import final_model, ledger
from pages.attackers.final_model import Promise
from pages.ui.release_choice import ReleaseChoice
from pages.ui.threat_models.notions import FINAL
from pages.ui.threat_models.release import ReleaseSetting

FULL_BATCH, CYCLE = Gaussian(20.0, steps=1000), Gaussian(5.0, 0.025, 400)
REPLACED = FULL_BATCH.with_neighbours(Adjacency.REPLACE_ONE)
LOSS = ConvexLoss(0.1, 1.0, 0.1)
SAID, BOUNDED = Promise(0.1, 1.0, 0.1, None), Promise(0.1, 1.0, None, 1.0)


def setting_of(release: Mechanism, clip: float | None = 1.0) -> ReleaseSetting:
    return ReleaseSetting(ReleaseChoice(release, 1e-3, Order.ADD, 1e-5, records=1000, clip=clip))


def test_full_batches_are_exact_and_stand_beside_the_release() -> None:
    seen = final_model.view(setting_of(FULL_BATCH), SAID)
    mu = strongly_convex_mu(0.05, 1000, LOSS).upper
    assert seen.found == pytest.approx((power(mu, 1e-3),) * 3, rel=1e-12)
    assert seen.curve is not None
    assert seen.found is not None
    assert seen.curve.bound is Bound.EXACT
    assert not seen.differs
    assert seen.found.upper < FULL_BATCH.power(1e-3).lower


def test_a_bounded_set_needs_sizes_and_is_a_guarantee() -> None:
    setting = setting_of(REPLACED)
    seen = final_model.view(setting, BOUNDED)
    mu = bounded_mu(0.1, 1000, ConvexLoss(0.1, 1.0), 1.0, 2.0 / 1000)
    assert final_model.levels(setting, BOUNDED).final.upper == pytest.approx(mu, rel=1e-12)
    assert seen.curve is not None
    assert seen.curve.bound is Bound.LOWER
    several = setting_of(Gaussian(20.0, steps=1000, records_per_person=3))  # of one person: three times the pull
    three = bounded_mu(0.15, 1000, ConvexLoss(0.1, 1.0), 1.0, 3.0 / 1000)
    assert final_model.levels(several, BOUNDED).final.upper == pytest.approx(three, rel=1e-12)
    both = final_model.levels(setting, replace(SAID, diameter=1.0)).final
    assert both.upper == pytest.approx(min(mu, strongly_convex_mu(0.1, 1000, LOSS).upper), rel=1e-12)
    assert both.lower == 0.0  # a projection: the quadratic that reaches the bound is not projected
    assert "the clip C" in final_model.view(setting_of(FULL_BATCH, clip=None), BOUNDED).note


def test_batches_in_a_cycle_stand_apart_with_both_sides() -> None:
    setting = setting_of(CYCLE)
    found = final_model.levels(setting, SAID)
    assert found.final == cyclic_mu(0.2, 40, 10, LOSS)
    assert found.everything == composed_mu(0.2, 10)
    assert final_model.view(setting, SAID).differs
    words = final_model.apart(setting, SAID)
    assert "which is not the sampling above" in words
    assert "an attack reaches" in words
    cleared = final_model.apart(replace(setting, choice=replace(setting.choice, order=Order.REMOVE)), SAID)
    assert "sees the final model only: at most" in cleared
    assert " outsiders can be ruled out while" in cleared
    assert "finds" not in cleared
    projected = replace(SAID, diameter=1.0)
    assert final_model.levels(setting, projected).final == (
        0.0,
        found.final.upper,
        found.final.upper,
    )  # a guarantee alone
    assert "an attack" not in final_model.apart(setting, projected)


@pytest.mark.parametrize(
    ("release", "promise", "why"),
    [
        (FULL_BATCH, Promise(None, None, None, None), "Say below what holds of the loss"),
        (FULL_BATCH, Promise(0.1, 1.0, None, None), "Say below what holds of the loss"),
        (FULL_BATCH, Promise(3.0, 1.0, 0.1, None), "step_size must be at most 2 / smoothness, got 3.0"),
        (FULL_BATCH, Promise(0.1, 1.0, 2.0, None), "strong_convexity must be at most the smoothness"),
        (CYCLE, BOUNDED, "strong_convexity must be positive"),
        (Gaussian(5.0, 0.3, 400), SAID, "whole batches and whole epochs, and 1 / rate is 3.33"),
        (Gaussian(5.0, 0.025, 401), SAID, "whole batches and whole epochs"),
        (Gaussian(5.0, 0.025, 400, records_per_person=2), SAID, "people with one record only"),
        (Laplace(5.0), SAID, "Gaussian noise in one phase only"),
        (Composition((FULL_BATCH, FULL_BATCH)), SAID, "Gaussian noise in one phase only"),
    ],
)
def test_a_condition_that_is_not_met_is_named(release: Mechanism, promise: Promise, why: str) -> None:
    seen = final_model.view(setting_of(release), promise)
    assert seen.found is None
    assert why in seen.note


@pytest.mark.parametrize("release", [FULL_BATCH, CYCLE, REPLACED], ids=str)
def test_nobody_finds_more_than_who_sees_every_model(release: Mechanism) -> None:
    found = final_model.levels(setting_of(release), SAID)
    assert found.final.lower <= found.final.upper <= found.everything


@pytest.mark.parametrize(
    ("release", "promise", "compared", "share"),
    [
        (FULL_BATCH, None, "add/remove; none", "door closed"),
        (FULL_BATCH, Promise(None, None, None, None), "add/remove; none", "—"),
        (FULL_BATCH, SAID, "add/remove; none", "0.00855"),
        (CYCLE, SAID, "zero-out; batches in a fixed cycle (apart)", "apart"),
        (
            replace(CYCLE, adjacency=Adjacency.REPLACE_ONE),
            SAID,
            "replace-one; batches in a fixed cycle (apart)",
            "apart",
        ),
    ],
)
def test_the_ledger_has_a_row_with_its_assumptions(
    release: Mechanism, promise: Promise | None, compared: str, share: str
) -> None:
    """0.008541: mu = sqrt(199 (1 - c^1000) / (1 + c^1000)) / 20 with c = 0.99, and Phi(mu - 3.0902)."""
    setting = setting_of(release)
    rows = ledger.rows(setting, {FINAL: final_model.view(setting, promise)} if promise else {})
    (row,) = (place for place, attacker in enumerate(rows["Attacker"]) if "Final model" in attacker)
    assert [column[row] for column in rows.values()][1:] == [FINAL.knows, FINAL.hidden, compared, share]
