"""Uploads of the audit page: what is read of a file, what is asked, refused and corrected, and its Python."""

import gc
import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from losses import LOSS, Groups, PredictionScale, Roles, join, one_column, read_predictions, read_table, split
from losses import with_losses as losses_of
from losses.row_questions import COPIES
from pages.audit.epsilon_star import figures, several_models
from pages.audit.epsilon_star.report import report
from pages.ui.plain_text import literal
from reports import html_file, json_file
from tests.loss_files import both
from tests.pages.audit.epsilon_star.sources import (
    EXCEL,
    box,
    captions,
    estimate,
    has_value,
    losses,
    page,
    run_python,
    value,
)
from tests.pages.uploading import change, choose, confirm, give, leave_out, offer
from tests.pages.visit import checked, errors

ROUNDING = 1e-12  # of sums in another order
OUTSIDERS, SILENT = (both(header=f"loss,{name}", labels=("0", "1")).encode() for name in ("is_test", "flag"))
MODELS = {"run 2.csv": losses(2), "run 10.csv": losses(10, 80), "run 1.csv": losses(1)}
LONG = f"{'a' * 60}_train"
NO_PERSON = "no column: each row is another person"


@dataclass(frozen=True)
class Upload:
    """Files given on a page with this ``query``, what is done then, and what must be there.

    Attributes:
        files: by name; of two files each has a place of its own.
        reads: the groups that the number is of; None where there is no number.
        query: of the page; one file with both groups unless it says otherwise.
        asks: whether there is no number before the ``steps``.
        before, steps: controls by label and what is chosen in them, before the upload and after it.
        models: names in the table of models.
        says: parts of captions, notes, errors and of what was decided.
    """

    files: dict[str, bytes]
    reads: Callable[[], Groups] | None
    query: dict[str, str] = field(default_factory=lambda: {"source": "one file"})
    asks: bool = False
    before: Sequence[tuple[str, Any]] = ()
    steps: Sequence[tuple[str, Any]] = ()
    models: Sequence[str] = ()
    says: Sequence[str] = ()


def rows(column: str, of: int, pattern: str = "{}", persons: int = 40) -> bytes:
    """Losses of two groups; the cells of ``column`` name ``of`` others in each group, several rows each."""
    rng, lines = np.random.default_rng(0), [f"loss,member,{column}"]
    for member in (1, 0):
        drawn = rng.gamma(2.0 + 0.5 * member, size=2 * persons).tolist()
        lines += [f"{loss!r},{member},{pattern.format(row % of, member)}" for row, loss in enumerate(drawn)]
    return "\n".join(lines).encode()


def table(header: str, columns: int, tail: Callable[[int], str] = lambda _: "", rows: int = 60) -> bytes:
    """Columns of losses, the first half of which are those of members, or else the odd rows'."""
    drawn = np.random.default_rng(5).normal(size=(rows, columns))
    lines = (",".join(f"{cell - 0.9 * (row % 2)!r}" for cell in cells.tolist()) for row, cells in enumerate(drawn))
    return "\n".join([header, *(line + tail(row) for row, line in enumerate(lines))]).encode()


def by_label(data: bytes, losses: str = "loss", member: str = "member", label: str = "1", **rest: Any) -> Any:
    return lambda: split(read_table(data), losses, member, label, **rest)


def by_columns(data: bytes, train: str, fresh: str) -> Any:
    return lambda: join(one_column(read_table(data), train), one_column(read_table(data), fresh))


def predicted(data: bytes, roles: Roles) -> Any:
    return lambda: split(losses_of(read_predictions(data), roles).table, LOSS, "member", "1")


def classes(rows: int = 120, member: bool = True) -> bytes:
    """Probabilities of three classes, with a label each; members have the surer ones."""
    rng, lines = np.random.default_rng(3), ["prob_cat,prob_dog,prob_eel,label" + (",member" if member else "")]
    for row in range(rows):
        right, logits = row % 3, rng.normal(size=3)
        logits[right] += 2.0 + 1.5 * (row % 2)
        odds = np.round(np.exp(logits) / np.exp(logits).sum(), 6)
        odds[right] = round(1.0 - odds.sum() + odds[right], 6)
        cells = [*(f"{one:.6f}" for one in odds), ("cat", "dog", "eel")[right]]
        lines.append(",".join([*cells, str(row % 2)] if member else cells))
    return "\n".join(lines).encode()


