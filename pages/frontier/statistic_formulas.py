"""How the statistic view's numbers are computed, and the Python that prints them."""

from collections.abc import Mapping

from numerics.frontier import Count, Histogram, Mean, RegressionCoefficient, Statistic
from pages.frontier.statistic_answer import StatisticAnswer
from pages.ui.result_header import Formula
from reports.python_code import constructor

_FULL = Formula(
    r"\mu = z_\alpha - z_{\mathrm{TPR}}, \qquad \sigma = \Delta_2 / \mu",
    "Full knowledge: the limit gives the effect size μ of Gaussian noise, and Δ, the most that one record changes the "
    "sum, gives the noise σ on the sum. Exact.",
    "paper 000 Eq. 20",
)
_LAPLACE = Formula(
    r"b = \Delta_1/\mu, \quad \mathrm{TPR} = \alpha e^{\mu}\ (< \tfrac12)",
    "The same with Laplace noise of scale b in every number. A guarantee where a record moves several numbers.",
    "paper 000 Eq. 19",
)
_RECORD = Formula(
    r"\mathrm{TPR} = P\bigl(\chi^2_d(\mu^2) > c\bigr), \quad \alpha = P(\chi^2_d > c)",
    "Record unknown: all that is left to test is the distance in d dimensions. One release, so exact.",
    "paper 000 Eqs. 4 and 5; corrections 4, 5",
)
_SUBSET = Formula(
    r"\sigma = \Delta_2 / \mu; \qquad "
    r"\eta = \tfrac12\,\mathrm{advantage}, \quad \mathrm{TPR} \le \alpha + 2\eta",
    "Subset unknown: the least noise that is proved comes by way of differential privacy for the same neighbours. Its "
    "whole curve holds for a random subset too: drawn by independent coins for one record more or less, exactly half "
    "for a replaced one. By η alone, as below, a limit on rare false alarms takes much more.",
    "paper 002 Prop. 2, Thm 8",
    "TPR ≤ FPR + 2η, not η; each game has its own neighbours (corrections 27, 28).",
)
_SWAP = Formula(
    r"p(x) \propto e^{-\lVert x\rVert/b}, \quad b = \frac{\Delta_2}{2\,\mathrm{artanh}\,2\eta}, \quad "
    r"b_{d=1} = \frac{\Delta_2}{-2\log(1 - 2\eta)}, \quad "
    r"b_{002} = (6.16/\eta)^2 S, \quad S = \frac{n R}{\sqrt{2n - 1}}",
    "The noise of paper 002, by the one-swap bound and by the paper's constant with M = 2. One swap replaces a member "
    "by an outsider; its mean size counts, and in the worst bounded data every swap is as large as Δ: there the bound "
    "asks for what differential privacy with this noise does. S bounds the spread of the sum over the halves of a pool "
    "of 2n people whose contributions lie in a ball of radius R, and grows like √n.",
    "correction 32; paper 002 Cor. 14",
    "the paper's proof covers d = 1 only (correction 31).",
)
_OTHERS = Formula(
    r"\mu = \sqrt{\frac{d}{n + s^2 + \frac12}}, \quad s = \sigma / R; \qquad \sigma = \min\{R\,s,\ \Delta_2/\mu\}",
    "Other records unknown: they hide the record as well, and n people with noise are like n + s² without. K = d and "
    "normal sums: an estimate, no bound.",
    "paper 004 Eq. 9, Cor. F.1",
    "4/μ² instead of 4C²/μ² (correction 50); K = d is typical, not the worst case (correction 46).",
)
_VECTOR = (
    r"\mathrm{error} = w\,\sigma,\quad w\sqrt2\,b,\quad w\sqrt{d + 1}\,b; \qquad \Delta_2 = 1, 2, \quad "
    r"\Delta_1 = \sqrt d, 2\sqrt d"
)
_IN_A_VECTOR = (
    "Root mean square error of a coordinate for Gaussian, Laplace and radial noise; the changes are for a record more, "
    "and for a replaced one. "
)
_DEVIATION = "standard deviation of the noise"
# How far noise puts a statistic off, and what is assumed of the data.
_RELEASED: Mapping[type[Statistic], tuple[Formula, str]] = {
    Mean: (
        Formula(_VECTOR, f"w = 1/n: the mean is the sum over the public number of people. {_IN_A_VECTOR}", _DEVIATION),
        "Every record is a vector of length at most 1; results scale with the largest length.",
    ),
    RegressionCoefficient: (
        Formula(
            _VECTOR,
            f"w = d/(v n): the mean of x·y times d/v, with the spread v of x public. {_IN_A_VECTOR}",
            _DEVIATION,
        ),
        "x and y have length at most 1, every coordinate of x varies alike, and its spread is public: estimated from "
        "the data it would need noise of its own.",
    ),
    Count: (
        Formula(
            r"\mathrm{error} = \sigma,\quad \sqrt2\,b; \qquad \Delta_1 = \Delta_2 = 1",
            "Standard deviation of the noise; a person changes a count by at most one, also when replaced.",
            _DEVIATION,
        ),
        "Every person has the property or not.",
    ),
    Histogram: (
        Formula(
            r"\mathrm{error} = M_k \sigma,\ H_k b,\ \frac{k M_k}{\mathbb{E}\chi_k} b; \quad M_k = \int_0^\infty "
            r"\!\!1 - (2\Phi(x) - 1)^k dx; \quad \Delta_2 = 1, \sqrt2, \ \Delta_1 = 1, 2",
            "Expected error of the worst of k bins for Gaussian, Laplace and radial noise.",
            "expected largest of k absolute values",
        ),
        "Every person is in exactly one bin. Sampling error: bins filled alike, counts taken for normal.",
    ),
}
_ASSUMPTIONS = (
    "The number of people n is public, and the statistic is released once. Its sampling error is the largest there can "
    "be; of a histogram, that of bins filled alike.",
    "Full knowledge and an unknown subset compare the chosen neighbours; an unknown record is one record more or less; "
    "for paper 002's own noise and for unknown others one record is replaced. Only what compares the chosen neighbours "
    "is drawn. Where a line is missing, no noise is needed.",
    "Subset unknown: the attacker knows a pool of 2n people. Each is used by a coin of its own where neighbours have "
    "one record more or less, and exactly half where one is replaced.",
)


