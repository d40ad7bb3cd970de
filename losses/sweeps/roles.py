"""Which column of a sweep holds what: said by a person, or guessed from names and cells."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from losses.errors import TableError, quoted
from losses.table import LossTable
from numerics.pareto import Better

# Columns of a sweep as codes: which rows are alike in some of them.


MOST_STRATEGIES = 30_000

Rows = NDArray[np.intp]


def paired(codes: Rows, others: Rows) -> Rows:
    """Codes of the pairs, numbered in the order they come."""
    return _in_order(codes * (int(others.max()) + 2) + others + 1)[0]


def _in_order(values: NDArray[Any]) -> tuple[Rows, NDArray[Any]]:
    """Codes (n,) of the different values, numbered in the order they come, and those; -1 for what is not a number."""
    encoded = pa.array(values + 0, from_pandas=True).dictionary_encode()  # -0.0 is 0.0
    return encoded.indices.fill_null(-1).to_numpy().astype(np.intp), encoded.dictionary.to_numpy()


def codes_of(table: LossTable, name: str) -> tuple[Rows, list[str]]:
    """A column as codes (n,) into its different cells as text; -1 for a blank one.

    Raises TableError for a column of words with more than ``MOST_STRATEGIES`` different ones.
    """
    column = next((one for one in table.labels if one.name == name), None)
    if column is None:
        codes, different = _in_order(table.number(name).values)
        return codes, [str(int(value)) if value % 1 == 0 else f"{value:.12g}" for value in different]
    if len(column.labels) > MOST_STRATEGIES:
        what = f"The column {quoted(name)} has more than {MOST_STRATEGIES:,} different cells."
        raise TableError(what, "Choose another column for strategies or hyperparameters.")
    return column.codes.astype(np.intp), list(column.labels)


def repeats(codes: Rows, runs: Rows) -> NDArray[np.bool_]:
    """Which rows (n,) are the same run, of those that have a number, as an earlier row with the same code."""
    pairs = paired(codes, runs)
    again = np.ones(len(pairs), dtype=bool)
    again[np.unique(pairs, return_index=True)[1]] = False
    found: NDArray[np.bool_] = again & (runs >= 0)
    return found


_FEW = 20  # rows of which a column of numbers may all differ and still be a hyperparameter

_STRATEGY = re.compile(r"strategy|mitigation|defen[cs]e|method", re.IGNORECASE)
_MODEL = re.compile(r"model|config|setting|algorithm|mechanism|name", re.IGNORECASE)
_RUN = re.compile(r"(^|[^a-z])(run|seed|repeat|repetition|trial|fold|replicate|instance)([^a-z]|$)", re.IGNORECASE)
_UTILITY = re.compile(
    r"utility|accura|(^|[^a-z])acc([^a-z]|$)|au(ro)?c|f1|recall|precision|r2|bleu|reward", re.IGNORECASE
)
_ERROR = re.compile(r"loss|error|(^|[^a-z])(mse|rmse|mae|perplexity|regret)([^a-z]|$)", re.IGNORECASE)
_MEASURED = re.compile(
    r"eps\w*.?(\*|star|hat|emp|audit)|advantage|tpr|attack|leak|privacy|expos|member|inference|(^|[^a-z])mia", re.I
)
_OF_A_RECORD = re.compile(r"(lira|mia|attack|member(ship)?|inference).?scores?([^a-z]|$)", re.IGNORECASE)
_PROMISED = re.compile(r"eps|(^|[^a-z])(mu|eta|rho)([^a-z]|$)", re.IGNORECASE)
_SPREAD = re.compile(r"(^|[^a-z])(sd|std|stdev|stderr|se|sem|spread|deviation)([^a-z]|$)|±|\+/-", re.IGNORECASE)
_MORE_IS_PRIVATE = re.compile(r"^privacy$|noise|sigma|fnr", re.IGNORECASE)


@dataclass(frozen=True)
class SweepRoles:
    """Which columns hold what.

    Attributes:
        utility: numbers that say how good a model is.
        privacy: numbers that say how private it is, or how far from it.
        strategy: what names the strategies; None where their hyperparameters tell them apart.
        each_row: whether every row is a strategy of its own.
        run: what tells the runs of a strategy apart; only looked at to find runs that occur twice.
        hyperparameters: columns in which all runs of a strategy are alike.
        spread: half the length of the utility's bar in each row; None to take the smallest and the largest of the runs.
        utility_better: which utility is wanted.
        privacy_better: which privacy is wanted.
        levels: whether rows of a strategy whose privacy differs are levels, each with a point of its own; else they are
            runs of one point, whose privacy is their average.
        only: a column and its cell in the rows that are looked at; None for all rows.
    """

    utility: str
    privacy: str
    strategy: str | None = None
    each_row: bool = False
    run: str | None = None
    hyperparameters: tuple[str, ...] = ()
    spread: str | None = None
    utility_better: Better = Better.HIGHER
    privacy_better: Better = Better.LOWER
    levels: bool = False
    only: tuple[str, str] | None = None


def guess_roles(table: LossTable) -> SweepRoles:
    """The roles that names and cells suggest; a person corrects them. The table has two columns of numbers or more."""
    numbers = [column.name for column in table.numbers]
    words = [column.name for column in table.labels]
    run = _first(_RUN, words) or (_first(_RUN, numbers) if len(numbers) > 2 else None)
    spread = _first(_SPREAD, numbers) if len(numbers) > 2 + (run in numbers) else None
    free = [name for name in numbers if name not in (run, spread)]
    measured = _first(_MEASURED, free)
    others = [name for name in free if name != measured]
    utility = _first(_UTILITY, others) or _first(_ERROR, others) or _first(_PROMISED, others, fits=False) or others[0]
    others = [name for name in free if name != utility]
    privacy = measured or _first(_PROMISED, others) or others[0]
    kinds = [name for name in words if name != run] or [name for name in others if name != privacy]
    strategy = _first(_STRATEGY, kinds) or _first(_MODEL, kinds) or (kinds[0] if kinds and kinds[0] in words else None)
    taken = {strategy, run, utility, privacy, spread}
    settings = tuple(name for name in table.layout.names if name not in taken and _is_setting(table, name, run))
    each_row = strategy is None and (run is None or not settings)
    return SweepRoles(
        utility,
        privacy,
        strategy,
        each_row,
        run,
        settings,
        spread,
        guess_better(utility, Better.HIGHER),
        guess_better(privacy, Better.LOWER),
        not each_row and guess_levels(table, privacy, run, (strategy, *settings)),
    )


_NAMED = {
    "utility": (_UTILITY, _ERROR),
    "privacy": (_MEASURED, _PROMISED),
    "spread": (_SPREAD,),
    "strategy": (_STRATEGY, _MODEL),
    "run": (_RUN,),
}


def are_of_a_sweep(names: Iterable[str]) -> bool:
    """Whether columns are named like a utility and like a privacy, measured or promised, of more than one record."""
    named = [name for name in names if not _OF_A_RECORD.search(name)]
    return any(map(_UTILITY.search, named)) and any(_MEASURED.search(one) or _PROMISED.search(one) for one in named)


def why_role(role: str, name: str) -> str:
    """Why a column was guessed to have one of the roles ``utility``, ``privacy``, ``spread``, ``strategy``, ``run``."""
    named = any(pattern.search(name) for pattern in _NAMED[role])
    return "its name says so" if named else "what is left: check it"


def guess_levels(table: LossTable, privacy: str, run: str | None, alike: tuple[str | None, ...]) -> bool:
    """Whether rows that are ``alike`` in these columns, and differ in privacy, are levels rather than runs.

    They are where privacy is a promise, which runs share; where nothing numbers runs; and where a run occurs twice.
    """
    if run is None or not _MEASURED.search(privacy):
        return True
    codes = np.zeros(table.rows, dtype=np.intp)
    try:
        for name in (name for name in alike if name is not None):
            codes = paired(codes, codes_of(table, name)[0])
        return bool(repeats(codes, codes_of(table, run)[0]).any())
    except TableError:
        return False  # too many different cells to be weighed at all


def guess_better(name: str, usual: Better) -> Better:
    """Which end of a column its name suggests; ``usual`` where it says nothing."""
    if usual is Better.HIGHER:
        return Better.LOWER if _ERROR.search(name) and not _UTILITY.search(name) else usual
    return Better.HIGHER if _MORE_IS_PRIVATE.search(name) else usual


def _first(pattern: re.Pattern[str], names: list[str], fits: bool = True) -> str | None:
    """The first of the names that fits the pattern, or that does not."""
    return next((name for name in names if bool(pattern.search(name)) is fits), None)


def _is_setting(table: LossTable, name: str, run: str | None) -> bool:
    """Whether a column may be a hyperparameter: not named like a result, and not different in almost every row.

    Words may be, where there is no column of runs: they name the strategies then.
    """
    if any(pattern.search(name) for pattern in (_UTILITY, _ERROR, _MEASURED, _SPREAD)):
        return False
    numbers = {column.name: column for column in table.numbers}
    words = {column.name: column for column in table.labels}
    if name not in numbers and name not in words:
        return False  # nested, in Parquet
    if name in words and run is None:
        return True
    different = len(np.unique(numbers[name].values)) if name in numbers else len(words[name].labels)
    return different <= max(_FEW, table.rows // 2)
