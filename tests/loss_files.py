"""A file of losses of both groups as text, and the groups or the complaint that reading it gives."""

import numpy as np
import pytest

from losses import Groups, TableError, read_table, split
from losses.membership import training_label
from numerics.trade_off import Floats

TRAIN = np.round(np.random.default_rng(1).gamma(2, 1, 30), 6)
FRESH = np.round(np.random.default_rng(2).gamma(3, 1, 20), 6)


def both(
    delimiter: str = ",", header: str = "loss,member", labels: tuple[str, str] = ("1", "0"), mark: str = "."
) -> str:
    """One file with both groups."""
    rows = [(loss, labels[0]) for loss in TRAIN] + [(loss, labels[1]) for loss in FRESH]
    lines = [header.replace(",", delimiter)] if header else []
    lines += [f"{loss!s}".replace(".", mark) + delimiter + label for loss, label in rows]
    return "\n".join(lines) + "\n"


def one(losses: Floats = TRAIN, header: str = "loss") -> str:
    return "\n".join([header, *map(str, losses)]) + "\n"


def groups(text: str | bytes, drop: bool = False) -> Groups:
    """The groups as a page without any correction by hand would take them."""
    table = read_table(text.encode() if isinstance(text, str) else text)
    labels = table.labels[0]
    told = training_label(labels.name, labels.labels)
    return split(table, table.numbers[0].name, labels.name, told.member if told else labels.labels[0], drop)


def check_both(found: Groups) -> None:
    assert found.train == pytest.approx(np.sort(TRAIN), abs=0)
    assert found.population == pytest.approx(np.sort(FRESH), abs=0)
    assert found.dropped == 0


def refusal(text: str | bytes) -> TableError:
    """The complaint; every one says what to do."""
    with pytest.raises(TableError) as caught:
        groups(text)
    assert caught.value.what
    assert caught.value.remedy.endswith(".")
    assert str(caught.value).startswith(caught.value.what)
    return caught.value
