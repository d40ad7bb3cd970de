"""The attackers of the papers: what each knows, and what it sees of one release: a curve, a number, its assumptions.

All look at the same release, so the guarantee against full knowledge holds against each of them: nobody who knows less
finds more. A smaller number needs a theorem of its own, and stands on the same axis only where it is about the same
neighbours and the same sampling.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from numerics import calibration, gaussian_membership, membership, relaxed
from numerics.deadline import UNLIMITED, Deadline, DeadlineError
from numerics.gaussian_membership import GradientRelease
from numerics.gaussian_membership.stochastic import is_one_step, run_trade_off
from numerics.mechanisms import Adjacency, Gaussian, Mechanism, SampledMechanism, Sampling
from numerics.membership import Game, as_played
from numerics.relaxed import RelaxedCurve, RelaxedTarget, RelaxedTest
from numerics.trade_off import Bound, Bracket, Order, TradeOffCurve, alpha_grid
from numerics.unsupported import one_record
from pages.server.budget import current
from pages.server.shared_cache import shared_cache
from pages.ui import cached
from pages.ui.cached import over_effects
from pages.ui.numbers_in_words import or_not_set, rounded_up
from pages.ui.release_in_force import ReleaseChoice
from plotting import theme
from plotting.power import PowerCurve
from reports.python_code import constructor


@dataclass(frozen=True)
class ThreatModel:
    """A notion of privacy, and its attacker in plain words.

    Attributes:
        notion: its short name.
        title: its name in full.
        name: the attacker, after "who".
        short: the same in two words, for a line of a figure.
        color: of its lines and people, in every figure.
        knows: what the attacker has.
        hidden: what stays random to the attacker.
    """

    notion: str
    title: str
    name: str
    short: str
    color: str
    knows: str
    hidden: str


FULL = ThreatModel(
    "DP",
    "differential privacy",
    "knows all but the noise",
    "all known",
    theme.KNOWS_ALL,
    "both data sets, the record, the mechanism",
    "noise and sampling",
)
RELAXED = ThreatModel(
    "RTM",
    "relaxed threat model",
    "does not know the record",
    "record unknown",
    theme.RECORD_UNKNOWN,
    "all other records, the mechanism",
    "the record's side or direction",
)
SAMPLE = ThreatModel(
    "MIP",
    "membership inference privacy",
    "does not know who was drawn",
    "draw unknown",
    theme.DRAW_UNKNOWN,
    "a pool of records, the one looked for",
    "which records of the pool are used",
)
OTHERS = ThreatModel(
    "GMIP",
    "Gaussian membership inference privacy",
    "does not know the others",
    "others unknown",
    theme.OTHERS_UNKNOWN,
    "the record, how gradients are distributed",
    "all other records",
)
ATTACKERS = (FULL, RELAXED, SAMPLE, OTHERS)
"""Those that look at the same release, by how much they know."""


# A release and its circumstances, as the models see it

_WHOLE = 0.01  # by which rounding to whole records may change the rate
NO_SAMPLING = "none"


@dataclass(frozen=True)
class ReleaseSetting:
    """The release and its circumstances.

    Attributes:
        choice: what the shared controls say.
        test: which relaxed curve is drawn for several sampled steps.
        spread: whether records' susceptibility K to paper 004's attacker is spread out, not d for all.
    """

    choice: ReleaseChoice
    test: RelaxedTest = RelaxedTest.MINIMAX
    spread: bool = False

    @property
    def release(self) -> Mechanism:
        """The release of the shared controls."""
        return self.choice.mechanism

    @property
    def phases(self) -> tuple[SampledMechanism, ...]:
        """Its phases."""
        return self.release.phases

    @property
    def is_sampled(self) -> bool:
        """Whether some step uses less than all records."""
        return any(phase.sampling_rate < 1.0 for phase in self.phases)

    @property
    def sampling(self) -> str:
        """How records are drawn, in a word."""
        return self.phases[0].sampling.value if self.is_sampled else NO_SAMPLING

    @property
    def add_one(self) -> Mechanism:
        """The release with Poisson sampling, under add/remove adjacency; as it is where it is not known for that."""
        if not all(Adjacency.ADD_REMOVE in phase.adjacencies for phase in self.phases):
            return self.release
        return self.release.with_neighbours(Adjacency.ADD_REMOVE, Sampling.POISSON)

    @property
    def replace_one(self) -> Mechanism:
        """The release under replace-one adjacency, sampled as chosen."""
        return self.release.with_neighbours(Adjacency.REPLACE_ONE, self.phases[0].sampling)

    @property
    def fixed_size(self) -> Mechanism:
        """The release with batches of fixed size, under replace-one adjacency: as paper 004 sees it."""
        return self.release.with_neighbours(Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)

    @property
    def least_dimension(self) -> int:
        """The dimension; where it is not set 1, in which an unknown direction protects least."""
        return self.choice.dimension or 1

    @property
    def relaxed_dimension(self) -> int:
        """The dimension of the relaxed curve; 1, the worst case, where none is known for more."""
        return self.least_dimension if relaxed.holds_in_any_dimension(self.add_one, self.test) else 1

    def sizes(self) -> tuple[int, int, int]:
        """Records N, those in a batch n, and the dimension d; ValueError where one is not set or does not fit."""
        records, dimension = self.choice.records, self.choice.dimension
        if records is None or dimension is None:
            raise ValueError(
                f"needs the number of people and parameters: N is {or_not_set(records)}, d is {or_not_set(dimension)}."
            )
        rate = self.phases[0].sampling_rate
        batch = round(rate * records)
        if abs(batch - rate * records) > _WHOLE * rate * records:
            raise ValueError(
                f"needs whole batches: N = {records:,} does not fit the sampling rate {rate:g}, which draws "
                f"{rate * records:.3g} at a time."
            )
        return records, batch, dimension

    def gradients(self) -> GradientRelease:
        """The release of mean gradients that paper 004 looks at; raises ValueError where it is none."""
        if len(self.phases) > 1 or not isinstance(self.phases[0], Gaussian):
            raise ValueError(f"this notion is about Gaussian noise in one phase, got {self.release.label}.")
        one_record(self.release.records_per_person, "This notion is")
        phase, (records, batch, dimension) = self.phases[0], self.sizes()
        return GradientRelease(records, batch, phase.steps, dimension, phase.noise_multiplier)


# What is asked about attackers who know less, as ``cached``: bounded, pure, nothing uploaded

_POINTS = 400
_SPREAD_POINTS = 120  # each asks forty tests


@shared_cache
def relaxed_curve(
    release: Mechanism, dimension: int, order: Order, test: RelaxedTest, deadline: Deadline = UNLIMITED
) -> RelaxedCurve:
    """What an attacker reaches who does not know the record."""
    asked = alpha_grid(_POINTS)
    return relaxed.trade_off(release, asked, dimension=dimension, order=order, test=test, deadline=deadline)


@shared_cache
def relaxed_power(release: Mechanism, alpha: float, dimension: int, order: Order, test: RelaxedTest) -> Bracket:
    """Its true positive rate at ``alpha``; a moment once the curve is known, which leaves the test behind."""
    return relaxed.power(release, alpha, dimension=dimension, order=order, test=test, deadline=current())


@shared_cache
def relaxed_power_against_effect(
    release: Mechanism, alpha: float, order: Order, dimension: int, deadline: Deadline = UNLIMITED
) -> PowerCurve:
    """Its true positive rate at ``alpha`` for noise around the release's own (paper 000 Fig. 2b and c).

    Raises ValueError where there is no relaxed curve.
    """

    def ask(other: Mechanism) -> Bracket:
        return relaxed.power(other, alpha, order=order, dimension=dimension, deadline=deadline)

    form = relaxed.closed_form(release, dimension)
    bound = Bound.ESTIMATE if form is None else Bound.EXACT
    return over_effects(release, ask, alpha, bound, "record unknown", deadline)


eta = shared_cache(membership.eta, precision=cached.PRECISION)
"""Accuracy above guessing of an attacker who does not know which records were drawn from a pool in a game."""
level = shared_cache(gaussian_membership.level)
"""Effect size for an attacker who knows only the distribution of the other gradients, K = d."""


@shared_cache
def membership_curve(release: GradientRelease, spread: bool, order: Order) -> TradeOffCurve:
    """The curve of that attacker: for K = d, or with ``spread`` over records of normal gradients."""
    return run_trade_off(release, alpha_grid(_SPREAD_POINTS if spread else _POINTS), order, spread=spread)


@shared_cache
def membership_power(release: GradientRelease, spread: bool, alpha: float, order: Order) -> float:
    """Its true positive rate at ``alpha``."""
    return float(run_trade_off(release, np.array([alpha]), order, spread=spread).power[0])


def relaxed_advantage(release: Mechanism, dimension: int, test: RelaxedTest) -> Bracket:
    """Its largest difference of true and false positive rate; by the guarantee, no more than with full knowledge."""
    found = relaxed.advantage(relaxed_curve(release, dimension, Order.ADD, test))
    if test is not RelaxedTest.MINIMAX:
        return found
    return found._replace(upper=max(min(found.upper, cached.advantage(release).upper), found.estimate))


def measured(asked: RelaxedTarget, release: Mechanism) -> Bracket:
    """What ``asked`` limits, as the pages and the sheet state it of ``release``."""
    if isinstance(asked.target, calibration.PowerTarget):
        return relaxed_power(release, asked.target.alpha, asked.dimension, asked.target.order, asked.test)
    return relaxed_advantage(release, asked.dimension, asked.test)


@shared_cache
def noise_for(target: RelaxedTarget, release: Mechanism, deadline: Deadline = UNLIMITED) -> calibration.Calibration:
    """The least noise with which ``release`` keeps ``target`` by the numbers that the pages then show."""
    return calibration.noise_for(target, release, partial(measured, target), deadline)


def largest_advantage(curve: TradeOffCurve) -> float:
    """The largest difference of members found and outsiders accused on a drawn curve."""
    return max(float(np.max(curve.power - curve.alpha)), 0.0)


# What each attacker sees of it

_WORST_DIMENSION = "Computed in one dimension, where an unknown side protects least."
_NOT_REACHED = {
    Bound.LOWER: "This is a guarantee that no known attack reaches.",
    Bound.OPEN: "This is a guarantee that the attack shown does not reach; others may come closer.",
}
NOT_DEFINED = "not defined"
_NO_QUESTION = (
    "Not defined where a record is replaced. Two unknown records of equal length, of directions drawn alike, give the "
    "release the same law whatever the noise. That is the absence of a question, not protection."
)
APART = (
    "This attacker's level is known for a replaced record and batches of fixed size only, as an estimate for a typical "
    "record. Its numbers answer another question than those above, so they stand apart."
)


@dataclass(frozen=True, eq=False)
class View:
    """One attacker's view of the release.

    Attributes:
        model: what it knows.
        adjacency: which data sets its notion compares.
        sampling: how records are drawn in its notion.
        found: true positive rate at the operating point; None where there is no answer.
        curve: what is drawn; None where there is no answer.
        note: a sentence about this curve, or why there is none.
        differs: its adjacency or sampling is not that of the release in force: it stands apart.
        absent: what stands in the number's place where there is none.
    """

    model: ThreatModel
    adjacency: Adjacency
    sampling: str
    found: Bracket | None
    curve: TradeOffCurve | None
    note: str
    differs: bool
    absent: str = "—"


def views(setting: ReleaseSetting) -> list[View]:
    """All four, in the order of what they know; one that cannot be computed says why."""
    return [view(setting, model) for model in _LOOKS]


def view(setting: ReleaseSetting, model: ThreatModel) -> View:
    """That of one attacker; where it cannot be computed it says why."""
    if model is RELAXED and differs(setting, model):
        return _without(setting, model, _NO_QUESTION, NOT_DEFINED)
    try:
        return _LOOKS[model](setting)
    except ValueError as reason:
        return _without(setting, model, str(reason))


def comparable(seen: Sequence[View]) -> list[tuple[View, TradeOffCurve, Bracket]]:
    """Those with an answer about the neighbours and the sampling of the release in force: what one axis may hold."""
    return [
        (one, one.curve, one.found)
        for one in seen
        if one.curve is not None and one.found is not None and not one.differs
    ]


def compared(setting: ReleaseSetting, model: ThreatModel) -> tuple[Adjacency, str]:
    """The neighbours and the sampling of this attacker's notion, read as near to the release in force as it can be."""
    if model is OTHERS:
        return Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE.value if setting.is_sampled else NO_SAMPLING
    own = setting.release.adjacency
    return Adjacency.ADD_REMOVE if model is RELAXED and own is Adjacency.REPLACE_ONE else own, setting.sampling


