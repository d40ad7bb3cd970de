"""What is shipped in ``data/`` is what data/README.md says, and what the scripts there make; docs are made of it."""

import csv
import gzip
import hashlib
import io
import re
from itertools import islice

import numpy as np
import pytest
from sklearn.datasets import load_digits

from data import make_losses, make_paper_001
from data.make_canaries import CLAIM, Implementation, run
from docs.make_licences import kind, locked, page
from losses import SAMPLES, Sample
from numerics import shipped
from numerics.audits import Decision, ReleaseClaim
from numerics.audits.one_run import Canaries, audit
from tests import ROOT

DATA = ROOT / "data"
README = (DATA / "README.md").read_text(encoding="utf-8")
TRAINED, FRESH = 898, 899
UNSURE = 0.15  # the regularised model is often right with less than half of the probability
LARGEST = 1_000_000  # bytes; they travel with every clone
WRITTEN = 1e-5  # relative: six digits are written
STATED = dict(re.findall(r"([0-9a-f]{64})  (\S+)", README))

samples = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)


@pytest.mark.parametrize("name", sorted(STATED.values()))
def test_hash_stated_in_the_readme(name: str) -> None:
    content = (DATA / name).read_bytes()
    assert STATED[hashlib.sha256(content).hexdigest()] == name
    assert len(content) < LARGEST


def test_all_that_is_shipped_has_a_hash() -> None:
    files = {path.name for end in ("gz", "npz") for path in DATA.glob(f"*.{end}")}
    files |= {f"{made}.csv" for made in Implementation} | {f"paper_001_{name}.csv" for name in make_paper_001.TABLES}
    assert files <= set(STATED.values())
    assert {path.name for path in DATA.glob("*.gz")} == {sample.file for sample in SAMPLES}


def test_losses_are_what_mathematics_says() -> None:
    """Against -(log f - log(1 - f)) where float64 can say it directly, and at probabilities it cannot subtract."""
    rows = np.array([[0.2, 0.3, 0.5], [1e-12, 1 - 1e-12, 0.0], [0.0, 0.0, 1.0]])
    found, cut = make_losses.losses(rows, np.array([2, 1, 2]))
    np.testing.assert_allclose(found, [0.0, np.log(1e-12), np.log(1e-15)], rtol=1e-12, atol=1e-15)
    assert cut == 1


@samples
def test_a_sample_holds_the_losses_and_the_accuracy_that_are_stated(sample: Sample) -> None:
    """Read without any code of this project; no name and no time stamp is in the archive."""
    content = (DATA / sample.file).read_bytes()
    assert content[3:8] == bytes(5)
    header, *rows = csv.reader(io.StringIO(gzip.decompress(content).decode()))
    assert header == ["loss", "member"]
    assert [member for _, member in rows] == ["1"] * TRAINED + ["0"] * FRESH
    losses, groups = np.array([float(loss) for loss, _ in rows]), sample.groups()
    assert np.array_equal(groups.train, np.sort(losses[:TRAINED]))
    assert np.array_equal(groups.population, np.sort(losses[TRAINED:]))
    stated = re.search(rf"`{re.escape(sample.file)}` .* \| ([\d.]+) / ([\d.]+) \|", README)
    assert stated is not None
    for found, accuracy in zip((groups.train, groups.population), map(float, stated.groups()), strict=True):
        sure = float(np.mean(found < 0.0))  # of ten classes: right for certain
        assert sure <= accuracy + 5e-5
        assert accuracy - sure < UNSURE


def test_images_are_the_digits_that_readme_describes() -> None:
    """Against scikit-learn's own copy, from which they were written."""
    images, labels = load_digits(return_X_y=True)
    with np.load(DATA / "digits_images.npz") as file:
        assert np.array_equal(file["images"], images)
        assert np.array_equal(file["labels"], labels)


