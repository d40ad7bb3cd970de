"""The shipped samples are what data/README.md says, and what their script writes."""

import csv
import gzip
import hashlib
import io
import re
import subprocess
import sys

import numpy as np
import pytest
from sklearn.datasets import load_digits

from losses import SAMPLES, Sample
from tests import ROOT

README = (ROOT / "data" / "README.md").read_text(encoding="utf-8")
TRAINED, FRESH = 898, 899
UNSURE = 0.15  # the regularised model is often right with less than half of the probability
LARGEST = 50_000  # bytes; samples travel with every clone

samples = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)


def cells(sample: Sample) -> list[list[str]]:
    """The rows without any code of this project."""
    text = gzip.decompress((ROOT / "data" / sample.file).read_bytes()).decode()
    return list(csv.reader(io.StringIO(text)))


@samples
def test_hash_stated_in_the_readme(sample: Sample) -> None:
    data = (ROOT / "data" / sample.file).read_bytes()
    assert f"{hashlib.sha256(data).hexdigest()}  {sample.file}" in README
    assert len(data) < LARGEST


def test_images_are_the_digits_that_readme_describes() -> None:
    """Against scikit-learn's own copy, from which they were written."""
    path = ROOT / "data" / "digits_images.npz"
    assert f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" in README
    assert path.stat().st_size < LARGEST
    images, labels = load_digits(return_X_y=True)
    with np.load(path) as file:
        assert sorted(file) == ["images", "labels"]
        assert file["images"].dtype == file["labels"].dtype == np.uint8
        assert np.array_equal(file["images"], images)
        assert np.array_equal(file["labels"], labels)


def test_no_other_file_is_shipped_and_none_is_missing() -> None:
    shipped = {path.name for path in (ROOT / "data").glob("*.gz")}
    assert shipped == {sample.file for sample in SAMPLES}
    assert shipped == set(re.findall(r"^\| `(.+?\.gz)` \|", README, re.MULTILINE))


@samples
def test_rows_and_columns(sample: Sample) -> None:
    header, *rows = cells(sample)
    assert header == ["loss", "member"]
    assert [member for _, member in rows] == ["1"] * TRAINED + ["0"] * FRESH
    assert f"{len(rows):,} rows" in README


@samples
def test_no_time_stamp_and_no_name_in_the_archive(sample: Sample) -> None:
    head = (ROOT / "data" / sample.file).read_bytes()[:10]
    assert head[3:8] == bytes(5)  # no flags (so no name), time 0


@samples
def test_groups_hold_the_files_losses(sample: Sample) -> None:
    losses = np.array([float(loss) for loss, _ in cells(sample)[1:]])
    groups = sample.groups()
    assert np.array_equal(groups.train, np.sort(losses[:TRAINED]))
    assert np.array_equal(groups.population, np.sort(losses[TRAINED:]))
    assert groups.dropped == 0


@samples
def test_accuracy_stated_in_the_readme(sample: Sample) -> None:
    """With ten classes a loss below 0 means more than half of the probability: right for certain, hence <=."""
    groups = sample.groups()
    stated = re.search(rf"`{re.escape(sample.file)}` .* \| ([\d.]+) / ([\d.]+) \|", README)
    assert stated is not None
    for losses, accuracy in zip((groups.train, groups.population), map(float, stated.groups()), strict=True):
        sure = float(np.mean(losses < 0.0))
        assert sure <= accuracy + 5e-5
        assert accuracy - sure < UNSURE


def test_the_script_measures_what_mathematics_says() -> None:
    """Against -(log f - log(1 - f)) where float64 can say it directly, and at probabilities it cannot subtract."""
    code = (
        "import numpy as np; from data.make_losses import losses\n"
        "rows = np.array([[.2, .3, .5], [1e-12, 1 - 1e-12, 0.], [0., 0., 1.]])\n"
        "print(*losses(rows, np.array([2, 1, 2]))[0], losses(rows, np.array([2, 1, 2]))[1])"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    even, sure, certain, cut = map(float, run.stdout.split())
    assert even == pytest.approx(0.0, abs=1e-15)
    assert sure == pytest.approx(np.log(1e-12), rel=1e-12)
    assert certain == pytest.approx(np.log(1e-15), rel=1e-12)
    assert cut == 1
