"""How many are found never stands without how many are accused wrongly meanwhile, wherever a page says it."""

import re
from dataclasses import replace

import pytest

from numerics.mechanisms import Gaussian
from numerics.trade_off import Order
from pages.attackers import answer
from pages.mechanism import details, in_numbers
from pages.ui import address, people_scene
from pages.ui.certificate import words
from pages.ui.certificate.subject import CertificateSubject
from pages.ui.headline import crowd_for
from pages.ui.numbers_in_words import count_up, counted
from pages.ui.release_choice import ReleaseChoice
from pages.ui.threat_models import views
from pages.ui.threat_models.release import ReleaseSetting
from plotting.curves import Axes

CHOICE = ReleaseChoice(Gaussian(1.0, 0.01, 1000), 1e-3, Order.ADD, 1e-5, records=60_000, dimension=1)
CHOICES = [
    CHOICE,
    replace(CHOICE, alpha=0.00123),
    replace(CHOICE, alpha=1e-6),
    replace(CHOICE, order=Order.REMOVE, alpha=0.02),
    replace(CHOICE, order=Order.SYMMETRIC),
    replace(CHOICE, mechanism=Gaussian(1.0, 0.01, 1000, records_per_person=4)),
    replace(CHOICE, mechanism=Gaussian(0.02)),  # no protection
    replace(CHOICE, mechanism=Gaussian(900.0, 1e-3)),  # guessing
]
STATED = re.compile(r"^(At most|No protection: up to|No promise: up to) \*\*([\d,]+)\*\* of ([\d,]+) (.+)$")


def sentences(choice: ReleaseChoice) -> list[str]:
    """As picture, doors, memo, certificate and numbers of the page say it."""
    at, scene = ReleaseSetting(choice), people_scene.scene(choice, "x")
    full, *others = views.views(at)
    return [
        people_scene.sentence(scene),
        answer.in_full(at, full, others),
        " ".join(details.memo(choice, scene, Axes.LOG).verdict),
        words.sentences(CertificateSubject(at, None))[0],
        in_numbers.sentences(choice, 0.1),
    ]


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_the_count_stands_with_its_false_verdicts_and_beside_guessing(
    choice: ReleaseChoice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address, "permalink", lambda **_: "")
    most = choice.mechanism.power(choice.alpha, choice.order)
    for said in sentences(choice):
        stated = STATED.match(said)
        assert stated, said
        count, of = (int(number.replace(",", "")) for number in stated.groups()[1:3])
        assert of >= crowd_for(choice.alpha)
        assert count_up(most.lower, of) <= count <= count_up(most.upper, of) + 1
        wronged, rest = counted(choice.alpha, of), stated[4]
        if choice.order is Order.REMOVE:
            assert f"outsiders can be ruled out while {wronged} members are wrongly ruled out" in rest
        else:
            assert f"can be found while {wronged} outsiders are wrongly accused" in rest
        assert ("with 4 records each" in rest) == (choice.mechanism.records_per_person > 1)
        assert re.search(r"[Gg]uessing (finds|rules out) (about )?[\d,]+", rest)