@pytest.mark.parametrize("made", Implementation)
def test_canaries_are_made_anew_and_only_the_kept_promise_is_not_refuted(made: Implementation) -> None:
    score, included, accuracy = run(made)
    held_score, held_included = np.loadtxt(DATA / f"{made}.csv", delimiter=",", skiprows=1, unpack=True)
    assert np.array_equal(included, held_included == 1.0)
    np.testing.assert_allclose(score, held_score, rtol=WRITTEN, atol=1e-6)
    stated = re.search(rf"`{made}\.csv` .* \| ([\d.]+) \|", README)
    assert stated is not None
    assert accuracy == pytest.approx(float(stated[1]), abs=2e-3)  # another machine's rounding moves a record or two
    found = audit(Canaries(held_score, held_included == 1.0).guesses(), ReleaseClaim(CLAIM))
    assert found.decision is (Decision.NOT_REFUTED if made is Implementation.RIGHT else Decision.REFUTED)
    assert made is Implementation.RIGHT or found.p_value < 1e-6
    said = f"Gaussian noise of {CLAIM.noise_multiplier:g} clip, rate {CLAIM.sampling_rate:g}, {CLAIM.steps:,} steps"
    assert said in " ".join(README.split())


@pytest.mark.parametrize(("name", "rows"), [("fig_2", 10), ("fig_6", 12), ("epsilon_bar", 8)])
def test_first_rows_of_paper_001_are_made_anew(name: str, rows: int) -> None:
    held = shipped.rows(f"paper_001_{name}")[:rows]
    for found, row in zip(islice(make_paper_001.TABLES[name][0](), rows), held, strict=True):
        for value, cell in zip(found, row.values(), strict=True):
            assert str(value) == cell or value == pytest.approx(float(cell), rel=1e-5, abs=1e-9)


def number(name: str, column: str, **where: str) -> np.ndarray:
    """The cells of a column in all rows with these other cells."""
    rows = [row for row in shipped.rows(f"paper_001_{name}") if all(row[key] == value for key, value in where.items())]
    return np.array([float(row[column]) for row in rows])


@pytest.mark.parametrize("size", ["1000", "10000", "100000"])
def test_fig_5_what_the_paper_finds_and_what_it_does_not(size: str) -> None:
    counted = number("fig_5", "mean", size=size, estimate="counted, cut at 0.001")
    fitted = number("fig_5", "mean", size=size, estimate="normal fits, cut at δ")
    exact = number("fig_5", "exact", size=size, estimate="lower bound, 95 %")
    assert fitted[0] < counted[0]  # nothing to find: the fits overshoot less
    assert np.all(counted[1:] < fitted[1:])  # something to find: the counts undershoot more
    assert np.all(fitted[2:] < exact[2:] - 4.0)  # and both miss the exact value by far (correction 23)
    assert np.all(number("fig_5", "mean", size=size, estimate="lower bound, 95 %") <= exact)


def test_fig_2_and_6_have_what_is_said_of_them() -> None:
    """Printed for Adult: all below 0.3. The fits' own noise is about 0.3 with 1,198 losses."""
    assert np.mean(number("fig_2", "as_printed")) < 0.5
    assert np.all(number("fig_2", "at_least") < 0.1)
    accuracy = {name: number("fig_2", "accuracy", strategy=name).mean() for name in ("1 epochs", "50 epochs")}
    assert accuracy["1 epochs"] < accuracy["50 epochs"] - 0.1
    for model in ("without DP-SGD", "with DP-SGD"):
        assert np.mean(number("fig_6", "p_value", model=model) > 0.05) > 0.5
    assert max(number("fig_6", "size")) == 1000


def test_epsilon_bar_is_below_theorem_2_and_the_promises() -> None:
    for promise in ("", "1", "3", "10"):
        (value,) = set(number("epsilon_bar", "epsilon_bar", promise=promise))
        (limit,) = set(number("epsilon_bar", "log_mean_exp", promise=promise))
        each = number("epsilon_bar", "each", promise=promise)
        assert 0.0 < value < limit < each.max()
        assert limit == pytest.approx(np.log(np.mean(np.exp(each))), rel=1e-5)
        assert not promise or value < float(promise)


def test_licences_are_those_that_the_locked_packages_state() -> None:
    """A licence that nobody looked at is refused."""
    assert page() == (ROOT / "docs" / "licences.md").read_text()
    assert locked()
    for unknown in ("GPL-3.0-only", "MIT AND AGPL-3.0-only", "UNKNOWN"):
        with pytest.raises(ValueError, match="must be a known one"):
            kind(unknown)
