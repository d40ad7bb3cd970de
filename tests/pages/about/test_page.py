"""The page about the tool: every section, every correction, permalinks, and what it does with nonsense."""

import pytest
from streamlit.testing.v1 import AppTest

from numerics.version import VERSION
from pages.about import corrections, notation
from pages.about.correction import CorrectionKind
from pages.about.corrections_data import BY_NUMBER, CORRECTIONS, WITHDRAWN
from pages.ui.threat_models.notions import ALL
from tests.pages.visit import addressed, script_of, visited

PAGE = "pages/about/page.py"


def page(**query: str) -> AppTest:
    return visited(AppTest.from_string(script_of(PAGE), default_timeout=60), addressed("about", query))


def text(app: AppTest) -> str:
    return "\n".join(str(one.value) for one in (*app.markdown, *app.caption))


def listed(app: AppTest) -> list[int]:
    return [
        int(str(one.key).removeprefix("about.choose_"))
        for one in app.button
        if str(one.key).startswith("about.choose_")
    ]


def test_the_first_view_is_a_correction_with_its_evidence() -> None:
    app = page()
    assert BY_NUMBER[2].why in text(app)
    assert "**The numbers that decide**" in text(app)
    assert app.table[0].value.iloc[:, 1].tolist()[1:] == ["0.40555", "0.40923"]
    assert listed(app) == [one.number for one in CORRECTIONS]


def test_the_first_sentence_says_what_was_read() -> None:
    first = str(page().markdown[0].value)
    assert first == corrections.COPIES
    assert "machine-read" in first.split(".", maxsplit=1)[0]
    assert "nobody here has seen the print" in first.split(".", maxsplit=1)[0]


@pytest.mark.parametrize("kind", CorrectionKind)
def test_an_entry_shows_its_kind_and_its_quotations_and_calls_a_paper_wrong_by_kind_alone(kind: CorrectionKind) -> None:
    one = next(one for one in CORRECTIONS if one.kind is kind)
    app = page(correction=str(one.number))
    assert f"badge[{kind.value}]" in text(app)
    quoted = [str(code.value) for code in app.code if code.value in {q.text for q in (*one.verbatim, *one.elsewhere)}]
    assert quoted == [q.text for q in (*one.verbatim, *one.elsewhere)]
    assert ("In the paper (wrong)" in text(app)) == (kind is CorrectionKind.WRONG)


@pytest.mark.parametrize("number", WITHDRAWN)
def test_a_withdrawn_number_says_why(number: int) -> None:
    app = page(correction=str(number))
    assert f"Withdrawn, because {WITHDRAWN[number].because}" in text(app)
    assert not app.error
    assert number not in listed(app)


def test_a_click_on_the_list_and_the_address_choose_a_correction() -> None:
    app = page(correction="33")
    assert BY_NUMBER[33].why in text(app)
    app.button(key="about.choose_4").click().run()
    assert BY_NUMBER[4].why in text(app)
    assert app.number_input(key="about.correction").value == 4.0
    assert not app.table  # not drawn


def test_filters_narrow_the_list_and_not_the_choice() -> None:
    app = page(paper="002", kind=CorrectionKind.WRONG, correction="51", find="radius")
    assert listed(app) == [33]
    assert BY_NUMBER[51].why in text(app)
    app.text_input(key="about.find").set_value("no such word").run()
    assert listed(app) == []
    assert "Nothing matches" in app.info[0].value


def test_the_slider_of_a_figure_is_in_the_address() -> None:
    app = page(correction="8", c8="2")
    assert app.select_slider(key="about.c8").value == 2.0


@pytest.mark.parametrize(
    "query",
    [
        {"about.correction": "nan"},
        {"about.correction": "-7"},
        {"about.correction": "1e300"},
        {"about.correction": "<b>", "about.section": "<script>", "paper": "", "kind": "=1+1"},
        {"c2": "nan", "about.find": "\u202e<img src=x>" * 3, "about.with_figure": "perhaps"},
    ],
    ids=str,
)
def test_nonsense_in_the_address_is_harmless(query: dict[str, str]) -> None:
    app = page(**query)
    assert not app.error
    assert any(one.why in text(app) for one in CORRECTIONS)


def test_threat_models_answer_every_question_for_every_attacker() -> None:
    app = page(section="Threat models")
    assert len(app.table) == 7
    for table in app.table:
        assert table.value.shape[0] == len(ALL)
    assert "2C on the sum" in app.table[3].value.to_string()


def test_other_sections() -> None:
    assert page(section="Notation").table[0].value.shape[0] == len(notation.SYMBOLS)
    assert f"Privacy trade-offs {VERSION}" in text(page(section="How numbers are labelled"))
    assert "_streamlit_xsrf" in text(page(section="Your data"))
    references = text(page(section="References"))
    assert "Negoescu" in references
    assert "Leemann" in references
