"""Where the losses of the audit page come from: predictions, several models, and layouts corrected by hand."""

import csv
import gc
import io
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from losses import LOSS, Groups, Roles, Scale, by_file, read_predictions, read_table, split, with_losses
from numerics.epsilon_star import default_delta, estimate, lower_bound
from numerics.epsilon_star.confidence import Ascending
from numerics.epsilon_star.sweeps import over_instances
from pages.measuring import instances, models, predictions, source
from pages.shared.uploads import Upload
from tests.page_visit import visited

ROOT = Path(__file__).parents[1]
ROUNDING = 1e-12  # of sums in another order
SECONDS = 60  # the first run imports Plotly on a busy machine
RNG = np.random.default_rng(3)
EXCEL = b"PK\x03\x04 and so on"
SCRIPT = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
import streamlit as st
from pages.measuring import audits, instances, source
with st.container():
    losses = source.draw()
options = audits.draw_options()
audit = audits.attempt(losses, options)
if losses is not None:
    st.session_state["test source"] = losses
    if losses.models is not None:
        st.session_state["test measured"] = instances.draw_table(losses.models, options)
if audit is not None:
    st.metric("value", repr(audit.result.value))
"""


def page(**query: str) -> AppTest:
    """The source, the options and the number, as the page has them; without its figures."""
    return visited(AppTest.from_string(SCRIPT, default_timeout=SECONDS), query)


def checked(app: AppTest) -> AppTest:
    assert not app.exception
    return app


def give(app: AppTest, *files: tuple[str, bytes], place: int = 0) -> AppTest:
    payload = [(name, data, "text/csv") for name, data in files]
    app.file_uploader[place].set_value(payload if len(payload) > 1 else payload[0])
    return checked(app.run())


def value(app: AppTest) -> float:
    (found,) = (metric.value for metric in app.metric if metric.label == "value")
    return float(found)


def has_value(app: AppTest) -> bool:
    return any(metric.label == "value" for metric in app.metric)


def errors(app: AppTest) -> str:
    """Messages as they are read: without the escapes."""
    return " ".join(re.sub(r"\\(.)|\u2060", r"\1", str(error.value)) for error in app.error)


def captions(app: AppTest) -> str:
    return " ".join(re.sub(r"\\(.)|\u2060", r"\1", str(caption.value)) for caption in app.caption)


def box(app: AppTest, label: str, place: int = 0) -> Any:
    return [found for found in app.selectbox if found.label == label][place]


def run_python(app: AppTest, files: dict[str, bytes], folder: Path, monkeypatch: pytest.MonkeyPatch) -> Groups:
    """What the snippet's Python reads from ``files``."""
    for name, data in files.items():
        (folder / name).write_bytes(data)
    monkeypatch.chdir(folder)
    code = app.session_state["test source"].python.replace("open(", "__import__('pathlib').Path(")
    space: dict[str, Any] = {}
    exec(code.replace(".read()", ".read_bytes()").replace(", 'rb')", ")"), space)
    groups: Groups = space["groups"]
    return groups


