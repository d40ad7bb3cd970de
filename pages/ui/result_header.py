"""The answer in words: whom an attack finds and at what price, what kind of number that is, and how it is computed.

How many people are found is never said without how many are accused wrongly meanwhile: Home, Mechanism, Attackers,
their sheet and what a screen reader hears of them are worded here alone (``Headline``).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np
import streamlit as st

import people_view
from numerics.mechanisms import Mechanism
from numerics.trade_off import Bound, Bracket, Order
from pages.ui import cached
from pages.ui.numbers_in_words import (
    ALL_BUT_CERTAIN,
    CROWD,
    EPSILON_DIGITS,
    Frequency,
    as_entered,
    at_least,
    count_up,
    counted,
    rounded_down,
    rounded_up,
)
from pages.ui.release_in_force import ReleaseChoice


@dataclass(frozen=True)
class OrderWords:
    """The words for one order.

    Attributes:
        people: whom the attacker looks for.
        found: what it does to them, of them.
        finds: the same, of the attacker.
        missed: what is said of those to whom it does not.
        wronged: the others, whom it takes for these by mistake.
        accused: what it does to them then, of them.
        accusing: the same, of the attacker.
        rate: how often that happens.
    """

    people: str
    found: str
    finds: str
    missed: str
    wronged: str
    accused: str
    accusing: str
    rate: str


_FINDS = OrderWords(
    "members", "found", "finds", "are then missed", "outsiders", "accused", "accusing", "false positive rate"
)
_RULES_OUT = OrderWords(
    people="outsiders",
    found="ruled out",
    finds="rules out",
    missed="are then not ruled out",
    wronged="members",
    accused="cleared",
    accusing="clearing",
    rate="false negative rate",
)


def words_for(order: Order) -> OrderWords:
    """The worse of both orders is spoken of as one that finds members."""
    return _RULES_OUT if order is Order.REMOVE else _FINDS


# Whom an attack finds, and at what price

_LARGEST_CROWD = 10**10
_SURELY = {Bound.UPPER: "at least", Bound.ESTIMATE: "about", Bound.AUDIT: "about"}
_REACHED = (Bound.EXACT, Bound.CERTIFIED)  # by an attack, as nearly as is said
_WHOLE = 1e-9  # of a count, up to which rounding is not said


def crowd_for(alpha: float) -> int:
    """People that are counted: 10,000, and more only where guessing would find nobody of them."""
    crowd = CROWD
    while round(alpha * crowd) < 1 and crowd < _LARGEST_CROWD:
        crowd *= 10
    return crowd


def surely(bound: Bound) -> str:
    """What may be claimed of a count: guarantees are the most that can be found, attacks reach at least theirs."""
    return _SURELY.get(bound, "at most")


@dataclass(frozen=True)
class Headline:
    """How a count of people is stated, with the false accusations at which it holds.

    Attributes:
        alpha: the rate of false accusations; in the remove-one order of members who are wrongly cleared.
        order: of the test; the worse of both orders is spoken of as one that finds members.
        crowd: among how many people everybody is counted.
        records: how many each person has.
    """

    alpha: float
    order: Order
    crowd: int
    records: int = 1

    @classmethod
    def of(cls, choice: ReleaseChoice) -> "Headline":
        """In the crowd of the pages."""
        return cls(choice.alpha, choice.order, crowd_for(choice.alpha), choice.mechanism.records_per_person)

    @property
    def _clears(self) -> bool:
        return self.order is Order.REMOVE

    @property
    def whom(self) -> str:
        """Whom the attack looks for."""
        whose = f" with {self.records:,} records each" if self.records > 1 else ""
        return f"{'outsiders' if self._clears else 'people'}{whose}"

    @property
    def after(self) -> str:
        """The sentence after the count: what can be done to whom, and at the price of which false verdicts."""
        wronged = counted(self.alpha, self.crowd)
        if self._clears:
            return f"{self.whom} can be ruled out while {wronged} members are wrongly cleared"
        return f"{self.whom} can be found while {wronged} outsiders are wrongly accused"

    @property
    def luck(self) -> str:
        """How many of the crowd blind guessing finds, on average, with as many false verdicts."""
        exact, whole = self.alpha * self.crowd, round(self.alpha * self.crowd)
        if not whole:
            return "fewer than one"
        return f"{whole:,}" if abs(exact - whole) <= _WHOLE * exact else f"about {whole:,}"

    @property
    def guessing(self) -> str:
        """The same as a clause."""
        return f"guessing {'rules out' if self._clears else 'finds'} {self.luck}"

    def count(self, found: Bracket, bound: Bound = Bound.CERTIFIED) -> int:
        """How many: of a guarantee rounded up, and of what an attack reaches rounded down."""
        if bound is Bound.UPPER:
            return at_least(found.lower, self.crowd).count
        return count_up(found.upper, self.crowd)

    def before(self, found: Bracket, bound: Bound = Bound.CERTIFIED) -> str:
        """The sentence before the count."""
        said = surely(bound)
        if found.upper > ALL_BUT_CERTAIN and bound not in _SURELY:
            return f"No {'protection' if bound in _REACHED else 'promise'}: up to"
        return said.capitalize()

    def sentence(self, found: Bracket, bound: Bound = Bound.CERTIFIED) -> str:
        """The whole of it, in Markdown, without a full stop."""
        count = f"**{self.count(found, bound):,}** of {self.crowd:,}"
        return f"{self.before(found, bound)} {count} {self.after}"

    def clause(self, found: Bracket, bound: Bound = Bound.CERTIFIED) -> str:
        """The same within another sentence."""
        said = self.sentence(found, bound)
        return f"{said[0].lower()}{said[1:]}"

    def beside_guessing(self, found: Bracket, bound: Bound = Bound.CERTIFIED) -> str:
        """The same where no picture shows what guessing finds."""
        return f"{self.sentence(found, bound)} ({self.guessing})"


# An epsilon that promises next to nothing

_WEAK_EPSILON = 10.0
_COUNTED = 1e6  # larger factors are powers of ten
_SHOWN_EPSILON = 50.0  # e^50 is beyond any odds anybody has


def weakness(choice: ReleaseChoice) -> str:
    """Words for an epsilon that promises next to nothing; empty for one that protects."""
    epsilon = cached.epsilon(choice.mechanism, choice.delta)
    if epsilon.upper <= _WEAK_EPSILON:
        return ""
    delta = f"δ = {as_entered(choice.delta)}"
    if np.isinf(epsilon.upper):
        return (
            f"**No ε is known to hold at {delta}:** with a larger chance than δ the release may make an "
            "attacker sure, or all but sure, about a member. A larger δ or fewer steps would change that, and more "
            "noise where it is not truncated."
        )
    if epsilon.upper > _SHOWN_EPSILON:
        return (
            f"**ε is too large to promise anything at {delta}:** with a larger chance than δ the release may make an "
            "attacker all but sure about a member. More noise, fewer steps or a smaller sampling rate would change "
            "that."
        )
    shown, factor = rounded_up(epsilon.upper, EPSILON_DIGITS), float(np.exp(epsilon.upper))
    times = f"{np.ceil(factor):,.0f}" if factor < _COUNTED else rounded_up(factor)
    return (
        f"**An ε of {shown} promises little:** the release may move the odds about one person by a factor of "
        f"{times}. Judge it by what the attacker finds, shown here, or add noise."
    )


# What kind of number it is, and how it is computed

_KIND: MappingProxyType[Bound, tuple[Literal["green", "blue", "orange", "violet"], str]] = MappingProxyType(
    {
        Bound.EXACT: ("green", "A closed formula, true to rounding."),
        Bound.CERTIFIED: (
            "green",
            "Computed between two proved limits: a guarantee no attack can beat and an attack that exists. What is "
            "stated as the most an attacker can do is the guarantee.",
        ),
        Bound.LOWER: ("green", "A guarantee: the attacker's error is at least this."),
        Bound.UPPER: ("violet", "A demonstrated attack: a real attacker reaches this."),
        Bound.OPEN: (
            "green",
            "A guarantee, and an attack that reaches less. What is stated as the most is the guarantee; other attacks "
            "may reach more than the one that is shown.",
        ),
        Bound.ESTIMATE: ("orange", "An approximation that may lie on either side of the truth: no guarantee."),
        Bound.AUDIT: ("blue", "Measured from samples; it holds with the confidence stated beside it."),
    }
)


@dataclass(frozen=True)
class Metric:
    """One number of the row below the sentence: its name, its value as text, and what it means."""

    label: str
    value: str
    help: str


@dataclass(frozen=True)
class Formula:
    """A step of the computation: the formula (LaTeX), what it says, its source, what differs from the paper's text."""

    latex: str
    words: str
    source: str
    correction: str = ""


