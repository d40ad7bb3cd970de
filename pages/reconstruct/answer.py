"""What the page looks at in one run, and what it says of it: what a guess becomes, in a sentence and in numbers."""

from dataclasses import dataclass

import numpy as np

from numerics import reconstruction
from numerics.mechanisms import Adjacency, Mechanism
from numerics.privacy_loss import Precision
from numerics.trade_off import Bound, Bracket, Floats, TradeOffCurve
from pages.reconstruct import limit
from pages.reconstruct.limit import GuessLimit
from pages.server.shared_cache import shared_cache
from pages.ui import cached, prior_guess
from pages.ui.estimates import EstimateChoice
from pages.ui.numbers_in_words import EPSILON_DIGITS, as_entered, at_most, rounded_down, rounded_up
from pages.ui.prior_guess import Guessed, Known, success_sentence
from pages.ui.release_in_force import ReleaseChoice
from pages.ui.result_header import Metric
from pages.ui.sheet_filling import SheetAnswer
from plotting import theme
from plotting.curves import Axes
from plotting.printed import drawing
from reports.audit_report import ReportFigure, plain
from reports.rounding import nearest
from reports.sheet import Standing

_A_PERCENT = 0.01
NO_ESTIMATES = EstimateChoice()


_SHARES = np.union1d(np.linspace(0.5, 0.99, 50), 1.0 - np.geomspace(1e-3, 1e-2, 11))


@shared_cache
def attribute_curve(release: Mechanism, *, precision: Precision = prior_guess.PRECISION) -> TradeOffCurve:
    """Inference of an attribute (power) for every share of the commoner answer (alpha), from even to nearly all."""
    found = [reconstruction.attribute_inference(release, float(share), precision) for share in _SHARES]
    lower, middle, upper = (np.array(side) for side in zip(*found, strict=True))
    replaced = release.with_neighbours(Adjacency.REPLACE_ONE)

    def side(power: Floats, bound: Bound, *sides: TradeOffCurve) -> TradeOffCurve:
        return TradeOffCurve(_SHARES.copy(), 1.0 - power, power, bound, release.label, replaced.assumptions, *sides)

    shown = middle if replaced.bound is Bound.CERTIFIED else upper
    if replaced.bound not in (Bound.CERTIFIED, Bound.OPEN):
        return side(shown, replaced.bound)
    return side(shown, replaced.bound, side(upper, Bound.LOWER), side(lower, Bound.UPPER))


@dataclass(frozen=True)
class FigureChoice:
    """How the figure looks at the release; it ends at ``largest_prior``.

    The estimates are laid over the figure against other noise, too.
    """

    axes: Axes = Axes.LOG
    largest_prior: float = 1.0
    estimates: EstimateChoice = NO_ESTIMATES


@dataclass(frozen=True)
class ReconstructionSetting:
    """What the controls say, and what is asked of the release most often."""

    choice: ReleaseChoice
    known: Known
    shown: FigureChoice

    @property
    def release(self) -> Mechanism:
        """The release in force."""
        return self.choice.mechanism

    @property
    def prior(self) -> float:
        """How likely a right guess is beforehand, kappa."""
        return self.known.kappa

    @property
    def limit(self) -> GuessLimit:
        """How often the guess may be right."""
        return GuessLimit(self.choice.limit, self.choice.alpha, self.prior)

    @property
    def is_yes_or_no(self) -> bool:
        """Whether a yes or no is guessed, which has a curve of its own."""
        return self.known.guessed is Guessed.YES_OR_NO

    @property
    def success(self) -> Bracket:
        """How often the attacker is right with the release, in what it guesses."""
        return prior_guess.guessed_right(self.release, self.known)

    @property
    def epsilon(self) -> float:
        """The release's own epsilon at the delta in force: the guarantee."""
        return cached.epsilon(self.release, self.choice.delta).upper

    def curve(self, release: Mechanism) -> TradeOffCurve:
        """How often the attacker is right with a release, for every guess."""
        return (attribute_curve if self.is_yes_or_no else prior_guess.curve)(release)