def assert_python_reads_the_same(
    app: AppTest, files: dict[str, bytes], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups = run_python(app, files, folder, monkeypatch)
    assert estimate(groups.train, groups.population).value == value(app)


# Predictions


def classes(rows: int = 120, member: bool = True) -> bytes:
    """Probabilities of three classes, with a label each; members have the surer ones."""
    lines = ["prob_cat,prob_dog,prob_eel,label" + (",member" if member else "")]
    for row in range(rows):
        right = row % 3
        logits = RNG.normal(size=3)
        logits[right] += 2.0 + 1.5 * (row % 2)
        odds = np.round(np.exp(logits) / np.exp(logits).sum(), 6)
        odds[right] = round(1.0 - odds.sum() + odds[right], 6)
        cells = [*(f"{one:.6f}" for one in odds), ("cat", "dog", "eel")[right]]
        lines.append(",".join([*cells, str(row % 2)] if member else cells))
    return "\n".join(lines).encode()


def binary(scores: str = "p", words: tuple[str, str] = ("0", "1"), logits: bool = False) -> bytes:
    lines = [f"{scores},y,member"]
    for row in range(120):
        logit = RNG.normal() + (1.0 + row % 2) * (1 if row // 2 % 2 else -1)
        score = logit if logits else 1.0 / (1.0 + np.exp(-logit))
        lines.append(f"{score:.8f},{words[row // 2 % 2]},{row % 2}")
    return "\n".join(lines).encode()


def expected(data: bytes, roles: Roles) -> float:
    groups = split(with_losses(read_predictions(data), roles).table, LOSS, "member", "1")
    return estimate(groups.train, groups.population).value


def test_predictions_of_classes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = classes()
    app = give(page(source="predictions"), ("p.csv", data))
    assert value(app) == expected(data, Roles(("prob_cat", "prob_dog", "prob_eel"), "label"))
    assert "Understood: labels name columns by the column's name. No probability had to be cut." in captions(app)
    assert_python_reads_the_same(app, {"p.csv": data}, tmp_path, monkeypatch)


def test_predictions_for_one_of_two_labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = binary(words=("cat", "dog"))
    app = give(page(source="predictions"), ("p.csv", data))
    assert not has_value(app)
    assert box(app, "They are for the label").value == "choose …"
    checked(box(app, "They are for the label").select("dog").run())
    assert value(app) == expected(data, Roles(("p",), "y", positive="dog"))
    assert "predictions are for the label “dog”" in captions(app)
    assert_python_reads_the_same(app, {"p.csv": data}, tmp_path, monkeypatch)


def test_logits_are_told_by_their_numbers_and_can_be_corrected() -> None:
    data = binary("logit", logits=True)
    app = give(page(source="predictions"), ("p.csv", data))
    assert box(app, "They are").value == "logits"
    assert value(app) == expected(data, Roles(("logit",), "y", Scale.LOGITS))
    checked(box(app, "They are").select("probabilities").run())
    assert "does not hold probabilities" in errors(app)
    assert not has_value(app)


def test_cut_rows_are_counted() -> None:
    data = binary().replace(b"\n0.", b"\n1.00000000,1,1\n0.", 1)
    app = give(page(source="predictions"), ("p.csv", data))
    assert "1 of 121 rows have a probability closer to 0 or 1 than its digits tell" in captions(app)


def test_predictions_in_two_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    train, fresh = classes(member=False), classes(90, member=False)
    app = give(page(source="predictions", predictions_in="two files"), ("t.csv", train))
    assert not has_value(app)
    give(app, ("f.csv", fresh), place=1)
    roles = Roles(("prob_cat", "prob_dog", "prob_eel"), "label")
    groups = [with_losses(read_predictions(data), roles).table.number(LOSS).values for data in (train, fresh)]
    assert value(app) == pytest.approx(estimate(groups[0], groups[1]).value, rel=ROUNDING)
    assert_python_reads_the_same(app, {"t.csv": train, "f.csv": fresh}, tmp_path, monkeypatch)


def test_labels_that_one_of_two_files_lacks_name_the_same_columns() -> None:
    """Labels 1 ... 9 of ten classes would be numbers from 0 if the other file did not say 10."""

    def numbered(labels: range) -> bytes:
        rows = [",".join([*["0.1"] * 10, str(labels[row % len(labels)])]) for row in range(40)]
        return "\n".join([",".join([*(f"p{place}" for place in range(10)), "y"]), *rows]).encode()

    app = give(page(source="predictions", predictions_in="two files"), ("t.csv", numbered(range(1, 11))))
    give(app, ("f.csv", numbered(range(1, 10))), place=1)
    assert "labels name columns by its number, from 1" in captions(app)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (EXCEL, "Excel"),
        (classes().replace(b"0.", b"0.9", 1), "do not sum to 1"),
        (classes().replace(b",dog,", b",newt,", 5), "do not name the 3 columns"),
        (classes(member=False), "No other column tells members from outsiders"),
        (b"name\nanna\nbert\n", "No column holds numbers"),
    ],
)
def test_bad_predictions_say_what_is_wrong(data: bytes, words: str) -> None:
    app = give(page(source="predictions"), ("p.csv", data))
    assert words in errors(app).replace("*", "")
    assert not has_value(app)


def test_refused_predictions_leave_those_before() -> None:
    app = give(page(source="predictions"), ("p.csv", classes()))
    before = value(app)
    give(app, ("bad.csv", EXCEL))
    assert "Excel" in errors(app)
    assert value(app) == before


def test_predictions_that_are_removed_leave_nothing() -> None:
    app = give(page(source="predictions"), ("p.csv", classes()))
    (remove,) = (button for button in app.button if button.label == "Remove")
    checked(remove.click().run())
    assert [key for key in app.session_state if "_made_" in key or hasattr(app.session_state[key], "table")] == []


