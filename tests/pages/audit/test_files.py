"""Files on the page of audits, beside cases/audit_files.toml: their Python, refusals, and what is never silent."""

import gc
import re
import sys
import tomllib
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from losses.row_questions import PEOPLE
from pages.server.shared_cache import PRIVATE
from pages.ui.plain_text import literal
from pages.ui.upload_preview import UNKNOWN
from reports.rounding import rounded_down
from tests.losses.untrusted import EACH_ROW, UNTRUSTED, curve
from tests.pages.driver import CASES, drive, text, visit
from tests.pages.visit import checked, choose, errors, give

FILES = CASES.parent / "files"
TABLE = tomllib.loads((CASES / "audit_files.toml").read_text())
REFUSED = tomllib.loads(Path(__file__).with_name("refused.toml").read_text())["place"]


def run(code: str) -> str:
    """What a snippet prints; an open file would warn."""
    code = re.sub(r"open\(([^,()]+), .rb.\)\.read\(\)", r"__import__('pathlib').Path(\1).read_bytes()", code)
    with redirect_stdout(StringIO()) as printed:
        exec(compile(code, "snippet", "exec"), {})
    return printed.getvalue()


@pytest.mark.parametrize("case", [case for case in TABLE["case"] if "code" in case], ids=lambda case: case["name"])
def test_the_python_of_a_file_prints_the_number_on_the_page(
    case: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = drive(case)
    monkeypatch.chdir(FILES)
    (code,) = (str(block.value) for block in app.code if case["code"][0] in str(block.value))
    (printed,) = re.findall(r"(?m)^at least: ([\d.]+)", run(code))
    assert f"at least **{rounded_down(float(printed))}**" in text(app)


def bytes_of(given: str) -> bytes:
    """A file of ``files``, with a row more behind a colon, or else what is written."""
    name, _, row = given.partition(": ")
    return (FILES / name).read_bytes() + row.encode() if (FILES / name).is_file() else given.encode()


@pytest.mark.parametrize("place", REFUSED, ids=lambda place: place["open"])
def test_what_cannot_be_read_is_refused_with_what_is_wrong_and_where(place: dict[str, Any]) -> None:
    """Each on a page on which nothing was read before."""
    for words, files in place["rows"]:
        app = give(visit(place["open"]), *((name, bytes_of(given)) for name, given in files.items()))
        assert words in errors(app), errors(app)
        assert not app.metric
        assert "at least" not in " ".join(str(block.value) for block in app.markdown if block.value.startswith("#"))


@pytest.mark.parametrize("name", ["Keras", "networks", "hospital", "twice", "steps of a day", "independent"])
def test_what_is_open_is_asked_before_any_answer_and_a_doubt_stands_beside_it(name: str) -> None:
    """One of each question; the command is asked about all of ``UNTRUSTED``."""
    one = UNTRUSTED[name]
    app = give(visit("audit"), (f"{name}.csv", one.data))
    asked = " ".join(str(info.value) for info in app.info)
    if not one.asks:
        assert not asked
        said = text(app)
        assert "is at least" in said
        assert one.doubt in said
        return
    assert one.asks in asked
    assert next(found for found in app.selectbox if found.label == one.label).value == UNKNOWN
    assert "is at least" not in text(app)
    answer, _, told = one.answers[-1]
    assert told in text(choose(app, one.label, answer))


@pytest.mark.parametrize("names", [["value.csv"], ["train_1.csv", "test_1.csv"]])
def test_a_curve_of_training_is_asked_about_before_anything_else(names: list[str]) -> None:
    data = curve("Wall time,Step,Value", range(100)).data
    app = give(visit("audit"), *((name, data) for name in names))
    assert "training, not a person" in " ".join(str(info.value) for info in app.info)
    assert not app.error
    assert "is at least" not in text(app)
    if len(names) == 1:
        assert "Drop the file of the other group" in choose(app, EACH_ROW, PEOPLE).info[0].value


def test_bytes_are_dropped_and_removed_files_leave_nothing() -> None:
    data = (FILES / "classes.csv").read_bytes() + b"\n"
    before = sys.getrefcount(data)
    app = give(visit("audit"), ("p.csv", data))
    assert "is at least" in text(app)
    gc.collect()
    assert sys.getrefcount(data) == before
    give(app, ("bad.csv", b"PK\x03\x04 and so on"))
    assert "Excel" in errors(app)
    assert "is at least" in text(app)
    checked(app.button(key="audit.files_remove").click().run())
    assert "p.csv" not in text(app)
    assert [
        key
        for key in app.session_state
        if "_made_" in key or key.startswith(PRIVATE) or hasattr(app.session_state[key], "table")
    ] == []


@pytest.mark.parametrize(
    "name", ["<img src=x onerror=alert(1)>", "**bold** _it_ `code`", ":red[x] :smile:", "$x^2$", "[a](b)", "a\u202eb"]
)
def test_untrusted_text_stays_text(name: str) -> None:
    shown = literal(name)
    assert not re.search(r"(?<!\\)[*_`<>$\[\]]|:(?!\u2060)|\u202e", shown)
    assert re.sub(r"\\(.)|\u2060", r"\1", shown) == name.replace("\u202e", "")