def binary(scores: str = "p", words: tuple[str, str] = ("0", "1"), logits: bool = False, tail: str = "") -> bytes:
    rng, lines = np.random.default_rng(3), [f"{scores},y,member{',epoch' if tail else ''}"]
    for row in range(120):
        logit = rng.normal() + (1.0 + row % 2) * (1 if row // 2 % 2 else -1)
        score = logit if logits else 1.0 / (1.0 + np.exp(-logit))
        lines.append(f"{score:.8f},{words[row // 2 % 2]},{row % 2}{tail.format(row // 60)}")
    return "\n".join(lines).encode()


def halves(data: bytes) -> dict[str, bytes]:
    """The rows of members and of outsiders, a file each."""
    head, *lines = data.splitlines()
    place = head.split(b",").index(b"member")
    return {
        f"{one}.csv": b"\n".join([head, *(i for i in lines if i.split(b",")[place] == one.encode())]) for one in "10"
    }


CLASSES, BINARY, LOGITS = classes(), binary(words=("cat", "dog")), binary("logit", logits=True)
COMMAS = re.sub(r"(,\d{3})\d{3}", r"\1", losses(1).decode().replace(",", ";").replace(".", ",")).encode()
WIDE = table("train_loss,test_loss", 2)
LABELLED = table("train_loss,test_loss,member", 2, lambda row: f",{int(row < 25)}")
COLUMNS = table("loss_1,loss_2,loss_10,member", 3, lambda row: f",{row % 2}")
PAIRS = table("train_loss_5,test_loss_5,train_loss_10,test_loss_10", 4)
PERSONS, CLUSTERS, EPOCHS = rows("user_id", 40, "u{}-{}"), rows("cluster", 40, "c{}-{}"), rows("epoch", 2, persons=60)
GRID = table("loss,member,model,epoch", 1, lambda row: f",{row % 2},{row // 120},{row // 60 % 2}", 240)
COPIED = b"\n".join([b"loss,member", *(line for line in losses(7).splitlines()[1:] for _ in range(5))])
PREDICTIONS, TWO = {"source": "predictions"}, {"source": "two files"}
SEVERAL, IN_COLUMN = {"source": "several models"}, {"source": "several models", "models_in": "a column of one file"}
ALL_CLASSES = Roles(("prob_cat", "prob_dog", "prob_eel"), "label")
STACKED = b"\n".join(
    [b"loss,member,model", *(line + b",%d" % seed for seed in (1, 2, 10) for line in losses(seed).splitlines()[1:])]
)
RUNS = rows("run", 25, "run {}", persons=300)
FIRST_RUN = b"\n".join(line for line in RUNS.splitlines() if line.endswith((b",run", b",run 0")))
GROUP_FILES = {
    f"{word}_{seed}.csv": losses(seed + len(word)).replace(b",member", b"").replace(b",0", b"").replace(b",1", b"")
    for seed in (1, 2)
    for word in ("train", "test")
}

UPLOADS = {
    "one file": Upload({"a.csv": losses(1)}, by_label(losses(1))),
    "a long name is kept": Upload(
        {f"{'a' * 60}_train.csv": losses(1)}, by_label(losses(1)), says=[f"{'a' * 60}_train"]
    ),
    "numbers such as 1,250 are decimals where somebody says so": Upload(
        {"a.csv": COMMAS},
        by_label(COMMAS.replace(b",", b".").replace(b";", b",")),
        before=[("Delimiter", ";"), ("Decimal mark", ",")],
    ),
    "a column for outsiders is read the right way round": Upload(
        {"a.csv": OUTSIDERS},
        by_label(OUTSIDERS, member="is_test", label="0"),
        says=["“0” in column “is_test” means training data: its name says who was not trained on."],
    ),
    "a column that does not tell is asked for": Upload(
        {"a.csv": SILENT},
        by_label(SILENT, member="flag", label="0"),
        asks=True,
        steps=[("Membership", "flag"), ("Members are", "0")],
        says=["this was said, not guessed"],
    ),
    "groups in a column each": Upload(
        {"a.csv": WIDE},
        by_columns(WIDE, "train_loss", "test_loss"),
        says=["Layout: a column for each group", "Column “train_loss” means training data"],
    ),
    "a label beside columns of groups is overruled": Upload(
        {"a.csv": LABELLED},
        by_columns(LABELLED, "train_loss", "test_loss"),
        steps=[("Layout", "a column for each group")],
    ),
    "a column for each model": Upload(
        {"a.csv": COLUMNS}, by_label(COLUMNS, "loss_1"), models=["1", "2", "10"], says=["3 models"]
    ),
    "which columns are models is corrected": Upload(
        {"a.csv": COLUMNS},
        by_label(COLUMNS, "loss_2"),
        steps=[("Columns of models", ["loss_2", "loss_10"])],
        models=["2", "10"],
    ),
    "a pair of columns for each model": Upload(
        {"a.csv": PAIRS}, by_columns(PAIRS, "train_loss_5", "test_loss_5"), models=["5", "10"]
    ),
    "models and epochs are told apart together": Upload(
        {"a.csv": GRID},
        by_label(b"\n".join(line.rsplit(b",", 2)[0] for line in GRID.splitlines()[:61])),
        models=[f"model {model}, epoch {epoch}" for model in (0, 1) for epoch in (0, 1)],
    ),
    "one row of each person counts": Upload(
        {"a.csv": PERSONS}, by_label(PERSONS, person="user_id"), says=["names 80 persons in 160 rows"]
    ),
    "no persons where somebody says so": Upload(
        {"a.csv": PERSONS},
        by_label(PERSONS),
        steps=[("Rows of one person share", NO_PERSON)],
        says=["Rows that share “user_id” count as independent, as was said."],
    ),
    "a column that may name anybody is asked about": Upload(
        {"a.csv": CLUSTERS},
        by_label(CLUSTERS, person="cluster"),
        asks=True,
        steps=[("Rows of one person share", "cluster")],
        says=["80 persons"],
    ),
    "models in one file are pooled where somebody says so": Upload(
        {"a.csv": STACKED},
        by_label(STACKED),
        steps=[("Rows of one model share", ())],
        says=["Rows that share “model” count as independent, as was said."],
    ),
    "models in one file are not pooled": Upload({"a.csv": STACKED}, by_label(losses(1)), models=["1", "2", "10"]),
    "more models than are read as labels": Upload(
        {"a.csv": RUNS},
        by_label(
            b"\n".join(i for i in rows("run", 25, "run {}", persons=300).splitlines() if i[-4:] in (b",run", b"un 0"))
        ),
        models=[f"run {run}" for run in range(25)],
    ),
    "epochs in two files": Upload(
        halves(EPOCHS),
        by_label(b"\n".join(i for i in EPOCHS.splitlines() if i[-1:] in b"h0")),
        TWO,
        models=["0", "1"],
    ),
    "an epoch of one value is no model": Upload({"a.csv": rows("epoch", 1)}, by_label(rows("epoch", 1))),
    "copies count once where they are said to be copies": Upload(
        {"a.csv": COPIED},
        by_label(losses(7)),
        steps=[("Rows with equal numbers are", COPIES)],
        says=["hold copies, as was said", "copies: each counts once"],
    ),
    "a file for every model": Upload(
        MODELS, by_label(losses(1)), SEVERAL, models=["run 1", "run 2", "run 10"], says=["n = 30; one model looked at"]
    ),
    "one of the models is looked at": Upload(
        MODELS,
        by_label(MODELS["run 10.csv"]),
        SEVERAL,
        steps=[("Look at one", "run 10")],
        models=["run 1", "run 2", "run 10"],
    ),
    "a pair of files for every model": Upload(
        GROUP_FILES, None, {**SEVERAL, "models_in": "a pair of files each"}, models=["1", "2"]
    ),
    "a column tells the models": Upload({"a.csv": STACKED}, by_label(losses(1)), IN_COLUMN, models=["1", "2", "10"]),
    "predictions of classes": Upload({"p.csv": CLASSES}, predicted(CLASSES, ALL_CLASSES), PREDICTIONS),
    "predictions for one of two labels": Upload(
        {"p.csv": BINARY},
        predicted(BINARY, Roles(("p",), "y", positive="dog")),
        PREDICTIONS,
        asks=True,
        steps=[("They are for the label", "dog")],
    ),
    "logits are told by their numbers": Upload(
        {"p.csv": LOGITS}, predicted(LOGITS, Roles(("logit",), "y", PredictionScale.LOGITS)), PREDICTIONS
    ),
    "logits are no probabilities": Upload(
        {"p.csv": LOGITS},
        None,
        PREDICTIONS,
        steps=[("They are", "probabilities")],
        says=["does not hold probabilities"],
    ),
    "predictions in two files": Upload(
        {name: b"\n".join(i.rsplit(b",", 1)[0] for i in half.splitlines()) for name, half in halves(CLASSES).items()},
        predicted(CLASSES, ALL_CLASSES),
        {**PREDICTIONS, "predictions_in": "two files"},
    ),
    "epochs of predictions are measured one by one": Upload(
        {"p.csv": binary(tail=",{}")}, None, PREDICTIONS, models=["0", "1"]
    ),
    **{
        f"refused: {words}": Upload(files, None, query, says=[words])
        for query, files, words in (
            ({"source": "one file"}, {"a.csv": rows("patient", 40, "p{}")}, "are in both groups"),
            ({"source": "one file"}, {"a.csv": WIDE + b"\n1.5,\n2.5,"}, "2 cells without a finite number"),
            ({"source": "one file"}, {"a.csv": b""}, "The file is empty. Choose a file with a row for every record."),
            ({"source": "one file"}, {"a.csv": b"loss,split\n"}, "The file has a header and no rows below it."),
            ({"source": "one file"}, {"a.csv": EXCEL}, "an Excel workbook"),
            ({"source": "one file"}, {"a.csv": b"loss\n" + b"0.5\n1.5\n" * 20}, "no column that tells members"),
            ({"source": "one file"}, {"a.csv": losses(1).replace(b",0", b",1")}, "One group is missing"),
            (SEVERAL, {"a.csv": losses(1), "bad.csv": EXCEL}, "bad.csv: The file is not a text table"),
            (SEVERAL, {"a.csv": losses(1), "b.csv": GROUP_FILES["test_1.csv"]}, "The file “b.csv” has no column"),
            (SEVERAL, {"a.csv": losses(1), "b.csv": losses(1, 12)}, "“b.csv”: Training data: 6 usable losses"),
            (SEVERAL, {"a.csv": losses(1), "b.csv": losses(1, header="nll,member")}, "no column in common"),
            (
                {**SEVERAL, "models_in": "a pair of files each"},
                {name: GROUP_FILES[name] for name in ("train_1.csv", "test_2.csv")},
                "have no partner",
            ),
            (
                {**SEVERAL, "models_in": "a pair of files each"},
                {"one.csv": GROUP_FILES["train_1.csv"], "two.csv": GROUP_FILES["test_2.csv"]},
                "does not tell its group",
            ),
            (IN_COLUMN, {"one.csv": losses(1)}, "No column is left that could tell the models"),
            (IN_COLUMN, {"one.csv": b""}, "The file is empty"),
            (PREDICTIONS, {"p.csv": CLASSES.replace(b"0.", b"0.9", 1)}, "do not sum to 1"),
            (PREDICTIONS, {"p.csv": CLASSES.replace(b",dog,", b",newt,", 5)}, "do not name the 3 columns"),
            (PREDICTIONS, {"p.csv": classes(member=False)}, "No other column tells members from outsiders"),
            (PREDICTIONS, {"p.csv": b"name\nanna\nbert\n"}, "No column holds numbers"),
        )
    },
}


def given(one: Upload) -> AppTest:
    """The page after the upload, with nothing chosen yet."""
    app = page(**one.query)
    for label, option in one.before:
        checked(box(app, label).select(option).run())
    if "two files" in one.query.values():
        for place, file in enumerate(one.files.items()):
            give(app, file, place=place)
        return app
    return give(app, *one.files.items())


def said(app: AppTest) -> str:
    """What is said of the source, on the page and to what comes after it."""
    texts = [captions(app), errors(app)]
    if "test source" in app.session_state:
        source = app.session_state["test source"]
        groups = source.groups()
        texts += [source.membership.words if source.membership else "", *groups.notes, source.python]
    if "test measured" in app.session_state:
        texts.append(f"{len(app.session_state['test measured'].rows)} models")
    return "\n".join(texts).replace("*", "")


@pytest.mark.parametrize("name", UPLOADS)
def test_an_upload_is_read_asked_about_or_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = UPLOADS[name]
    app = given(one)
    assert not (one.asks and has_value(app))
    for label, option in one.steps:
        if label == "Look at one":
            checked(box(app, label).select(option).run())
        elif label == "Columns of models":
            change(app)
            checked(app.multiselect[0].set_value(option).run())
            confirm(app)
        else:
            choose(app, label, option)
    for words in one.says:
        assert words in said(app), said(app)
    if one.models:
        assert [row.name for row in app.session_state["test measured"].rows] == one.models
        assert value(app) == app.session_state["test measured"].rows[0].value or one.steps
    if one.reads:
        groups = one.reads()
        assert not app.error
        assert value(app) == pytest.approx(estimate(groups.train, groups.population).value, rel=ROUNDING)
        read = run_python(app, one.files, tmp_path, monkeypatch)
        assert estimate(read.train, read.population).value == pytest.approx(value(app), rel=ROUNDING)
    else:
        assert has_value(app) == bool(one.models)
        assert app.error or one.models


def test_unusable_rows_are_left_out_on_request_and_counted() -> None:
    app = give(page(source="one file"), ("a.csv", PERSONS + b"\n0.5,1,\n0.25,0,\nx,0,u1-0"))
    assert not has_value(app)
    leave_out(app)
    assert has_value(app)
    assert "3 rows left out" in captions(app)


def test_what_was_said_by_hand_goes_with_the_answer_wherever_that_goes() -> None:
    app = give(page(source="one file"), ("a.csv", PERSONS))
    choose(app, "Rows of one person share", NO_PERSON)
    words = "Rows that share “user_id” count as independent, as was said."
    source = app.session_state["test source"]
    *_, audit = app.session_state["audit.audits"].values()
    made = report(source, audit, None)
    assert words in html_file.page(made)
    found = json.loads(json_file.text(made))["numbers"]
    assert found["dependence"]["handled"] == [words]
    assert found["training_data"]["column"] == "member"
    assert figures.settings(source, audit)["rows that belong together"] == words


def test_a_refused_file_leaves_the_models_before_and_files_can_be_removed() -> None:
    def names() -> list[str]:
        return [row.name for row in app.session_state["test measured"].rows]

    app = give(page(source="several models"), *MODELS.items())
    before = app.session_state["test measured"]
    assert checked(app.run()).session_state["test measured"] is before, "computed twice"
    give(app, ("bad.csv", EXCEL), ("run 1.csv", losses(7)))
    assert "bad.csv: " in errors(app)
    assert "run 1.csv: Another file with this name is here already" in errors(app)
    give(app, ("run 3.csv", losses(3)))
    assert names() == ["run 1", "run 2", "run 3", "run 10"]
    checked(box(change(app), "Remove").select("run 2.csv").run())
    confirm(app)
    assert names() == ["run 1", "run 3", "run 10"]
    (clear,) = (button for button in change(app).button if button.label == "Remove all")
    checked(clear.click().run())
    assert not has_value(app)


def test_removed_predictions_leave_nothing_and_refused_ones_leave_those_before() -> None:
    app = give(page(source="predictions"), ("p.csv", CLASSES))
    before = value(app)
    give(app, ("bad.csv", EXCEL))
    assert "Excel" in errors(app)
    assert value(app) == before
    (remove,) = (button for button in change(app).button if button.label == "Remove")
    checked(remove.click().run())
    assert [key for key in app.session_state if "_made_" in key or hasattr(app.session_state[key], "table")] == []


def test_the_table_of_models_downloads_as_it_is_shown() -> None:
    app = give(page(source="several models"), *MODELS.items(), ("=cmd().csv", losses(4)))
    measured = app.session_state["test measured"]
    lines = [line.split(",") for line in several_models.table(measured).splitlines() if not line.startswith("#")]
    head, *body = lines
    for name, own in (("estimate of epsilon*", "value"), ("epsilon* at least", "at_least")):
        assert [float(line[head.index(name)]) for line in body] == [getattr(row, own) for row in measured.rows]
    assert any("'=cmd()" in line[head.index("model")] for line in body)


def test_bytes_of_files_are_dropped() -> None:
    first, second = losses(1) + b"\n", losses(2) + b"\n"
    before = sys.getrefcount(first), sys.getrefcount(second)
    app = give(page(source="several models"), ("a.csv", first), ("b.csv", second))
    assert has_value(app)
    gc.collect()
    assert (sys.getrefcount(first), sys.getrefcount(second)) == before


def test_of_a_file_with_a_column_for_each_model_none_is_taken_silently() -> None:
    """Under several files, a model each, a wide file may hold several models."""
    data = table("model_a,model_b,member", 2, lambda row: f",{row % 2}")
    app = offer(page(source="several models"), ("a.csv", data), ("b.csv", data.replace(b"0.", b"1.")))
    assert "Say which holds the losses" in " ".join(str(info.value) for info in app.info)
    assert "test source" not in app.session_state
    choose(app, "Losses", "model_b")
    assert "the losses of “model_b” are looked at, as was said" in said(app)


HOSTILE = ["<img src=x onerror=alert(1)>", "**bold** _it_ `code`", ":red[x] :smile: :material/home:", "$x^2$", "[a](b)"]


@pytest.mark.parametrize("text", [*HOSTILE, "a\u202eb"])
def test_strangers_text_stays_text(text: str) -> None:
    shown = literal(text)
    assert not re.search(r"(?<!\\)[*_`<>$\[\]]|:(?!\u2060)|\u202e", shown)
    assert re.sub(r"\\(.)|\u2060", r"\1", shown) == text.replace("\u202e", "")


def test_hostile_names_of_files_and_columns_are_shown_as_text() -> None:
    data = losses(1, header="loss <b>,**member**")
    app = give(page(source="one file"), ("<script>$x$.csv", data))
    assert has_value(app)
    assert literal("<script>$x$.csv") in " ".join(str(caption.value) for caption in app.caption)
