"""Rows by their columns: what names tell, whose rows belong together, models, slices and records; ``rows.toml``."""

import tempfile
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import losses
from losses import classes, errors, instances, long_form, membership, roles, wide
from losses.dependence import equal_in_both, names_clusters, names_models, names_persons, without_copies
from losses.row_questions import curves, scores
from losses.scores import small_means_in
from losses.table import LabelColumn, NumberColumn
from losses.warehouse.auditing import audit
from losses.warehouse.columns import labelled_losses
from losses.warehouse.engines import Engine, Resources, embedded, file_table
from numerics.epsilon_star import Method, estimate
from numerics.trade_off import Floats
from tests.losses.files import FRESH, TRAIN, content
from tests.warehouse_tables import QUIET_IBIS, stored

pytestmark = QUIET_IBIS
RUNS, MOST_WRONG = 20, 2 / 20  # of bounds with 95 % confidence
RECORDS, MODELS = 30, ("2", "10")
BY_RECORD = losses.ColumnRoles("score", "member", "1", models=("model", "epoch"), record="record_id")
BY_PERSON = losses.ColumnRoles("loss", "member", "1", person="user_id")


# Tables that the rows ask about.


def numbers(header: str, *last: str, count: int = 40) -> bytes:
    """Numbers of all columns but the last ones."""
    cells = [f"{{n}}.{place + 11}" for place in range(header.count(",") + 1 - len(last))]
    return content({"header": header, "row": ",".join([*cells, *last]), "count": count})


def of_models(header: str) -> list[str]:
    columns = wide.model_columns(losses.read_table(numbers(header, "{odd}")))
    return [" ".join(columns), " ".join(wide.model_names(columns)) if columns else ""]


def paired(train: str, population: str) -> bool:
    names = [word.format(number) for number in (1, 2) for word in (population, train)]
    return list(instances.pairs(names).values()) == [(names[1], names[0]), (names[3], names[2])]


def of_records(skip: int = 0, twice: bool = False) -> losses.LossTable:
    """Two epochs of two models that have the same records: every second one is in the first, the others in the last."""
    lines = [
        f"{record * epoch % 17}.{record},{(record + (model == '10')) % 2},{model},{epoch},r{record},{record % 3}"
        for model in MODELS
        for epoch in (1, 2)
        for record in range(RECORDS)
    ]
    lines = lines[: len(lines) - skip] + (lines[-1:] if twice else [])
    return losses.read_scores("\n".join(["score,member,model,epoch,record_id,class", *lines]).encode())


def of_instances(below: str = "", drop: bool = False) -> Any:
    """Three of them, in turn; every other row of each is a member's."""
    file = {"header": "loss,member,run", "row": "{row}.5,{odd},run {third}", "count": 90, "below": below}
    return losses.by_column(losses.read_table(content(file)), "run", "loss", "member", "1", drop=drop)


def beyond_floats(column: str) -> bytes:
    rows = [f"0.{row + 100},{row // 30},{9007199254740992 + row // 2}" for row in range(60)]
    return "\n".join([f"loss,member,{column}", *rows]).encode()


def alike(seed: int, persons: int = 60, rows: int = 10) -> list[tuple[float, int]]:
    """Losses of one law, those of a person alike, and whose they are."""
    rng = np.random.default_rng(seed)
    own = np.repeat(rng.normal(size=persons), rows)
    drawn = np.sqrt(0.9) * own + np.sqrt(0.1) * rng.normal(size=persons * rows)
    return list(zip(drawn.tolist(), np.repeat(np.arange(persons), rows).tolist(), strict=True))


def of_persons(seed: int, shared: int = 0, model: str = "") -> bytes:
    """Two groups of one law; of the persons ``shared`` are in both."""
    lines = [f"loss,member,user_id{',model' * bool(model)}"]
    for member, first in ((1, 0), (0, 60 - shared)):
        lines += [f"{loss!r},{member},p{whose + first}{model}" for loss, whose in alike(2 * seed + member)]
    return "\n".join(lines).encode()


