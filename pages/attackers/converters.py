"""Converters: any one number of privacy in terms of the others, a line each of one table (from, to, condition, value).

A line says what follows from the entered number alone; beside it stands the same number of the page's release, read
from its curve.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

import streamlit as st

from numerics import conversions, membership
from numerics.deadline import DeadlineError
from numerics.gaussian_membership import composition
from numerics.mechanisms import Adjacency, Gaussian, Mechanism, Sampling
from numerics.membership import Game
from numerics.trade_off import Bound, Bracket, Order
from pages.ui import cached, downloads, result_header
from pages.ui.controls import number_box, segmented_control
from pages.ui.numbers_in_words import as_entered, rounded_down, rounded_up
from pages.ui.result_header import Formula
from pages.ui.skipped import error_boundary
from pages.ui.threat_models import ReleaseSetting

EXACT, BOUND, ESTIMATE, NOTHING = "exact", "bound", "estimate", "nothing follows"
"""Kinds of a line: some release with just this number reaches it; it holds, but may be far off; no guarantee; none."""
EPSILON, DELTA, ETA, MU, FOUND, ADVANTAGE = "ε", "δ", "η", "μ", "TPR", "advantage"
PURE, MEMBERSHIP = "ε at δ = 0", "μ of membership"
_IF_REPLACED = "exact for replaced records, else a bound"


class From(StrEnum):
    """What is entered; the values are labels, and values in the URL."""

    EPSILON = "epsilon, delta"
    ETA = "eta"
    MU = "mu"
    LIMIT = "largest TPR at FPR"
    ATTACK = "TPR of an attack at FPR"
    MEMBERSHIP = "mu of membership"


@dataclass(frozen=True)
class Entered:
    """The entered number with what goes with it.

    Attributes:
        start: which number it is.
        value: the number; of a pair the first.
        alpha: the false positive rate at which true positive rates are stated.
        delta: that at which epsilon is stated, or which was entered with it.
        adjacency: the neighbouring data sets that it is about.
        sizes: records in a batch and dimension, for paper 004's levels; empty where one of them is not set.
    """

    start: From
    value: float
    alpha: float
    delta: float
    adjacency: Adjacency = Adjacency.ADD_REMOVE
    sizes: tuple[int, ...] = ()

    @property
    def is_replaced(self) -> bool:
        """Whether the entered number is about a replaced record, as eta always is."""
        return self.adjacency is Adjacency.REPLACE_ONE


@dataclass(frozen=True)
class Conversion:
    """A line of the table: to which number, its kind, under which condition, and its value.

    A value of None says that nothing follows, and ``otherwise`` why. ``floor`` says that it is rounded down: what an
    attack proves, and what is enough.
    """

    to: str
    kind: str
    condition: str
    value: Callable[[Entered], float | None]
    otherwise: str = ""
    floor: bool = False

    def kind_of(self, entered: Entered) -> str:
        """Its kind for what is entered."""
        if self.value(entered) is None:
            return NOTHING
        if self.kind == _IF_REPLACED:
            return EXACT if entered.is_replaced else BOUND
        return self.kind

    def said(self, entered: Entered) -> str:
        """The value as text, rounded to its safe side."""
        value = self.value(entered)
        if value is None:
            return "none"
        if self.to == ETA and not self.floor:
            return f"{rounded_up(value)} ({rounded_up(min(round(50.0 + 100.0 * value, 9), 100.0))} % of guesses right)"
        return rounded_down(value) if self.floor else rounded_up(value)


def _eta_of_epsilon(e: Entered) -> float:
    if e.is_replaced:
        return membership.eta_of_epsilon(e.value, e.delta, e.adjacency)
    return 0.5 * conversions.replaced_advantage_limit(e.value, e.delta)


def _advantage_of_limit(e: Entered) -> float:
    return conversions.advantage_of_power_limit(e.alpha, e.value)


def _mu_of_membership(e: Entered) -> float | None:
    """The larger effect size, which is the lesser noise, of paper 004's formula and of Gaussian DP's."""
    needed = max(composition.private_mu(e.value, *e.sizes), e.value)
    return None if needed == float("inf") else needed


_AT_MOST = "At most."
_HALVES = "At most; a replacement is a removal and an addition of a record."
_ENOUGH = "Enough, the other way round: this guarantees η. From η itself none follows."
_LITTLE = "A limit at one false positive rate says next to nothing about smaller ones."
_PROVED = "The attack proves that it is at least this."
_ABSENT = "An attack on one record more or less proves nothing about replaced records, of which η speaks."
_UNLIMITED = "With δ above 0 somebody may be found without any false alarm, which no finite μ allows."
_STEP = "One step of fixed-size batches, a replaced record, K = d."
_NOISE = f"Enough, as noise: {_STEP} From the membership guarantee alone no differential privacy follows."
_NO_NOISE = f"No noise at all is needed, so no Gaussian DP goes with it. {_STEP}"

CONVERSIONS: Mapping[From, Sequence[Conversion]] = {
    From.EPSILON: (
        Conversion(ETA, EXACT, _HALVES, _eta_of_epsilon),
        Conversion(
            MU, EXACT, _AT_MOST, lambda e: conversions.mu_limit(e.value, 0.0) if e.delta == 0.0 else None, _UNLIMITED
        ),
        Conversion(FOUND, EXACT, _AT_MOST, lambda e: conversions.power_limit(e.value, e.delta, e.alpha)),
    ),
    From.ETA: (
        Conversion(FOUND, EXACT, "At most α + 2η.", lambda e: min(e.alpha + 2.0 * e.value, 1.0)),
        Conversion(ADVANTAGE, EXACT, "At most 2η.", lambda e: 2.0 * e.value),
        Conversion(PURE, _IF_REPLACED, _ENOUGH, lambda e: membership.epsilon_for_eta(e.value, e.adjacency), floor=True),
        Conversion(MU, EXACT, _ENOUGH, lambda e: membership.mu_for_eta(e.value, e.adjacency), floor=True),
    ),
    From.MU: (
        Conversion(EPSILON, EXACT, _AT_MOST, lambda e: cached.epsilon(Gaussian(1.0 / e.value), e.delta).upper),
        Conversion(ETA, EXACT, _HALVES, lambda e: membership.eta_of_mu(e.value, e.adjacency)),
        Conversion(FOUND, EXACT, _AT_MOST, lambda e: cached.power(Gaussian(1.0 / e.value), e.alpha).upper),
        Conversion(
            MEMBERSHIP,
            ESTIMATE,
            f"{_STEP} Never more than μ.",
            lambda e: composition.relaxed_mu(e.value, *e.sizes).mu,
        ),
    ),
    From.LIMIT: (
        Conversion(ADVANTAGE, EXACT, _AT_MOST, _advantage_of_limit),
        Conversion(
            ETA,
            _IF_REPLACED,
            _HALVES,
            lambda e: min(0.5 * _advantage_of_limit(e) * Game.HALVES.steps_from(e.adjacency), 0.5),
        ),
        Conversion(
            EPSILON,
            EXACT,
            "The advantage is at most δ, so that (0, δ) holds.",
            lambda e: 0.0 if _advantage_of_limit(e) <= e.delta else None,
            _LITTLE,
        ),
        Conversion(MU, NOTHING, "", lambda _: None, _LITTLE),
    ),
    From.ATTACK: (
        Conversion(
            EPSILON, EXACT, _PROVED, lambda e: conversions.epsilon_reached(e.alpha, e.value, e.delta), floor=True
        ),
        Conversion(MU, EXACT, _PROVED, lambda e: conversions.mu_reached(e.alpha, e.value), floor=True),
        Conversion(ADVANTAGE, EXACT, _PROVED, lambda e: conversions.advantage_reached(e.alpha, e.value), floor=True),
        Conversion(
            ETA,
            EXACT,
            _PROVED,
            lambda e: 0.5 * conversions.advantage_reached(e.alpha, e.value) if e.is_replaced else None,
            _ABSENT,
            floor=True,
        ),
    ),
    From.MEMBERSHIP: (Conversion(MU, ESTIMATE, _NOISE, _mu_of_membership, _NO_NOISE, floor=True),),
}


def lines(entered: Entered) -> list[Conversion]:
    """What is to be said of what is entered; paper 004's levels where the sizes that they need are set."""
    if entered.start is From.MEMBERSHIP and not entered.sizes:
        return []
    return [line for line in CONVERSIONS[entered.start] if entered.sizes or line.to != MEMBERSHIP]


