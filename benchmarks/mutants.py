"""Do the tests see it when the code is broken? Mutants drawn at random, each against the tests that reach its line.

``python -m benchmarks.mutants --sample 200`` breaks as many places, the same number a package and one at a time (Cosmic
Ray makes the mutants), and prints those that no test notices. The suite runs once under coverage before, to learn which
test reaches which line; what was learned and tried is kept in ``.mutants``, so that a run may be interrupted.

Places are drawn evenly, then one of the mutations that are possible there; those that no number survives, such as a
shift in the place of a product, are left out. A mutant is killed when a test fails, when the code does not load, or
when the tests take several times as long. It is tried against the tests that reach its line, those that reach the
fewest lines first, up to a minute of them: what only others would notice counts as not noticed.
"""

import argparse
import ast
import difflib
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from shutil import copyfile

import pytest
from cosmic_ray.ast import ast_nodes, get_ast_from_path
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names
from coverage import Coverage

ROOT = Path(__file__).parents[1]
KEPT = ROOT / ".mutants"
PACKAGES = ("numerics", "losses", "reports", "plotting", "pages")
_MOST = 60.0  # seconds of tests, as they took under coverage
_START = 60.0  # seconds until the tests of a mutant have begun, on a busy machine
_SLOWER = 4.0  # times as long as under coverage: the mutant hangs
# Alternatives of types, and what no number survives: breaking these shows nothing.
_LEFT_OUT = ("Bit", "Shift", "Invert", "_Is", "UAdd", "NoOp", "Variable")


@dataclass(frozen=True)
class Mutant:
    """One broken place: its ``operator`` breaks the ``occurrence``-th of its kind in the file."""

    path: str
    line: int
    operator: str
    occurrence: int

    @property
    def name(self) -> str:
        """Where, and what is done."""
        return f"{self.path}:{self.line} {self.operator.removeprefix('core/')} {self.occurrence}"

    def code(self) -> str:
        """The broken file."""
        original = (ROOT / self.path).read_text()
        return mutate_code(original, get_operator(self.operator)(), self.occurrence) or original

    def changed(self) -> list[str]:
        """The lines that are broken, before and after; none if the code is the same, as for 1e6 and 1e+6."""
        original, broken = (ROOT / self.path).read_text(), self.code()
        with suppress(SyntaxError):  # code that does not load is changed, too
            if ast.dump(ast.parse(original)) == ast.dump(ast.parse(broken)):
                return []
        lines = difflib.unified_diff(original.splitlines(), broken.splitlines(), n=0)
        return [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]


