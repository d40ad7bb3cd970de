"""How a test of either order is spoken of: it finds members, or it rules outsiders out."""

from dataclasses import dataclass

from numerics.trade_off import Order


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