_BOXES: dict[From, tuple[str, str, tuple[float, float], float]] = {
    From.EPSILON: (EPSILON, "attackers.convert_epsilon", (0.0, 100.0), 1.0),
    From.ETA: (ETA, "attackers.convert_eta", (0.0, 0.5), 0.1),
    From.MU: (MU, "attackers.convert_mu", (1e-3, 100.0), 1.0),
    From.LIMIT: (FOUND, "attackers.convert_found", (1e-9, 0.999999), 0.05),
    From.ATTACK: (FOUND, "attackers.convert_found", (1e-9, 0.999999), 0.05),
    From.MEMBERSHIP: ("μ of a step", "attackers.convert_level", (1e-4, 1e3), 1.0),
}
"""The box in which each is entered: the quantity, of which a release may have a number of its own; key, ends, start."""
_STATED_FOR = [Adjacency.ADD_REMOVE, Adjacency.REPLACE_ONE]
_ADJACENCY_HELP = (
    "What the entered number is about: one record more or less, or one record with another value. A guarantee for "
    "replaced records implies none for added ones. η is that of exact halves, so it speaks of replaced records "
    "(correction 27)."
)
_KINDS = (
    "exact: some release with just the entered number has this one, so no better can be said from it. "
    "bound: it holds, but may be far off. estimate: no guarantee."
)


