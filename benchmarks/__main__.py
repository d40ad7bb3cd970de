"""Command line of the benchmarks; see ``python -m benchmarks --help``."""

import argparse
import os
import platform
import time

from threadpoolctl import threadpool_limits

from benchmarks import (
    accounting,
    calibration,
    dependence,
    epsilon_star,
    epsilon_star_bound,
    gaussian_membership,
    many_runs,
    neighbours,
    one_run,
    reach,
    reconstruction,
    relaxed,
    relaxed_validity,
    slider,
    start,
    training,
)
from pages.server import memory

SECTIONS = {
    "reach": ("What is to be reached", reach.reached),
    "curve": ("Certified trade-off curve, 1,000 points", accounting.curves),
    "epsilon": ("Epsilon at delta", accounting.epsilons),
    "calibration": ("Noise for a target (Gaussian, rate 0.01, 1,000 steps)", calibration.contests),
    "epsilon-star": ("Epsilon* of a file of 1 million losses, beside Arrow's read of it", epsilon_star.million_rows),
    "epsilon-star-resampled": ("1,000 replicates of 1 million losses", epsilon_star_bound.resampled),
    "dependence": ("False alarms of the lower bound where rows belong together", dependence.false_alarms),
    "epsilon-star-10-million": ("Lower confidence bound of 10 million losses", epsilon_star_bound.ten_million),
    "gaussian-membership": ("Paper 004: Table 5 and curves of 1,000 points", gaussian_membership.timings),
    "many-runs": ("Claims refuted by many runs: true ones, and violated ones", many_runs.refutations),
    "attack-scores": ("Wrong statements on the scores of an attack on one model", many_runs.coverage),
    "several": ("Several null slices or epochs that show something", many_runs.families),
    "one-run": ("False refutations of true claims by one run with canaries", one_run.false_refutations),
    "one-run-detection": ("Violated claims refuted by one run with 2,000 canaries", one_run.detection),
    "reconstruction": ("Reconstruction", reconstruction.curves),
    "relaxed": ("Relaxed threat model", relaxed.curves),
    "relaxed-validity": ("Relaxed guarantee of 100 random releases a round", relaxed_validity.violations),
    "slider": ("A move of a slider in the browser, beside a bare Streamlit page", slider.slides),
    "start": ("Start, and the first page in a new browser, beside an empty Streamlit page", start.start_up),
    "neighbours": ("A slider beside other visitors' long computations", neighbours.blocked),
    "training": ("Real training", training.sweeps),
}


def main() -> None:
    """Run the chosen sections and print their tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--only", nargs="+", choices=SECTIONS, default=list(SECTIONS), help="default: all (ten minutes)"
    )
    parser.add_argument("--rounds", type=int, default=5, help="interleaved rounds of which the median is shown")
    chosen = parser.parse_args()
    # As in the server; peers gain from it as well.
    memory.hold()
    threadpool_limits(1)
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores.")
    print(f"Medians of {chosen.rounds} interleaved rounds; ratios are our time as a fraction of the peer's.")
    for name in chosen.only:
        title, run = SECTIONS[name]
        start = time.perf_counter()
        print(f"\n{title}\n{run(chosen.rounds)}\n({time.perf_counter() - start:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
