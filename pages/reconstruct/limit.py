"""How often a guess may be right with the release, at most: what the visitor says, or twice as often as without it."""

from dataclasses import dataclass

from numerics.trade_off import Bracket
from pages.server.shared_cache import Private
from pages.ui.number_box import number_box
from pages.ui.numbers_in_words import CROWD, is_within
from pages.ui.prior_guess import Known, odds

KEYS = ("guess_limit",)
_SMALLEST, _LARGEST = 1e-8, 9_999.9999
_HELP = (
    "The risk that you accept: of so many guesses, how many may be right once the attacker has seen the release? It "
    "starts at twice what the guess is right anyway; from one in three on, half-way to always."
)


@dataclass(frozen=True)
class Limit:
    """The largest acceptable probability that a guess is right, and where it starts if the visitor did not say it."""

    share: float
    start: str = ""

    @classmethod
    def starting(cls, kappa: float) -> "Limit":
        """Twice the guess, or half-way to certainty where that is less; no number fits guesses of any probability."""
        share, start = min((2.0 * kappa, "at twice"), (0.5 * (1.0 + kappa), "half-way to always"))
        return cls(Private(share) if isinstance(kappa, Private) else share, start)

    @property
    def is_own(self) -> bool:
        """Whether the visitor said it."""
        return not self.start

    @property
    def words(self) -> str:
        """``20 of 10,000``; where it starts below one, as guesses are said that rare: ``1 in 500,000``."""
        return f"{self._count} of {CROWD:,}" if self._is_counted else odds(self.share)

    @property
    def name(self) -> str:
        """The limit on a figure."""
        count = self._count if self._is_counted else odds(self.share)
        return f"my limit, {count}" if self.is_own else f"limit, {count}"

    @property
    def _count(self) -> str:
        """Of 10,000, as the visitor said it, or rounded."""
        times = self.share * CROWD
        return f"{times:,.6g}" if self.is_own else f"{float(f'{times:.4g}'):,.6g}"

    @property
    def _is_counted(self) -> bool:
        return self.is_own or self.share * CROWD >= 1.0

    def is_kept(self, success: Bracket) -> bool:
        """Whether no guess is right more often."""
        return is_within(success.upper, self.share)


def draw(known: Known) -> Limit:
    """Draw the box; what it says when it is empty stands in it."""
    first = Limit.starting(known.kappa)
    start = f"{float(f'{first.share * CROWD:.4g}'):,g}, to start with"
    label = f"My limit: right guesses, of {CROWD:,}"
    value = number_box(label, "guess_limit", (_SMALLEST, _LARGEST), None, _HELP, unset=start, step=1.0)
    return first if value is None else Limit(value / CROWD)