def formulas(answer: StatisticAnswer) -> tuple[Formula, ...]:
    """The steps of the computation, in order."""
    error, _ = _RELEASED[type(answer.released)]
    return (error, _FULL, _RECORD, _SUBSET, _SWAP, _OTHERS, _LAPLACE)


def assumptions(answer: StatisticAnswer) -> tuple[str, ...]:
    """What the numbers presuppose, in words."""
    _, own = _RELEASED[type(answer.released)]
    return (own, *_ASSUMPTIONS)


def parameters(answer: StatisticAnswer) -> dict[str, str]:
    """What stands on top of the data."""
    return {
        "released": constructor(answer.released),
        "attack success": f"{constructor(answer.asked.measure)}: {answer.asked.measure.label}",
        "neighbours of full knowledge": answer.asked.adjacency.value,
        "limit": repr(answer.limit.found),
        "error": f"from the noise, {answer.released.unit}",
        "sampling error": repr(answer.released.sampling_error),
        "assumptions": " ".join(assumptions(answer)),
    }


def snippet(answer: StatisticAnswer) -> str:
    """Python that prints the numbers on the page; run it in the project's folder."""
    released, measure = answer.released, answer.asked.measure
    names = ", ".join(sorted({type(released).__name__, type(measure).__name__, "NoAnswerError", "Notion"}))
    return f"""import numpy as np

from numerics.frontier import {names}, frontier, people_needed
from numerics.mechanisms import Adjacency

statistic = {constructor(released)}
measure = {constructor(measure)}
neighbours, goal = Adjacency.{answer.asked.adjacency.name}, {answer.limit.found!r}
print("sampling error:", statistic.sampling_error)
for notion in Notion:
    try:
        found = frontier(statistic, measure, notion, neighbours, np.array([goal]))
    except NoAnswerError as reason:
        print(f"{{notion}}: {{reason}}")
        continue
    people = people_needed(statistic, measure, notion, neighbours, goal)
    print(f"{{notion}}: noise {{found.scale.item()!r}}, error {{found.error.item()!r}}, people needed {{people}}")
"""
