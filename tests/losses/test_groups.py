"""Who is a member: columns and labels that tell the groups apart, groups that cannot be used, and the samples."""

import subprocess
import sys

import numpy as np
import pytest

from losses import SAMPLES, Sample, join, one_column, read_table
from losses.membership import training_label
from numerics.epsilon_star import EMPIRICAL_CLIP, LossScale, Method, estimate
from tests import ROOT
from tests.loss_files import FRESH, TRAIN, both, check_both, groups, one, refusal


@pytest.mark.parametrize(
    "labels",
    [("train", "test"), ("True", "False"), ("member", "non-member"), ("in", "out"), ("1.0", "0.0"), ("yes", "no")],
)
def test_member_is_recognised_in_either_order(labels: tuple[str, str]) -> None:
    check_both(groups(both(labels=labels)))
    told = training_label("member", labels[::-1])
    assert told is not None
    assert told.member == labels[0]


@pytest.mark.parametrize("labels", [("a", "b"), ("train", "in"), ("0", "2"), ("train", "unknown")])
def test_member_is_not_guessed_where_words_do_not_tell(labels: tuple[str, str]) -> None:
    assert training_label("split", labels) is None


def test_likeliest_columns_come_first() -> None:
    rows = [f"{row},{row % 10},{0.1 * row:.3f},{0.3 * row:.3f},{'train' if row % 3 else 'test'}" for row in range(60)]
    table = read_table(("id,label,confidence,train_loss,split\n" + "\n".join(rows)).encode())
    assert table.numbers[0].name == "train_loss"
    assert table.labels[0].name == "split"
    assert table.is_membership_clear


def test_a_class_label_is_not_taken_for_a_membership() -> None:
    rows = [f"{0.1 * row:.3f},{row % 2}" for row in range(60)]
    table = read_table(("loss,label\n" + "\n".join(rows)).encode())
    assert [column.name for column in table.labels] == ["label"]
    assert not table.is_membership_clear


def test_groups_in_sorted_files_are_both_seen() -> None:
    rows = [f"{row / 7:.6f},train" for row in range(60_000)] + [f"{row / 5:.6f},test" for row in range(60_000)]
    table = read_table(("loss,split\n" + "\n".join(rows)).encode())
    assert table.label("split").counts == {"train": 60_000, "test": 60_000}


def test_two_files() -> None:
    found = join(*(one_column(read_table(one(losses).encode()), "loss") for losses in (TRAIN, FRESH)))
    check_both(found)


def test_losses_ascend_and_the_table_is_left_alone() -> None:
    table = read_table(one().encode())
    before = table.number("loss").values.copy()
    column = one_column(table, "loss")
    assert np.all(np.diff(join(column, column).train) >= 0)
    assert np.array_equal(table.number("loss").values, before)


def test_one_column_where_two_are_needed() -> None:
    table = read_table(one().encode())
    assert table.labels == ()
    assert [column.name for column in table.numbers] == ["loss"]


def test_blank_memberships() -> None:
    lines = both().splitlines()
    lines[3] = lines[3].replace(",1", ",")
    error = refusal("\n".join(lines))
    assert (error.what, error.where) == ("The column “member” has 1 blank cells.", "The first is in row 3.")
    assert len(groups("\n".join(lines), drop=True).train) == 29


@pytest.mark.parametrize(("train", "fresh", "named"), [(9, 20, "Training data: 9"), (20, 3, "Fresh data: 3")])
def test_groups_that_are_too_small(train: int, fresh: int, named: str) -> None:
    error = refusal(
        "loss,member\n" + "\n".join([f"{row}.5,1" for row in range(train)] + [f"{row}.5,0" for row in range(fresh)])
    )
    assert error.what.startswith(named)


def test_one_group_missing() -> None:
    error = refusal("loss,member\n" + "\n".join(f"{row}.5,1" for row in range(40)))
    assert error.what.startswith("One group is missing: the column “member” says “1” in every row.")


def test_three_labels() -> None:
    labels = ("train", "test", "val")
    error = refusal("loss,split\n" + "\n".join(f"{row}.5,{labels[row % 3]}" for row in range(31)))
    assert error.what == "The column “split” has 3 different labels; two are needed."
    assert error.where == "They are “train” 11 times, “test” 10 times, “val” 10 times."


def test_a_third_label_that_only_comes_late() -> None:
    rows = [f"{row / 7:.6f},{row % 2}" for row in range(200_000)]
    rows[70_000] = "0.5,2"
    error = refusal("loss,member\n" + "\n".join(rows))
    assert error.what == "The column “member” has 3 different labels; two are needed."


def test_a_label_of_another_column_is_not_taken_for_one_of_this() -> None:
    rows = [f"{row / 7:.6f},{row % 2},{'a' if row % 3 else 'b'}" for row in range(60_000)]
    rows[40_000] = "0.5,a,a"
    table = read_table(("loss,member,kind\n" + "\n".join(rows)).encode())
    assert set(table.label("member").labels) == {"0", "1", "a"}


def test_more_labels_than_any_membership_has() -> None:
    rows = [f"{row / 7:.6f},{row % 2}" for row in range(100_000)]
    rows[40_000:50_000] = [f"0.5,x{row}" for row in range(10_000)]
    error = refusal("loss,member\n" + "\n".join(rows))
    assert error.what.endswith("101 different labels; two are needed.")


@pytest.mark.parametrize("shape", ["loss,member", ""])
def test_constant_losses(shape: str) -> None:
    found = groups("\n".join(filter(None, [shape, *(f"0.5,{row % 2}" for row in range(40))])))
    with pytest.raises(ValueError, match=r"losses must differ, but all of them are 0\.5"):
        estimate(found.train, found.population, method=Method.PARAMETRIC, scale=LossScale.PRINTED)


def test_identical_groups() -> None:
    found = groups("loss,member\n" + "\n".join(f"{row // 2}.5,{row % 2}" for row in range(40)))
    assert estimate(found.train, found.population, method=Method.EMPIRICAL).value == 0.0


def test_separated_groups() -> None:
    found = groups("loss,member\n" + "\n".join(f"{row}.5,{int(row < 20)}" for row in range(40)))
    assert np.isinf(estimate(found.train, found.population, 0.01, Method.EMPIRICAL).value)
    capped = estimate(found.train, found.population, 0.01, Method.EMPIRICAL, EMPIRICAL_CLIP)
    assert capped.value == pytest.approx(capped.cap)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_samples(sample: Sample) -> None:
    found = sample.groups()
    assert (len(found.train), len(found.population)) == (898, 899)


def test_the_overfitted_model_shows_its_members() -> None:
    overfitted, regularised = (
        estimate(found.train, found.population, method=Method.EMPIRICAL, clip=EMPIRICAL_CLIP).value
        for found in (sample.groups() for sample in SAMPLES)
    )
    assert overfitted > regularised + 1.0


def test_reading_needs_neither_streamlit_nor_plotly() -> None:
    code = "import losses, sys; assert not {'streamlit', 'plotly'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
