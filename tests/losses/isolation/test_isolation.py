"""Strangers' files are read in processes of their own: what one takes or breaks there is a refusal here."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from socket import socketpair
from threading import Thread

import pytest

from benchmarks import hostile_files
from benchmarks.valid_loss_files import valid_files
from losses import KnownLayout, LossTable, TableError, read_candidates, read_predictions, read_sweep, read_table
from losses.isolation import client, limits
from losses.isolation.channel import Channel
from losses.isolation.messages import dumped
from losses.isolation.worker import Reader

pytestmark = pytest.mark.skipif(not client.IS_LIMITED, reason="only Linux limits what a process takes")

CLUSTERED = b"loss,member,user_id\n" + b"\n".join(b"%d.5,%d,p\xc3\xa9%d" % (n, n % 2, n // 3) for n in range(60))
# A process that starts readers, which do what a file of one word says.
MISCHIEF = """
import os, socket, sys, time
from losses.isolation import fork_server, limits, worker
limits.CPU_SECONDS, limits.SECONDS, limits.MEMORY = 1, 2, 200_000_000
def eat():
    held = []
    while True:
        held.append(bytes(1_000_000))
def spin():
    while True:
        pass
ACTS = {
    "abort": os.abort,
    "leave": lambda: os._exit(3),
    "spin": spin,
    "sleep": lambda: time.sleep(60),
    "eat": eat,
    "killed": lambda: os.kill(os.getpid(), 9),
    "fault": lambda: 1 / 0,
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


@pytest.fixture
def mischief(mischievous: client.ForkServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "FORK_SERVER", mischievous)
    monkeypatch.setattr(limits, "SECONDS", 2)


def assert_same(found: LossTable, expected: LossTable) -> None:
    """To the last bit."""
    for one, other in zip(dumped(found)[1], dumped(expected)[1], strict=True):
        assert one.dtype == other.dtype
        assert one.tobytes() == other.tobytes()
    assert dumped(found)[0] == dumped(expected)[0]
    assert found.size == expected.size


def outcome(data: bytes) -> str:
    with pytest.raises(TableError) as caught:
        client.read(read_table, data)
    assert caught.value.remedy.endswith(".")
    return caught.value.what


@pytest.mark.parametrize("reader", [read_table, read_predictions])
@pytest.mark.parametrize("number", range(len(valid_files())))
def test_the_table_is_the_same_wherever_it_is_read(number: int, reader: Reader) -> None:
    data = valid_files()[number]
    assert_same(client.read(reader, data), reader(data))


def test_every_reader_and_what_is_known_of_a_file() -> None:
    assert_same(
        client.read(read_candidates, b"city,count\nBern,5\nRom,7\n"), read_candidates(b"city,count\nBern,5\nRom,7\n")
    )
    sweep = b"model,utility,epsilon\na,0.5,1\nb,0.75,2\n"
    assert_same(client.read(read_sweep, sweep), read_sweep(sweep))
    known = KnownLayout(delimiter=";", has_header=False)
    data = b"1.5;0\n2.5;1\n" * 20
    assert_same(client.read(read_table, data, known), read_table(data, known=known))
    table = client.read(read_table, CLUSTERED)
    assert_same(table, read_table(CLUSTERED))
    assert table.cluster("user_id").words[:2] == ("pé0", "pé1")


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"loss,x\n1,2\n3\n", b"name\nx\ny\n", b"PAR1" + bytes(50)])
def test_refusals_come_whole(data: bytes) -> None:
    with pytest.raises(TableError) as here:
        read_table(data)
    with pytest.raises(TableError) as there:
        client.read(read_table, data)
    assert vars(there.value) == vars(here.value)
    assert str(there.value) == str(here.value)


