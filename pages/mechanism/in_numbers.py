"""The fold "In numbers": what an accusation is worth, the guarantees with how well each is known, and their Python."""

from functools import partial

from numerics.mechanisms import Mechanism
from numerics.trade_off import SMALLEST_ALPHA, Bound, Bracket, Order
from pages.ui import cached
from pages.ui.numbers_in_words import EPSILON_DIGITS, as_entered, counted, one_in, rounded_up
from pages.ui.release_in_force import ReleaseChoice
from pages.ui.result_header import Headline, Metric, between, times
from reports.python_code import constructor, imports, literal


def sentences(choice: ReleaseChoice, prior: float) -> str:
    """What an attacker can do at the operating point, and what its accusation is then worth in both worlds."""
    found = cached.power(choice.mechanism, choice.alpha, choice.order)
    headline = Headline.of(choice)
    stated = f"{headline.beside_guessing(found, choice.mechanism.bound)}."
    if choice.order is Order.REMOVE:
        return stated
    worth = cached.posterior(choice.mechanism, choice.alpha, prior, choice.order)
    before = counted(prior, headline.crowd)
    return (
        f"{stated} If {before} people are members, an accusation is right at most "
        f"{times(worth.upper, headline.crowd)} with this release, and {before} times without it."
    )


def numbers(choice: ReleaseChoice, prior: float) -> list[Metric]:
    """The guarantees in numbers, each with how well it is known."""
    release, delta = choice.mechanism, as_entered(choice.delta)
    metric = partial(_metric, release.bound)
    return [
        metric(f"ε at δ = {delta}", cached.epsilon(release, choice.delta), _EPSILON_HELP, EPSILON_DIGITS),
        metric("Advantage", cached.advantage(release), "Largest share of members found minus outsiders accused."),
        *_at_the_point(choice, prior),
        metric("μ-GDP", cached.gaussian_mu(release), _MU_HELP),
        metric("AUC", cached.auc(release), "Area under the attacker's ROC curve; 0.5 is guessing."),
    ]


def _at_the_point(choice: ReleaseChoice, prior: float) -> list[Metric]:
    """The rate at the operating point; where it is one of accusing, also what an accusation is worth."""
    release, alpha, order = choice.mechanism, choice.alpha, choice.order
    found, metric = cached.power(release, alpha, order), partial(_metric, release.bound)
    if order is Order.REMOVE:
        return [metric(f"Ruled out at α = {alpha:g}", found, _CLEARED_HELP)]
    worth = f"Probability that an accused person is a member, if {one_in(prior)} people are."
    return [
        metric(f"Found at α = {as_entered(alpha)}", found, "True positive rate at the chosen false positive rate."),
        metric(f"Posterior at {prior:g}", cached.posterior(release, alpha, prior, order), worth),
    ]


_EPSILON_HELP = "Differential privacy, of both orders the worse: odds about one person move by at most e^ε, but for δ."
_CLEARED_HELP = "Share of outsiders who are ruled out, at the chosen share of members who are wrongly cleared."
_MU_HELP = "The release is no easier to attack than one Gaussian release of effect size μ, at error rates down to 10⁻⁹."


def _metric(bound: Bound, label: str, bracket: Bracket, meaning: str, digits: int = 3) -> Metric:
    return Metric(label, rounded_up(bracket.upper, digits), f"At most; {meaning} {between(bracket, bound)}")


def python_snippet(mechanism: Mechanism, alpha: float, delta: float, order: Order, prior: float) -> str:
    """Python that prints the numbers on the page; run it in the project's folder."""
    made, tested = constructor(mechanism), f"{alpha!r}, {literal(order)}"
    worth = f'print("posterior:", mechanism.posterior({alpha!r}, {prior!r}, {literal(order)}, precision))\n'
    return f"""{imports(mechanism)}
from numerics.privacy_loss import Precision
from numerics.trade_off import Order

mechanism = {made}
precision = {cached.PRECISION!r}  # smaller widths give narrower brackets
print("true positive rate:", mechanism.power({tested}, precision))
print("epsilon:", mechanism.epsilon({delta!r}, {cached.EPSILON_WIDTH!r}, precision))
print("advantage:", mechanism.advantage(precision))
{worth if order is not Order.REMOVE else ""}print("mu-GDP:", mechanism.gaussian_mu({SMALLEST_ALPHA!r}, precision))
print("AUC:", mechanism.auc(precision))
"""
