"""Several instances: a file each, a pair of files each, or a column of one file; and what is refused."""

import numpy as np
import pytest

from losses import Instance, LossTable, TableError, by_column, by_column_of_two, read_table, split
from losses.instances import natural, pairs, refusals_of, stem

RNG = np.random.default_rng(6)


def both(start: int = 0, header: str = "loss,member", rows: int = 40) -> LossTable:
    lines = [f"{start + row}.5,{row % 2}" for row in range(rows)]
    return read_table("\n".join([header, *lines]).encode())


def one(start: int = 0, rows: int = 20) -> LossTable:
    return read_table("\n".join(["loss", *(f"{start + row}.5" for row in range(rows))]).encode())


def firsts(instances: list[Instance]) -> dict[str, tuple[float, float]]:
    return {name: (groups.train[0], groups.population[0]) for name, groups in instances}


def test_names_of_files_without_the_endings_of_their_format() -> None:
    assert [stem(name) for name in ("run 1.csv", "run 2.csv.gz", "seed.3.pq", ".csv")] == [
        "run 1",
        "run 2",
        "seed.3",
        ".csv",
    ]


def test_a_refusal_names_the_file() -> None:
    with pytest.raises(TableError, match=r"^“short.csv”: Training data: 5 usable losses"), refusals_of("short.csv"):
        split(both(rows=10), "loss", "member", "1")


@pytest.mark.parametrize(
    ("train", "population"),
    [
        ("train_{}.csv", "population_{}.csv"),
        ("{}-train.csv.gz", "{}-test.parquet"),
        ("run{} members.tsv", "run{} non-members.tsv"),
        ("Train{}", "Pop{}"),
        ("seed.{}.in.csv", "seed.{}.out.csv"),
    ],
)
def test_pairs_by_name(train: str, population: str) -> None:
    names = [word.format(number) for number in (1, 2) for word in (population, train)]
    assert list(pairs(names).values()) == [(names[1], names[0]), (names[3], names[2])]


def test_names_are_ordered_by_their_numbers() -> None:
    """A raised two is a digit to Unicode, and no number."""
    assert sorted(["run 10", "run 2", "run", "²"], key=natural) == ["run", "run 2", "run 10", "²"]


def test_pairs_that_are_none() -> None:
    with pytest.raises(TableError, match=r"2 of the files have no partner .* “train_1”, “pop_2”"):
        pairs(["train_1", "pop_2", "train_3", "pop_3"])
    with pytest.raises(TableError, match="does not tell its group"):
        pairs(["losses_1.csv", "train_1.csv"])
    with pytest.raises(TableError, match="does not tell its group"):
        pairs(["train_test_1.csv"])
    with pytest.raises(TableError, match="are for the same group"):
        pairs(["train_1.csv", "train-1.tsv"])
    with pytest.raises(TableError, match="There is no instance"):
        pairs([])


def test_too_many_instances() -> None:
    with pytest.raises(TableError, match="There are 1,001 instances; at most 1,000"):
        pairs(f"{group}_{model}" for group in ("train", "pop") for model in range(1001))


def columns(instance: str = "{}", rows: int = 90, extra: str = "") -> LossTable:
    """Three instances, in turn; every other row of each is a member's."""
    lines = [f"{row}.5,{row // 3 % 2},{instance.format((9, 10, 8)[row % 3])}" for row in range(rows)]
    return read_table("\n".join(["loss,member,run", *lines]).encode() + extra.encode())


@pytest.mark.parametrize("instance", ["{}", "run {}"])
def test_a_column_of_instances(instance: str) -> None:
    found = by_column(columns(instance), "run", "loss", "member", "1")
    assert [one.name for one in found] == [instance.format(number) for number in (8, 9, 10)]
    assert list(firsts(found).values()) == [(5.5, 2.5), (3.5, 0.5), (4.5, 1.5)]
    assert sum(len(groups.train) + len(groups.population) for _, groups in found) == 90


def test_an_instance_with_one_group() -> None:
    extra = "\n" + "\n".join(f"{row}.5,1,z" for row in range(30))
    with pytest.raises(TableError, match=r"^“z”: One group is missing: “member” is “1” in all of its rows"):
        by_column(columns("run {}", extra=extra), "run", "loss", "member", "1")


def test_rows_without_an_instance() -> None:
    table = columns("run {}", extra="\n0.25,1,\n0.25,0,")
    with pytest.raises(TableError, match=r"“run” has 2 blank cells. The first is in row 91"):
        by_column(table, "run", "loss", "member", "1")
    assert firsts(by_column(table, "run", "loss", "member", "1", drop=True)) == firsts(
        by_column(columns("run {}"), "run", "loss", "member", "1")
    )


def test_a_fault_is_told_by_its_row_in_the_file() -> None:
    table = columns("run {}", extra="\nnan,1,run 9")
    with pytest.raises(TableError, match=r"^“run 9”: .*1 cell .* Row 91: blank or not a number"):
        by_column(table, "run", "loss", "member", "1")
    assert sum(one.groups.dropped for one in by_column(table, "run", "loss", "member", "1", drop=True)) == 1


def test_two_tables_with_a_column_of_models() -> None:
    """Each model's groups are those of its rows in both files; one that a file lacks is refused by its name."""
    groups = {(name, member): RNG.gamma(1.0 + member, size=30) for name in ("2", "10") for member in (1, 0)}

    def file(member: int, names: tuple[str, ...] = ("10", "2")) -> LossTable:
        lines = [f"{loss!r},{name}" for name in names for loss in groups[name, member].tolist()]
        return read_table("\n".join(["loss,epoch", *lines]).encode())

    found = by_column_of_two([file(1), file(0)], "epoch", ("loss", "loss"))
    assert [one.name for one in found] == ["2", "10"]
    for one in found:
        assert one.groups.train.tolist() == sorted(groups[one.name, 1].tolist())
        assert one.groups.population.tolist() == sorted(groups[one.name, 0].tolist())
    with pytest.raises(TableError, match="“10”: One of the files has no row of it"):
        by_column_of_two([file(1), file(0, ("2",))], ["epoch"], ("loss", "loss"))
