"""A limit that noise, or a guess, was solved for is kept by every number that is shown afterwards, at any digits."""

import unicodedata
from collections.abc import Callable, Iterator
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
from pages.ui import address, cached, cached_reconstruction, cached_threat_models, phase_noise
from pages.ui.numbers_in_words import at_most, rounded_up

LIMITS = 40  # of each kind
DIGITS = 3  # of a limit that somebody enters
SHOWN = (3, 4, 6, 8)  # digits to which pages, hovers and notes round
SPARE = 0.02  # a page's bracket is half a per cent wide, so so much less noise never keeps the limit
# Closed forms, and a few that are composed numerically: their brackets are what pages and library differ in.
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
FEW = 1  # of each kind that are composed


def drawn(kind: str) -> Iterator[tuple[int, np.random.Generator, Mechanism]]:
    """The releases that are asked about, each with the generator of its limit."""
    rng = np.random.default_rng([LIMITS, *kind.encode()])
    for number in range(LIMITS):
        releases = COMPOSED if number < FEW else CLOSED
        yield number, rng, releases[number % len(releases)]


def few_digits(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def between(rng: np.random.Generator, low: float, high: float) -> float:
    return few_digits(float(np.exp(rng.uniform(np.log(low), np.log(high)))))


def number(text: str) -> float:
    """The number that a text shows."""
    return float(unicodedata.normalize("NFKC", text.replace(" × 10", "e")).replace("−", "-"))


def assert_shown_to_be_kept(value: float, limit: float) -> None:
    """At the digits of the limit and at more; counted in people, no more of them than the limit allows."""
    for digits in SHOWN:
        assert number(rounded_up(value, digits)) <= limit
    if limit < 1.0:
        shown, allowed = at_most(value), at_most(limit)
        assert shown.count * allowed.of <= allowed.count * shown.of


def entered(release: Mechanism) -> Mechanism:
    """The release that the controls describe once its noise has been put into them, and that its address restores."""
    noise = phase_noise.noises(release)
    assert all(float(f"{one:g}") == one for one in noise)  # what a box shows is what it holds
    restored = [float(str(address.spelled(one))) for one in noise]
    if isinstance(release, Composition):
        phases = zip(release.phases, restored, strict=True)
        return Composition(tuple(replace(phase, noise_multiplier=one) for phase, one in phases))
    return replace(release, noise_multiplier=restored[0])


def power_limit(rng: np.random.Generator) -> tuple[float, float]:
    """A false positive rate, and a limit above it."""
    alpha = between(rng, 1e-5, 0.3)
    return few_digits(alpha + (1.0 - alpha) * between(rng, 1e-2, 0.6)), alpha


def epsilon(rng: np.random.Generator) -> EpsilonTarget:
    return EpsilonTarget(between(rng, 0.05, 10.0), between(rng, 1e-8, 1e-3))


def advantage(rng: np.random.Generator) -> AdvantageTarget:
    return AdvantageTarget(between(rng, 1e-3, 0.7))


def found(rng: np.random.Generator) -> PowerTarget:
    return PowerTarget(*power_limit(rng), list(Order)[rng.integers(len(Order))])


@pytest.mark.parametrize("kind", [epsilon, advantage, found], ids=lambda kind: kind.__name__)
def test_the_limits_of_full_knowledge_are_kept(
    kind: Callable[[np.random.Generator], EpsilonTarget | AdvantageTarget | PowerTarget],
) -> None:
    for _, rng, release in drawn(kind.__name__):
        target = kind(rng)
        answer = cached.noise_for(target, release)
        kept = cached.measured(target, entered(answer.mechanism))
        assert kept == answer.reached
        assert_shown_to_be_kept(kept.upper, target.goal)
        if answer.noise_needed:
            less = answer.mechanism.with_noise(answer.noise_multiplier * (1.0 - SPARE))
            assert cached.measured(target, less).upper > target.goal


def test_limits_of_reconstruction_are_kept() -> None:
    for _, rng, release in drawn("reconstruction"):
        limit, prior = power_limit(rng)
        answer = cached_reconstruction.noise_for(limit, prior, release)
        kept = cached_reconstruction.success(entered(answer.mechanism), prior)
        assert kept == answer.reached
        assert_shown_to_be_kept(kept.upper, limit)


def test_guesses_keep_limits_of_reconstruction() -> None:
    for _, rng, release in drawn("prior"):
        limit = between(rng, 1e-3, 0.9)
        prior = cached_reconstruction.largest_prior(release, limit).lower
        assert prior == number(rounded_up(prior, 5))
        if prior > 0.0:
            assert_shown_to_be_kept(cached_reconstruction.success(release, prior).upper, limit)
            assert cached_reconstruction.success(release, prior * (1.0 + SPARE)).upper > limit


def test_limits_of_eta_are_kept() -> None:
    for _, rng, release in drawn("eta"):
        game = list(Game)[rng.integers(len(Game))]
        target = EtaTarget(between(rng, 1e-3, 0.4), game)
        answer = noise_for(target, release, partial(cached_threat_models.eta, game=game))
        assert_shown_to_be_kept(cached_threat_models.eta(entered(answer.mechanism), game).upper, target.eta)


def relaxed_found(rng: np.random.Generator, release: Mechanism) -> RelaxedTarget:
    closed = release.closed_form is not None and not isinstance(release, Laplace)
    return RelaxedTarget(PowerTarget(*power_limit(rng)), int(rng.choice([1, 10])) if closed else 1)


def relaxed_advantage(rng: np.random.Generator, _: Mechanism) -> RelaxedTarget:
    return RelaxedTarget(AdvantageTarget(between(rng, 0.01, 0.7)))


@pytest.mark.parametrize("kind", [relaxed_found, relaxed_advantage], ids=lambda kind: kind.__name__)
def test_the_limits_of_those_who_do_not_know_the_record_are_kept(
    kind: Callable[[np.random.Generator, Mechanism], RelaxedTarget],
) -> None:
    for place, rng, release in drawn(kind.__name__):
        if place < FEW:
            continue  # seconds each, by the very function that the pages show: test_page_attackers has one
        target = kind(rng, release)
        answer = cached_threat_models.noise_for(target, release)
        kept = cached_threat_models.measured(target, entered(answer.mechanism))
        assert_shown_to_be_kept(kept.upper, target.goal)


@pytest.mark.parametrize("steps", [1, 50], ids=["one step", "many"])
@pytest.mark.parametrize("kind", [advantage, found], ids=lambda kind: kind.__name__)
def test_the_limits_of_those_who_know_no_other_record_are_kept(
    kind: Callable[[np.random.Generator], AdvantageTarget | PowerTarget], steps: int
) -> None:
    """By the number that is shown: of one step the step's own, which the limit of many steps falls short of."""
    rng = np.random.default_rng([LIMITS, steps])
    for _ in range(LIMITS):
        batch, dimension = int(rng.integers(5, 500)), int(rng.integers(1, 5000))
        release = GradientRelease(batch if steps == 1 else 40 * batch, batch, steps, dimension)
        target = kind(rng)
        order = target.order if isinstance(target, PowerTarget) else Order.ADD
        noise = cached_threat_models.membership_noise(target, release, order)
        curve = cached_threat_models.membership_curve(release.with_noise(noise), False, order)
        shown = (
            cached_threat_models.membership_power(release.with_noise(noise), False, target.alpha, order)
            if isinstance(target, PowerTarget)
            else cached_threat_models.largest_advantage(curve)
        )
        assert float(f"{noise:g}") == noise
        assert_shown_to_be_kept(shown, target.goal)
