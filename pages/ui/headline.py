"""The sentence that states how many people an attack finds: never without how many it accuses wrongly meanwhile.

Home, Mechanism, Attackers, their sheet and what a screen reader hears of them are worded here alone.
"""

from dataclasses import dataclass

from numerics.trade_off import Bound, Bracket, Order
from pages.ui.numbers_in_words import ALL_BUT_CERTAIN, CROWD, at_least, count_up, counted
from pages.ui.release_choice import ReleaseChoice

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
        alpha: the rate of false accusations; in the remove-one order of members who are wrongly ruled out.
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
            return f"{self.whom} can be ruled out while {wronged} members are wrongly ruled out"
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