def draw(setting: ReleaseSetting) -> None:
    """Draw the number that is entered, what follows from it, and beside that the page's release."""
    sizes, unset = tuple[int, ...](), ""
    try:
        _, *found = setting.sizes()
        sizes = tuple(found)
    except ValueError as reason:
        unset = str(reason)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        start = segmented_control("Convert from", list(From), default=From.EPSILON, key="attackers.convert_from")
        adjacency = st.selectbox(
            "stated for",
            _STATED_FOR,
            key="attackers.convert_adjacency",
            bind="query-params",
            width=150,
            help=_ADJACENCY_HELP,
        )
        alpha, delta = setting.choice.alpha, setting.choice.delta
        if start in (From.LIMIT, From.ATTACK):
            wrong = "Share of outsiders wrongly accused."
            alpha = number_box("at FPR", "attackers.convert_alarms", (1e-9, 0.999), 1e-3, wrong, width=120)
        label, key, limits, default = _BOXES[start]
        value = number_box(label, key, limits, default, width=120)
        if start is From.EPSILON:
            delta = number_box("δ", "attackers.convert_delta", (0.0, 1.0), 1e-5, width=120)
        entered = Entered(start, value, alpha, delta, adjacency, sizes)
    with error_boundary("conversion"):
        if lines(entered):
            with st.spinner("Reading the release's own curve …", show_time=True):
                own, missing = dict[str, Bracket](), "not computed yet"
                with suppress(DeadlineError):
                    own = own_numbers(entered, setting)
                    missing = "not for fixed-size batches" if set(own) == {ETA} else "–"
            _draw_table(entered, own, missing)
        if unset and start in (From.MU, From.MEMBERSHIP):
            st.info(f"The level of membership of paper 004 {unset}", icon=":material/info:")
    result_header.how_computed(_FORMULAS, _ASSUMPTIONS, Bound.EXACT, key="attackers.how_convert")


