"""What one entered number says about the others, as the lines of a table; nothing is drawn here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from numerics import conversions, membership
from numerics.mechanisms import Adjacency, Gaussian, Mechanism
from numerics.membership import Game
from numerics.trade_off import Bracket, Order
from pages.ui import cached
from pages.ui.numbers_in_words import as_entered, rounded_down, rounded_up

EXACT, BOUND, NOTHING = "exact", "bound", "nothing follows"
"""Kinds of a line: some release with just this number reaches it; holds, but may be far off; no limit at all."""

EPSILON, DELTA, ETA, MU, FOUND, ADVANTAGE = "ε", "δ", "η", "μ", "TPR", "advantage"
PURE = "ε at δ = 0"


@dataclass(frozen=True)
class ConvertedNumber:
    """One converted number: which, the number, its kind, and in words which way it holds.

    ``number`` is None where there is none; ``floor`` says that it is to be rounded down.
    """

    quantity: str
    number: float | None
    kind: str
    words: str
    floor: bool = False

    @property
    def value(self) -> str:
        """The number as text, rounded to its safe side."""
        if self.number is None:
            return "none"
        return rounded_down(self.number) if self.floor else rounded_up(self.number)


@dataclass(frozen=True)
class At:
    """Where the others are stated: false positive rate ``alpha``, ``delta``, and the neighbouring data sets."""

    alpha: float
    delta: float
    adjacency: Adjacency

    @property
    def replaced(self) -> bool:
        """Whether the entered number is about a replaced record, as eta always is."""
        return self.adjacency is Adjacency.REPLACE_ONE


@dataclass(frozen=True)
class GivenEpsilon:
    """An (``epsilon``, ``delta``) guarantee."""

    epsilon: float
    delta: float
    entered: ClassVar[str] = EPSILON

    def lines(self, at: At) -> list[ConvertedNumber]:
        """What follows from it."""
        return [self._eta(at), self._mu(), self._found(at.alpha)]

    def _eta(self, at: At) -> ConvertedNumber:
        usual = membership.eta_of_epsilon(self.epsilon, self.delta, at.adjacency)
        if at.replaced:
            return ConvertedNumber(ETA, usual, EXACT, "From (ε, δ) alone, η is at most this.")
        eta = 0.5 * conversions.replaced_advantage_limit(self.epsilon, self.delta)
        words = (
            "From (ε, δ) alone, η is at most this: a replacement is a removal and an addition. By way of "
            f"(2ε, (1 + e^ε)δ) only {rounded_up(usual)} would follow."
        )
        return ConvertedNumber(ETA, eta, EXACT, words)

    def _mu(self) -> ConvertedNumber:
        mu = conversions.mu_limit(self.epsilon, self.delta)
        if self.delta > 0.0:
            words = "With δ above 0, somebody may be found without any false alarm, which no finite μ allows."
            return ConvertedNumber(MU, None, NOTHING, words)
        return ConvertedNumber(MU, mu, EXACT, "From ε with δ = 0, μ is at most this.")

    def _found(self, alpha: float) -> ConvertedNumber:
        found = conversions.power_limit(self.epsilon, self.delta, alpha)
        return ConvertedNumber(FOUND, found, EXACT, "From (ε, δ) alone, at most this share of members is found.")


@dataclass(frozen=True)
class GivenEta:
    """A guarantee of at most ``eta`` of accuracy above guessing."""

    eta: float
    entered: ClassVar[str] = ETA

    def lines(self, at: At) -> list[ConvertedNumber]:
        """What follows from it, and what would be enough for it."""
        found = min(at.alpha + 2.0 * self.eta, 1.0)
        return [
            ConvertedNumber(FOUND, found, EXACT, "From η alone: at most α + 2η of the members are found."),
            ConvertedNumber(ADVANTAGE, 2.0 * self.eta, EXACT, "Members found minus outsiders accused is at most 2η."),
            self._enough(PURE, membership.epsilon_for_eta(self.eta, at.adjacency), at.replaced),
            self._enough(MU, membership.mu_for_eta(self.eta, at.adjacency), True),
        ]

    def _enough(self, quantity: str, value: float, tight: bool) -> ConvertedNumber:
        words = f"Enough, the other way round: this {quantity} guarantees η. From η itself no {quantity} follows."
        return ConvertedNumber(quantity, value, EXACT if tight else BOUND, words, floor=True)


@dataclass(frozen=True)
class GivenMu:
    """A ``mu``-Gaussian-DP guarantee."""

    mu: float
    entered: ClassVar[str] = MU

    def lines(self, at: At) -> list[ConvertedNumber]:
        """What follows from it: all of it exact, as the Gaussian mechanism reaches it."""
        gaussian = Gaussian(1.0 / self.mu)
        doubled = "" if at.replaced else ", the effect of a replaced record being 2μ"
        eta = membership.eta_of_mu(self.mu, at.adjacency)
        epsilon = cached.epsilon(gaussian, at.delta).upper
        return [
            ConvertedNumber(EPSILON, epsilon, EXACT, f"From μ, ε at δ = {as_entered(at.delta)} is at most this."),
            ConvertedNumber(ETA, eta, EXACT, f"From μ, η is at most this{doubled}."),
            ConvertedNumber(FOUND, cached.power(gaussian, at.alpha).upper, EXACT, "At most this share is found."),
        ]


@dataclass(frozen=True)
class GivenLimit:
    """A guarantee that at most ``power`` of the members are found at one false positive rate."""

    power: float
    entered: ClassVar[str] = FOUND

    def lines(self, at: At) -> list[ConvertedNumber]:
        """What follows from it, which is little."""
        advantage = conversions.advantage_of_power_limit(at.alpha, self.power)
        eta = min(0.5 * advantage * Game.HALVES.steps_from(at.adjacency), 0.5)
        doubled = "" if at.replaced else ", twice that of one record more or less"
        little = "A limit at one false positive rate says next to nothing about smaller ones: no finite {} follows."
        return [
            ConvertedNumber(ADVANTAGE, advantage, EXACT, "Members found minus outsiders accused is at most this."),
            ConvertedNumber(ETA, eta, EXACT if at.replaced else BOUND, f"η is at most this{doubled}."),
            *self._epsilon(advantage, at.delta, little),
            ConvertedNumber(MU, None, NOTHING, little.format(MU)),
        ]

    def _epsilon(self, advantage: float, delta: float, little: str) -> list[ConvertedNumber]:
        if advantage > delta:
            return [ConvertedNumber(EPSILON, None, NOTHING, little.format(EPSILON))]
        return [
            ConvertedNumber(EPSILON, 0.0, EXACT, f"The advantage is at most δ = {as_entered(delta)}: (0, δ) holds.")
        ]


@dataclass(frozen=True)
class GivenAttack:
    """An attack that finds ``power`` of the members at one false positive rate: what it proves about the release."""

    power: float
    entered: ClassVar[str] = FOUND

    def lines(self, at: At) -> list[ConvertedNumber]:
        """What it refutes: the others are at least this."""
        epsilon = conversions.epsilon_reached(at.alpha, self.power, at.delta)
        advantage = conversions.advantage_reached(at.alpha, self.power)
        mu = conversions.mu_reached(at.alpha, self.power)
        words = "The attack proves: {} is at least this."
        return [
            ConvertedNumber(EPSILON, epsilon, EXACT, words.format(f"ε at δ = {as_entered(at.delta)}"), floor=True),
            ConvertedNumber(MU, mu, EXACT, words.format(MU), floor=True),
            ConvertedNumber(ADVANTAGE, advantage, EXACT, words.format("the advantage"), floor=True),
            self._eta(advantage, at),
        ]

    def _eta(self, advantage: float, at: At) -> ConvertedNumber:
        if at.replaced:
            return ConvertedNumber(ETA, 0.5 * advantage, EXACT, "The attack proves: η is at least this.", floor=True)
        words = "An attack on one record more or less proves nothing about replaced records, of which η speaks."
        return ConvertedNumber(ETA, None, NOTHING, words)


Given = GivenEpsilon | GivenEta | GivenMu | GivenLimit | GivenAttack


def of_release(given: Given, at: At, release: Mechanism | None, replaced: Mechanism) -> dict[str, Bracket]:
    """The release's own numbers by quantity, from its curve; only those that a table about ``given`` shows.

    Args:
        given: what was entered.
        at: where it is stated.
        release: under the entered adjacency; None where it cannot be read so.
        replaced: under replace-one, for eta.
    """
    wanted = {line.quantity for line in given.lines(at)} | {given.entered}
    numbers: dict[str, Callable[[], Bracket]] = {
        ETA: lambda: Bracket(*(0.5 * value for value in cached.advantage(replaced)))
    }
    if release is not None:
        numbers |= {
            EPSILON: lambda: cached.epsilon(release, at.delta),
            MU: lambda: cached.gaussian_mu(release),
            PURE: lambda: Bracket.exact(release.pure_epsilon),
        }
    # Eta speaks of replaced records, and so does what follows from it.
    compared = replaced if isinstance(given, GivenEta) else release
    if compared is not None:
        numbers |= {
            FOUND: lambda: cached.power(compared, at.alpha, Order.ADD),
            ADVANTAGE: lambda: cached.advantage(compared),
        }
    if release is not None and isinstance(given, GivenEpsilon):
        numbers[DELTA] = lambda: cached.delta(release, given.epsilon)
        wanted.add(DELTA)
    return {name: number() for name, number in numbers.items() if name in wanted}