def differs(setting: ReleaseSetting, model: ThreatModel) -> bool:
    """Whether this attacker's numbers are about other neighbours or another sampling than the release in force."""
    return compared(setting, model) != (setting.release.adjacency, setting.sampling)


def _view(setting: ReleaseSetting, model: ThreatModel, found: Bracket, curve: TradeOffCurve, note: str = "") -> View:
    """A view, its curve named after the attacker."""
    named = replace(curve, label=f"{model.notion}: {model.name}")
    return View(model, *compared(setting, model), found, named, note, differs(setting, model))


def _without(setting: ReleaseSetting, model: ThreatModel, reason: str, absent: str = "—") -> View:
    return View(model, *compared(setting, model), None, None, reason, differs(setting, model), absent)


def inherited(found: Bracket, full: Bracket) -> Bracket:
    """What an attacker who knows less finds: never more than the guarantee against full knowledge."""
    return Bracket(*(min(value, full.upper) for value in found))


def _full(setting: ReleaseSetting) -> View:
    choice = setting.choice
    curve = cached.trade_off(setting.release, choice.order)
    found = cached.power(setting.release, choice.alpha, choice.order)
    return _view(setting, FULL, found, curve, _NOT_REACHED.get(curve.bound, ""))


def _relaxed(setting: ReleaseSetting) -> View:
    choice, release, dimension = setting.choice, setting.release, setting.relaxed_dimension
    curve = relaxed_curve(release, dimension, choice.order, setting.test)
    found = relaxed_power(release, choice.alpha, dimension, choice.order, setting.test)
    notes = [_WORST_DIMENSION] if setting.choice.dimension is None or dimension < setting.choice.dimension else []
    notes += [f"Numerical error of the rates: about {rounded_up(curve.error, 1)}."] if curve.error > 0.0 else []
    notes += [curve.assumptions[-1]] if curve.bound is Bound.UPPER else []
    full = cached.power(release, choice.alpha, choice.order)
    return _view(setting, RELAXED, inherited(found, full), curve, " ".join(notes))