def own_numbers(entered: Entered, setting: ReleaseSetting) -> dict[str, Bracket]:
    """The page's release under the entered adjacency; what cannot be computed is left out.

    Raises DeadlineError where there is no time for it.
    """
    replaced, release = setting.replace_one, None
    if entered.is_replaced:
        release = replaced
    elif setting.phases[0].sampling is not Sampling.FIXED_SIZE:  # which has no neighbours with a record more
        release = setting.add_one
    try:
        return of_release(entered, release, replaced)
    except DeadlineError:
        raise
    except ValueError:
        return {}


def of_release(entered: Entered, release: Mechanism | None, replaced: Mechanism) -> dict[str, Bracket]:
    """The release's own numbers by quantity, from its curve; only those that the table shows.

    ``release`` is under the entered adjacency, None where it cannot be read so; ``replaced`` is under replace-one.
    """
    wanted = {line.to for line in lines(entered)} | {_BOXES[entered.start][0]}
    numbers: dict[str, Callable[[], Bracket]] = {
        ETA: lambda: Bracket(*(0.5 * value for value in cached.advantage(replaced)))
    }
    if release is not None:
        numbers |= {MU: lambda: cached.gaussian_mu(release), PURE: lambda: Bracket.exact(release.pure_epsilon)}
        if 0.0 < entered.delta < 1.0:
            numbers[EPSILON] = lambda: cached.epsilon(release, entered.delta)
        if entered.start is From.EPSILON:
            wanted.add(DELTA)
            numbers[DELTA] = lambda: cached.delta(release, entered.value)
    # Eta speaks of replaced records, and so does what follows from it.
    compared = replaced if entered.start is From.ETA else release
    if compared is not None:
        numbers[FOUND] = lambda: cached.power(compared, entered.alpha, Order.ADD)
        numbers[ADVANTAGE] = lambda: cached.advantage(compared)
    return {name: number() for name, number in numbers.items() if name in wanted}


def _draw_table(entered: Entered, own: dict[str, Bracket], missing: str) -> None:
    """The converted numbers, and the release's own at most; ``missing`` stands where that is not known."""
    following = lines(entered)
    names = {
        EPSILON: f"ε at δ = {as_entered(entered.delta)}",
        FOUND: f"TPR at FPR {as_entered(entered.alpha)}",
        MU: "μ-GDP",
        MEMBERSHIP: "μ-GMIP",
        ETA: "η (exact halves)",
    }
    columns = {
        "from": [str(entered.start) for _ in following],
        "to": [names.get(line.to, line.to) for line in following],
        "value": [line.said(entered) for line in following],
        "condition": [condition(line, entered) for line in following],
        "this release, at most": [_known(own[line.to]) if line.to in own else missing for line in following],
    }
    st.table(columns, hide_index=True)
    if DELTA in own:
        st.caption(f"At ε = {as_entered(entered.value)}, this release's own δ is at most {_known(own[DELTA])}.")
    if entered.start is From.ATTACK and FOUND in own and entered.value > own[FOUND].upper:
        st.caption("No attack on this release does that: it finds less at this false positive rate.")
    st.caption(_KINDS)
    quantity, key, (low, high), _ = _BOXES[entered.start]
    value = own[quantity].upper if quantity in own else None
    with st.container(horizontal=True):
        st.button(
            "Enter this release's" + (" own" if value is None else f": {quantity} at most {rounded_up(value, 4)}"),
            on_click=st.session_state.__setitem__,
            args=(key, value),
            disabled=value is None or not low <= value <= high,
            key="attackers.convert_use",
        )
        downloads.button("Data (CSV)", "conversions.csv", lambda: downloads.table(columns, {"entered": repr(entered)}))


def condition(line: Conversion, entered: Entered) -> str:
    """The kind of a line, and under which condition it holds; or why nothing follows."""
    kind = line.kind_of(entered)
    return f"**{kind}:** {line.otherwise if kind == NOTHING else line.condition}"