# Several models


def losses(seed: int, rows: int = 60, header: str = "loss,member") -> bytes:
    found = np.random.default_rng(seed).normal(size=rows)
    lines = (f"{loss - 0.8 * (row % 2):.6f},{row % 2}" for row, loss in enumerate(found))
    return "\n".join([header, *lines]).encode()


def group(seed: int, shift: float) -> bytes:
    return "\n".join(["loss", *(f"{loss:.6f}" for loss in np.random.default_rng(seed).normal(shift, size=40))]).encode()


FILES = {"run 2.csv": losses(2), "run 10.csv": losses(10, 80), "run 1.csv": losses(1)}


def measured(app: AppTest) -> instances.Measured:
    found: instances.Measured = app.session_state["test measured"]
    return found


def test_a_file_for_every_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = give(page(source="several models"), *FILES.items())
    rows = measured(app).rows
    assert [(row.name, row.train, row.population) for row in rows] == [
        ("run 1", 30, 30),
        ("run 2", 30, 30),
        ("run 10", 40, 40),
    ]
    delta = default_delta(30)
    for row, (_, groups) in zip(
        rows, by_file({f"{row.name}.csv": read_table(FILES[f"{row.name}.csv"]) for row in rows}), strict=True
    ):
        assert row.value == estimate(groups.train, groups.population, delta).value
        assert row.at_least == lower_bound(Ascending(groups.train), Ascending(groups.population), delta).value
    together = over_instances([row.value for row in rows])
    shown = {metric.label: metric.value for metric in app.metric}
    assert shown["Mean ε*"] == f"{together.mean:.4g}"
    assert shown["log mean exp ε*"] == f"{together.log_mean_exp:.4g}"
    assert "n = 30; one model looked at by itself has its own δ" in captions(app)
    assert "a sample's mean: no bound" in captions(app).replace("*", "")
    box(app, "Look at one").select("run 10")
    checked(app.run())
    assert_python_reads_the_same(app, FILES, tmp_path, monkeypatch)
    assert run_python(app, FILES, tmp_path, monkeypatch).train.size == 40


def test_the_table_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    app = give(page(source="several models"), *FILES.items())
    before = measured(app)
    box(app, "Look at one").select("run 2")
    assert measured(checked(app.run())) is before
    assert len(app.session_state["instances_measured"]) == 1


def test_a_pair_of_files_for_every_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        f"{word}_{seed}.csv": group(seed + len(word), len(word) / 5) for seed in (1, 2) for word in ("train", "test")
    }
    app = give(page(source="several models", models_in="a pair of files each"), *files.items())
    assert [row.name for row in measured(app).rows] == ["1", "2"]
    assert value(app) == measured(app).rows[0].value
    assert_python_reads_the_same(app, files, tmp_path, monkeypatch)


def test_a_column_tells_the_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = [f"{line.decode()},{seed}" for seed in (1, 2, 10) for line in losses(seed).splitlines()[1:]]
    data = "\n".join(["loss,member,model", *body]).encode()
    app = give(page(source="several models", models_in="a column of one file"), ("all.csv", data))
    assert [row.name for row in measured(app).rows] == ["1", "2", "10"]
    first = split(read_table(losses(1)), "loss", "member", "1")
    assert value(app) == estimate(first.train, first.population).value
    checked(box(app, "Look at one").select("10").run())
    assert_python_reads_the_same(app, {"all.csv": data}, tmp_path, monkeypatch)


def test_the_table_downloads_as_it_is_shown() -> None:
    app = give(page(source="several models"), *FILES.items(), ("=cmd().csv", losses(4)))
    rows, text = measured(app).rows, instances.table(measured(app))
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    read = list(csv.DictReader(io.StringIO("\n".join(lines))))
    assert [float(line["epsilon*"]) for line in read] == [row.value for row in rows]
    assert "'=cmd()" in {line["model"] for line in read}


