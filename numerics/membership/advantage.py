"""Eta, the attacker's advantage over guessing, and what it converts to.

Records of a pool are drawn, the mechanism is run on them, and the attacker, who knows the pool, says whether a given
record was drawn. Eta is the accuracy above 1/2. How they are drawn decides which data sets are compared, so there are
two etas of one release, and ``Game`` names which is meant (correction 27).
"""

from enum import StrEnum
from typing import Annotated, ClassVar

import numpy as np
from scipy.special import expit, ndtr, ndtri

from numerics.calibration import Target
from numerics.mechanisms import Adjacency, Mechanism
from numerics.privacy_loss import Precision
from numerics.trade_off import Bound, Bracket, TradeOffCurve
from numerics.unsupported import UnsupportedError, one_record
from numerics.validation import Interval, NonNegative, Probabilities, Probability, checked, value

LARGEST_ETA = 0.5
Eta = Annotated[float, Interval(0.0, LARGEST_ETA)]
PositiveEta = Annotated[float, Interval.inside(0.0, LARGEST_ETA)]  # 0 would need infinite noise, 1/2 none


class Game(StrEnum):
    """How the records that are used are drawn from a pool that the attacker knows.

    COINS: every record by its own fair coin. Given the coins of the others, which say nothing about the record, it is
    present or absent: one record more or less. HALVES: exactly half of the pool, the game of paper 002. A half with the
    record and one with another in its place differ by a replaced record.
    """

    COINS = "independent coins"
    HALVES = "exactly half"

    @property
    def adjacency(self) -> Adjacency:
        """The neighbours that it compares."""
        return Adjacency.ADD_REMOVE if self is Game.COINS else Adjacency.REPLACE_ONE

    @classmethod
    @checked
    def of(cls, adjacency: Adjacency) -> "Game":
        """The game that compares these neighbours."""
        return cls.HALVES if adjacency is Adjacency.REPLACE_ONE else cls.COINS

    @property
    def words(self) -> str:
        """What is drawn, and what the attacker knows."""
        return f"{_DRAWN[self]}; the attacker knows the pool, the mechanism and the record, but not who was drawn."

    @checked
    def steps_from(self, adjacency: Adjacency) -> float:
        """How many neighbours of a guarantee for ``adjacency`` apart the data sets of this game are: 1, or 2.

        Raises ValueError for coins and a guarantee for data sets of one size, from which nothing follows.
        """
        if self is Game.COINS and adjacency is not Adjacency.ADD_REMOVE:
            raise ValueError(f"a {adjacency} guarantee says nothing about the game of independent coins.")
        return 1.0 if adjacency is self.adjacency else 2.0


_DRAWN = {
    Game.COINS: "Every record of a known pool is used or not by its own fair coin",
    Game.HALVES: "A random half of a known pool of records is used",
}


@checked
def as_played(mechanism: Mechanism, game: Game) -> Mechanism:
    """The same release, with the neighbours that ``game`` compares.

    Raises ValueError for batches of fixed size in the game of coins: they have no neighbours with one record more.
    """
    one_record(mechanism.records_per_person, "Eta, of a pool of records, is")
    try:
        return mechanism.with_neighbours(game.adjacency)
    except UnsupportedError as reason:
        raise UnsupportedError(f"The game of {game} compares {game.adjacency} neighbours: {reason}") from reason


@checked
def eta(mechanism: Mechanism, game: Game, precision: Precision | None = None) -> Bracket:
    """Largest eta in ``game`` over all pools of records: half of the total variation of the neighbours it compares.

    Halves: paper 002 Prop. 2 and Thm 3. Coins: given the others' coins the pair is add/remove, and a pool whose other
    records weigh nothing reaches it. The guarantee is computed anew for the game's neighbours, which is tighter than
    group privacy (correction 27). Raises as ``as_played``.
    """
    return Bracket(*(0.5 * value for value in as_played(mechanism, game).advantage(precision)))


