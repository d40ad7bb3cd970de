"""What a reader's process sends back is a stranger's too: what is no table is not taken for one."""

import json

import numpy as np
import pytest

from losses import read_table
from losses.isolation import client
from losses.isolation.channel import Document
from losses.isolation.messages import Array, dumped, empty_arrays, loaded, size_of
from tests.losses.isolation.test_isolation import CLUSTERED, assert_same

pytestmark = pytest.mark.skipif(not client.IS_LIMITED, reason="only Linux limits what a process takes")


def sent() -> tuple[Document, list[Array]]:
    """A table as it comes from a reader."""
    document, arrays = dumped(read_table(CLUSTERED))
    return json.loads(json.dumps(document)), arrays


def changed(key: str, value: object) -> tuple[Document, list[Array]]:
    document, arrays = sent()
    return {**document, key: value}, arrays


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("rows", 61),
        ("rows", "many"),
        ("layout", ["loss", True, "words"]),
        ("layout", None),
        ("numbers", [["loss", 0, [], "one"]]),
        ("numbers", [["loss", 0, [], 1.0]] * 9),
        ("labels", [["member", ["1"]]]),
        ("labels", [["member", "10"]]),
        ("clusters", []),
    ],
)
def test_what_is_no_table_is_not_taken_for_one(key: str, value: object) -> None:
    with pytest.raises((ValueError, TypeError, StopIteration)):
        loaded(*changed(key, value))


HUGE = 200_000


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("layout", [["loss" * HUGE], True, "words"]),
        ("layout", [["loss"], True, "words" * HUGE]),
        ("numbers", [["loss" * HUGE, 0, [], 1.0]]),
        ("numbers", [["loss", 1, ["row 1" * HUGE], 1.0]]),
        ("labels", [["member" * HUGE, ["0", "1"]]]),
        ("labels", [["member", ["0", "1" * 4 * HUGE]]]),
        ("labels", [["member", ["0", "\N{GRINNING FACE}" + "1" * HUGE]]]),
        ("clusters", ["user_id" * HUGE]),
    ],
)
def test_every_text_of_a_reply_counts_as_what_it_takes(key: str, value: object) -> None:
    document, arrays = changed(key, value)
    assert size_of(document, arrays) - size_of(*sent()) > 3.9 * HUGE


def test_only_texts_are_texts() -> None:
    for key, value in {
        "numbers": [[["loss"] * 9, 0, [], 1.0]],
        "labels": [["member", ["0", ["1"] * 9]]],
        "clusters": [{"user_id": 1}],
        "layout": [["loss", 7], True, "words"],
    }.items():
        with pytest.raises(TypeError, match="no text"):
            loaded(*changed(key, value))


def test_arrays_that_no_table_has() -> None:
    for arrays in ([["|O", 3]], [["<f8", -1]], [["<f8", 1_000]], [["<U9", 3]]):
        with pytest.raises(ValueError, match=r"no table has|more than"):
            empty_arrays({"arrays": arrays}, 1_000)


def test_words_that_do_not_end_where_they_should() -> None:
    document, arrays = sent()
    assert_same(loaded(document, arrays), read_table(CLUSTERED))
    places = [place for place, array in enumerate(arrays) if array.dtype in (np.uint8, np.int64)]
    for place in places:
        broken = [*arrays[:place], np.flip(arrays[place]).copy(), *arrays[place + 1 :]]
        if arrays[place].dtype == np.uint8:
            broken[place][:] = 0xFF
        with pytest.raises(ValueError):  # noqa: PT011 - of NumPy, Python, and this project
            loaded(document, broken)
