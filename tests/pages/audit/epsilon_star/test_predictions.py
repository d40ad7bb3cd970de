"""Losses of the audit page that are computed from uploaded predictions, and predictions that are refused."""

from pathlib import Path

import numpy as np
import pytest

from losses import LOSS, PredictionScale, Roles, read_predictions, split, with_losses
from tests.pages.audit.epsilon_star.sources import (
    EXCEL,
    assert_python_reads_the_same,
    box,
    captions,
    estimate,
    has_value,
    page,
    value,
)
from tests.pages.uploading import change, choose, give
from tests.pages.visit import checked, errors

ROUNDING = 1e-12  # of sums in another order
RNG = np.random.default_rng(3)


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
    assert "Understood: labels name columns by the column's name. No probability had to be cut." in captions(
        change(app)
    )
    assert_python_reads_the_same(app, {"p.csv": data}, tmp_path, monkeypatch)


def test_predictions_for_one_of_two_labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = binary(words=("cat", "dog"))
    app = give(page(source="predictions"), ("p.csv", data))
    assert not has_value(app)
    assert box(app, "They are for the label").value == "choose …"
    choose(app, "They are for the label", "dog")
    assert value(app) == expected(data, Roles(("p",), "y", positive="dog"))
    assert "predictions are for the label “dog”" in captions(change(app))
    assert_python_reads_the_same(app, {"p.csv": data}, tmp_path, monkeypatch)


def test_logits_are_told_by_their_numbers_and_can_be_corrected() -> None:
    data = binary("logit", logits=True)
    app = give(page(source="predictions"), ("p.csv", data))
    assert box(change(app), "They are").value == "logits"
    assert value(app) == expected(data, Roles(("logit",), "y", PredictionScale.LOGITS))
    choose(app, "They are", "probabilities")
    assert "does not hold probabilities" in errors(app)
    assert not has_value(app)


def test_cut_rows_are_counted() -> None:
    data = binary().replace(b"\n0.", b"\n1.00000000,1,1\n0.", 1)
    app = give(page(source="predictions"), ("p.csv", data))
    assert "1 of 121 rows have a probability closer to 0 or 1 than its digits tell" in captions(change(app))


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
    assert "labels name columns by its number, from 1" in captions(change(app))


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
    change(app)
    (remove,) = (button for button in app.button if button.label == "Remove")
    checked(remove.click().run())
    assert [key for key in app.session_state if "_made_" in key or hasattr(app.session_state[key], "table")] == []
