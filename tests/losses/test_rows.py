"""Rows by their columns: what names tell, whose rows belong together, models, slices and records; ``rows.toml``."""

import tempfile
import tomllib
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import losses
from losses import training_labels
from losses.copies import equal_in_both, without_copies
from losses.warehouse.auditing import audit
from losses.warehouse.columns import labelled_losses
from losses.warehouse.engines import Engine, Resources, embedded, file_table
from numerics.epsilon_star import Method, estimate
from numerics.trade_off import Floats
from tests.losses.files import FRESH, TRAIN, content
from tests.warehouse_tables import QUIET_IBIS, stored

pytestmark = QUIET_IBIS
RUNS, MOST_WRONG = 20, 2 / 20  # of bounds with 95 % confidence
ROWS, TOLD = (
    tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8")) for name in ("rows.toml", "names.toml")
)


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


NAMES = {name: one for path in ROWS["modules"] for name, one in vars(import_module(path)).items()}
NAMES |= {"FRESH": FRESH, "TRAIN": TRAIN, "content": content, **globals()}
NAMES = {name: value for name, value in NAMES.items() if name == "np" or not isinstance(value, ModuleType)}
for each, meaning in ROWS["names"].items():
    NAMES[each] = eval(meaning, NAMES)


@pytest.mark.parametrize(("question", "expected"), ROWS["equal"])
def test_what_comes_out(question: str, expected: object) -> None:
    assert eval(question, NAMES) == expected


@pytest.mark.parametrize(("question", "words"), ROWS["refused"])
def test_what_is_refused(question: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        eval(question, NAMES)


@pytest.mark.parametrize("question", TOLD["names"])
def test_names_say_what_they_say(question: str) -> None:
    for answer, expected in (("yes", True), ("no", False), ("neither", None)):
        for name in TOLD["names"][question].get(answer, "").split():
            found = eval(question, NAMES)(name)
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
                assert (told.why is training_labels.Why.LABELS) == by_labels
        said = losses.training_label(column, labels, labels[1])
        assert said is not None
        assert (said.member, said.why) == (labels[1], training_labels.Why.SAID)
        assert f"“{labels[1]}” in column “{column}”" in said.words


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
    scored = losses.rows_of(losses.read_scores(tables[1]), NAMES["BY_PERSON"], negate=True)
    assert np.array_equal(np.sort(-scored.scores.alternative), found[1].train)
    assert np.array_equal(np.sort(-scored.scores.null), found[1].population)
    turned = b"\n".join(line if place == 0 else b"-" + line for place, line in enumerate(tables[1].split()))
    assert np.array_equal(np.sort(-one_each(turned.replace(b"--", b"")).train), found[1].train)


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
)
COPIED = (
    *((np.repeat(np.round(continuous(1, 2000), digits), 2), 2000) for digits in (1, 3, 6, 17)),
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
    assert (
        equal_in_both(continuous(1), np.sort(both[:-1])) == equal_in_both(continuous(1), np.sort(both), 2.0**-23) == 0
    )
    written = [f"{loss!r},{member}" for member, one in ((1, continuous(1)), (0, both)) for loss in one.tolist()]
    assert "3 losses are in both groups" in one_each("\n".join(["loss,member", *written]).encode(), None).doubts[0]
    leaves = [f"{loss!r},{member}" for member in (1, 0) for loss in forest(2 - member).tolist()]
    assert one_each("\n".join(["loss,member", *leaves]).encode(), None).doubts == ()


def test_copies_count_once_or_as_people_as_is_said() -> None:
    """With nothing to find, ten copies of each of 300 losses show something in every run."""
    naive = [
        losses.Groups(np.repeat(continuous(seed), 10), np.repeat(continuous(RUNS + seed), 10)) for seed in range(RUNS)
    ]
    once = [losses.counted_once(groups) for groups in naive]
    assert {len(group) for groups in once for group in (groups.train, groups.population)} == {300}
    assert share_shown(naive) > 0.9
    assert share_shown(once) <= MOST_WRONG
    rows = [f"{loss!r},{member}" for member in (1, 0) for loss in np.repeat(continuous(member), 4).tolist()]
    groups = one_each("\n".join(["loss,member", *rows]).encode(), None)
    assert (len(groups.train), len(groups.copied), losses.counted_once(groups).copied) == (1200, 2, ())
    people = losses.counted_as_people(groups)
    assert (len(people.train), len(people.notes), people.copied) == (1200, 1, ())
