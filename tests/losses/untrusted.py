"""Untrusted tables, of ``untrusted.toml``: what is open about each, and how page and command are told."""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from losses.row_questions import COPIES, PEOPLE
from pages.audit.form import NOBODY

EACH_ROW = "Each row is"
CHOICES = {"COPIES": COPIES, "PEOPLE": PEOPLE, "NOBODY": NOBODY, "LOSSES": "a model's losses"}
RNG = np.random.default_rng(11)
READ = tomllib.loads(Path(__file__).with_name("untrusted.toml").read_text(encoding="utf-8"))
NAMES: dict[str, Any] = {"RNG": RNG, "np": np}
for own, meaning in READ["names"].items():
    NAMES[own] = eval(meaning, NAMES)


class UntrustedTable(NamedTuple):
    """The bytes of a table, the question that is open about it with its answers, and else what is doubted of it."""

    data: bytes
    fresh: bytes = b""
    asks: str = ""
    label: str = ""
    answers: tuple[tuple[str, tuple[str, ...], str], ...] = ()
    doubt: str = ""


def written(table: Mapping[str, Any]) -> bytes:
    count, made = table["count"], compile(table["row"], table["name"], "eval")
    rows = [eval(made, NAMES, {"n": n, "odd": n % 2, "half": int(2 * n < count)}) for n in range(count)]
    lines = [table["header"], *rows, *rows[: table.get("again", 0)]]
    for place, line in enumerate(lines if "texts" in table else ()):
        cells, drawn = line.split(","), RNG.integers(0, table["different"], table["texts"])
        words = [f"c{one}" for one in drawn] if place else [f"t{one}" for one in range(len(drawn))]
        lines[place] = ",".join([*cells[:-1], *words, cells[-1]])
    return "\n".join([*lines, ""]).encode()


def untrusted(table: Mapping[str, Any], kinds: Mapping[str, Any]) -> UntrustedTable:
    kind, column = kinds[table["like"]] if "like" in table else {}, table["header"].rpartition(",")[2]
    answers = tuple(
        (
            CHOICES.get(choice, choice.replace("COLUMN", column)),
            tuple(option.replace("COLUMN", column) for option in options),
            told.replace("COLUMN", column),
        )
        for choice, options, told in kind.get("answers", ())
    )
    fresh = written(table | table["fresh"]) if "fresh" in table else b""
    asks = kind.get("asks", ""), kind.get("label", "")
    return UntrustedTable(written(table), fresh, *asks, answers, table.get("doubt", ""))


def curve(header: str, places: Iterable[object]) -> UntrustedTable:
    """A loss that falls over the places."""
    rows = "\n".join(f"{one},{step},{2.0 * np.exp(-step / 40.0):.4f}" for step, one in enumerate(places))
    return UntrustedTable(f"{header}\n{rows}\n".encode())


UNTRUSTED = {table["name"]: untrusted(table, READ["open"]) for table in READ["table"]}
