"""Do the tests see it when the code is broken? Mutants drawn at random, each against the tests that reach its line.

``python -m benchmarks.mutants --sample 300`` breaks as many places of the numerics, the reading of tables, and the
words and exports of the pages, one at a time (Cosmic Ray makes the mutants), and prints those that no test notices. The
first call runs the suite once under coverage, to learn which test reaches which line; ``--again`` learns it anew.

Places are drawn evenly, then one of the mutations that are possible there; those that no number survives, such as a
shift in the place of a product, are left out. A mutant is killed when a test fails, when the code does not load, or
when the tests take several times as long. It is tried against the tests that reach its line, those that reach the
fewest files first, up to a minute of them, and all others once it has survived these.
"""

import argparse
import difflib
import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

from cosmic_ray.ast import ast_nodes, get_ast_from_path
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

from benchmarks.mutants_reached import Reached, learned

ROOT = Path(__file__).parents[1]
KEPT = ROOT / ".mutants"
PACKAGES = {
    "numerics": (0.5, ("numerics",)),
    "losses": (0.25, ("losses",)),
    "words and exports": (
        0.25,
        (
            "pages/ui/downloads.py",
            "pages/ui/numbers_in_words.py",
            "pages/mechanism/answer.py",
            "pages/ui/readout.py",
            "pages/ui/slider_with_box.py",
            "pages/ui/task_runner.py",
            "pages/ui/uploads.py",
            "pages/epsilon_star/words.py",
            "pages/epsilon_star/report/numbers.py",
            "pages/epsilon_star/report/words.py",
            "pages/ui/certificate/numbers.py",
            "pages/ui/certificate/words.py",
            "pages/reconstruct/answer.py",
            "pages/attackers/answer.py",
        ),
    ),
}
_FIRST = 60.0  # seconds of tests, as they took under coverage
_SLOWER = 5.0  # times as long as under coverage: the mutant hangs
_PATIENCE = 90.0  # seconds more, for a start on a busy machine
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
        return f"{self.path}:{self.line} {self.operator.removeprefix('core/')}"

    def code(self, original: str) -> str | None:
        """The broken file."""
        made: str | None = mutate_code(original, get_operator(self.operator)(), self.occurrence)
        return made


def files_of(package: Iterable[str]) -> Iterator[Path]:
    """The package's files."""
    for name in package:
        yield from sorted((ROOT / name).rglob("*.py")) if (ROOT / name).is_dir() else [ROOT / name]


def drawn(sample: int, seed: int) -> list[Mutant]:
    """About ``sample`` mutants: half in the numerics, the rest shared; a place is drawn once at the most."""
    generator, found = random.Random(seed), list[Mutant]()
    for package, (share, parts) in PACKAGES.items():
        places = defaultdict(list)
        for path in files_of(parts):
            for place, operator, occurrence in mutations(path):
                name = path.relative_to(ROOT).as_posix()
                places[name, place].append(Mutant(package, name, place[0], operator, occurrence))
        found += [generator.choice(places[place]) for place in generator.sample(sorted(places), round(share * sample))]
    return found


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


def copied(folder: Path) -> Path:
    """The checkout's files in a folder of their own, compiled so that a changed file is noticed by its content."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in filter(None, names.split("\0")):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target)
    compiled = [sys.executable, "-m", "compileall", "-qq", "--invalidation-mode", "checked-hash", str(folder)]
    subprocess.run(compiled, check=False)
    return folder


def outcome(folder: Path, mutant: Mutant, reached: Reached) -> str:
    """What became of the mutant in this copy."""
    path = folder / mutant.path
    original = path.read_text()
    broken = mutant.code(original)
    if broken is None or broken == original:
        return "no mutant"
    first, rest = reached.tests(mutant.path, mutant.line, _FIRST)
    if not first:
        return "not reached"
    try:
        path.write_text(broken)
        for tests in filter(None, (first, rest)):
            found = tried(folder, tests, reached)
            if found != "survived":
                return found
        return "survived"
    finally:
        path.write_text(original)


def tried(folder: Path, tests: list[str], reached: Reached) -> str:
    """Whether the tests notice."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    limit = _PATIENCE + _SLOWER * sum(map(reached.seconds, tests))
    try:
        ended = subprocess.run(command, cwd=folder, capture_output=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return "killed (too slow)"
    return "survived" if ended.returncode == 0 else "killed"


def main() -> None:
    """Draw, try, and print."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--sample", type=int, default=300)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--jobs", type=int, default=2)
    asked.add_argument("--again", action="store_true", help="learn anew which test reaches which line")
    asked.add_argument("--only", help="mutants of files whose path has this")
    options = asked.parse_args()
    reached = learned(KEPT / "reached.json", copied, options.again)
    mutants = [one for one in drawn(options.sample, options.seed) if (options.only or "") in one.path]
    found = list(run(mutants, reached, options.jobs))
    report(found)
    kept = [[one.package, one.name, said, changed(one)] for one, said in found]
    (KEPT / "outcomes.json").write_text(json.dumps(kept, indent=1, ensure_ascii=False))


def changed(mutant: Mutant) -> list[str]:
    """The lines that the mutant changes."""
    original = (ROOT / mutant.path).read_text()
    lines = difflib.unified_diff(original.splitlines(), (mutant.code(original) or original).splitlines(), n=0)
    return [line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")]


def run(mutants: list[Mutant], reached: Reached, jobs: int) -> Iterator[tuple[Mutant, str]]:
    """Every mutant with its outcome; as many at a time as there are copies."""
    with tempfile.TemporaryDirectory() as base, ThreadPoolExecutor(jobs) as pool:
        free: Queue[Path] = Queue()
        for number in range(jobs):
            free.put(copied(Path(base, str(number))))

        def one(mutant: Mutant) -> tuple[Mutant, str]:
            folder = free.get()
            try:
                return mutant, outcome(folder, mutant, reached)
            finally:
                free.put(folder)

        for number, (mutant, said) in enumerate(pool.map(one, mutants), start=1):
            print(f"{number:4} of {len(mutants)}  {said:18} {mutant.name}", flush=True)
            if not said.startswith("killed"):
                print("", *changed(mutant), sep="\n       ", flush=True)
            yield mutant, said


def report(found: list[tuple[Mutant, str]]) -> None:
    """Counts per package."""
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for mutant, said in found:
        counts[mutant.package][said.partition(" (")[0]] += 1
    for package, sums in counts.items():
        tried_ = sum(number for said, number in sums.items() if said != "no mutant")
        print(f"{package}: {sums['killed']} of {tried_} killed ({sums['killed'] / max(tried_, 1):.1%}), {dict(sums)}")


if __name__ == "__main__":
    main()
