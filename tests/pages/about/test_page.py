"""What the page about the tool shows of entries: each its kind and its quotations, and every question its answers."""

import pytest

from pages.about import corrections, notation
from pages.about.correction import CorrectionKind
from pages.about.corrections_data import BY_NUMBER, CORRECTIONS, WITHDRAWN
from pages.ui.threat_models.notions import ALL
from tests.pages.driver import text, visit


@pytest.mark.parametrize("kind", CorrectionKind)
def test_an_entry_shows_its_kind_and_its_quotations_and_calls_a_paper_wrong_by_kind_alone(kind: CorrectionKind) -> None:
    one = next(one for one in CORRECTIONS if one.kind is kind)
    app = visit(f"about?about.correction={one.number}")
    said = text(app)
    assert f"badge[{kind.value}]" in said
    quoted = [quotation.text for quotation in (*one.verbatim, *one.elsewhere)]
    assert [str(code.value) for code in app.code if code.value in quoted] == quoted
    assert ("In the paper (wrong)" in said) == (kind is CorrectionKind.WRONG)
    assert any(block.value == one.why or one.why in str(block.value) for block in (*app.markdown, *app.caption))
    listed = [one.key for one in app.button if str(one.key).startswith("about.choose_")]
    assert listed == [f"about.choose_{one.number}" for one in CORRECTIONS]


def test_withdrawn_entries_say_why_and_sections_are_complete() -> None:
    for number, withdrawn in WITHDRAWN.items():
        assert withdrawn.because in text(visit(f"about?about.correction={number}"))
        assert number not in BY_NUMBER
    assert str(visit("about").markdown[0].value) == corrections.COPIES
    tables = visit("about?about.section=Threat+models").table
    assert [len(table.value) for table in tables] == [len(ALL)] * 7
    assert len(visit("about?about.section=Notation").table[0].value) == len(notation.SYMBOLS)
    assert "_streamlit_xsrf" in " ".join(str(block.value) for block in visit("about?about.section=Your+data").markdown)