def _known(number: Bracket) -> str:
    """A number of the release's own curve, and how well it is known."""
    return f"{rounded_up(number.upper, 4)} ({Bound.CERTIFIED if number.width else Bound.EXACT})"


_FORMULAS = (
    Formula(
        r"\eta = \tfrac12 \mathrm{TV} = \tfrac12 \sup_\alpha\,(1 - \alpha - f(\alpha))",
        "Half of the largest gap between members found and outsiders accused, for a replaced record: the game in which "
        "exactly half of a pool is drawn. With independent coins η is half of the add/remove gap.",
        "paper 002 Prop. 2, Thm 3; correction 27",
    ),
    Formula(
        r"\eta \le \delta + \frac{1 - \delta}{1 + e^{-\varepsilon}} - \tfrac12",
        "From (ε, δ) for replaced records.",
        "paper 002 Thm 4",
        "far above η of the mechanism (correction 30)",
    ),
    Formula(
        r"\eta \le \tfrac12 \sup_\alpha\,(g(g(\alpha)) - \alpha), \qquad g = 1 - f_{\varepsilon, \delta}",
        "From (ε, δ) under add/remove: a replacement is a removal and an addition. (1 - e^-ε)/2 for δ = 0, where the "
        "usual (2ε, (1 + e^ε)δ) gives tanh(ε)/2.",
        "group privacy of f-DP, Dong, Roth and Su 2022 Thm 2.14",
    ),
    Formula(
        r"\varepsilon = \log\frac{1 + 2\eta}{1 - 2\eta}, \qquad \eta = \Phi(\mu/2) - \tfrac12",
        "The ε that is enough for η; and η of Gaussian DP for replaced records, Φ(μ) - 1/2 under add/remove.",
        "paper 002 Sec. 4; correction 27",
    ),
    Formula(
        r"\mathrm{TPR} \le \mathrm{FPR} + 2\eta",
        "What η alone limits.",
        "paper 002 Thm 8",
        "the paper has FPR + η, which real mechanisms exceed (correction 28)",
    ),
    Formula(
        r"\begin{gathered} \mathrm{TPR} \le \min(\delta + e^{\varepsilon}\alpha,\; 1 - e^{-\varepsilon}"
        r"(1 - \delta - \alpha)) \\ \mu = 2\,\Phi^{-1}\!\left(\frac{e^{\varepsilon}}{1 + e^{\varepsilon}}\right)"
        r"\ (\delta = 0) \end{gathered}",
        "The trade-off function of (ε, δ), and the Gaussian one just below it.",
        "Kairouz, Oh and Viswanath 2015; Dong, Roth and Su 2022",
    ),
    Formula(
        r"\varepsilon \ge \log\frac{\mathrm{TPR} - \delta}{\alpha}, \quad \mu \ge \Phi^{-1}(\mathrm{TPR}) - "
        r"\Phi^{-1}(\alpha)",
        "What one attack proves; for ε the ratio of the other error counts too.",
        "paper 001 Eq. 6",
    ),
    Formula(
        r"\mu_{\mathrm{MIP}} = \min\!\left(\sqrt{\frac{d}{n + 4/\mu^2 + 1/2}},\; \mu\right), \qquad "
        r"\mu = \frac{2}{\sqrt{d/\mu_{\mathrm{MIP}}^2 - n - 1/2}}",
        "Gaussian membership privacy of one step from its Gaussian DP, and the noise that reaches a level.",
        "paper 004 Cor. F.1",
        "the paper has 4C²/μ² (correction 50); the second is about the noise and implies no privacy",
    ),
)
_ASSUMPTIONS = (
    "The entered number is all that is known about the release; the column beside it is read from the release's curve.",
    "Everything but η is stated for the chosen neighbouring data; η for exact halves, so for a replaced record.",
    "Guarantees are rounded up, what an attack proves and what is enough is rounded down.",
    "Levels of paper 004 are estimates: every record's susceptibility K is taken to be d.",
)
