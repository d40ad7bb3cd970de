"""A record or a person: the certified value beside conversions, a table of who has how many, and refusals in words."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from numerics.mechanisms import Gaussian, Sampling
from numerics.trade_off import Bracket
from pages.attackers.answer import verdict
from pages.mechanism import unit_of_privacy
from pages.ui.memo import assumptions
from pages.ui.people_scene import scene
from pages.ui.pins import read as read_pin
from pages.ui.pins import spelled
from pages.ui.prior_guess import Guessed, Known, success_sentence
from pages.ui.threat_models.notions import FULL
from pages.ui.threat_models.release import ReleaseSetting
from pages.ui.threat_models.views import view
from tests.pages.mechanism.visit import CHOICE, SECONDS, page
from tests.pages.rail import rail
from tests.pages.visit import script_of, visited

PERSON = replace(CHOICE, mechanism=Gaussian(1.0, 0.01, 1000, records_per_person=4))


def test_the_certified_value_stands_beside_conversions_and_what_is_wrong() -> None:
    table = unit_of_privacy.conversions(PERSON)
    kinds = dict(zip(table["from"], table["what it is"], strict=True))
    found, epsilon = list(table)[2:]
    assert table[epsilon][0] == "8.900"
    assert float(table[epsilon][2]) == pytest.approx(11.81, abs=0.02)
    assert kinds["4 ε at the same δ"] == "wrong: an attack reaches more"
    assert float(table[epsilon][-1]) < 8.89
    tight, loose = (int(table[found][row].replace(",", "")) for row in (0, 1))
    assert 41 < tight < loose


def test_a_person_with_fewer_records_faces_less() -> None:
    table = unit_of_privacy.by_records(PERSON, unit_of_privacy.read("4: 20, 1: 900, 2: 80"))
    assert table["records per person"] == ["1", "2", "4", "mean over people"]
    assert table["people"] == ["900", "80", "20", "1,000"]
    counts = [int(text.replace(",", "")) for text in list(table.values())[2]]
    assert counts[0] == 41
    assert counts[:3] == sorted(counts[:3])
    assert counts[0] < counts[3] < counts[2]


@pytest.mark.parametrize(
    "text", ["1 900", "1: 900, 1: 4", "300: 1", "0: 3", "1: 0", ", ".join(["1: 1"] * 13), "1: 1e3"]
)
def test_what_is_no_list_of_people_is_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError, match="records"):
        unit_of_privacy.read(text)


def test_the_part_says_whose_guarantee_it_is() -> None:
    app = page(unit="true", people_by_records="1: 900, 8: 2", records_per_person="2")
    text = " ".join(block.value for block in (*app.markdown, *app.caption, *app.warning))
    assert "that of who has the **most** records" in text
    assert "Somebody has 8 records, and the page's numbers are for 2" in text
    assert len(app.table) == 2
    assert any("N and batches count records" in caption.value for caption in app.caption)


def test_batches_without_an_answer_are_refused_by_name() -> None:
    refusal = rail(records_per_person="3", sampling="fixed size").session_state["result"]
    assert isinstance(refusal, str)
    assert "records_per_person must be 1 for batches of fixed size" in refusal
    assert not page(unit="true", sampling="fixed size").exception


def test_what_is_about_one_record_says_so() -> None:
    """An audit is refused, and the frontier says that its numbers do not count a person's records."""
    several = {"records_per_person": "4"}
    script = script_of("pages/audit/page.py")
    audit = visited(
        AppTest.from_string(script, default_timeout=SECONDS), several | {"audit.evidence": "one run with canaries"}
    )
    assert not audit.exception
    assert any("not offered for people with several records" in warning.value for warning in audit.warning)
    frontier = visited(AppTest.from_string(script_of("pages/frontier/page.py"), default_timeout=SECONDS), several)
    assert any("does not enter these numbers" in info.value for info in frontier.info)


def test_words_count_people_with_their_records() -> None:
    words = scene(PERSON, "one").words
    assert words.after.startswith("people with 4 records each can be found while 10 of 10,000 outsiders")
    compared, _, protected = assumptions(PERSON.mechanism)
    assert "lacks all records of this one person" in compared
    assert "One person is protected, with at most 4 records" in protected
    assert "4 records per person" in PERSON.words


def test_other_pages_count_people_with_their_records() -> None:
    setting = ReleaseSetting(PERSON)
    assert "of 10,000 people with 4 records each" in verdict(setting, view(setting, FULL))
    known = Known(1e-3, Guessed.RECORD)
    assert "with this release, in which the person has 4 records" in success_sentence(Bracket.exact(0.1), known, 4)


def test_a_pin_holds_the_records_of_a_person() -> None:
    assert spelled(PERSON.mechanism) == "Gaussian_1_0.01_1000_add_k4"
    assert read_pin("Gaussian_1_0.01_1000_add_k4") == PERSON.mechanism
    assert read_pin("Gaussian_1_0.01_1000_add") == CHOICE.mechanism
    assert read_pin("Gaussian_1_0.01_1000_fixed_k4") is None
    assert not Sampling.FIXED_SIZE.batches.several_records


def test_the_rail_counts_records_where_a_person_has_several_and_keeps_their_number() -> None:
    app = rail(people="5000")
    assert app.number_input(key="people").label == "People, N"
    app.number_input(key="records_per_person").set_value(4.0).run()
    box, batch = app.number_input(key="people"), app.number_input(key="batch")
    assert (box.label, box.value) == ("Records, N", 5000.0)
    assert "of all people together" in box.help
    assert batch.help.startswith("How many records a batch has")
    assert rail(knows_rate="true", records_per_person="4").number_input(key="records").label == "Records, N"
    assert rail(records_per_person="nan").number_input(key="people").label == "People, N"  # which the box refuses
