"""Which test reaches which line, and how long it takes: learned by running the suite once under coverage."""

import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

from coverage import CoverageData

_MEASURED = "numerics,losses,pages,plotting"
_SETTINGS = f"[run]\ndynamic_context = test_function\nsource = {_MEASURED}\nconcurrency = thread\n"
_JOBS = 2


@dataclass(frozen=True)
class Reached:
    """Tests by file and line, and the seconds each took.

    Attributes:
        lines: names of tests, such as ``tests.test_fit.test_columns``, by path and line.
        times: seconds by name of a test, all of its parameters together.
        breadth: how many files a test reaches, by its name.
    """

    lines: dict[str, dict[str, list[str]]]
    times: dict[str, float]
    breadth: dict[str, int]

    def tests(self, path: str, line: int, most: float) -> tuple[list[str], list[str]]:
        """The tests that reach a line: the narrowest ones, up to ``most`` seconds of them, and the others.

        A line that runs when its file is loaded is reached by all tests that reach the file.
        """
        lines = self.lines.get(path, {})
        reaching = lines.get(str(line)) or {name for names in lines.values() for name in names}
        names = sorted(reaching, key=lambda name: (self.breadth[name], name))
        first, spent = list[str](), 0.0
        for name in names:
            if not first or spent + self.times.get(name, 0.0) <= most:
                first.append(name)
                spent += self.times.get(name, 0.0)
        rest = [name for name in names if name not in set(first)]
        return list(map(_node, first)), list(map(_node, rest))

    def seconds(self, node: str) -> float:
        """How long a test took under coverage."""
        return self.times.get(node.replace("/", ".").replace(".py::", "."), 0.0)


def _node(name: str) -> str:
    """A test's name as pytest takes it."""
    module, _, function = name.rpartition(".")
    return f"{module.replace('.', '/')}.py::{function}"


def learned(kept: Path, copied: Callable[[Path], Path], again: bool) -> Reached:
    """What the suite reaches, from ``kept`` if it is there."""
    if again or not kept.exists():
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps(_learn(copied)))
    return Reached(**json.loads(kept.read_text()))


def _learn(copied: Callable[[Path], Path]) -> dict[str, object]:
    """Run all tests but those in a browser, in as many copies as there are jobs."""
    with tempfile.TemporaryDirectory() as base, ThreadPoolExecutor(_JOBS) as pool:
        folders = [copied(Path(base, str(number))) for number in range(_JOBS)]
        # The files that take longest stand somewhere in the alphabet: dealt out in turn.
        found = (path.relative_to(folders[0]) for path in (folders[0] / "tests").rglob("test_*.py"))
        files = sorted(path.as_posix() for path in found if "browser" not in path.parts)
        list(pool.map(partial(_covered, files), range(_JOBS), folders))
        return _gathered(folders)


def _covered(files: list[str], number: int, folder: Path) -> None:
    (folder / "coverage.ini").write_text(_SETTINGS)
    tests = ["-q", "-p", "no:cacheprovider", "--junitxml=times.xml", *files[number::_JOBS]]
    command = [sys.executable, "-m", "coverage", "run", "--rcfile=coverage.ini", "-m", "pytest", *tests]
    subprocess.run(command, cwd=folder, capture_output=True, check=False)


def _gathered(folders: list[Path]) -> dict[str, object]:
    lines: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    times: dict[str, float] = defaultdict(float)
    files: dict[str, set[str]] = defaultdict(set)
    failed = set[str]()
    for folder in folders:
        data = CoverageData(str(folder / ".coverage"))
        data.read()
        for measured in data.measured_files():
            path = Path(measured).relative_to(folder.resolve()).as_posix()
            for line, names in data.contexts_by_lineno(measured).items():
                for name in filter(None, names):
                    lines[path][str(line)].append(name)
                    files[name].add(path)
        for case in ElementTree.parse(folder / "times.xml").iter("testcase"):
            name = f"{case.get('classname')}.{str(case.get('name')).partition('[')[0]}"
            times[name] += float(case.get("time") or 0)
            if any(case.find(outcome) is not None for outcome in ("failure", "error")):
                failed.add(name)
                print(f"fails before anything is broken, and is left out: {name}", flush=True)
    kept = {path: {line: sorted(set(names) - failed) for line, names in of.items()} for path, of in lines.items()}
    return {"lines": kept, "times": times, "breadth": {name: len(found) for name, found in files.items()}}
