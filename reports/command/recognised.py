"""What files are where nobody said it: their kind of evidence, and which of them hold which group, as on the page."""

import argparse
import os
from contextlib import nullcontext
from pathlib import Path

from losses.errors import TooLargeError, listed, quoted
from losses.instances import pairs, refusals_of, stem
from losses.recognise_evidence import fitting
from losses.several_files import holds_both_groups
from losses.training_labels import says_trained
from losses.warehouse.engines import files_of
from reports.command import reading
from reports.command.arguments import KINDS, LOSSES, PREDICTIONS, option_against


def note_kind(chosen: argparse.Namespace) -> None:
    """Note the kind of evidence, where nothing was said, by the columns of the first file.

    Losses are what is usual: of tables of an engine, of files too large to be looked at, and where names tell nothing.

    Raises:
        ValueError: the columns fit two kinds, or options do not go with the kind.
        TableError: it is no table, or no evidence.
    """
    if chosen.evidence is not None or not _are_files(chosen):
        return
    path, *others = [path for source in chosen.sources for path in files_of(source)]
    try:
        with refusals_of(path.name) if others else nullcontext():
            found = fitting(reading.keep(chosen, path))
    except TooLargeError:
        return
    kinds = [name for name, kind in KINDS.items() if kind in found]
    what = f"the columns of {quoted(path.name)} are those of {' and of '.join(kinds)}"
    if len(kinds) > 1 and chosen.loss is None:
        raise ValueError(f"{what}. Say which they are: {' or '.join(f'--evidence {kind}' for kind in kinds)}.")
    kind = next(iter(kinds), LOSSES)
    if kind == LOSSES:
        return
    if (against := option_against(chosen, kind)) is not None:
        option, (other, *_) = against
        how = f"Say what they are: --evidence {kind} or --evidence {other}."
        raise ValueError(f"{what}, with which {option} does not go. {how}")
    chosen.evidence = kind
    chosen.told = f"Read as {kind}, as columns are named so; --evidence says otherwise."


def note_groups(chosen: argparse.Namespace) -> None:
    """Note which of several files hold training data and which fresh data, where their names say it and no column does.

    Each pair is a model. Raises TableError where a file has no partner, or is no table.
    """
    said = (chosen.population, chosen.membership, chosen.member, chosen.model_column, chosen.slice)
    if any(said) or chosen.evidence not in (None, LOSSES, PREDICTIONS) or not _are_files(chosen):
        return
    paths = [path for source in chosen.sources for path in files_of(source)]
    common = Path(os.path.commonpath([path.absolute().parent for path in paths]))
    names = {path.absolute().relative_to(common).as_posix(): path for path in paths}
    if len(names) < 2 or any("=" in name or says_trained(stem(name), is_cell=True) is None for name in names):
        return
    for path in paths:
        with refusals_of(path.name):
            if holds_both_groups(reading.keep(chosen, path)):
                return
    found = pairs(names).values()
    chosen.sources = [str(names[train]) for train, _ in found]
    chosen.population = [str(names[fresh]) for _, fresh in found]
    trained = listed([Path(source).name for source in chosen.sources])
    chosen.told = f"{chosen.told} Training data are in {trained}, as the names of the files say.".strip()


def _are_files(chosen: argparse.Namespace) -> bool:
    """Whether all that was named are files that can be looked at."""
    return chosen.engine is None and all(map(reading.is_readable, chosen.sources))