largest_gain = shared_cache(reconstruction.largest_gain, precision=prior_guess.PRECISION)


def sentence(setting: ReconstructionSetting) -> str:
    """What a guess becomes, for somebody who has never heard of a prior."""
    return success_sentence(setting.success, setting.known, setting.release.records_per_person)


def numbers(setting: ReconstructionSetting) -> list[Metric]:
    """The guarantees in numbers, each with how well it is known."""
    prior, success = setting.prior, setting.success
    alone = reconstruction.from_epsilon_delta(setting.epsilon, setting.choice.delta, prior)
    promised, delta = rounded_up(setting.epsilon, EPSILON_DIGITS), as_entered(setting.choice.delta)
    gains = largest_gain(setting.release)
    added = at_most(max(success.upper - prior, 0.0))
    return [
        Metric(
            "Right with the release, γ",
            rounded_up(success.upper),
            f"At prior κ = {nearest(prior, 3)}. {_how_far(success)}",
        ),
        Metric(
            "Times the guess",
            rounded_up(success.upper / prior),
            "At most: γ / κ, how much likelier a right guess gets. Rare guesses gain most times.",
        ),
        Metric("More right guesses", str(added), "At most: γ − κ, of as many guesses."),
        Metric(
            "Gains most",
            "below 1 %" if gains.prior < _A_PERCENT else f"about {100.0 * gains.prior:.0f} %",
            f"Of all guesses, one that is right so often gains most right answers: up to {at_most(gains.gain.upper)}. "
            "There the curve has the slope of guessing.",
        ),
        Metric(
            "From ε and δ alone",
            rounded_up(alone.tight),
            f"What ε = {promised} at δ = {delta} promises without knowing the mechanism; by Theorem 1 of paper 003: "
            f"{rounded_up(alone.printed)}.",
        ),
        Metric(f"ε at δ = {delta}", promised, "At most; differential privacy of this release."),
    ]


def _how_far(success: Bracket) -> str:
    """What the number is: the most that any attack reaches, and how near the best test of presence comes."""
    if success.width == 0:
        return "No attack is right more often: it is the power of the best test of presence, exactly."
    return (
        f"No attack is right more often than {rounded_up(success.upper, 8)}. The best test of presence lies between "
        f"{rounded_down(success.lower, 8)} and that; whether naming a candidate reaches as much depends on the data."
    )


def compared(setting: ReconstructionSetting) -> str:
    """With what the release is compared, in a sentence: what the guarantee rests on."""
    own, adds, other = "this record", "adds", "another record in this one's place"
    opposite = "a record of the other answer"
    if setting.release.records_per_person > 1:
        own, adds, other = "all records of this person", "add", "another person's records in place of all of this one's"
        opposite = "the records of a person of the other answer"
    if setting.is_yes_or_no:
        return f"Compared with the release with {opposite} in this one's place."
    neighbours = {
        Adjacency.ADD_REMOVE: f"without {own} (add/remove)",
        Adjacency.REPLACE_ONE: f"with {other} (replace-one)",
        Adjacency.ZERO_OUT: f"to which {own} {adds} nothing (zero-out)",
    }
    number = "" if setting.known.guessed is Guessed.RECORD else " It holds for any number of values or people."
    return f"Compared with the release {neighbours[setting.release.adjacency]}.{number}"


def on_sheet(setting: ReconstructionSetting, figure: theme.Figure) -> SheetAnswer:
    """What the page answers, for the sheet: the guess against its limit, and the noise that meets it."""
    release, known, held = setting.release, setting.known, setting.limit
    kept = held.is_kept(setting.success)
    remedy = "None is needed." if kept else limit.advised(release, known, held)[1]
    facts = (
        ("Limit", f"Right at most {held.words} times{held.stated}."),
        ("Standing", plain(limit.words(setting.success, held))),
        ("Condition", compared(setting)),
        ("Remedy", remedy),
    )
    caption = "Across: right guesses without the release. Up: right guesses with it, at most."
    picture = ReportFigure(drawing(figure, caption), caption)
    return SheetAnswer(Standing.WITHIN if kept else Standing.OVER, sentence(setting), facts, picture)
