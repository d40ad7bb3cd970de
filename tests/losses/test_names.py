"""What names and labels tell, in three languages: every row of ``names.toml``; and how names of files make pairs."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from losses import TableError, read_table, training_label
from losses.dependence import names_clusters, names_models, names_persons
from losses.errors import counted, listed, quoted, visible
from losses.instances import natural, pairs
from losses.membership import Why, says_trained
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
    for answer, expected in (("yes", True), ("no", False), ("neither", None)):
        for name in NAMES[question].get(answer, "").split():
            found = QUESTIONS[question](name)
            assert (found if found is None else bool(found)) is expected, name
    assert says_trained("run no 3 train", is_cell=True) is True  # a number is no negation


@pytest.mark.parametrize("kind", ["labels", "unclear"])
def test_labels_tell_members_whatever_the_order_or_it_is_asked(kind: str) -> None:
    for column, pair in [(row["of"], pair) for row in NAMES[kind] for pair in row["pairs"]]:
        labels = [label.replace("_", " ") for label in pair.split()]
        for order in (labels, labels[::-1]):
            told = training_label(column, order)
            assert (told.member if told else None) == (labels[0] if kind == "labels" else None), (column, order)
            if told:
                assert (told.why is Why.LABELS) == (column in {"split", "world"} or labels[0][0] in "tm")
        said = training_label(column, labels, labels[1])
        assert said is not None
        assert (said.member, said.why) == (labels[1], Why.SAID)
        assert f"“{labels[1]}” in column “{column}”" in said.words


@pytest.mark.parametrize(
    ("train", "population"),
    [
        ("train_{}.csv", "population_{}.csv"),
        ("{}-train.csv.gz", "{}-test.parquet"),
        ("run{} members.tsv", "run{} non-members.tsv"),
        ("training_{}.csv", "not_in_training_{}.csv"),
        ("seed.{}.in.csv", "seed.{}.out.csv"),
    ],
)
def test_pairs_by_name(train: str, population: str) -> None:
    names = [word.format(number) for number in (1, 2) for word in (population, train)]
    assert list(pairs(names).values()) == [(names[1], names[0]), (names[3], names[2])]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["train_1", "pop_2", "train_3", "pop_3"], r"2 of the files .* “train_1”, “pop_2”"),
        (["train_test_1.csv"], "does not tell its group"),
        (["train_1.csv", "train-1.tsv"], "same group"),
        ([], "no instance"),
        ([f"{group}_{model}" for group in ("train", "pop") for model in range(1001)], "1,001 instances; at most 1,000"),
    ],
)
def test_pairs_that_are_none(names: list[str], words: str) -> None:
    with pytest.raises(TableError, match=words):
        pairs(names)


def test_words_of_messages_are_few_short_visible_and_in_order() -> None:
    assert listed(list("abcde")) == "“a”, “b”, “c”, “d”, “e”"
    assert listed(["a"] * 1_010, 2).endswith("1,008 more")
    assert (counted(1, "cell"), counted(2_000, "cell")) == ("1 cell", "2,000 cells")
    assert (visible("x" * 80, 80), visible("x" * 81, 80)) == ("x" * 80, "x" * 79 + "…")
    assert quoted(" a\u202eb ") == "“ab”"
    assert sorted(["run 10", "run 2", "run", "²"], key=natural) == ["run", "run 2", "run 10", "²"]  # ² is no number