def a_group(seed: int, offset: int = 0) -> losses.Column:
    lines = [f"{loss!r},p{whose + offset}" for loss, whose in alike(seed)]
    return losses.one_column(losses.read_table("\n".join(["loss,user_id", *lines]).encode()), "loss", person="user_id")


def in_engine(header: str, labels: list[str | None], **named: Any) -> None:
    cells = np.linspace(0.01, 1, len(labels))
    *numbered, last = header.split(",")
    table = pa.table({**{name: cells + row for row, name in enumerate(numbered)}, last: pa.array(labels, pa.string())})
    with embedded(Resources("500MB", 1)) as engine:
        rows, _ = labelled_losses(engine, stored(engine, "asked", table), **named)
        audit(engine, rows)


def of_files(files: dict[str, bytes], source: str = "") -> Engine:
    with tempfile.TemporaryDirectory() as folder, embedded(Resources("500MB", 1)) as engine:
        for name, data in files.items():
            Path(folder, name).write_bytes(data)
        return file_table(engine, f"{folder}/{source}")


def is_curve(names: str) -> bool:
    """Of columns with these names, each number another one; a membership has two."""
    cells = ["{odd}" if name == "member" else f"{{n}}.{place}5" for place, name in enumerate(names.split(","))]
    return bool(curves(losses.read_table(content({"header": names, "row": ",".join(cells), "count": 50}))))


NAMES: dict[str, Any] = {}
for module in (losses, membership, classes, errors, wide, instances, long_form, roles):
    NAMES |= vars(module)
NAMES |= {"FRESH": FRESH, "TRAIN": TRAIN, **globals()}
NAMES = {name: value for name, value in NAMES.items() if name == "np" or not isinstance(value, ModuleType)}
ROWS, TOLD = (
    tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8")) for name in ("rows.toml", "names.toml")
)
for each, meaning in ROWS["names"].items():
    NAMES[each] = eval(meaning, NAMES)
QUESTIONS: dict[str, Callable[[str], object]] = {
    "who_was_trained_on": membership.says_trained,
    "whose_a_row_is": names_persons,
    "rows_that_belong_together": names_clusters,
    "which_model": names_models,
    "small_values_speak_for_members": small_means_in,
    "scores_and_no_losses": scores,
    "curves_of_training": is_curve,
}


@pytest.mark.parametrize(("question", "expected"), ROWS["equal"])
def test_what_comes_out(question: str, expected: object) -> None:
    assert eval(question, NAMES) == expected


