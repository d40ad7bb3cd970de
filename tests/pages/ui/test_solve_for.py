"""A limit that noise, or a guess, was solved for is kept by every number that is shown afterwards, at any digits."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from numerics.calibration import AdvantageTarget, Calibration, EpsilonTarget, PowerTarget, noise_for
from numerics.gaussian_membership import GradientRelease
from numerics.mechanisms import Composition, Gaussian, Laplace, Mechanism
from numerics.membership import EtaTarget, Game
from numerics.relaxed import RelaxedTarget
from numerics.trade_off import Bracket, Order
from pages.ui import address, cached, cached_reconstruction, cached_threat_models, phase_noise
from pages.ui.numbers_in_words import at_most, rounded_up
from tests.pages.driver import text, visit
from tests.pages.visit import checked

LIMITS = 16  # of each kind
SPARE = 0.02  # a page's bracket is half a per cent wide, so so much less noise never keeps the limit
# Closed forms first; of those that are composed numerically, one is asked each time.
CLOSED: tuple[Mechanism, ...] = (
    Gaussian(1.0),
    Gaussian(1.0, 0.1),
    Laplace(1.0, 0.2),
    Gaussian(1.0, 1.0, 20),
    Laplace(1.0),
)
COMPOSED: tuple[Mechanism, ...] = (
    Gaussian(1.0, 0.05, 20),
    Laplace(1.0, 0.1, 5),
    Composition((Gaussian(1.0, 0.2, 3), Gaussian(2.5, 0.1, 2))),
)
Draw = np.random.Generator


def few_digits(value: float) -> float:
    """As somebody enters a limit."""
    return float(f"{value:.3g}")


def between(rng: Draw, low: float, high: float) -> float:
    return few_digits(float(np.exp(rng.uniform(np.log(low), np.log(high)))))


def power_limit(rng: Draw) -> tuple[float, float]:
    """A limit above a false positive rate, and that rate."""
    alpha = between(rng, 1e-5, 0.3)
    return few_digits(alpha + (1.0 - alpha) * between(rng, 1e-2, 0.6)), alpha


def number(shown: str) -> float:
    return float(unicodedata.normalize("NFKC", shown.replace(" × 10", "e")).replace("−", "-"))


def assert_shown_to_be_kept(value: float, limit: float) -> None:
    """At the digits of the limit and at more; counted in people, no more of them than the limit allows."""
    for digits in (3, 4, 6, 8):
        assert number(rounded_up(value, digits)) <= limit
    if limit < 1.0:
        shown, allowed = at_most(value), at_most(limit)
        assert shown.count * allowed.of <= allowed.count * shown.of


def entered(release: Mechanism) -> Mechanism:
    """The release that the controls describe once its noise has been put into them, and that its address restores."""
    noise = phase_noise.noises(release)
    assert all(float(f"{one:g}") == one for one in noise)  # what a box shows is what it holds
    made = zip(release.phases, [float(str(address.spelled(one))) for one in noise], strict=True)
    phases = tuple(replace(phase, noise_multiplier=one) for phase, one in made)
    return Composition(phases) if isinstance(release, Composition) else phases[0]


# What is limited: the limit, how the noise for it is found, and what is shown of a release.
Question = tuple[float, Callable[[Mechanism], Calibration], Callable[[Mechanism], Bracket]]


def full(kind: str, rng: Draw, _: Mechanism) -> Question:
    target: EpsilonTarget | AdvantageTarget | PowerTarget
    target = PowerTarget(*power_limit(rng), list(Order)[rng.integers(len(Order))])
    if kind == "epsilon":
        target = EpsilonTarget(between(rng, 0.05, 10.0), between(rng, 1e-8, 1e-3))
    elif kind == "advantage":
        target = AdvantageTarget(between(rng, 1e-3, 0.7))
    return target.goal, partial(cached.noise_for, target), partial(cached.measured, target)


def guessed(_: str, rng: Draw, __: Mechanism) -> Question:
    limit, prior = power_limit(rng)
    find = partial(cached_reconstruction.noise_for, limit, prior)
    return limit, find, lambda release: cached_reconstruction.success(release, prior)


def eta(_: str, rng: Draw, __: Mechanism) -> Question:
    game = list(Game)[rng.integers(len(Game))]
    target, shown = EtaTarget(between(rng, 1e-3, 0.4), game), partial(cached_threat_models.eta, game=game)
    return target.eta, lambda release: noise_for(target, release, shown), shown


def relaxed(kind: str, rng: Draw, release: Mechanism) -> Question:
    many = release.closed_form is not None and not isinstance(release, Laplace)
    target = (
        RelaxedTarget(AdvantageTarget(between(rng, 0.01, 0.7)))
        if kind == "advantage"
        else RelaxedTarget(PowerTarget(*power_limit(rng)), int(rng.choice([1, 10])) if many else 1)
    )
    return (
        target.goal,
        partial(cached_threat_models.noise_for, target),
        partial(cached_threat_models.measured, target),
    )


@pytest.mark.parametrize(
    ("ask", "kind", "composed"),
    [
        *((full, kind, 1) for kind in ("epsilon", "advantage", "found")),
        *((guessed, "", 1), (eta, "", 1)),
        *((relaxed, "found", 0), (relaxed, "advantage", 0)),  # composed it takes seconds each
    ],
)
def test_limits_are_kept(ask: Callable[[str, Draw, Mechanism], Question], kind: str, composed: int) -> None:
    rng = np.random.default_rng([LIMITS, *kind.encode()])
    for place in range(LIMITS):
        release = COMPOSED[int(rng.integers(3))] if place < composed else CLOSED[place % len(CLOSED)]
        limit, find, shown = ask(kind, rng, release)
        answer = find(release)
        kept = shown(entered(answer.mechanism))
        assert kept == answer.reached or ask is eta
        assert_shown_to_be_kept(kept.upper, limit)
        if answer.noise_needed and ask is full:
            less = answer.mechanism.with_noise(answer.noise_multiplier * (1.0 - SPARE))
            assert shown(less).upper > limit


def test_guesses_keep_limits_of_reconstruction() -> None:
    rng = np.random.default_rng(LIMITS)
    for release in (*CLOSED, COMPOSED[0]):
        limit = between(rng, 1e-3, 0.9)
        prior = cached_reconstruction.largest_prior(release, limit).lower
        assert prior == number(rounded_up(prior, 5))
        if prior > 0.0:
            assert_shown_to_be_kept(cached_reconstruction.success(release, prior).upper, limit)
            assert cached_reconstruction.success(release, prior * (1.0 + SPARE)).upper > limit


def test_the_limits_of_those_who_know_no_other_record_are_kept() -> None:
    """By the number that is shown: of one step the step's own, which the limit of many steps falls short of."""
    rng = np.random.default_rng(LIMITS)
    for place in range(2 * LIMITS):
        steps, batch, dimension = 1 + 49 * (place % 2), int(rng.integers(5, 500)), int(rng.integers(1, 5000))
        release = GradientRelease(batch if steps == 1 else 40 * batch, batch, steps, dimension)
        target = PowerTarget(*power_limit(rng)) if place % 4 < 2 else AdvantageTarget(between(rng, 1e-3, 0.7))
        noise = cached_threat_models.membership_noise(target, release, Order.ADD)
        made = release.with_noise(noise)
        if isinstance(target, PowerTarget):
            shown = cached_threat_models.membership_power(made, False, target.alpha, Order.ADD)
        else:
            curve = cached_threat_models.membership_curve(made, False, Order.ADD)
            shown = cached_threat_models.largest_advantage(curve)
        assert float(f"{noise:g}") == noise
        assert_shown_to_be_kept(shown, target.goal)