def drawn(sample: int, seed: int) -> Iterator[Mutant]:
    """``sample`` mutants, the same number a package; a place is drawn once at the most."""
    for package in PACKAGES:
        generator = random.Random(f"{package} {seed}")
        places = defaultdict(list)
        for path in sorted((ROOT / package).rglob("*.py")):
            nodes = list(ast_nodes(get_ast_from_path(path)))
            for name in operator_names():
                if not any(part in name for part in _LEFT_OUT):
                    starts = (start for node in nodes for start, _ in get_operator(name)().mutation_positions(node))
                    for occurrence, start in enumerate(starts):
                        mutant = Mutant(path.relative_to(ROOT).as_posix(), start[0], name, occurrence)
                        places[mutant.path, start].append(mutant)
        shuffled = generator.sample(sorted(places), len(places))
        chosen = (generator.choice(places[place]) for place in shuffled)
        yield from islice((one for one in chosen if one.changed()), sample // len(PACKAGES))


class Contexts:
    """Tells coverage which test runs, and keeps the seconds of processor time that each takes."""

    def __init__(self, coverage: Coverage) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._coverage = coverage

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """All parameters of a test count together."""
        name, began = item.nodeid.partition("[")[0], time.process_time()
        self._coverage.switch_context(name)
        try:
            return (yield)
        finally:
            self.seconds[name] += time.process_time() - began


def learn(report: Path) -> None:
    """Run the suite but for the browser, whose pages run in another process, and write down what each test reaches."""
    coverage = Coverage(None, source=list(PACKAGES), concurrency="thread", config_file=False)
    contexts = Contexts(coverage)
    coverage.start()
    pytest.main(["-q", "-p", "no:cacheprovider", "--ignore=tests/browser", "tests"], plugins=[contexts])
    coverage.stop()
    data = coverage.get_data()
    lines: dict[str, dict[int, list[str]]] = {}
    for path in data.measured_files():
        found = data.contexts_by_lineno(path)
        lines[Path(path).relative_to(ROOT).as_posix()] = {line: [*filter(None, names)] for line, names in found.items()}
    report.parent.mkdir(exist_ok=True)
    report.write_text(json.dumps({"lines": lines, "seconds": contexts.seconds}))


class Reached:
    """Which tests reach a line, as ``learn`` wrote it down."""

    def __init__(self, report: Path) -> None:
        found = json.loads(report.read_text())
        self._lines: dict[str, dict[str, list[str]]] = found["lines"]
        self.seconds: dict[str, float] = found["seconds"]
        self._breadth: dict[str, int] = defaultdict(int)
        for file in self._lines.values():
            for names in file.values():
                for name in names:
                    self._breadth[name] += 1

    def tests(self, mutant: Mutant) -> list[str]:
        """Those that reach the fewest lines first; of what runs when its file is loaded, those that reach the file."""
        file = self._lines.get(mutant.path, {})
        names = set(file.get(str(mutant.line), ())) or {name for found in file.values() for name in found}
        first, spent = list[str](), 0.0
        for name in sorted(names, key=lambda name: (self._breadth[name], name)):
            if not first or spent + self.seconds[name] <= _MOST:
                first.append(name)
                spent += self.seconds[name]
        return first


def copied(folder: Path) -> Path:
    """The checkout's files in a folder of their own."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in filter(None, names.split("\0")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        copyfile(ROOT / name, folder / name)
    return folder


def outcome(mutant: Mutant, tests: list[str], allowed: float, folder: Path) -> str:
    """What becomes of a mutant in this copy of the checkout."""
    if not tests:
        return "not reached"
    path = folder / mutant.path
    original = path.read_text()
    command = [sys.executable, "-B", "-m", "pytest", "-x", "-q", "--tb=no", "-p", "no:cacheprovider", *tests]
    try:
        path.write_text(mutant.code())
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=allowed, check=False)
    except subprocess.TimeoutExpired:
        return "killed: it takes too long"
    finally:
        path.write_text(original)
    return "survived" if done.returncode == 0 else "killed"


def main() -> None:
    """Draw, try, and print."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--sample", type=int, default=200)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--jobs", type=int, default=2)
    asked.add_argument("--learn", action="store_true", help="learn anew which test reaches which line, and stop")
    options = asked.parse_args()
    report = KEPT / "reached.json"
    if options.learn:
        learn(report)
        return
    if not report.exists():
        subprocess.run([sys.executable, "-m", "benchmarks.mutants", "--learn"], cwd=ROOT, check=True)
    reached, kept = Reached(report), KEPT / "outcomes.json"
    outcomes: dict[str, str] = json.loads(kept.read_text()) if kept.exists() else {}
    mutants = list(drawn(options.sample, options.seed))
    with tempfile.TemporaryDirectory() as base, ThreadPoolExecutor(options.jobs) as pool:
        folders = SimpleQueue[Path]()
        for number in range(options.jobs):
            folders.put(copied(Path(base) / str(number)))

        def attempt(mutant: Mutant) -> None:
            folder, tests = folders.get(), reached.tests(mutant)
            allowed = _START + _SLOWER * sum(reached.seconds[test] for test in tests)
            outcomes[mutant.name] = outcome(mutant, tests, allowed, folder)
            folders.put(folder)
            print(f"{mutant.name}: {outcomes[mutant.name]}", flush=True)
            kept.write_text(json.dumps(outcomes))

        list(pool.map(attempt, [mutant for mutant in mutants if mutant.name not in outcomes]))
    for package in PACKAGES:
        own = [mutant for mutant in mutants if mutant.path.startswith(f"{package}/")]
        alive = [mutant for mutant in own if not outcomes[mutant.name].startswith("killed")]
        print(f"\n{package}: {len(own) - len(alive)} of {len(own)} killed")
        for mutant in alive:
            print(f"  {mutant.name}: {outcomes[mutant.name]}", *mutant.changed(), sep="\n    ")


if __name__ == "__main__":
    main()
