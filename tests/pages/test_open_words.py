"""Where guarantee and attack do not meet, pages say that other attacks may do more: not that nobody knows."""

from numerics.trade_off import Bound, Bracket
from pages.ui import readout
from pages.ui.certificate import words
from pages.ui.threat_models import views
from plotting import assembly


def test_nothing_is_called_unknown_because_the_attack_that_is_shown_is_not_the_best() -> None:
    """Of several choices attacks are known that come next to the guarantee; they are not the one that is shown."""
    said = (
        readout.between(Bracket(0.1, 0.4, 0.5), Bound.OPEN),
        readout._KIND[Bound.OPEN][1],
        words._KINDS[Bound.OPEN],
        views._NOT_REACHED[Bound.OPEN],
        assembly.GAP,
    )
    for text in said:
        assert "other" in text
        assert not any(claim in text for claim in ("open", "not known"))
