"""How often the bound shows something where there is nothing to find, with rows that are no independent evidence."""

import numpy as np

from benchmarks.timing import table
from losses import Groups
from losses.groups import counted_once, drawn
from numerics.epsilon_star import lower_bound
from numerics.epsilon_star.confidence import Ascending
from numerics.trade_off import Floats

_RUNS = 80  # times the rounds
_DELTA = 1e-5
_PERSONS = 100
_ROWS = 10


def false_alarms(rounds: int) -> str:
    """Table over correlations and copies: share of runs with a bound above 0, at most 5 % where it is valid."""
    runs = _RUNS * rounds
    header = ["rows", "runs", "all rows", "what counts"]
    cells = [[f"{_PERSONS} persons x {_ROWS}, correlation {one:g}", *_persons(one, runs)] for one in (0.3, 0.9, 1.0)]
    cells.append([f"300 losses x {_ROWS} copies", *_copies(runs)])
    return table(header, cells)


def _persons(correlation: float, runs: int) -> list[str]:
    """One law for both groups, the rows of a person alike."""
    whose = np.repeat(np.arange(_PERSONS), _ROWS)
    found = []
    for run in range(runs):
        rng = np.random.default_rng(run)
        rows = [
            np.sqrt(correlation) * rng.normal(size=_PERSONS)[whose] + np.sqrt(1.0 - correlation) * rng.normal(size=1000)
            for _ in range(2)
        ]
        groups = drawn((rows[0], rows[1]), (whose, whose + _PERSONS), "person")
        pooled = (np.sort(rows[0]), np.sort(rows[1]))
        found.append([_shows(pooled), _shows((groups.train, groups.population))])
    return [str(runs), *(f"{100.0 * share:.1f} %" for share in np.mean(found, axis=0))]


def _copies(runs: int) -> list[str]:
    found = []
    for run in range(runs):
        rng = np.random.default_rng(run)
        train, population = (np.repeat(np.sort(rng.gamma(2.0, size=300)), _ROWS) for _ in range(2))
        groups = counted_once(Groups(train, population))
        found.append([_shows((train, population)), _shows((groups.train, groups.population))])
    return [str(runs), *(f"{100.0 * share:.1f} %" for share in np.mean(found, axis=0))]


def _shows(groups: tuple[Floats, Floats]) -> bool:
    train, population = map(Ascending, groups)
    return lower_bound(train, population, _DELTA).value > 0.0
