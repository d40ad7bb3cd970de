"""Rows that are no independent evidence: several of one person, copies of rows, and people in both groups."""

import numpy as np
import pytest

from losses import Column, Groups, LossTable, TableError, by_column, join, one_column, read_table, split
from losses.classes import as_labels
from losses.dependence import equal_in_both, few_valued, names_clusters, names_models, names_persons, without_copies
from losses.groups import counted_as_people, counted_once, drawn
from losses.warehouse.belonging import _middle
from losses.warehouse.expressions import LossRange
from numerics.epsilon_star import lower_bound
from numerics.epsilon_star.confidence import Ascending
from numerics.epsilon_star.loss_bins import LossBins
from numerics.trade_off import Floats

RUNS = 60
DELTA = 1e-3


def bound(train: Floats, population: Floats) -> float:
    return lower_bound(Ascending(np.sort(train)), Ascending(np.sort(population)), DELTA).value


def alike(seed: int, persons: int = 60, rows: int = 10, correlation: float = 0.9) -> tuple[Floats, Floats]:
    """Losses (persons * rows,) of one law, those of a person alike, and whose they are."""
    rng = np.random.default_rng(seed)
    own = np.repeat(rng.normal(size=persons), rows)
    losses = np.sqrt(correlation) * own + np.sqrt(1.0 - correlation) * rng.normal(size=persons * rows)
    return losses, np.repeat(np.arange(persons), rows)


def rows_of_persons(seed: int, person: str = "user_id", shared: int = 0, blank: bool = False) -> bytes:
    """Two groups of one law as text; of the persons ``shared`` are in both."""
    lines = [f"loss,member,{person}"]
    for member in (1, 0):
        losses, whose = alike(2 * seed + member)
        codes = whose + (0 if member else 60 - shared)
        lines += [f"{loss!r},{member},p{code}" for loss, code in zip(losses.tolist(), codes.tolist(), strict=True)]
    if blank:
        lines.append("0.5,1,")
    return "\n".join(lines).encode()


def of_persons(data: bytes, person: str | None = "user_id", drop: bool = False) -> Groups:
    return split(read_table(data), "loss", "member", "1", drop, person)


def test_one_row_of_each_person_counts() -> None:
    """With nothing to find, rows counted as independent show something nearly always."""
    pooled = [of_persons(rows_of_persons(seed), None) for seed in range(RUNS)]
    found = [of_persons(rows_of_persons(seed)) for seed in range(RUNS)]
    assert np.mean([bound(one.train, one.population) > 0.0 for one in pooled]) > 0.5
    assert np.mean([bound(one.train, one.population) > 0.0 for one in found]) <= 0.05
    one = found[0]
    assert (len(one.train), len(one.population)) == (60, 60)
    assert one.notes == (
        "Column “user_id” names 120 persons in 1,200 rows: one row of each counts, drawn without a look at the losses.",
    )
    assert one.dropped == 0


