"""Command line of the benchmarks; see ``python -m benchmarks --help``."""

import argparse
import os
import platform
import time

from threadpoolctl import threadpool_limits

from benchmarks import peers, slider, start, validity
from pages.server import memory

SECTIONS = {
    "curve": ("Certified trade-off curve, 1,000 points", peers.curves),
    "peers": ("What other tools answer", peers.compared),
    "slider": ("A move of a slider in the browser, beside a bare Streamlit page", slider.slides),
    "start": ("Start, and the first page in a new browser, beside a bare Streamlit page", start.start_up),
    "validity": ("How often audits say what is not so", validity.rates),
}


def main() -> None:
    """Run the chosen sections and print their tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--only", nargs="+", choices=SECTIONS, default=list(SECTIONS), help="default: all (twenty minutes)"
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
