"""The shipped tables of figures are what data/README.md says, and their first rows what the scripts make."""

import hashlib
from itertools import islice

import numpy as np
import pytest

from data import make_paper_001
from numerics import shipped
from tests import ROOT

README = (ROOT / "data" / "README.md").read_text(encoding="utf-8")
NAMES = (
    "hypothetical_epsilons",
    "paper_003_fig_1",
    "paper_004_fig_2c",
    "paper_004_fig_6",
    *(f"paper_001_{name}" for name in make_paper_001.TABLES),
)


@pytest.mark.parametrize("name", NAMES)
def test_hash_stated_in_the_readme(name):
    data = (shipped.DATA / f"{name}.csv").read_bytes()
    assert f"{hashlib.sha256(data).hexdigest()}  {name}.csv" in README
    assert len(data) < 50_000


def number(name, column, **where):
    """The cells of a column in all rows with these other cells."""
    rows = [row for row in shipped.rows(f"paper_001_{name}") if all(row[key] == value for key, value in where.items())]
    return np.array([float(row[column]) for row in rows])


def same(found, held):
    """Whether numbers agree to six digits, and text is equal."""
    for value, cell in zip(found, held.values(), strict=True):
        if isinstance(value, float):
            assert value == pytest.approx(float(cell), rel=1e-5, abs=1e-9)
        else:
            assert str(value) == cell


@pytest.mark.parametrize(("name", "rows"), [("fig_2", 10), ("fig_6", 40), ("epsilon_bar", 40)])
def test_first_rows_are_made_anew(name, rows):
    held = shipped.rows(f"paper_001_{name}")
    for found, row in zip(islice(make_paper_001.TABLES[name][0](), rows), held[:rows], strict=True):
        same(found, row)


def test_samples_of_a_thousand_are_made_anew():
    held = [row for row in shipped.rows("paper_001_fig_5") if row["size"] == "1000"]
    for found, row in zip(make_paper_001.fig_5(sizes=(1000,)), held, strict=True):
        same(found, row)


def test_fig_5_what_the_paper_finds_and_what_it_does_not():
    for size in ("1000", "10000", "100000"):
        counted = number("fig_5", "mean", size=size, estimate="counted, cut at 0.001")
        fitted = number("fig_5", "mean", size=size, estimate="normal fits, cut at δ")
        bound = number("fig_5", "mean", size=size, estimate="lower bound, 95 %")
        exact = number("fig_5", "exact", size=size, estimate="lower bound, 95 %")
        assert fitted[0] < counted[0]  # nothing to find: the fits overshoot less
        assert np.all(counted[1:] < fitted[1:])  # something to find: the counts undershoot more
        assert np.all(fitted[2:] < exact[2:] - 4.0)  # and both miss the exact value by far (correction 23)
        assert np.all(bound <= exact)
    assert np.all(np.diff(number("fig_5", "mean", distance="0", estimate="counted, cut at 0.001")) < 0.0)


def test_fig_2_little_to_find_by_any_strategy():
    """Printed for Adult: all below 0.3. The fits' own noise is about 0.3 with 1,198 losses."""
    assert np.mean(number("fig_2", "as_printed")) < 0.5
    assert np.all(number("fig_2", "at_least") < 0.1)
    accuracy = {name: number("fig_2", "accuracy", strategy=name).mean() for name in ("1 epochs", "50 epochs")}
    assert accuracy["1 epochs"] < accuracy["50 epochs"] - 0.1


def test_fig_6_has_a_thousand_losses_and_both_models():
    for model in ("without DP-SGD", "with DP-SGD"):
        found = number("fig_6", "p_value", model=model)
        assert found.shape == (200,)
        assert np.mean(found > 0.05) > 0.5
    assert max(number("fig_6", "size")) == 1000


def test_epsilon_bar_is_below_theorem_2_and_the_promises():
    for promise in ("", "1", "3", "10"):
        (value,) = set(number("epsilon_bar", "epsilon_bar", promise=promise))
        (limit,) = set(number("epsilon_bar", "log_mean_exp", promise=promise))
        each = number("epsilon_bar", "each", promise=promise)
        assert 0.0 < value < limit < each.max()
        assert limit == pytest.approx(np.log(np.mean(np.exp(each))), rel=1e-5)
        assert not promise or value < float(promise)


def test_a_table_is_read_as_it_was_written():
    text = shipped.document(("a", "b"), [(1, 0.1), ("x", 1e-30)], {"what": "a test"})
    assert text == "# what: a test\na,b\n1,0.1\nx,1e-30\n"
    with pytest.raises(FileNotFoundError):
        shipped.rows("no such table")
