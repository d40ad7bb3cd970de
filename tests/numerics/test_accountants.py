"""Objects of other accountants, here plain ones with their attributes, are the releases they are, or are refused."""

import tomllib
from enum import Enum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from numerics.mechanisms import Adjacency, Gaussian, Laplace, Sampling
from numerics.release_file import ReleaseFile
from privacy_trade_offs import release_of


class Said(Enum):
    FIXED_BATCH_SIZE, REPLACE_ONE = 1, 2


def of(name: str, **attributes: object) -> Any:
    return type(name, (SimpleNamespace,), {})(**attributes)


ROWS = tomllib.loads(Path(__file__).with_name("accountants.toml").read_text())
RUN, OPACUS = Gaussian(1.1, 0.01, 2000), of("RDPAccountant", history=[(np.float64(1.1), 0.01, np.int64(2000))])
FILE, REPLACE = ReleaseFile((RUN,), 1e-5, 6000), Adjacency.REPLACE_ONE
STEP = of("PoissonSampledDpEvent", sampling_probability=0.01, event=of("GaussianDpEvent", noise_multiplier=1.1))
BOTH = of("ComposedDpEvent", events=[STEP, of("LaplaceDpEvent", noise_multiplier=2)])
PARAMS = {"noise_multipliers": 1.1, "num_samples": 6000, "batch_size": 60, "delta": 1e-5, "cycle_length": None}
NAMES = globals() | {"Laplace": Laplace, "Sampling": Sampling}


@pytest.mark.parametrize(("stated", "said", "same"), ROWS["same"])
def test_objects_are_the_releases_they_are(stated: str, said: str, same: str) -> None:
    assert release_of(eval(stated), **eval(said)).text == eval(same, NAMES).text


@pytest.mark.parametrize(("stated", "said", "why"), ROWS["refused"])
def test_what_is_no_release_is_refused_by_name(stated: str, said: str, why: str) -> None:
    with pytest.raises((TypeError, ValueError), match=why):
        release_of(eval(stated), **eval(said))