def times(rate: float, of: int) -> str:
    """How often at most, of so many times."""
    return f"{Frequency(count_up(rate, of), of)} times"


def between(bracket: Bracket, bound: Bound = Bound.CERTIFIED) -> str:
    """How well a number is known: ``exact`` or the two limits, each rounded to its safe side."""
    if bound is Bound.LOWER:
        return "A guarantee; no attack is known that does as well."
    if bound is Bound.OPEN:
        reached = rounded_down(bracket.lower, 4)
        return f"A guarantee; the attack that is shown reaches {reached}, and others may reach more."
    if bracket.width == 0:
        return "Exact."
    return f"Certified between {rounded_down(bracket.lower, 8)} and {rounded_up(bracket.upper, 8)}."


def answer(sentence: str, bound: Bound | None = None, level: Literal[2, 3] = 2) -> None:
    """Draw the page's answer (level 2) or that of a part of it (level 3) as a heading, and what kind of number it is.

    A heading, so that a screen reader finds it: the controls before it are many.
    """
    kind = f" :{_KIND[bound][0]}-badge[{bound}]" if bound else ""
    st.markdown(f"{'#' * level} {sentence}{kind}")


def aria_live(*sentences: str) -> None:
    """Have a screen reader say these sentences of the page when they are new; they are Markdown, as drawn.

    For an answer that a control elsewhere on the page changes. Not where the answer is, for it takes a row.
    """
    people_view.draw_said(spoken(" ".join(sentences)))


