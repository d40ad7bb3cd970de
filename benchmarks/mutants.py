"""Do the tests see it when the code is broken? Mutants drawn at random, each against the tests that reach its line.

``python -m benchmarks.mutants --sample 300`` breaks as many places of the numerics, the reading of tables, and the
words and exports of the pages, one at a time (Cosmic Ray makes the mutants), and prints those that no test notices. The
first call runs the suite once under coverage, to learn which test reaches which line. What was learned and tried is
kept in ``.mutants`` and not done again, so that a run may be interrupted; ``--again`` begins anew.

Places are drawn evenly, then one of the mutations that are possible there; those that no number survives, such as a
shift in the place of a product, are left out. A mutant is killed when a test fails, when the code does not load, or
when a test takes several times as long. It is tried against the tests that reach its line, those that reach the fewest
files first, up to a minute of them: what only others would notice counts as not noticed.
"""

import argparse
import ast
import difflib
import json
import random
import shutil
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import as_completed
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast_from_path
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

from benchmarks.mutants_reached import Reached, learned
from benchmarks.mutants_tests import ROOT, Watch, forked, run_tests, workers

KEPT = ROOT / ".mutants"
PACKAGES = {
    "numerics": (0.5, ("numerics",)),
    "losses": (0.25, ("losses",)),
    "words and exports": (
        0.25,
        (
            "pages/ui/downloads.py",
            "pages/ui/numbers_in_words.py",
            "pages/mechanism/in_numbers.py",
            "pages/ui/readout.py",
            "pages/ui/slider_with_box.py",
            "pages/ui/task_runner.py",
            "pages/ui/uploads.py",
            "pages/audit/epsilon_star/words.py",
            "reports/losses_numbers.py",
            "reports/losses_words.py",
            "pages/ui/certificate/numbers.py",
            "pages/ui/certificate/words.py",
            "pages/reconstruct/answer.py",
            "pages/attackers/answer.py",
        ),
    ),
}
_MOST = 60.0  # seconds of tests, as they took under coverage
_SLOWER = 4.0  # times as long as under coverage: the mutant hangs
_PATIENCE = 10.0  # seconds more
_SHARED = 4.0  # times as long by the clock, on a busy machine
# Alternatives of types, and what no number survives: breaking these shows nothing.
_LEFT_OUT = ("Bit", "Shift", "Invert", "_Is", "UAdd", "NoOp", "Variable")


@dataclass(frozen=True)
class Mutant:
    """One broken place."""

    package: str
    path: str
    line: int
    operator: str
    occurrence: int

    @property
    def name(self) -> str:
        """Where, and what was done."""
        return f"{self.path}:{self.line} {self.operator.removeprefix('core/')} {self.occurrence}"

    def code(self, original: str) -> str:
        """The broken file."""
        return mutate_code(original, get_operator(self.operator)(), self.occurrence) or original

    @cached_property
    def changed(self) -> list[str]:
        """The lines that are broken, before and after; none if the code is the same, as for 1e6 and 1e+6."""
        original = (ROOT / self.path).read_text()
        broken = self.code(original)
        if ast.dump(ast.parse(original)) == ast.dump(ast.parse(broken)):
            return []
        lines = difflib.unified_diff(original.splitlines(), broken.splitlines(), n=0)
        return [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]


def files_of(package: Iterable[str]) -> Iterator[Path]:
    """The package's files."""
    for name in package:
        yield from sorted((ROOT / name).rglob("*.py")) if (ROOT / name).is_dir() else [ROOT / name]


def drawn(sample: int, seed: int) -> Iterator[Mutant]:
    """``sample`` mutants: half in the numerics, the rest shared; a place is drawn once at the most."""
    generator = random.Random(seed)
    for package, (share, parts) in PACKAGES.items():
        places = defaultdict(list)
        for path in files_of(parts):
            for place, operator, occurrence in mutations(path):
                name = path.relative_to(ROOT).as_posix()
                places[name, place].append(Mutant(package, name, place[0], operator, occurrence))
        shuffled = generator.sample(sorted(places), len(places))
        real = (one for place in shuffled if (one := generator.choice(places[place])).changed)
        yield from islice(real, round(share * sample))