@checked
def eta_of_epsilon(epsilon: NonNegative, delta: Probability, adjacency: Adjacency, game: Game = Game.HALVES) -> float:
    """Largest eta of an (``epsilon``, ``delta``)-DP release (paper 002 Thm 4); far above ``eta`` of the mechanism.

    Add/remove guarantees become (2 epsilon, (1 + e^epsilon) delta) in the game of halves (correction 27). Raises
    ValueError as ``Game.steps_from``.
    """
    steps = game.steps_from(adjacency)
    if steps > 1.0 and delta > 0.0:
        delta = float(np.exp(min(np.log(delta) + np.logaddexp(0.0, epsilon), 0.0)))
    total = epsilon * steps
    # delta + (1 - delta) / (1 + e^-epsilon) - 1/2 without the cancellation
    return float(0.5 * np.tanh(0.5 * total) + delta * expit(-total))


@checked
def epsilon_for_eta(eta: Eta, adjacency: Adjacency = Adjacency.REPLACE_ONE, game: Game = Game.HALVES) -> float:
    """The epsilon that, at delta = 0, guarantees ``eta``: log((1 + 2 eta) / (1 - 2 eta)); infinite at 1/2.

    For an add/remove guarantee and halves half of it, by group privacy. Raises ValueError as ``Game.steps_from``.
    """
    steps = game.steps_from(adjacency)
    return float("inf") if eta == LARGEST_ETA else float(2.0 * np.arctanh(2.0 * eta)) / steps


@checked
def eta_of_mu(mu: NonNegative, adjacency: Adjacency, game: Game = Game.HALVES) -> float:
    """Eta of a mu-Gaussian-DP release: Phi(mu/2) - 1/2; Phi(mu) - 1/2 for halves from an add/remove guarantee.

    Raises ValueError as ``Game.steps_from``.
    """
    return float(ndtr(0.5 * mu * game.steps_from(adjacency)) - 0.5)


@checked
def mu_for_eta(eta: Eta, adjacency: Adjacency, game: Game = Game.HALVES) -> float:
    """The mu of Gaussian DP that guarantees ``eta``; infinite at 1/2. Inverse of ``eta_of_mu``, and raises as it."""
    return float(2.0 * ndtri(0.5 + eta)) / game.steps_from(adjacency)


@checked
def trade_off(eta: Eta, alpha: Probabilities, game: Game = Game.HALVES) -> TradeOffCurve:
    """What eta alone guarantees at ascending ``alpha`` (n,): power at most alpha + 2 eta, capped at 1, in any ``game``.

    Paper 002 Thm 8 prints alpha + eta, which real mechanisms exceed (correction 28). Where the mechanism is known,
    ``inherited`` says more.
    """
    power = np.minimum(alpha + 2.0 * eta, 1.0)
    beta = np.maximum((1.0 - 2.0 * eta) - alpha, 0.0)
    return TradeOffCurve(np.array(alpha), beta, power, Bound.LOWER, f"membership privacy, eta {eta:.6g}", (game.words,))


@checked
def inherited(full: TradeOffCurve, game: Game) -> TradeOffCurve:
    """What the guarantee ``full`` against an attacker who knows everything promises against one of ``game``.

    Error rates over random draws are averages over pairs of neighbours, each with its power below the concave curve of
    ``full``, so that their average is below it too. ``full`` must be for the game's neighbours.
    """
    safe = full.lower or full
    label = f"membership privacy, {game}"
    return TradeOffCurve(full.alpha, safe.beta, safe.power, Bound.LOWER, label, (*full.assumptions[:-1], game.words))


@value
class EtaTarget(Target):
    """At most ``eta`` of accuracy above guessing in ``game``, whose neighbours count."""

    eta: PositiveEta
    game: Game

    words: ClassVar[str] = "eta at most {eta:g} ({game})"

    def measure(self, mechanism: Mechanism, precision: Precision) -> Bracket:
        return eta(mechanism, self.game, precision)