def spoken(markdown: str) -> str:
    """A sentence of the page as a screen reader says it, without its marks; what describes a figure is nothing else."""
    text = re.sub(r":[a-z]+-badge\[(.+?)\]", r"\1.", markdown)
    return re.sub(r":[a-z]+\[(:material/\w+:)?(.*?)\]|:material/\w+:|[*\\]", r"\2", text).strip()


def metrics(row: Sequence[Metric], key: str | None = None) -> None:
    """Draw 3 to 5 numbers; they wrap on narrow screens. By ``key`` a slider finds those that move with it."""
    with st.container(horizontal=True, gap="medium", key=key):
        for metric in row:
            st.metric(metric.label, metric.value, help=metric.help, width="content")


def badge(bound: Bound) -> None:
    """Say what kind of number is shown, and in the tip what that means."""
    color, words = _KIND[bound]
    st.badge(bound.value, color=color, help=words)


def kinds() -> list[tuple[Bound, str]]:
    """Every kind of number with what it means."""
    return [(bound, words) for bound, (_, words) in _KIND.items()]


def how_computed(
    formulas: Sequence[Formula],
    assumptions: Sequence[str],
    bounds: Bound | Iterable[Bound],
    seconds: float | None = None,
    *,
    key: str = "how",
) -> None:
    """Draw the folded "How this is computed": formulas with source and correction, assumptions, kinds of bounds, time.

    What it says is sent once it is opened, which the address notes under ``key``.
    """
    fold = st.expander("How this is computed", key=key, on_change="rerun", bind="query-params")
    if not fold.open:
        return
    with fold:
        for formula in formulas:
            st.latex(formula.latex)
            beside = f" *Beside the paper's text: {formula.correction}*" if formula.correction else ""
            st.markdown(f"{formula.words} ({formula.source}){beside}")
        st.markdown("**Assumptions**\n" + "\n".join(f"- {assumption}" for assumption in assumptions))
        for bound in [bounds] if isinstance(bounds, Bound) else dict.fromkeys(bounds):
            st.markdown(f"**{bound.value.capitalize()}.** {_KIND[bound][1]}")
        if seconds is not None:
            st.caption(f"Computed in {seconds:.2g} s.")