@pytest.mark.parametrize(
    ("act", "words"),
    [
        ("abort", "too large to be read here"),  # text is never damaged so that Arrow ends
        ("leave", "damaged in a way that ended its reader"),
        ("spin", "takes longer"),
        ("sleep", "takes longer"),
        ("eat", "too large to be read here"),
        ("killed", "perhaps for want of memory"),
        ("server", "perhaps for want of memory"),
    ],
)
@pytest.mark.usefixtures("mischief")
def test_a_reader_that_ends_or_does_not_end_is_a_refusal(act: str, words: str) -> None:
    assert words in outcome(act.encode())
    assert "ended its reader" in outcome(b"leave")  # the next one begins as if nothing had been


@pytest.mark.usefixtures("mischief")
def test_a_fault_of_a_reader_is_one_here() -> None:
    with pytest.raises(client.ReaderError, match="ZeroDivisionError"):
        client.read(read_table, b"fault")


def test_readers_end_with_the_server_that_started_them() -> None:
    """Also where it is killed while one reads."""
    server = client.ForkServer((sys.executable, "-c", MISCHIEF))
    own, theirs = socketpair()
    reader = server.ask(b"start", theirs)
    theirs.close()
    Channel(own).send({"reader": "read_table", "size": 5, "known": {}}, [b"sleep"])
    server.stop()
    deadline = time.monotonic() + 10.0
    while Path(f"/proc/{reader}").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not Path(f"/proc/{reader}").exists()
    own.close()


def test_a_process_that_answers_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks it holds a lock that every upload needs."""
    monkeypatch.setattr(client, "_PATIENCE", 0.1)
    server = client.ForkServer((sys.executable, "-c", "import time; time.sleep(1000)"))
    number = server.start()
    with pytest.raises(ConnectionError):
        server.ask(b"1")
    assert not Path(f"/proc/{number}").exists()


def test_what_a_table_takes_is_told_before_it_comes() -> None:
    asked: list[int] = []

    def refuse(size: int) -> None:
        asked.append(size)
        raise TableError("Too much.", "Remove something.")

    with pytest.raises(TableError, match="Too much"):
        client.read(read_table, CLUSTERED, admit=refuse)
    assert asked == [read_table(CLUSTERED).size]


def test_several_at_once() -> None:
    found: list[LossTable] = []
    threads = [Thread(target=lambda: found.append(client.read(read_table, CLUSTERED))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [table.rows for table in found] == [60] * 6


def test_no_reader_is_left_behind() -> None:
    client.read(read_table, CLUSTERED)
    starter = client.FORK_SERVER.start()
    children = Path(f"/proc/{starter}/task/{starter}/children").read_text(encoding="ascii")
    assert children == ""
    assert len(list(Path(f"/proc/{starter}/task").iterdir())) == 1  # with threads it must not be forked


@pytest.mark.parametrize("name", [name for name in hostile_files.ATTACKS if "2 columns" not in name])
def test_files_that_would_take_all_memory(name: str) -> None:
    """The server needs what it keeps, and some megabytes."""
    found = hostile_files.attacked(hostile_files.ATTACKS[name]())
    assert found.after - found.before < found.kept / 1e6 + 40
    assert (found.kept > 0) == (name in hostile_files.ARE_READ)
    if not found.kept:
        assert "damaged" in found.words or "too large" in found.words


@pytest.mark.parametrize(
    ("act", "code", "words"),
    [
        ("os.abort", 2, "error: The file is damaged in a way that ended its reader. Write it anew"),
        ("lambda: os.kill(os.getpid(), 9)", 2, "error: The system ended the reading of the file"),
        ("lambda: os.kill(os.getpid(), 15)", 143, ""),
        ("lambda: os.kill(os.getppid(), 15) or time.sleep(60)", 143, ""),
        ("lambda: 1", 1, ""),
    ],
)
def test_a_command_says_in_words_what_a_file_did(act: str, code: int, words: str) -> None:
    program = f"import os, sys, time; from losses.isolation.command import run; sys.exit(run({act}))"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert ended.returncode == code
    assert ended.stderr.startswith(words)
    assert bool(ended.stderr) == bool(words)
