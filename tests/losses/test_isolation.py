"""Untrusted files are read in processes of their own: what one takes or breaks there is a refusal here."""

import json
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from benchmarks import hostile_files
from benchmarks.fuzz_losses import valid_files
from losses import KnownLayout, LossTable, TableError, read_candidates, read_predictions, read_scores, read_table
from losses.isolation import client, limits
from losses.isolation.messages import Channel, dumped, empty_arrays, loaded

pytestmark = pytest.mark.skipif(not client.IS_LIMITED, reason="only Linux limits what a process takes")

ROWS = tomllib.loads(Path(__file__).with_name("rows.toml").read_text(encoding="utf-8"))
CLUSTERED = b"loss,member,user_id\n" + b"\n".join(b"%d.5,%d,p\xc3\xa9%d" % (n, n % 2, n // 3) for n in range(60))
# A process that starts readers, which do what a file of one word says.
MISCHIEF = """
import os, socket, sys, time
from losses.isolation import fork_server, limits, worker
limits.CPU_SECONDS, limits.SECONDS, limits.MEMORY = 1, 1, 200_000_000
def eat():
    held = []
    while True:
        held.append(bytes(1_000_000))
ACTS = {
    "leave": lambda: os._exit(3),
    "sleep": lambda: time.sleep(60),
    "eat": eat,
    "fault": lambda: 1 / 0,
    "abort": os.abort,
    "PAR1": os.abort,
    "server": lambda: os.kill(os.getppid(), 9) or time.sleep(60),
}
def read_table(data):
    ACTS[bytes(data).decode()]()
worker.READERS["read_table"] = read_table
fork_server.serve(socket.socket(fileno=int(sys.argv[1])))
"""


@pytest.fixture(scope="module")
def mischievous() -> Iterator[client.ForkServer]:
    """It starts anew by itself after an act that ended it."""
    server = client.ForkServer((sys.executable, "-c", MISCHIEF))
    yield server
    server.stop()


@pytest.fixture(scope="module", autouse=True)
def _readers() -> Iterator[None]:
    """The process that starts readers ends with the tests."""
    yield
    client.FORK_SERVER.stop()


def assert_same(found: LossTable, expected: LossTable) -> None:
    """To the last bit."""
    (document, arrays), (told, others) = dumped(found), dumped(expected)
    assert document == told
    assert [(one.dtype, one.tobytes()) for one in arrays] == [(one.dtype, one.tobytes()) for one in others]
    assert found.size == expected.size


def test_a_table_and_a_refusal_are_the_same_wherever_they_are_read() -> None:
    for data in (*valid_files()[::3], CLUSTERED):
        assert_same(client.read(read_table, data), read_table(data))
    scores, candidates = valid_files()[-1], b"city,count\nBern,5\nRom,7\n"
    assert_same(client.read(read_predictions, scores), read_predictions(scores))
    assert_same(client.read(read_candidates, candidates), read_candidates(candidates))
    assert_same(client.read(read_scores, CLUSTERED), read_scores(CLUSTERED))
    known, bare = KnownLayout(delimiter=";", has_header=True), b"1.5;0\n2.5;1\n" * 20  # else it has none
    assert_same(client.read(read_table, bare, known), read_table(bare, known=known))
    for data in (b"", b"loss,x\n1,2\n3\n", b"PAR1" + bytes(50)):
        with pytest.raises(TableError) as here:
            read_table(data)
        with pytest.raises(TableError) as there:
            client.read(read_table, data)
        assert (vars(there.value), str(there.value)) == (vars(here.value), str(here.value))


@pytest.mark.parametrize(("act", "words"), ROWS["acts"])
def test_a_reader_that_ends_or_does_not_end_is_a_refusal(
    mischievous: client.ForkServer, monkeypatch: pytest.MonkeyPatch, act: str, words: str
) -> None:
    """The next one begins as if nothing had been; and a fault of a reader is one here."""
    monkeypatch.setattr(client, "FORK_SERVER", mischievous)
    monkeypatch.setattr(limits, "SECONDS", 1)
    for data, said in ((act, words), ("leave", "damaged in a way that ended its reader")):
        with pytest.raises(TableError, match=said) as caught:
            client.read(read_table, data.encode())
        assert caught.value.remedy.endswith(".")
    with pytest.raises(client.ReaderError, match="ZeroDivisionError"):
        client.read(read_table, b"fault")


def test_a_process_that_answers_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks it holds a lock that every upload needs."""
    monkeypatch.setattr(client, "_PATIENCE", 0.1)
    server = client.ForkServer((sys.executable, "-S", "-c", "import time; time.sleep(1000)"))
    number = server.start()
    with pytest.raises(ConnectionError):
        server.ask(b"1")
    assert not Path(f"/proc/{number}").exists()


def test_several_at_once_leave_no_reader_behind_and_sizes_are_told_before_a_table_comes() -> None:
    with ThreadPoolExecutor(6) as threads:
        found = [*threads.map(lambda data: client.read(read_table, data), [CLUSTERED] * 6)]
    assert [table.rows for table in found] == [60] * 6
    starter = client.FORK_SERVER.start()
    assert Path(f"/proc/{starter}/task/{starter}/children").read_text(encoding="ascii") == ""
    assert len(list(Path(f"/proc/{starter}/task").iterdir())) == 1  # with threads it must not be forked

    def refuse(size: int) -> None:
        raise TableError(f"Too much: {size}.", "Remove something.")

    with pytest.raises(TableError, match=f"Too much: {found[0].size}"):
        client.read(read_table, CLUSTERED, admit=refuse)


def test_a_command_says_in_words_what_a_file_did() -> None:
    program = "import os, sys; from losses.isolation.client import run; sys.exit(run(os.abort))"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith("error: The file is damaged in a way that ended its reader.")


@pytest.mark.nightly
@pytest.mark.parametrize("name", hostile_files.ATTACKS)
def test_files_that_would_take_all_memory(name: str) -> None:
    """The server needs what it keeps, and some megabytes."""
    found = hostile_files.attacked(hostile_files.ATTACKS[name]())
    assert found.after - found.before < found.kept / 1e6 + 40
    assert (found.kept > 0) == ("alike" in name)
    assert found.kept or "damaged" in found.words or "too large" in found.words


def test_what_a_readers_process_sends_back_is_untrusted_too() -> None:
    """What is no table is not taken for one, and arrays are only those of a table."""
    document, arrays = dumped(read_table(CLUSTERED))
    plain = json.loads(json.dumps(document))
    assert_same(loaded(plain, arrays), read_table(CLUSTERED))
    for wrong in ROWS["no_tables"]:
        with pytest.raises((ValueError, TypeError, StopIteration)):
            loaded({**plain, **wrong}, arrays)
    for place in [place for place, array in enumerate(arrays) if array.dtype in (np.uint8, np.int64)]:
        other = np.full_like(arrays[place], 0xFF) if arrays[place].dtype == np.uint8 else np.flip(arrays[place])
        with pytest.raises(ValueError):  # noqa: PT011 - of NumPy, Python, and this project
            loaded(plain, [*arrays[:place], other.copy(), *arrays[place + 1 :]])
    for told in ([["|O", 3]], [["<f8", -1]], [["<f8", 1_000]], [["<U9", 3]]):
        with pytest.raises(ValueError, match=r"no table has|more than"):
            empty_arrays({"arrays": told}, 1_000)


def test_nothing_is_sent_to_a_reader_that_has_all_and_may_have_ended() -> None:
    """As one of an empty file has as soon as it knows the size."""
    (own, theirs), looks = socket.socketpair(), count()

    def look() -> None:
        if next(looks) == 2:
            theirs.close()

    with own, theirs:
        Channel(own, 1.0, look).send({}, [b""])
