"""Rows that are no independent evidence: several of one person, copies of rows, and people in both groups."""

import numpy as np
import pytest

from losses import (
    Column,
    ColumnRoles,
    Groups,
    TableError,
    by_column,
    counted_as_people,
    counted_once,
    join,
    one_column,
    read_scores,
    read_table,
    rows_of,
    split,
)
from losses.classes import as_labels
from losses.dependence import equal_in_both, few_valued, without_copies
from numerics.epsilon_star import Method, estimate
from numerics.trade_off import Floats

RUNS, MOST_WRONG = 20, 2 / 20  # of bounds with 95 % confidence
ROLES = ColumnRoles("loss", "member", "1", person="user_id")


def share_shown(found: list[Groups]) -> float:
    """Of tables with nothing to find, those whose bound says that something is there."""
    values = [estimate(one.train, one.population, 1e-3, Method.CONFIDENCE).value for one in found]
    return float(np.mean([value > 0.0 for value in values]))


def alike(seed: int, persons: int = 60, rows: int = 10) -> tuple[Floats, Floats]:
    """Losses (persons * rows,) of one law, those of a person alike, and whose they are."""
    rng = np.random.default_rng(seed)
    own = np.repeat(rng.normal(size=persons), rows)
    return np.sqrt(0.9) * own + np.sqrt(0.1) * rng.normal(size=persons * rows), np.repeat(np.arange(persons), rows)


def rows_of_persons(seed: int, shared: int = 0, more: str = "") -> bytes:
    """Two groups of one law as text; of the persons ``shared`` are in both."""
    lines = ["loss,member,user_id"]
    for member in (1, 0):
        losses, whose = alike(2 * seed + member)
        codes = whose + (0 if member else 60 - shared)
        lines += [f"{loss!r},{member},p{code}" for loss, code in zip(losses.tolist(), codes.tolist(), strict=True)]
    return "\n".join([*lines, more]).encode()


def of_persons(data: bytes, person: str | None = "user_id", drop: bool = False) -> Groups:
    return split(read_table(data), "loss", "member", "1", drop, person)


def test_one_row_of_each_person_counts_and_the_draw_depends_on_no_loss() -> None:
    """With nothing to find, rows counted as independent show something nearly always."""
    tables = [rows_of_persons(seed) for seed in range(RUNS)]
    found = [*map(of_persons, tables)]
    assert share_shown([of_persons(data, None) for data in tables]) > 0.5
    assert share_shown(found) <= MOST_WRONG
    assert (len(found[1].train), len(found[1].population), found[1].dropped) == (60, 60, 0)
    assert "“user_id” names 120 persons in 1,200 rows" in found[1].notes[0]
    scored = rows_of(read_scores(tables[1]), ROLES, negate=True)
    assert np.array_equal(np.sort(-scored.scores.alternative), found[1].train)
    assert np.array_equal(np.sort(-scored.scores.null), found[1].population)
    turned = b"\n".join(line if place == 0 else b"-" + line for place, line in enumerate(tables[1].split()))
    assert np.array_equal(np.sort(-of_persons(turned.replace(b"--", b"")).train), found[1].train)


@pytest.mark.parametrize(
    ("shared", "more", "words"),
    [(7, "", "^7 values of column “user_id” are in both groups"), (0, "0.5,1,", "“user_id” has 1 blank cells")],
)
def test_persons_in_both_groups_and_rows_of_nobody_are_refused(shared: int, more: str, words: str) -> None:
    data = rows_of_persons(1, shared, more)
    with pytest.raises(TableError, match=words):
        of_persons(data)
    with pytest.raises(TableError, match="in both groups" if shared else "blank"):
        rows_of(read_scores(data), ROLES)
    assert not more or of_persons(data, drop=True).dropped == 1


def test_two_files_tell_persons_by_the_same_words() -> None:
    def part(member: int, offset: int = 0) -> Column:
        losses, whose = alike(member)
        lines = [f"{loss!r},p{code + offset}" for loss, code in zip(losses.tolist(), whose.tolist(), strict=True)]
        return one_column(read_table("\n".join(["loss,user_id", *lines]).encode()), "loss", person="user_id")

    found = join(part(0), part(1, offset=60))
    assert (len(found.train), len(found.population)) == (60, 60)
    with pytest.raises(TableError, match=r"^40 values of column “user_id” are in both groups"):
        join(part(0), part(1, offset=20))
    with pytest.raises(TableError, match="Only one of the files"):
        join(part(0), Column(np.arange(30.0)))


def test_columns_that_name_persons_or_models() -> None:
    each = "\n".join(["loss,member,user", *(f"0.{row},{row % 2},u{row}" for row in range(100, 160))]).encode()
    assert read_table(each).clusters == ()  # of one row each
    lines = ["model_a,seed,m", *(f"0.{row},{row % 2},{'ab'[row % 2]}" for row in range(100, 300))]
    table = read_table("\n".join(lines).encode())
    assert {name for name, _ in few_valued(table)} == {"seed", "m"}  # measurements of another model tell no models


