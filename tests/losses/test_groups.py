"""Two groups of losses: from one file or two, sorted and left alone; and the samples that are shipped."""

import subprocess
import sys

import numpy as np
import pytest

from losses import SAMPLES, Sample, join, one_column, read_table
from numerics.epsilon_star import EMPIRICAL_CLIP, Method, estimate
from tests import ROOT
from tests.loss_files import FRESH, TRAIN, check_both, one


def test_two_files_and_the_table_is_left_alone() -> None:
    table = read_table(one().encode())
    before = table.number("loss").values.copy()
    check_both(join(one_column(table, "loss"), one_column(read_table(one(FRESH).encode()), "loss")))
    assert np.array_equal(table.number("loss").values, before)
    assert np.array_equal(before, TRAIN)


def test_groups_in_sorted_files_are_both_seen() -> None:
    rows = [f"{row / 7:.6f},train" for row in range(60_000)] + [f"{row / 5:.6f},test" for row in range(60_000)]
    table = read_table(("loss,split\n" + "\n".join(rows)).encode())
    assert table.label("split").counts == {"train": 60_000, "test": 60_000}


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_samples(sample: Sample) -> None:
    found = sample.groups()
    assert (len(found.train), len(found.population)) == (898, 899)


def test_the_overfitted_model_shows_its_members() -> None:
    overfitted, regularised = (
        estimate(found.train, found.population, method=Method.EMPIRICAL, clip=EMPIRICAL_CLIP).value
        for found in (sample.groups() for sample in SAMPLES)
    )
    assert overfitted > regularised + 1.0


def test_reading_needs_neither_streamlit_nor_plotly() -> None:
    code = "import losses, sys; assert not {'streamlit', 'plotly'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
