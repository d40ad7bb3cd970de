"""Which test reaches which line, and how long it takes: learned by running the suite once under coverage."""

import ast
import json
import tempfile
from collections import defaultdict
from collections.abc import Container, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from coverage import Coverage

from benchmarks.mutants_tests import ROOT, Watch, forked, run_tests, workers

_MEASURED = ["numerics", "losses", "reports", "pages", "plotting"]
_LONGEST = 10.0  # seconds of processor time: a test that takes longer is left out
_FILE = 1800.0  # seconds for a file of tests


@dataclass(frozen=True)
class Reached:
    """Tests by file and line, and the seconds each took.

    Attributes:
        lines: names of tests, such as ``tests/numerics/test_renyi.py::test_conversions_to_rho``, by path and line.
        times: seconds of processor time under coverage by name of a test, all of its parameters together.
        breadth: how many files a test reaches, by its name.
    """

    lines: dict[str, dict[int, set[str]]]
    times: dict[str, float]
    breadth: dict[str, int]

    def tests(self, path: str, line: int, most: float) -> list[str]:
        """The tests that reach a line, those that reach the fewest files first, up to ``most`` seconds of them.

        What runs when its file is loaded runs in whichever test comes first; so it counts as reached by all tests that
        reach the function that it belongs to, or the file.
        """
        lines = self.lines.get(path, {})
        within = {name for each in _around(path, line, set(lines)) for name in lines.get(each, ())}
        reaching = within or {name for names in lines.values() for name in names}
        first, spent = list[str](), 0.0
        for name in sorted(reaching, key=lambda name: (self.breadth[name], name)):
            if not first or spent + self.times.get(name, 0.0) <= most:
                first.append(name)
                spent += self.times.get(name, 0.0)
        return first


def _around(path: str, line: int, known: Container[int]) -> Iterable[int]:
    """The line alone if it is known within a function, else the body of the innermost function around it, if any."""
    inner: tuple[int, range] | None = None
    for node in ast.walk(ast.parse((ROOT / path).read_text())):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            if first <= line <= (node.end_lineno or 0) and (inner is None or first > inner[0]):
                inner = first, range(node.body[0].lineno, (node.end_lineno or 0) + 1)
    if inner is None:
        return ()
    return (line,) if line in inner[1] and line in known else inner[1]


def learned(kept: Path, jobs: int) -> Reached:
    """What the suite reaches; files of tests that ``kept`` has already are not run again."""
    kept.mkdir(parents=True, exist_ok=True)
    # Browsers run the app in another process; the engine of one file does as well.
    found = (path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/**/test_*.py"))
    names = sorted(name for name in found if "/browser/" not in name and "spark" not in name)
    missing = [name for name in names if not _kept(kept, name).exists()]
    if missing:
        with tempfile.TemporaryDirectory() as base, workers(jobs, base) as pool:
            for number, name in enumerate(pool.map(partial(_covered, kept), missing), start=1):
                print(f"{number:4} of {len(missing)} files of tests: {name}", flush=True)
    return _gathered([json.loads(path.read_text()) for name in names if (path := _kept(kept, name)).exists()])


def _kept(folder: Path, name: str) -> Path:
    return folder / f"{name.replace('/', '.')}.json"


def _covered(kept: Path, name: str) -> str:
    forked(partial(_measured, _kept(kept, name), name), _FILE)
    return name if _kept(kept, name).exists() else f"{name}, not learned"


def _measured(kept: Path, name: str) -> int:
    """Run one file of tests, and write down what each of them reaches."""
    folder = Path.cwd().resolve()
    coverage = Coverage(str(folder / ".coverage"), source=_MEASURED, concurrency="thread", config_file=False)
    coverage.erase()
    watch = Watch(lambda test: _LONGEST - watch.seconds[test], coverage.switch_context)
    coverage.start()
    run_tests([name], watch)
    coverage.stop()
    data = coverage.get_data()
    lines = {
        Path(path).relative_to(folder).as_posix(): {
            line: tests for line, names in data.contexts_by_lineno(path).items() if (tests := list(filter(None, names)))
        }
        for path in data.measured_files()
    }
    kept.write_text(json.dumps({"lines": lines, "times": watch.seconds, "failed": sorted(set(watch.failed))}))
    return 0


def _gathered(files: list[dict[str, dict[str, dict[str, list[str]]]]]) -> Reached:
    lines: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    times: dict[str, float] = {}
    reached: dict[str, set[str]] = defaultdict(set)
    for file in files:
        failed = set(file["failed"])
        times |= file["times"]
        for name in sorted(failed):
            print(f"fails or takes too long, and is left out: {name}")
        for path, of in file["lines"].items():
            for line, names in of.items():
                for name in set(names) - failed:
                    lines[path][int(line)].add(name)
                    reached[name].add(path)
    return Reached(lines, times, {name: len(paths) for name, paths in reached.items()})
