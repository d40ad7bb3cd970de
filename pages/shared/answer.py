"""The answer above the fold: the sentence for the operating point, and the numbers that go with it."""

from functools import partial

import numpy as np

from numerics.trade_off import Bound, Bracket, Order
from pages.shared import cached
from pages.shared.controls import Choice
from pages.shared.frequencies import EPSILON_DIGITS, chosen, counted, one_in, rounded_up
from pages.shared.readout import Metric, between, crowd, membership_sentence, times

_WEAK_EPSILON = 10.0
_COUNTED = 1e6  # larger factors are powers of ten
_SHOWN_EPSILON = 50.0  # e^50 is beyond any odds anybody has


def sentences(choice: Choice, prior: float) -> str:
    """What an attacker can do at the operating point, and what its accusation is then worth in both worlds."""
    found = cached.power(choice.mechanism, choice.alpha, choice.order)
    if choice.order is Order.REMOVE:
        return membership_sentence(found, choice.alpha, choice.order)
    worth = cached.posterior(choice.mechanism, choice.alpha, prior, choice.order)
    of = crowd(found.upper, worth.upper)
    before = counted(prior, of)
    return (
        f"{membership_sentence(found, choice.alpha, choice.order, of)} "
        f"If {before} people are members, an accusation is right at most {times(worth.upper, of)} with this release, "
        f"and {before} times without it."
    )


def numbers(choice: Choice, prior: float) -> list[Metric]:
    """The guarantees in numbers, each with how well it is known."""
    release, delta = choice.mechanism, chosen(choice.delta)
    metric = partial(_metric, release.bound)
    return [
        metric(f"ε at δ = {delta}", cached.epsilon(release, choice.delta), _EPSILON_HELP, EPSILON_DIGITS),
        metric("Advantage", cached.advantage(release), "Largest share of members found minus outsiders accused."),
        *_at_the_point(choice, prior),
        metric("μ-GDP", cached.gaussian_mu(release), _MU_HELP),
        metric("AUC", cached.auc(release), "Area under the attacker's ROC curve; 0.5 is guessing."),
    ]


def _at_the_point(choice: Choice, prior: float) -> list[Metric]:
    """The rate at the operating point; where it is one of accusing, also what an accusation is worth."""
    release, alpha, order = choice.mechanism, choice.alpha, choice.order
    found, metric = cached.power(release, alpha, order), partial(_metric, release.bound)
    if order is Order.REMOVE:
        return [metric(f"Ruled out at α = {alpha:g}", found, _CLEARED_HELP)]
    worth = f"Probability that an accused person is a member, if {one_in(prior)} people are."
    return [
        metric(f"Found at α = {alpha:g}", found, "True positive rate at the chosen false positive rate."),
        metric(f"Posterior at {prior:g}", cached.posterior(release, alpha, prior, order), worth),
    ]


_EPSILON_HELP = "Differential privacy, of both orders the worse: odds about one person move by at most e^ε, but for δ."
_CLEARED_HELP = "Share of outsiders who are ruled out, at the chosen share of members who are wrongly cleared."
_MU_HELP = "The release is no easier to attack than one Gaussian release of effect size μ, at error rates down to 1e-9."


def _metric(bound: Bound, label: str, bracket: Bracket, meaning: str, digits: int = 3) -> Metric:
    return Metric(label, rounded_up(bracket.upper, digits), f"At most; {meaning} {between(bracket, bound)}")


def weakness(choice: Choice) -> str:
    """Words for an epsilon that promises next to nothing; empty for one that protects."""
    epsilon = cached.epsilon(choice.mechanism, choice.delta)
    if epsilon.upper <= _WEAK_EPSILON:
        return ""
    if not np.isfinite(epsilon.upper) or epsilon.upper > _SHOWN_EPSILON:
        return (
            f"**ε is too large to promise anything at δ = {chosen(choice.delta)}:** an attacker who sees the release "
            "can be all but sure about a member. More noise, fewer steps or a smaller sampling rate would change that."
        )
    shown = rounded_up(epsilon.upper, EPSILON_DIGITS)
    return (
        f"**An ε of {shown} promises little:** the release may move the odds about one person by a factor of "
        f"{_factor(epsilon.upper)}. Judge it by what the attacker finds, shown here, or add noise."
    )


def _factor(epsilon: float) -> str:
    """e^epsilon, rounded up."""
    factor = float(np.exp(epsilon))
    return f"{np.ceil(factor):,.0f}" if factor < _COUNTED else rounded_up(factor)