@pytest.mark.parametrize(("question", "words"), ROWS["refused"])
def test_what_is_refused(question: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        eval(question, NAMES)


@pytest.mark.parametrize("question", QUESTIONS)
def test_names_say_what_they_say(question: str) -> None:
    for answer, expected in (("yes", True), ("no", False), ("neither", None)):
        for name in TOLD[question].get(answer, "").split():
            found = QUESTIONS[question](name)
            assert (found if found is None else bool(found)) is expected, name


def test_labels_tell_members_whatever_the_order_or_it_is_asked() -> None:
    for kind, column, pair in [
        (k, row["of"], p) for k in ("labels", "unclear") for row in TOLD[k] for p in row["pairs"]
    ]:
        labels = [label.replace("_", " ") for label in pair.split()]
        for order in (labels, labels[::-1]):
            told = losses.training_label(column, order)
            assert (told.member if told else None) == (labels[0] if kind == "labels" else None), (column, order)
            if told:
                by_labels = column in {"split", "world"} or labels[0][0] in "tm"
                assert (told.why is membership.Why.LABELS) == by_labels
        said = losses.training_label(column, labels, labels[1])
        assert said is not None
        assert (said.member, said.why) == (labels[1], membership.Why.SAID)
        assert f"“{labels[1]}” in column “{column}”" in said.words


# Several rows of a person, copies, and equal losses in both groups.


def share_shown(found: list[losses.Groups]) -> float:
    """Of tables with nothing to find, those whose bound says that something is there."""
    values = [estimate(one.train, one.population, 1e-3, Method.CONFIDENCE).value for one in found]
    return float(np.mean([value > 0.0 for value in values]))


def one_each(data: bytes, person: str | None = "user_id") -> losses.Groups:
    return losses.split(losses.read_table(data), "loss", "member", "1", False, person)


def test_one_row_of_each_person_counts_and_the_draw_depends_on_no_loss() -> None:
    """With nothing to find, rows counted as independent show something nearly always."""
    tables = [of_persons(seed) for seed in range(RUNS)]
    found = [*map(one_each, tables)]
    assert share_shown([one_each(data, None) for data in tables]) > 0.5
    assert share_shown(found) <= MOST_WRONG
    assert (len(found[1].train), len(found[1].population), found[1].dropped) == (60, 60, 0)
    assert "“user_id” names 120 persons in 1,200 rows" in found[1].notes[0]
    scored = losses.rows_of(losses.read_scores(tables[1]), BY_PERSON, negate=True)
    assert np.array_equal(np.sort(-scored.scores.alternative), found[1].train)
    assert np.array_equal(np.sort(-scored.scores.null), found[1].population)
    turned = b"\n".join(line if place == 0 else b"-" + line for place, line in enumerate(tables[1].split()))
    assert np.array_equal(np.sort(-one_each(turned.replace(b"--", b"")).train), found[1].train)
    both = losses.join(a_group(0), a_group(1, offset=60))  # two files tell persons by the same words
    assert (len(both.train), len(both.population)) == (60, 60)
    data = b"\n".join([of_persons(1, model=",1"), *of_persons(2, model=",2").splitlines()[1:]])
    parts = losses.by_column(losses.read_table(data), "model", "loss", "member", "1", person="user_id")
    assert [len(one.groups.train) for one in parts] == [60, 60]
    by_models = losses.rows_of(
        losses.read_scores(data), losses.ColumnRoles("loss", "member", "1", "user_id", ("model",)), negate=True
    )
    assert by_models.models is not None
    for one, own in zip(parts, by_models.scores_by(by_models.models), strict=True):
        assert np.array_equal(np.sort(-own.alternative), one.groups.train)
        assert np.array_equal(np.sort(-own.null), one.groups.population)


def continuous(seed: int, size: int = 300) -> Floats:
    return np.sort(np.random.default_rng(seed).gamma(2.0, size=size))


def forest(seed: int) -> Floats:
    """Cross-entropy of a forest: few different losses, with all their digits."""
    return np.sort(-np.log((np.random.default_rng(seed).binomial(100, 0.8, 3000) + 1.0) / 102.0))


SATURATED = np.sort(np.concatenate([continuous(1), np.zeros(200)]))
DRAWN_AGAIN = np.sort(np.random.default_rng(0).choice(np.round(continuous(1, 2000), 6), 2000))  # with replacement
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
    for own in TIES:
        assert len(without_copies(own).losses) == len(own)
        assert equal_in_both(own, continuous(2)) == 0
    for own, left in COPIED:
        assert len(without_copies(own).losses) == left
    both = np.append(continuous(2), continuous(1)[:3])
    assert equal_in_both(continuous(1), np.sort(both[:-1])) == 0
    assert "3 losses are in both groups" in losses.join(losses.Column(continuous(1)), losses.Column(both)).doubts[0]
    assert losses.join(losses.Column(continuous(1), unit=2.0**-23), losses.Column(both)).doubts == ()
    assert losses.join(losses.Column(forest(1)), losses.Column(forest(2))).doubts == ()


def test_copies_count_once_or_as_people_as_is_said() -> None:
    """With nothing to find, ten copies of each of 300 losses show something in every run."""
    naive = [
        losses.Groups(np.repeat(continuous(seed), 10), np.repeat(continuous(RUNS + seed), 10)) for seed in range(RUNS)
    ]
    once = [losses.counted_once(groups) for groups in naive]
    assert {len(group) for groups in once for group in (groups.train, groups.population)} == {300}
    assert share_shown(naive) > 0.9
    assert share_shown(once) <= MOST_WRONG
    assert "3,000" in once[0].notes[0].partition("once")[0]
    assert "300" in once[0].notes[0].partition("once")[2]
    rows = [f"{loss!r},{member}" for member in (1, 0) for loss in np.repeat(continuous(member), 4).tolist()]
    groups = one_each("\n".join(["loss,member", *rows]).encode(), None)
    assert (len(groups.train), len(groups.copied), losses.counted_once(groups).copied) == (1200, 2, ())
    people = losses.counted_as_people(groups)
    assert (len(people.train), len(people.notes), people.copied) == (1200, 1, ())


# Models, slices and records, without a cell lost or mixed up.


def test_columns_of_groups_and_of_models_become_rows_with_all_they_belong_to() -> None:
    data = numbers("train_loss,test_loss,person", "p{fifth}")
    found = losses.read_table(data)
    long = losses.groups_stacked(found, ["train_loss"], ["test_loss"])
    told = wide.membership_of_groups(["train_loss"], ["test_loss"])
    groups = losses.split(long, long.numbers[0].name, told.column, told.member)
    apart = losses.join(losses.one_column(found, "train_loss"), losses.one_column(found, "test_loss"))
    assert np.array_equal(groups.train, apart.train)
    assert np.array_equal(groups.population, apart.population)
    assert long.cluster("person").codes.tolist() == [*found.cluster("person").codes] * 2
    spoiled = losses.read_table(b"train_loss,test_loss\n" + b"1.5,2.5\n2.5,x\n" * 20)
    faults = losses.groups_stacked(spoiled, ["train_loss"], ["test_loss"]).numbers[0].faults
    assert (faults.count, faults.examples[0][:16]) == (20, "test_loss, row 2")
    found = losses.read_table(numbers("loss_1,loss_2,loss_3,member", "{odd}"))
    long = losses.models_stacked(found, ["loss_1", "loss_3"])
    assert long.label("model").labels == ("1", "3")
    assert np.array_equal(long.numbers[0].values[40:], found.number("loss_3").values)
    assert long.label("member").codes.tolist() == [*found.label("member").codes] * 2
    rows = long.cluster("row")
    assert [rows.words[code] for code in rows.codes[[0, 9, 40, 79]]] == ["1", "10", "1", "40"]
    own = losses.read_scores(
        numbers("score_1,score_2,member_1,member_2", "{odd}", "{half}")
    )  # each model with its own members
    long = losses.models_stacked(own, ["score_1", "score_2"], ["member_1", "member_2"])
    assert long.is_membership_clear
    assert [long.label("member").labels[code] for code in long.label("member").codes] == [
        *"01" * 20,
        *"1" * 20,
        *"0" * 20,
    ]


def test_models_slices_and_records_part_the_scores_as_the_losses_view_does() -> None:
    found = of_records()
    rows = losses.rows_of(
        found, losses.ColumnRoles("score", "member", "1", models=("model",), slice="class", record="record_id")
    )
    assert rows.models is not None
    assert rows.slices is not None
    assert rows.models.labels == MODELS
    for name, own in zip(MODELS, rows.scores_by(rows.models), strict=True):
        assert sorted(own.null) == sorted(rows.of_model(name).scores.null)
        assert len(own.alternative) == RECORDS
    assert sum(len(one.null) + len(one.alternative) for one in rows.scores_by(rows.slices)) == found.rows
    parts = losses.by_column(found, ("model", "epoch"), "score", "member", "1")
    rows = losses.rows_of(found, BY_RECORD, negate=True)
    assert rows.models is not None
    assert [one.name for one in parts] == [*rows.models.labels]
    assert rows.models.labels[:2] == ("model 2, epoch 1", "model 2, epoch 2")
    for one, own in zip(parts, rows.scores_by(rows.models), strict=True):
        assert np.array_equal(np.sort(-own.alternative), one.groups.train)
        assert np.array_equal(np.sort(-own.null), one.groups.population)
    met = roles.by_record(losses.rows_of(found, BY_RECORD))
    assert met.scores.shape == (RECORDS, 4)
    assert met.is_in.sum(axis=1).tolist() == [2] * RECORDS
    assert met.is_in[1].tolist() == [True, True, False, False]
    assert roles.by_record(losses.rows_of(of_records(skip=1), BY_RECORD)).left_out == 1


def test_rows_and_records_go_by_what_the_file_calls_them() -> None:
    """Rows left out do not shift the numbers of those below them, and a record's name is its cell."""
    lines = [
        f"{row}.5,{row % 2},{row % 4 // 2},{907 + row // 4},{row % 3 - 1},{'cat' if row % 3 else 'dog'}"
        for row in range(40)
    ]
    lines[3], lines[9] = ",1,1,907,1,cat", "9.5,1,,909,1,cat"
    data = losses.read_scores("\n".join(["score,member,model,id,guess,class", *lines]).encode())
    found = losses.rows_of(data, losses.ColumnRoles("score", "member", "1", models=("model",), record="id"), drop=True)
    kept = np.delete(np.arange(40), [3, 9])
    assert (found.dropped, found.values.tolist()) == (2, (kept + 0.5).tolist())
    assert found.is_in.tolist() == (kept % 2 == 1).tolist()
    assert [found.row_at(place) for place in (2, 3, 8)] == ["3", "5", "11"]
    assert [found.record_at(place) for place in (0, 3)] == ["907", "908"]
    assert found.of(found.is_in).row_at(1) == "6"
    guess, kind = found.columns["guess"], found.columns["class"]
    assert isinstance(guess, NumberColumn)
    assert isinstance(kind, LabelColumn)
    assert np.array_equal(guess.values, kept % 3 - 1)
    assert [kind.labels[code] for code in kind.codes[:3]] == ["dog", "cat", "cat"]
    turned = losses.rows_of(data, losses.ColumnRoles("score", "member", "0", models=("model",)), drop=True, negate=True)
    assert np.array_equal(turned.values, -found.values)
    assert np.array_equal(turned.is_in, ~found.is_in)
    long = losses.models_stacked(losses.read_scores(numbers("score_1,score_2,member", "{odd}")), ["score_1", "score_2"])
    stacked = losses.rows_of(long, losses.ColumnRoles("score", "member", "1", models=("model",)))
    assert [stacked.of_model("2").row_at(place) for place in (0, 29)] == ["1", "30"]


def test_columns_of_instances_in_one_table_and_in_two() -> None:
    found = of_instances("0.25,1,\n0.25,0,", drop=True)
    assert [one.name for one in found] == ["run 0", "run 1", "run 2"]
    assert [one.groups.train[0] for one in found] == [3.5, 1.5, 5.5]
    assert [one.groups.population[0] for one in found] == [0.5, 4.5, 2.5]
    assert sum(len(groups.train) + len(groups.population) for _, groups in found) == 90
    file = {"header": "loss,epoch", "row": "{gamma},{odd}", "count": 60}
    tables = [losses.read_table(content({**file, "seed": seed})) for seed in (1, 2)]
    for one in losses.by_column_of_two(tables, "epoch", ("loss", "loss")):
        for own, table in zip((one.groups.train, one.groups.population), tables, strict=True):
            assert own.tolist() == sorted(table.number("loss").values[int(one.name) :: 2].tolist())
