"""Privacy mechanisms: one file each, with its noise, its trade-off functions, its formulas and its words.

``analysis`` has the questions and ``base`` what else all share; ``noise`` says what a file has to say,
``location`` what it may say, and has the closed form of one sampled release; ``composition`` has several phases. A new
file is found by itself; nothing else names it.
"""

from importlib import import_module
from pkgutil import iter_modules

from numerics.mechanisms.base import (
    LARGEST_NOISE,
    LARGEST_PHASES,
    LARGEST_RECORDS,
    LARGEST_STEPS,
    SMALLEST_NOISE,
    Composition,
    Mechanism,
    SampledMechanism,
)
from numerics.mechanisms.gaussian import Gaussian
from numerics.mechanisms.laplace import Laplace
from numerics.sampling import Adjacency, Sampling


def _of_this_package() -> tuple[type[SampledMechanism], ...]:
    files = [import_module(f"{__name__}.{file.name}") for file in iter_modules(__path__)]
    members = [(file.__name__, each) for file in files for each in vars(file).values() if isinstance(each, type)]
    return tuple(
        each
        for file, each in members
        if issubclass(each, SampledMechanism) and each.__module__ == file and hasattr(each, "name")
    )


MECHANISMS = _of_this_package()
"""The kinds of mechanisms there are, in the order of their files."""
globals().update({kind.__name__: kind for kind in MECHANISMS})  # each can be imported from here