def game(setting: ReleaseSetting) -> Game:
    """How records are drawn from the pool in the game that compares the neighbours of the release in force."""
    return Game.of(setting.release.adjacency)


def _sample(setting: ReleaseSetting) -> View:
    choice, release = setting.choice, setting.release
    curve = membership.inherited(cached.trade_off(release, choice.order), game(setting))
    found = Bracket.exact(cached.power(release, choice.alpha, choice.order).upper)
    most = eta(release, game(setting)).upper
    note = (
        f"The game: {game(setting)}. η is at most {rounded_up(most, 4)}. "
        "No curve below that of full knowledge is proved, and that one holds here too."
    )
    return _view(setting, SAMPLE, found, curve, note)


def _others(setting: ReleaseSetting) -> View:
    gradients, choice = setting.gradients(), setting.choice
    found = level(gradients)
    curve = _below_full_knowledge(
        membership_curve(gradients, setting.spread, choice.order), setting.fixed_size, choice.order
    )
    value = membership_power(gradients, setting.spread, choice.alpha, choice.order)
    full = cached.power(setting.fixed_size, choice.alpha, choice.order)
    spread = setting.spread and choice.order is Order.ADD
    words = "K spread over records" if spread else "K = d plug-in"
    note = f"μ is about {rounded_up(found.mu, 4)} ({words}); an estimate, no bound."
    note += " Here the noise alone protects more, so the level is that of Gaussian DP." if found.set_by_privacy else ""
    note += " The guarantee against full knowledge is less, and is what counts." if value > full.upper else ""
    return _view(setting, OTHERS, inherited(Bracket.exact(value), full), curve, note)