def test_whole_numbers_that_floats_merge() -> None:
    """Persons are told apart beyond 2^53; models are refused."""
    rows = "\n".join(f"0.{row + 100},{row // 30},{9007199254740992 + row // 2}" for row in range(60))
    (column,) = read_table(f"loss,member,user_id\n{rows}".encode()).clusters
    assert len(column.words) == 30
    with pytest.raises(TableError, match=r"“job” has whole numbers beyond 2\^53"):
        as_labels(read_table(f"loss,member,job\n{rows}".encode()), "job")


def test_persons_of_several_models() -> None:
    lines = ["loss,member,user_id,model"]
    for model in (1, 2):
        lines += [f"{line},{model}" for line in rows_of_persons(model).decode().splitlines()[1:]]
    data = "\n".join(lines).encode()
    found = by_column(read_table(data), "model", "loss", "member", "1", person="user_id")
    assert [len(one.groups.train) for one in found] == [60, 60]
    rows = rows_of(read_scores(data), ColumnRoles("loss", "member", "1", "user_id", ("model",)), negate=True)
    assert rows.models is not None
    for one, scores in zip(found, rows.scores_by(rows.models), strict=True):
        assert np.array_equal(np.sort(-scores.alternative), one.groups.train)
        assert np.array_equal(np.sort(-scores.null), one.groups.population)


# Copies, as far as losses alone tell them.


def continuous(seed: int, size: int = 300) -> Floats:
    return np.sort(np.random.default_rng(seed).gamma(2.0, size=size))


def forest(seed: int) -> Floats:
    """Cross-entropy of a forest: few different losses, with all their digits."""
    votes = np.random.default_rng(seed).binomial(100, 0.8, 3000)
    return np.sort(-np.log((votes + 1.0) / 102.0))


SATURATED = np.sort(np.concatenate([continuous(1), np.zeros(200)]))
SIX_DIGITS = np.round(continuous(1, 2000), 6)
DRAWN_AGAIN = np.sort(np.random.default_rng(0).choice(SIX_DIGITS, 2000))  # with replacement
TIES = (
    continuous(1),
    forest(1),
    SATURATED,
    np.repeat([0.0, 1.0], 500),
    *(np.round(continuous(1, size), digits) for size in (300, 20_000) for digits in (1, 3, 6)),
    *(np.sort(continuous(1, 3000).astype(kind).astype(float)) for kind in (np.float32, np.float16)),
    np.sort(-np.log(np.round(np.random.default_rng(1).beta(6.0, 1.0, 2000), 4) + 1e-5)),
)
COPIED = (
    *((np.repeat(np.round(continuous(1, 2000), digits), 2), 2000) for digits in (1, 3, 6, 17)),
    (np.repeat(continuous(1).astype(np.float32).astype(float), 3), 300),
    (np.repeat(SATURATED, 2), 500),
    (np.sort(np.append(np.round(continuous(1), 6), np.round(continuous(1)[:60], 6))), 300),
    (DRAWN_AGAIN, len(np.unique(DRAWN_AGAIN))),
)


def test_losses_that_are_equal_by_nature_are_left_alone_and_copies_are_noticed_with_any_digits() -> None:
    for losses in TIES:
        assert len(without_copies(losses).losses) == len(losses)
        assert equal_in_both(losses, continuous(2)) == 0
    for losses, left in COPIED:
        assert len(without_copies(losses).losses) == left


def test_copies_count_once_or_as_people_as_is_said() -> None:
    """With nothing to find, ten copies of each of 300 losses show something in every run."""
    naive = [Groups(np.repeat(continuous(seed), 10), np.repeat(continuous(RUNS + seed), 10)) for seed in range(RUNS)]
    once = [counted_once(groups) for groups in naive]
    assert {len(group) for groups in once for group in (groups.train, groups.population)} == {300}
    assert share_shown(naive) > 0.9
    assert share_shown(once) <= MOST_WRONG
    assert "3,000" in once[0].notes[0]
    assert "300" in once[0].notes[0].partition("once")[2]
    rows = [f"{loss!r},{member}" for member in (1, 0) for loss in np.repeat(continuous(member), 4).tolist()]
    groups = of_persons("\n".join(["loss,member", *rows]).encode(), None)
    assert (len(groups.train), len(groups.copied)) == (1200, 2)
    people = counted_as_people(groups)
    assert (len(people.train), len(people.notes), people.copied) == (1200, 1, ())
    assert counted_once(groups).copied == ()


def test_equal_losses_in_both_groups_are_pointed_out() -> None:
    train, population = continuous(1), continuous(2)
    assert equal_in_both(train, np.sort(np.append(population, train[:2]))) == 0
    both = np.sort(np.append(population, train[:3]))
    assert "3 losses are in both groups" in join(Column(train), Column(both)).doubts[0]
    assert join(Column(train, unit=2.0**-23), Column(both)).doubts == ()
    assert join(Column(forest(1)), Column(forest(2))).doubts == ()