# Which formulas stand behind a release's numbers

_SAMPLED = Formula(
    r"f_p(\alpha) = p\, f(\alpha) + (1 - p)(1 - \alpha)",
    "The record takes part with probability p only (null: it is absent). The remove-one order is the inverse function.",
    "paper 000, Lemma 9; paper 003, Corollary 3",
)
_SEVERAL_RECORDS = Formula(
    r"f_{k,p}(\alpha) = \textstyle\sum_{j=0}^{k} \binom{k}{j} p^j (1 - p)^{k-j} f_j(\alpha)",
    "Each of a person's k records takes part with probability p (null: the person is absent). Where j of them do, the "
    "best test has the curve f_j, and guesses where none does. The remove-one order is the inverse function.",
    "Ganesh 2024, arXiv 2401.10294",
)
_SUMMED = (
    r"L = \textstyle\sum_{i=1}^{N} \log\tfrac{dP}{dQ}(x_i)",
    "The attacker's evidence L is a sum over the steps. Its law is brought onto a lattice from the safe side, summed "
    "by Fourier transform, and read as a guarantee; rounding is allowed for.",
    "connect the dots, Doroshenko et al. 2022",
)
_ATTACKED: Mapping[Bound, str] = MappingProxyType(
    {
        Bound.CERTIFIED: "The exact law of the rounded likelihood ratio, summed likewise, is an attack that exists.",
        Bound.OPEN: "P and Q are at least as easy to tell apart as what is released. Laws that a known attack tells "
        "apart are summed likewise; it reaches less.",
        Bound.LOWER: "P and Q are at least as easy to tell apart as what is released; no attack is known.",
    }
)
_PROFILE = Formula(
    r"\begin{gathered} \delta(\varepsilon) = \max_\alpha\, \bigl(1 - f(\alpha) - e^{\varepsilon}\alpha\bigr) \\ "
    r"\text{advantage} = \delta(0) \end{gathered}",
    "Epsilon, delta and the advantage are read off the curve, of both orders the worse.",
    "Dong, Roth and Su 2022; Wasserman and Zhou 2010",
)
_POSTERIOR = Formula(
    r"P = \frac{\pi\,\mathrm{TPR}}{\pi\,\mathrm{TPR} + (1 - \pi)\,\mathrm{FPR}}",
    "What an accusation is worth: the probability that the accused is a member, at prior π.",
    "Bayes' rule",
)


def formulas(release: Mechanism) -> tuple[Formula, ...]:
    """The steps of the computation, in order."""
    return (*of_the_curve(release), _PROFILE, _POSTERIOR)


def of_the_curve(release: Mechanism) -> tuple[Formula, ...]:
    """How the release's trade-off curve comes about."""
    form = release.closed_form
    if release.bound is not Bound.EXACT or form is None:
        latex, words, source = _SUMMED
        return (Formula(latex, f"{words} {_ATTACKED[release.bound]}", source),)
    noise = Formula(*form.shift.formula)
    if form.rate == 1.0:
        return (noise,)
    return noise, _SAMPLED if release.records_per_person == 1 else _SEVERAL_RECORDS