def _below_full_knowledge(curve: TradeOffCurve, release: Mechanism, order: Order) -> TradeOffCurve:
    """An estimate, nowhere above the guarantee of the same release; K = d is a plug-in, so all of it is an estimate."""
    full = cached.trade_off(release, order, len(curve.alpha))
    safe = full.lower or full
    power, beta = np.minimum(curve.power, safe.power), np.maximum(curve.beta, safe.beta)
    return replace(curve, power=power, beta=beta, bound=Bound.ESTIMATE)


_LOOKS: dict[ThreatModel, Callable[[ReleaseSetting], View]] = {
    FULL: _full,
    RELAXED: _relaxed,
    SAMPLE: _sample,
    OTHERS: _others,
}


# The same in Python, for who takes it away


def relaxed_lines(setting: ReleaseSetting) -> str:
    """The lines for the attacker who does not know the record, or why there are none."""
    choice, dimension, test = setting.choice, setting.relaxed_dimension, setting.test
    try:
        with suppress(DeadlineError):  # whoever runs it has the time
            relaxed_power(setting.release, choice.alpha, dimension, choice.order, test)
    except ValueError as reason:
        return f"# does not know the record: {reason}"
    return (
        f"test, dimension = relaxed.RelaxedTest.{test.name}, {dimension}\n"
        "unknown = relaxed.power(release, alpha, dimension=dimension, order=order, test=test)\n"
        'print("does not know the record:", min(unknown.upper, full.upper))'
    )


def eta_lines(setting: ReleaseSetting) -> str:
    """The line for eta in the game of the release's neighbours, or why there is none."""
    played = game(setting)
    try:
        as_played(setting.release, played)
    except ValueError as reason:
        return f"# eta, {played}: {reason}"
    return f'print("eta, {played}:", membership.eta(release, Game.{played.name}, precision).upper)'


def membership_lines(setting: ReleaseSetting) -> str:
    """The lines for paper 004's attacker, by the way that the page takes."""
    try:
        release = setting.gradients()
        if setting.spread:
            return "# does not know the others: see over_normal_gradients in numerics.gaussian_membership.stochastic\n"
        exact = is_one_step(release, setting.choice.order)
    except ValueError as reason:
        return f"# does not know the others: {reason}\n"
    made = "StepTest(release.effective_size, release.dimension, release.dimension)" if exact else "level(release)"
    fixed = constructor(setting.fixed_size)
    return (
        "# Apart: a record replaced, batches of fixed size; never above the guarantee\n"
        f"release = {release!r}\n"
        f"guarantee = {fixed}.power(alpha, order, precision).upper\n"
        f"about = {made}.trade_off(np.array([alpha])).power[0]\n"
        'print("does not know the others: about", min(about, guarantee))\n'
    )
