"""Attack scores with a two-valued label: which columns they are, which way round, and what goes with them."""

import numpy as np
import pytest

from losses import ColumnRoles, KnownLayout, TableError, read_scores, rows_of
from losses.isolation import client
from losses.scores import small_means_in
from losses.table import ClusterColumn, LabelColumn, NumberColumn

ROWS = [
    f"{value}.5,{row % 2},r{row // 4},{row % 3 - 1},{'cat' if row % 3 else 'dog'}"
    for row, value in enumerate(range(24))
]
DATA = "\n".join(["score,included,record_id,guess,class", *ROWS]).encode()


def test_scores_are_told_from_guesses_records_and_classes() -> None:
    table = read_scores(DATA)
    assert [column.name for column in table.numbers] == ["score", "guess"]
    assert [column.name for column in table.labels] == ["included", "class"]
    assert [column.name for column in table.clusters] == ["record_id"]
    assert table.is_membership_clear


def test_rows_stay_in_order_with_the_other_columns() -> None:
    found = rows_of(read_scores(DATA), ColumnRoles("score", "included", "1"))
    assert np.array_equal(found.values, np.arange(24) + 0.5)
    assert np.array_equal(found.is_in, np.arange(24) % 2 == 1)
    guess, kind, record = (found.columns[name] for name in ("guess", "class", "record_id"))
    assert isinstance(guess, NumberColumn)
    assert np.array_equal(guess.values, np.arange(24) % 3 - 1)
    assert isinstance(kind, LabelColumn)
    assert [kind.labels[code] for code in kind.codes[:3]] == ["dog", "cat", "cat"]
    assert isinstance(record, ClusterColumn)
    assert [record.words[int(code)] for code in record.codes[:5]] == ["r0"] * 4 + ["r1"]


def test_small_numbers_are_turned() -> None:
    table = read_scores(DATA.replace(b"score", b"loss"))
    found = rows_of(table, ColumnRoles("loss", "included", "0"), negate=True)
    assert np.array_equal(found.values, -np.arange(24) - 0.5)
    assert np.array_equal(found.is_in, np.arange(24) % 2 == 0)


@pytest.mark.parametrize("name", ["loss", "nll", "cross_entropy", "perplexity", "ce"])
def test_small_losses_speak_for_members(name: str) -> None:
    assert small_means_in(name)


@pytest.mark.parametrize("name", ["score", "logit", "lira", "rmia_score", "loss_score", "observation", "source"])
def test_large_scores_speak_for_members(name: str) -> None:
    assert not small_means_in(name)


def test_unusable_rows_are_left_out_of_all_columns_or_refused() -> None:
    table = read_scores(DATA + b"\nx,1,r0,1,cat\n9,,r0,1,cat")
    with pytest.raises(TableError, match="without a finite number"):
        rows_of(table, ColumnRoles("score", "included", "1"))
    found = rows_of(table, ColumnRoles("score", "included", "1"), drop=True)
    assert (found.dropped, len(found.values), len(found.is_in)) == (2, 24, 24)
    guess, record = found.columns["guess"], found.columns["record_id"]
    assert isinstance(guess, NumberColumn)
    assert len(guess.values) == 24
    assert isinstance(record, ClusterColumn)
    assert len(record.codes) == 24


def test_a_score_stands_before_a_loss_and_an_id_is_none() -> None:
    text = "\n".join(["loss,id,lira,member", *(f"{row}.25,{row},{row}.75,{row % 2}" for row in range(24))])
    assert read_scores(text.encode()).numbers[0].name == "lira"
    alone = "\n".join(["id,member", *(f"{row},{row % 2}" for row in range(24))])
    with pytest.raises(TableError, match="named like a score"):
        read_scores(alone.encode())


def test_three_labels_are_refused() -> None:
    table = read_scores(DATA.replace(b"0.5,0,", b"0.5,2,", 1))
    with pytest.raises(TableError, match="3 different labels"):
        rows_of(table, ColumnRoles("score", "included", "1"))


def test_they_are_read_in_a_process_of_their_own_with_corrections() -> None:
    table = client.read(read_scores, DATA.replace(b",", b";"), KnownLayout(delimiter=";"))
    assert table.numbers[0].name == "score"
    assert table.clusters[0].words[0] == "r0"