def mutations(path: Path) -> Iterator[tuple[tuple[int, int], str, int]]:
    """Place, operator and occurrence of everything that can be broken in a file."""
    tree = get_ast_from_path(path)
    nodes = list(ast_nodes(tree))
    for name in operator_names():
        if not any(part in name for part in _LEFT_OUT):
            operator = get_operator(name)()
            places = (start for node in nodes for start, _ in operator.mutation_positions(node))
            for occurrence, place in enumerate(places):
                yield place, name, occurrence


def outcome(mutant: Mutant, tests: list[str], times: list[float]) -> str:
    """What became of the mutant in this process's copy, and by which test."""
    if not tests:
        return "not reached"
    path, allowed = Path(mutant.path), dict(zip(tests, times, strict=True))
    original = path.read_text()
    watch = Watch(lambda name: _PATIENCE + _SLOWER * allowed[name])
    killer = Path("killer")
    killer.unlink(missing_ok=True)

    def run() -> int:
        status = run_tests(tests, watch, "-x")
        killer.write_text(*watch.failed[:1] or ["no test: it does not load"])
        return status

    try:
        path.write_text(mutant.code(original))
        status = forked(run, _SHARED * (_PATIENCE + sum(times)))
    finally:
        path.write_text(original)
    if status == 0:
        return "survived"
    return f"killed by {'time' if status is None else killer.read_text() if killer.exists() else 'a crash'}"


def main() -> None:
    """Draw, try, and print."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--sample", type=int, default=300)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--jobs", type=int, default=2)
    asked.add_argument("--again", action="store_true", help="forget what was learned and tried")
    asked.add_argument("--only", default="", help="mutants of files whose path has this")
    options = asked.parse_args()
    if options.again:
        shutil.rmtree(KEPT, ignore_errors=True)
    reached = learned(KEPT / "reached", options.jobs)
    mutants = [one for one in drawn(options.sample, options.seed) if options.only in one.path]
    outcomes = Outcomes(KEPT / "outcomes.jsonl")
    run([one for one in mutants if outcomes.of(one) is None], reached, outcomes, options.jobs)
    report(mutants, outcomes)


class Outcomes:
    """What became of each mutant, written down at once."""

    def __init__(self, kept: Path) -> None:
        self._kept = kept
        lines = kept.read_text().splitlines() if kept.exists() else []
        self._said = {(name, tuple(changed)): said for name, changed, said in map(json.loads, lines)}

    def of(self, mutant: Mutant) -> str | None:
        """What became of it, if it was tried."""
        return self._said.get((mutant.name, tuple(mutant.changed)))

    def add(self, mutant: Mutant, said: str) -> None:
        """Note and print it."""
        self._said[mutant.name, tuple(mutant.changed)] = said
        with self._kept.open("a") as kept:
            kept.write(json.dumps([mutant.name, mutant.changed, said], ensure_ascii=False) + "\n")
        print(f"{mutant.name}: {said}", flush=True)
        if not said.startswith("killed"):
            print("", *mutant.changed, sep="\n    ", flush=True)


def run(mutants: list[Mutant], reached: Reached, outcomes: Outcomes, jobs: int) -> None:
    """Try every mutant, as many at a time as there are jobs."""
    with tempfile.TemporaryDirectory() as base, workers(jobs, base) as pool:
        tried = {}
        for mutant in mutants:
            tests = reached.tests(mutant.path, mutant.line, _MOST)
            tried[pool.submit(outcome, mutant, tests, [reached.times[test] for test in tests])] = mutant
        for number, done in enumerate(as_completed(tried), start=1):
            print(f"{number:4} of {len(mutants)}  ", end="")
            outcomes.add(tried[done], done.result())


def report(mutants: list[Mutant], outcomes: Outcomes) -> None:
    """Counts per package."""
    for package in PACKAGES:
        said = [(outcomes.of(one) or "not tried").partition(" by ")[0] for one in mutants if one.package == package]
        print(f"{package}: {said.count('killed')} of {len(said)} killed, {dict(Counter(said))}")


if __name__ == "__main__":
    main()