@pytest.mark.parametrize(
    ("way", "files", "words"),
    [
        ("a file each", {"a.csv": losses(1), "bad.csv": EXCEL}, "bad.csv: The file is not a text table"),
        ("a file each", {"a.csv": losses(1), "b.csv": group(1, 0)}, "The file “b.csv” has no column"),
        ("a file each", {"a.csv": losses(1), "b.csv": losses(1, 12)}, "“b.csv”: Training data: 6 usable losses"),
        ("a file each", {"a.csv": losses(1), "b.csv": losses(1, header="nll,member")}, "no column in common"),
        ("a pair of files each", {"train_1.csv": group(1, 0), "test_2.csv": group(2, 0)}, "have no partner"),
        ("a pair of files each", {"one.csv": group(1, 0), "two.csv": group(2, 0)}, "does not tell its group"),
        ("a column of one file", {"one.csv": losses(1)}, "No column is left that could tell the models"),
        ("a column of one file", {"one.csv": b""}, "The file is empty"),
    ],
)
def test_bad_files_of_models_say_what_is_wrong(way: str, files: dict[str, bytes], words: str) -> None:
    app = give(page(source="several models", models_in=way), *files.items())
    assert words in errors(app)


def test_a_refused_file_leaves_the_models_before() -> None:
    app = give(page(source="several models"), *FILES.items())
    give(app, ("bad.csv", EXCEL), ("run 1.csv", losses(7)))
    assert "bad.csv: " in errors(app)
    assert "run 1.csv: Another file with this name is here already" in errors(app)
    assert len(measured(app).rows) == 3
    give(app, ("run 3.csv", losses(3)))
    assert not app.error
    assert [row.name for row in measured(app).rows] == ["run 1", "run 2", "run 3", "run 10"]


def test_files_of_models_are_removed() -> None:
    app = give(page(source="several models"), *FILES.items())
    checked(box(app, "Remove").select("run 2.csv").run())
    assert [row.name for row in measured(app).rows] == ["run 1", "run 10"]
    (clear,) = (button for button in app.button if button.label == "Remove all")
    checked(clear.click().run())
    assert not has_value(app)


def test_bytes_of_many_files_are_dropped() -> None:
    first, second = losses(1), losses(2)
    before = sys.getrefcount(first), sys.getrefcount(second)
    app = give(page(source="several models"), ("a.csv", first), ("b.csv", second))
    assert has_value(app)
    gc.collect()
    assert (sys.getrefcount(first), sys.getrefcount(second)) == before


# Layouts


def test_a_layout_is_corrected_for_the_next_upload(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers such as 1,250 are thousands or decimals: only the visitor knows."""
    text = losses(1).decode().replace(",", ";").replace(".", ",")
    data = re.sub(r"(,\d{3})\d{3}", r"\1", text).encode()
    app = page(source="one file")
    checked(box(app, "Delimiter").select(";").run())
    checked(box(app, "Decimal mark").select(",").run())
    give(app, ("losses.csv", data))
    groups = split(read_table(data.replace(b",", b".").replace(b";", b",")), "loss", "member", "1")
    assert value(app) == estimate(groups.train, groups.population).value
    assert_python_reads_the_same(app, {"losses.csv": data}, tmp_path, monkeypatch)


def test_a_file_read_in_another_way_has_another_answer() -> None:
    data = b"\n".join(losses(1).splitlines()[1:])
    app = give(page(source="one file", method="empirical"), ("losses.csv", data))
    assert "60 rows" in captions(app)
    checked(box(app, "Names in the first row").select("yes").run())
    assert "60 rows" in captions(app)
    give(app, ("losses.csv", data))
    assert "59 rows" in captions(app)


# Addresses


def test_kinds_and_keys_are_pinned() -> None:
    """Public formats: names and values in the URL."""
    assert list(source.Kind) == ["a sample", "one file", "two files", "predictions", "several models"]
    assert list(models.Way) == ["a file each", "a pair of files each", "a column of one file"]
    assert (source.KEYS, predictions.KEYS) == (("source", "sample", "predictions_in", "models_in"), ("predictions_in",))


@pytest.mark.parametrize("kind", ["predictions", "several models"])
@pytest.mark.parametrize("nonsense", ["nan", "<b>", ""])
def test_nonsense_in_the_url_is_harmless(kind: str, nonsense: str) -> None:
    app = page(source=kind, predictions_in=nonsense, models_in=nonsense)
    assert app.file_uploader[0].value in (None, [])
    assert not app.error


def test_an_upload_keeps_its_whole_name() -> None:
    """A short one could not be opened, nor would its group be told by it."""
    app = give(page(source="one file"), (f"{'a' * 60}_train.csv", losses(1)))
    (upload,) = (held for held in map(app.session_state.__getitem__, app.session_state) if isinstance(held, Upload))
    assert upload.name == f"{'a' * 60}_train.csv"
    assert upload.name in app.session_state["test source"].python