# The kind of limit, the box it is entered in, the limit, the metric that shows what it limits, and the snippet's name.
@pytest.mark.parametrize(
    ("limit", "box", "goal", "name", "printed"),
    [
        ("epsilon", "goal_epsilon", 1.0, "ε at δ", "epsilon"),
        ("advantage", "goal_advantage", 0.1, "Advantage", "advantage"),
        ("members found", "goal_found", 0.002, "Found at", "true positive rate"),
    ],
)
def test_page_and_snippet_keep_the_limit_once_the_noise_is_used(
    limit: str, box: str, goal: float, name: str, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    app = visit(f"mechanism?mechanism.solve=true&mechanism.keep={limit}&mechanism.{box}={goal}", folds_open=True)
    noise = float(re.findall(r"Noise ([\d.]+)", app.success[0].value)[0])
    checked(app.button(key="solve_for.use").click().run())
    assert app.session_state["noise"] == noise
    (shown,) = (metric for metric in app.metric if metric.label.startswith(name))
    assert float(shown.value) <= goal

    (code,) = (block.value for block in app.code if "numerics" in block.value)
    exec(code, {})
    upper = float(re.findall(rf"^{printed}:.*upper=([\d.e-]+)", capsys.readouterr().out, re.MULTILINE)[0])
    assert upper <= goal
    assert rounded_up(upper, 8) in shown.help
    if limit == "members found":
        assert "At most 20 of 10,000 people can be found while 10 of 10,000 outsiders are wrongly accused" in text(app)
