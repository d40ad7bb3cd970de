"""A limit that noise, or a guess, was solved for is kept by every number that is shown afterwards, at any digits."""

import re
import unicodedata
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from numerics.calibration import AdvantageTarget, EpsilonTarget, PowerTarget, noise_for
from numerics.gaussian_membership import GradientRelease
from numerics.mechanisms import Composition, Gaussian, Laplace, Mechanism
from numerics.membership import EtaTarget, Game
from numerics.relaxed import RelaxedTarget
from numerics.trade_off import Order
from pages.attackers import saving
from pages.reconstruct import limit as guess_limit
from pages.ui import address, cached, noise_levels, prior_guess, threat_models
from pages.ui.numbers_in_words import at_most, rounded_up
from tests.pages.driver import visit
from tests.pages.visit import checked

SPARE = 0.02  # a page's bracket is half a per cent wide, so so much less noise never keeps the limit
# Closed forms; of those that are composed numerically, one is asked each time.
CLOSED = (Gaussian(1.0), Gaussian(1.0, 0.1), Laplace(1.0, 0.2), Gaussian(1.0, 1.0, 20), Laplace(1.0))
PHASES = Composition((Gaussian(1.0, 0.2, 3), Gaussian(2.5, 0.1, 2)))
COMPOSED = (Gaussian(1.0, 0.05, 20), Laplace(1.0, 0.1, 5), PHASES)


def between(rng: np.random.Generator, low: float, high: float) -> float:
    """A number of few digits, as somebody enters a limit."""
    return float(f"{np.exp(rng.uniform(np.log(low), np.log(high))):.3g}")


def found(rng: np.random.Generator, order: Order = Order.ADD) -> PowerTarget:
    """A limit above a false positive rate, and that rate."""
    alpha = between(rng, 1e-5, 0.3)
    return PowerTarget(float(f"{alpha + (1.0 - alpha) * between(rng, 1e-2, 0.6):.3g}"), alpha, order)


def number(shown: str) -> float:
    return float(unicodedata.normalize("NFKC", shown.replace(" × 10", "e")).replace("−", "-"))


def assert_shown_to_be_kept(value: float, limit: float) -> None:
    """At the digits of the limit and at more; counted in people, no more of them than the limit allows."""
    for digits in (3, 4, 6, 8):
        assert number(rounded_up(value, digits)) <= limit
    shown, allowed = at_most(min(value, 1.0)), at_most(min(limit, 1.0))
    assert shown.count * allowed.of <= allowed.count * shown.of


def entered(release: Mechanism) -> Mechanism:
    """The release that the controls describe once its noise has been put into them, and that its address restores."""
    noise = noise_levels.noises(release)
    assert all(float(f"{one:g}") == one for one in noise)  # what a box shows is what it holds
    made = zip(release.phases, [float(str(address.spelled(one))) for one in noise], strict=True)
    phases = tuple(replace(phase, noise_multiplier=one) for phase, one in made)
    return Composition(phases) if isinstance(release, Composition) else phases[0]


@pytest.mark.parametrize("kind", ["epsilon", "advantage", "found", "guessed", "eta", "relaxed"])
def test_limits_are_kept(kind: str) -> None:
    rng = np.random.default_rng([16, *kind.encode()])
    composed = [] if kind == "relaxed" else [COMPOSED[int(rng.integers(3))]]  # which takes seconds each
    for release in [*composed, *CLOSED, *CLOSED]:
        target: EpsilonTarget | AdvantageTarget | PowerTarget = found(rng, list(Order)[rng.integers(len(Order))])
        if kind == "epsilon":
            target = EpsilonTarget(between(rng, 0.05, 10.0), between(rng, 1e-8, 1e-3))
        elif kind == "advantage":
            target = AdvantageTarget(between(rng, 1e-3, 0.7))
        limit, find, shown = target.goal, partial(cached.noise_for, target), partial(cached.measured, target)
        if kind == "guessed":
            guess = found(rng)
            limit, find = guess.goal, partial(guess_limit.noise_for, guess.goal, guess.alpha)
            shown = partial(prior_guess.success, prior=guess.alpha)
        elif kind == "eta":
            eta = EtaTarget(between(rng, 1e-3, 0.4), list(Game)[rng.integers(len(Game))])
            limit, shown = eta.eta, partial(threat_models.eta, game=eta.game)
            find = partial(noise_for, eta, measured=shown)
        elif kind == "relaxed":
            one: AdvantageTarget | PowerTarget = found(rng)
            one = AdvantageTarget(between(rng, 0.01, 0.7)) if rng.integers(2) else one
            many = isinstance(one, PowerTarget) and rng.integers(2) and not isinstance(release, Laplace)
            relaxed = RelaxedTarget(one, 10 if many else 1)
            limit, find = relaxed.goal, partial(threat_models.noise_for, relaxed)
            shown = partial(threat_models.measured, relaxed)
        answer = find(release)
        kept = shown(entered(answer.mechanism))
        assert kept == answer.reached or kind == "eta"
        assert_shown_to_be_kept(kept.upper, limit)
        if answer.noise_needed and kind in ("epsilon", "advantage", "found"):
            assert shown(answer.mechanism.with_noise(answer.noise_multiplier * (1.0 - SPARE))).upper > limit


def test_guesses_keep_limits_of_reconstruction() -> None:
    rng = np.random.default_rng(16)
    for release in (*CLOSED, COMPOSED[0]):
        limit = between(rng, 1e-3, 0.9)
        prior = guess_limit.largest_prior(release, limit).lower
        assert prior == number(rounded_up(prior, 5))
        if prior > 0.0:
            assert_shown_to_be_kept(prior_guess.success(release, prior).upper, limit)
            assert prior_guess.success(release, prior * (1.0 + SPARE)).upper > limit


@pytest.mark.parametrize("steps", [1, 50])
def test_the_limits_of_those_who_know_no_other_record_are_kept(steps: int) -> None:
    """By the number that is shown: of one step the step's own, which the limit of many steps falls short of."""
    rng = np.random.default_rng(steps)
    for target in [each for _ in range(6) for each in (found(rng), AdvantageTarget(between(rng, 1e-3, 0.7)))]:
        batch = int(rng.integers(5, 500))
        release = GradientRelease(batch if steps == 1 else 40 * batch, batch, steps, int(rng.integers(1, 5000)))
        noise = saving.membership_noise(target, release, Order.ADD)
        assert float(f"{noise:g}") == noise
        made = release.with_noise(noise)
        shown = threat_models.largest_advantage(threat_models.membership_curve(made, False, Order.ADD))
        if isinstance(target, PowerTarget):
            shown = threat_models.membership_power(made, False, target.alpha, Order.ADD)
        assert_shown_to_be_kept(shown, target.goal)


def test_page_and_snippet_keep_the_limit_once_the_noise_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    app = visit("mechanism?mechanism.solve=true&mechanism.keep=epsilon&mechanism.goal_epsilon=1", folds_open=True)
    noise = float(re.findall(r"Noise ([\d.]+)", app.success[0].value)[0])
    checked(app.button(key="remedies.use").click().run())
    assert app.session_state["noise"] == noise
    (shown,) = (metric for metric in app.metric if metric.label.startswith("ε at δ"))
    (code,) = (block.value for block in app.code if "numerics" in block.value)
    exec(code, {})
    upper = float(re.findall(r"^epsilon:.*upper=([\d.e-]+)", capsys.readouterr().out, re.MULTILINE)[0])
    assert max(upper, float(shown.value)) <= 1.0
    assert rounded_up(upper, 8) in shown.help
