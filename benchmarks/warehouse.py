"""Epsilon* of a table larger than the memory it may use, in DuckDB; run ``python -m benchmarks.warehouse --help``.

Made of: 100 million rows of Parquet (some 0.9 GB), audited by the command in a process of its own. Shown: time, peak of
memory, and the difference to the estimates with all losses in this process's memory (some 4 GB for 100 million rows).
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from numerics.epsilon_star import EMPIRICAL_CLIP, LossScale, Method, default_delta, estimate
from numerics.trade_off import Floats

ROOT = Path(__file__).parents[1]
_PART = 5_000_000  # rows made at a time
_METHODS = {"parametric": Method.PARAMETRIC, "empirical": Method.EMPIRICAL, "confidence": Method.CONFIDENCE}


def main() -> None:
    """Make the table, audit it, and compare."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.warehouse", description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000_000)
    parser.add_argument("--memory", default="2GB", help="limit given to DuckDB")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where the table is made; default: a temporary folder")
    parser.add_argument("--no-comparison", action="store_true", help="skip the estimates in memory")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        size = _write(Path(folder), chosen.rows)
        print(f"{chosen.rows:,} rows, {size / 1e9:.2f} GB of Parquet; limit {chosen.memory}, {chosen.threads} threads.")
        found = _audited(folder, chosen.memory, chosen.threads)
        if not chosen.no_comparison:
            _compare(Path(folder), found)


def _write(folder: Path, rows: int) -> int:
    """Losses of two Gamma laws, members and outsiders in random order; returns bytes."""
    for number, start in enumerate(range(0, rows, _PART)):
        rng = np.random.default_rng(number)
        member = rng.integers(0, 2, min(_PART, rows - start), dtype=np.int8)
        table = pa.table({"loss": rng.gamma(2.0 - 0.02 * member), "member": member})
        parquet.write_table(table, folder / f"part-{number:04}.parquet")
    return sum(file.stat().st_size for file in folder.iterdir())


def _audited(folder: str, memory: str, threads: int) -> dict[str, dict[str, float]]:
    """Run the command, print what it took, and return its estimates."""
    command = [
        sys.executable,
        "-m",
        "losses",
        "audit",
        folder,
        "--method",
        "all",
        "--clip",
        "paper",
        "--unit",
        "nats",
        "--json",
    ]
    start = time.perf_counter()
    run = subprocess.run(
        [*command, "--memory", memory, "--threads", str(threads)], cwd=ROOT, check=True, capture_output=True, text=True
    )
    seconds = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = json.loads(run.stdout)["numbers"]
    processor, peak = used.ru_utime + used.ru_stime, 1024 * used.ru_maxrss
    print(
        f"{seconds:.1f} s ({processor:.1f} s of processors), peak memory {peak / 1e9:.2f} GB, {found['passes']} passes."
    )
    print(found["engine"], flush=True)
    estimates: dict[str, dict[str, float]] = found["estimates"]
    return estimates


def _compare(folder: Path, found: dict[str, dict[str, float]]) -> None:
    start = time.perf_counter()
    groups = [_group(folder, member) for member in (1, 0)]
    delta = default_delta(len(groups[0]))
    for name, method in _METHODS.items():
        clip = {Method.PARAMETRIC: delta, Method.EMPIRICAL: EMPIRICAL_CLIP}.get(method)
        value = estimate(groups[0], groups[1], delta, method, clip, scale=LossScale.NATS).value
        print(f"{name}: {found[name]['value']:.12g}, in memory {value:.12g}, off by {found[name]['value'] - value:.1e}")
    print(f"In memory it took {time.perf_counter() - start:.1f} s.")


def _group(folder: Path, member: int) -> Floats:
    """The losses of one group, ascending."""
    parts = []
    for file in sorted(folder.iterdir()):
        table = parquet.read_table(file)
        loss: Floats = table["loss"].to_numpy()
        parts.append(loss[table["member"].to_numpy() == member])
    losses = np.concatenate(parts)
    losses.sort()
    return losses


if __name__ == "__main__":
    main()
