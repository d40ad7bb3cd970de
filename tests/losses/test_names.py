"""What names and labels tell, in three languages: every row of ``names.toml``; and how names of files make pairs."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from losses import TableError, read_table, training_label
from losses.columns import why_number
from losses.dependence import names_clusters, names_models, names_persons
from losses.errors import counted, listed, quoted, visible
from losses.instances import natural, pairs, stem
from losses.membership import Why, says_trained, without_group
from losses.row_questions import curves, scores
from losses.scores import small_means_in
from tests.losses.files import content

NAMES = tomllib.loads(Path(__file__).with_name("names.toml").read_text(encoding="utf-8"))


def is_curve(names: str) -> bool:
    """Of columns with these names, each number another one; a membership has two."""
    cells = ["{odd}" if name == "member" else f"{{n}}.{place}5" for place, name in enumerate(names.split(","))]
    return bool(curves(read_table(content({"header": names, "row": ",".join(cells), "count": 50}))))


QUESTIONS: dict[str, Callable[[str], object]] = {
    "who_was_trained_on": says_trained,
    "whose_a_row_is": names_persons,
    "rows_that_belong_together": names_clusters,
    "which_model": names_models,
    "small_values_speak_for_members": small_means_in,
    "scores_and_no_losses": scores,
    "curves_of_training": is_curve,
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_names_say_what_they_say(question: str) -> None:
    answers: dict[str, bool | None] = {"yes": True, "no": False, "neither": None}
    for answer, expected in answers.items():
        for name in NAMES[question].get(answer, "").split():
            found = QUESTIONS[question](name)
            assert (found if found is None else bool(found)) is expected, name


def of_pairs(kind: str) -> list[tuple[str, list[str]]]:
    every = [(row["of"], pair) for row in NAMES[kind] for pair in row["pairs"]]
    return [(column, [label.replace("_", " ") for label in pair.split()]) for column, pair in every]


@pytest.mark.parametrize(("column", "labels"), of_pairs("labels"))
def test_labels_tell_members_whatever_the_order(column: str, labels: list[str]) -> None:
    for order in (labels, labels[::-1]):
        told = training_label(column, order)
        assert told is not None
        assert told.member == labels[0]
        assert (told.why is Why.LABELS) == (column in {"split", "world"} or labels[0][0] in "tm")


@pytest.mark.parametrize(("column", "labels"), of_pairs("unclear"))
def test_what_labels_do_not_tell_is_asked(column: str, labels: list[str]) -> None:
    assert training_label(column, labels) is None
    said = training_label(column, labels, labels[1])
    assert said is not None
    assert (said.member, said.why) == (labels[1], Why.SAID)
    assert f"“{labels[1]}” in column “{column}”" in said.words


def test_a_number_is_no_negation() -> None:
    assert says_trained("run no 3 train", is_cell=True) is True


@pytest.mark.parametrize(
    ("train", "population"),
    [
        ("train_{}.csv", "population_{}.csv"),
        ("{}-train.csv.gz", "{}-test.parquet"),
        ("run{} members.tsv", "run{} non-members.tsv"),
        ("Train{}", "Pop{}"),
        ("training_{}.csv", "not_in_training_{}.csv"),
        ("seed.{}.in.csv", "seed.{}.out.csv"),
    ],
)
def test_pairs_by_name(train: str, population: str) -> None:
    names = [word.format(number) for number in (1, 2) for word in (population, train)]
    assert list(pairs(names).values()) == [(names[1], names[0]), (names[3], names[2])]
    assert without_group("ModèleA_nonmember") == "ModeleA_nonmember"  # glued words are for says_trained alone


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["train_1", "pop_2", "train_3", "pop_3"], r"2 of the files .* “train_1”, “pop_2”"),
        (["losses_1.csv", "train_1.csv"], "does not tell its group"),
        (["train_test_1.csv"], "does not tell its group"),
        (["train_1.csv", "train-1.tsv"], "same group"),
        ([], "no instance"),
        ([f"{group}_{model}" for group in ("train", "pop") for model in range(1001)], "1,001 instances; at most 1,000"),
    ],
)
def test_pairs_that_are_none(names: list[str], words: str) -> None:
    with pytest.raises(TableError, match=words):
        pairs(names)
    assert len(pairs([f"{group}_{model}" for group in ("train", "pop") for model in range(1000)])) == 1000


def test_names_of_files_and_their_order() -> None:
    """A raised two is a digit to Unicode, and no number."""
    assert [stem(name) for name in ("run 1.csv", "run 2.csv.gz", "seed.3.pq", ".csv")] == [
        *("run 1", "run 2", "seed.3", ".csv")
    ]
    assert sorted(["run 10", "run 2", "run", "²"], key=natural) == ["run", "run 2", "run 10", "²"]


def test_cells_in_messages_are_few_short_and_visible() -> None:
    assert listed(list("abcde")) == "“a”, “b”, “c”, “d”, “e”"
    assert listed(list("abcdef")).endswith("“e” and 1 more")
    assert listed(["a"] * 1_010, 2).endswith("1,008 more")
    assert (counted(1, "cell"), counted(2_000, "cell")) == ("1 cell", "2,000 cells")
    assert visible("x" * 80, 80) == "x" * 80
    assert visible("x" * 81, 80) == "x" * 79 + "…"
    assert quoted(" a\u202eb ") == "“ab”"


def test_infinite_and_missing_cells_are_faults_without_a_warning() -> None:
    table = read_table(b"loss,member\n" + b"inf,1\n-inf,0\nnan,1\n0.5,0\n" * 10)
    assert table.number("loss").faults.count == 30
    assert np.isfinite(table.number("loss").values).sum() == 10


def test_why_a_column_is_taken_tells_what_to_check() -> None:
    assert why_number("loss", ["loss", "x"]) == "its name says so"
    assert why_number("x", ["x"]) == "the only numbers"
    for others, number in ((["nll"], "1"), (["nll", "cross_entropy"], "2")):
        assert f"{number} more: check it" in why_number("loss", ["loss", *others])
    assert "likeliest of 2" in why_number("x", ["x", "y"])