def test_the_draw_depends_on_no_loss() -> None:
    """The losses number the rows here, forwards and backwards: the same rows are drawn, one of each person."""
    rows, whose = np.arange(600.0), np.repeat(np.arange(60), 10)
    first = drawn((rows, rows), (whose, whose + 60), "user")
    second = drawn((-rows, -rows), (whose, whose + 60), "user")
    assert np.array_equal(first.train, -second.train[::-1])
    assert np.array_equal(first.train // 10, np.arange(60))


def test_a_person_in_both_groups_is_refused_with_the_count() -> None:
    with pytest.raises(TableError, match=r"^7 values of column “user_id” are in both groups"):
        of_persons(rows_of_persons(1, shared=7))


def test_rows_without_a_person_are_refused_or_left_out() -> None:
    with pytest.raises(TableError, match="“user_id” has 1 blank cells"):
        of_persons(rows_of_persons(1, blank=True))
    assert of_persons(rows_of_persons(1, blank=True), drop=True).dropped == 1


def part(member: int, name: str = "user_id", offset: int = 0) -> Column:
    losses, whose = alike(member)
    lines = [f"{loss!r},p{code + offset}" for loss, code in zip(losses.tolist(), whose.tolist(), strict=True)]
    table = read_table("\n".join([f"loss,{name}", *lines]).encode())
    return one_column(table, "loss", person=name)


def test_two_files_tell_persons_by_the_same_words() -> None:
    found = join(part(0), part(1, offset=60))
    assert (len(found.train), len(found.population)) == (60, 60)
    with pytest.raises(TableError, match=r"^40 values of column “user_id” are in both groups"):
        join(part(0), part(1, offset=20))
    with pytest.raises(TableError, match="Only one of the files"):
        join(part(0), Column(np.arange(30.0)))


@pytest.mark.parametrize("name", ["user_id", "PatientID", "person", "subject", "Kunde", "utilisateur", "customerNo"])
def test_columns_that_name_persons(name: str) -> None:
    assert names_persons(name)
    assert [column.name for column in read_table(rows_of_persons(1, name)).clusters] == [name]


@pytest.mark.parametrize("name", ["id", "loss", "member", "split", "is_test", "personal_loss_scale_used", "index"])
def test_columns_that_name_no_persons(name: str) -> None:
    assert not names_persons(name)


def test_other_columns_that_may_belong_together() -> None:
    assert all(map(names_clusters, ("group", "cluster_id", "account")))
    assert all(map(names_models, ("model", "epoch", "Fold", "run_id", "modelId", "Seed", "checkpoint")))
    assert not any(map(names_models, ("loss", "label", "training", "member")))


def test_persons_of_one_row_each_are_no_clusters() -> None:
    data = "\n".join(["loss,member,user", *(f"0.{row},{row % 2},u{row}" for row in range(100, 160))]).encode()
    assert read_table(data).clusters == ()


def test_measurements_of_another_model_tell_no_models() -> None:
    numbers = np.random.default_rng(0).random(200).round(3)
    rows = zip(numbers, [1, 2] * 100, ["train"] * 100 + ["test"] * 100, strict=True)
    table = read_table(("model_a,seed,member\n" + "\n".join(f"{a:.3f},{b},{c}" for a, b, c in rows)).encode())
    assert {name for name, _ in few_valued(table)} == {"seed", "member"}


def test_long_numbers_of_persons_are_told_apart() -> None:
    """As floats, whole numbers beyond 2^53 merge."""
    whose = [9007199254740992 + row // 2 for row in range(60)]
    data = "\n".join(["loss,member,user_id", *(f"0.{row + 100},{row // 30},{code}" for row, code in enumerate(whose))])
    (column,) = read_table(data.encode()).clusters
    assert len(column.words) == 30


def test_long_numbers_of_models_are_refused_by_name() -> None:
    rows = [f"0.{row + 100},{row % 2},{9007199254740992 + row // 20}" for row in range(60)]
    table = read_table("\n".join(["loss,member,job", *rows]).encode())
    with pytest.raises(TableError, match=r"“job” has whole numbers beyond 2\^53"):
        as_labels(table, "job")


def test_persons_of_several_models() -> None:
    lines = ["loss,member,user_id,model"]
    for model in (1, 2):
        lines += [f"{line},{model}" for line in rows_of_persons(model).decode().splitlines()[1:]]
    table: LossTable = read_table("\n".join(lines).encode())
    found = by_column(table, "model", "loss", "member", "1", person="user_id")
    assert [len(one.groups.train) for one in found] == [60, 60]


# Copies, as far as losses alone tell them.


def continuous(seed: int, size: int = 300) -> Floats:
    return np.sort(np.random.default_rng(seed).gamma(2.0, size=size))


def copied(losses: Floats, times: int = 10) -> Floats:
    return np.repeat(losses, times)


def test_copies_count_once() -> None:
    """With nothing to find, ten copies of each of 300 losses show something in every run."""
    bounds, naive = [], []
    for seed in range(RUNS):
        train, population = copied(continuous(2 * seed)), copied(continuous(2 * seed + 1))
        groups = counted_once(Groups(train, population))
        bounds.append(bound(groups.train, groups.population))
        naive.append(bound(train, population))
        assert len(groups.train) == len(groups.population) == 300
    assert np.mean(np.array(naive) > 0.0) > 0.9
    assert np.mean(np.array(bounds) > 0.0) <= 0.05
    assert groups.notes[0] == (
        "The 3,000 losses of the training data hold copies, as was said: they count once, as 300."
    )
    assert groups.copied == ()


def forest(seed: int, trees: int = 100, size: int = 3000) -> Floats:
    """Cross-entropy of a forest: few different losses, with all their digits."""
    votes = np.random.default_rng(seed).binomial(trees, 0.8, size)
    return np.sort(-np.log((votes + 1.0) / (trees + 2.0)))


@pytest.mark.parametrize(
    "losses",
    [
        continuous(1),
        forest(1),
        *(np.round(continuous(1, size), digits) for size in (300, 20_000) for digits in (1, 2, 3, 4, 6)),
        np.repeat([0.0, 1.0], 500),
        np.sort(continuous(1, 3000).astype(np.float32).astype(float)),
        np.sort(continuous(1, 3000).astype(np.float16).astype(float)),
        np.sort(np.concatenate([continuous(1), np.zeros(200)])),
        np.sort(-np.log(np.round(np.random.default_rng(1).beta(6.0, 1.0, 2000), 4) + 1e-5)),
    ],
)
def test_losses_that_are_equal_by_nature_are_left_alone(losses: Floats) -> None:
    assert len(without_copies(losses).losses) == len(losses)
    assert equal_in_both(losses, continuous(2)) == 0


def drawn_again(losses: Floats) -> Floats:
    """As many of them, with replacement."""
    return np.sort(np.random.default_rng(0).choice(losses, len(losses)))


@pytest.mark.parametrize(
    ("losses", "left"),
    [
        *((copied(np.round(continuous(1, 2000), digits), 2), 2000) for digits in (1, 2, 3, 6, 17)),
        (copied(continuous(1).astype(np.float32).astype(float), 3), 300),
        (copied(np.sort(np.concatenate([continuous(1), np.zeros(200)])), 2), 500),
        (np.sort(np.append(np.round(continuous(1), 6), np.round(continuous(1)[:60], 6))), 300),
        (drawn_again(np.round(continuous(1, 2000), 6)), len(np.unique(drawn_again(np.round(continuous(1, 2000), 6))))),
    ],
)
def test_copies_are_noticed_with_any_digits(losses: Floats, left: int) -> None:
    """Every row twice, or thrice, or some of them twice, or drawn with replacement: ties by nature stay."""
    assert len(without_copies(losses).losses) == left


def test_equal_losses_in_both_groups_are_pointed_out() -> None:
    train, population = continuous(1), continuous(2)
    for few in (1, 2):
        assert equal_in_both(train, np.sort(np.append(population, train[:few]))) == 0
    both = np.sort(np.append(population, train[:3]))
    groups = join(Column(train), Column(both))
    assert groups.doubts[0].startswith("3 losses are in both groups, equal to their last digit.")
    assert join(Column(train, unit=2.0**-23), Column(both)).doubts == ()
    assert join(Column(forest(1)), Column(forest(2))).doubts == ()


def test_a_file_of_copies_leaves_the_question_open() -> None:
    lines = ["loss,member"]
    for member in (1, 0):
        lines += [f"{loss!r},{member}" for loss in copied(continuous(member), 4).tolist()]
    groups = split(read_table("\n".join(lines).encode()), "loss", "member", "1")
    assert (len(groups.train), len(groups.population)) == (1200, 1200)
    assert len(groups.copied) == 2
    once, people = counted_once(groups), counted_as_people(groups)
    assert (len(once.train), len(once.population), once.copied) == (300, 300, ())
    assert (len(people.train), len(people.notes), people.copied) == (1200, 1, ())


def test_losses_around_the_middle_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("losses.warehouse.belonging._MOST_LOOKED_AT", 510)
    edges, counts = np.arange(1000.0), np.full(1000, 5.0)
    run = _middle(LossBins.of(edges, edges + 0.5, counts, counts))
    assert run == LossRange(474.0, 525.5)
    assert _middle(LossBins.of(edges, edges + 0.5, 1000.0 * counts, counts)) is None
