"""Losses of several models on the audit page: how files and columns tell them, their table, and what is refused."""

import csv
import gc
import io
import sys
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from losses import read_table, split
from numerics.epsilon_star import default_delta, lower_bound
from numerics.epsilon_star.confidence import Ascending
from pages.audit.epsilon_star import several_models
from tests.pages.audit.epsilon_star.sources import (
    EXCEL,
    assert_python_reads_the_same,
    box,
    captions,
    estimate,
    has_value,
    losses,
    page,
    run_python,
    value,
)
from tests.pages.uploading import change, choose, confirm, give, offer
from tests.pages.visit import checked, errors


def group(seed: int, shift: float) -> bytes:
    return "\n".join(["loss", *(f"{loss:.6f}" for loss in np.random.default_rng(seed).normal(shift, size=40))]).encode()


FILES = {"run 2.csv": losses(2), "run 10.csv": losses(10, 80), "run 1.csv": losses(1)}


def measured(app: AppTest) -> several_models.MeasuredModels:
    found: several_models.MeasuredModels = app.session_state["test measured"]
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
    for row in rows:
        groups = split(read_table(FILES[f"{row.name}.csv"]), "loss", "member", "1")
        assert row.value == estimate(groups.train, groups.population, delta).value
        assert row.at_least == lower_bound(Ascending(groups.train), Ascending(groups.population), delta).value
    assert "n = 30; one model looked at by itself has its own δ" in captions(app)
    box(app, "Look at one").select("run 10")
    checked(app.run())
    assert_python_reads_the_same(app, FILES, tmp_path, monkeypatch)
    assert run_python(app, FILES, tmp_path, monkeypatch).train.size == 40


def test_the_table_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    app = give(page(source="several models"), *FILES.items())
    before = measured(app)
    box(app, "Look at one").select("run 2")
    assert measured(checked(app.run())) is before
    assert len(app.session_state["audit.models_measured"]) == 1


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
    rows, text = measured(app).rows, several_models.table(measured(app))
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    read = list(csv.DictReader(io.StringIO("\n".join(lines))))
    assert [float(line["estimate of epsilon*"]) for line in read] == [row.value for row in rows]
    assert [float(line["epsilon* at least"]) for line in read] == [row.at_least for row in rows]
    assert [line["the estimate is"] for line in read] == [row.standing for row in rows]
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
    change(app)
    checked(box(app, "Remove").select("run 2.csv").run())
    confirm(app)
    assert [row.name for row in measured(app).rows] == ["run 1", "run 10"]
    change(app)
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


@pytest.mark.parametrize("names", [("loss_1", "loss_2"), ("model_a", "model_b")])
def test_of_a_file_with_a_column_for_each_model_none_is_taken_silently(names: tuple[str, str]) -> None:
    """Under several files, a model each, a wide file may hold several models."""
    rows = np.random.default_rng(5).gamma(2.0, size=(60, 2))
    lines = (f"{first:.6f},{second:.6f},{row % 2}" for row, (first, second) in enumerate(rows.tolist()))
    data = "\n".join([",".join((*names, "member")), *lines]).encode()
    app = offer(page(source="several models"), ("a.csv", data), ("b.csv", data.replace(b"0.", b"1.")))
    assert "Say which holds the losses" in " ".join(str(info.value) for info in app.info)
    assert "test source" not in app.session_state
    app = choose(app, "Losses", names[1])
    assert f"the losses of “{names[1]}” are looked at, as was said" in " ".join(
        app.session_state["test source"].groups().notes
    )
