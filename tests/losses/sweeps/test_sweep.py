"""Sweeps of strategies: read, guessed, put together; and those that are shipped."""

import gzip
import io
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from losses import Sweep, SweepRoles, TableError, guess_roles, read_sweep, sweep
from losses.sweeps.samples import SWEEPS, SweepSample
from numerics.pareto import Better
from tests import ROOT

README = (ROOT / "data" / "README.md").read_text(encoding="utf-8")
ROUNDING = 1e-12
HEADER = "strategy,run,accuracy,auroc,epsilon_star,epsilon,clip\n"
ROWS = """baseline,1,0.86,0.9,2.4,,
DP-SGD,1,0.70,0.8,0.4,10,1
DP-SGD,2,0.72,0.8,0.6,10,1
baseline,2,0.88,0.9,2.6,,
DP-SGD,1,0.60,0.7,0.2,10,30
"""
TABLE = HEADER + ROWS
ROLES = SweepRoles("accuracy", "epsilon_star", "strategy", run="run", hyperparameters=("epsilon", "clip"))


def of(text: str | bytes, roles: SweepRoles = ROLES, drop: bool = False) -> Sweep:
    return sweep(read_sweep(text if isinstance(text, bytes) else text.encode()), roles, drop)


def test_roles_are_guessed() -> None:
    assert guess_roles(read_sweep(TABLE.encode())) == ROLES


@pytest.mark.parametrize(
    ("header", "row", "expected"),
    [
        ("method,seed,acc,attack_auc", "a,1,0.5,0.6", SweepRoles("acc", "attack_auc", "method", run="seed")),
        ("acc,eps", "0.5,1", SweepRoles("acc", "eps", None, True)),
        ("first,second", "0.5,1", SweepRoles("first", "second", None, True)),
        (
            "third,noise,lambda",  # a promise is taken for the usefulness only where its name is known
            "0.5,1,2",
            SweepRoles("third", "noise", None, True, privacy_better=Better.HIGHER, hyperparameters=("lambda",)),
        ),
        (
            "test loss,noise",
            "0.5,1",
            SweepRoles("test loss", "noise", None, True, utility_better=Better.LOWER, privacy_better=Better.HIGHER),
        ),
        ("run,x", "1,2", SweepRoles("run", "x", None, True)),
        ("model,accuracy,std,tpr", "a,0.5,0.1,0.2", SweepRoles("accuracy", "tpr", "model", spread="std", levels=True)),
        ("seed,lr,accuracy,tpr", "1,0.1,0.5,0.2", SweepRoles("accuracy", "tpr", run="seed", hyperparameters=("lr",))),
        (
            "strategy,name,accuracy,tpr",
            "a,x,0.5,0.2",
            SweepRoles("accuracy", "tpr", "strategy", hyperparameters=("name",), levels=True),
        ),
        ("strategy,seed,accuracy,eps", "a,1,0.5,2", SweepRoles("accuracy", "eps", "strategy", run="seed", levels=True)),
    ],
)
def test_guesses_from_names(header: str, row: str, expected: SweepRoles) -> None:
    assert guess_roles(read_sweep(f"{header}\n{row}\n".encode())) == expected


@pytest.mark.parametrize(("rows", "found"), [(20, ("lr",)), (21, ())])
def test_numbers_that_all_differ_are_hyperparameters_of_few_rows(rows: int, found: tuple[str, ...]) -> None:
    text = "lr,accuracy,tpr\n" + "".join(f"{row}.5,0.5,0.2\n" for row in range(rows))
    assert guess_roles(read_sweep(text.encode())).hyperparameters == found


LEVELS = """strategy,run,accuracy,{privacy}
plain,1,0.90,8
plain,2,0.92,8
DP,1,0.70,1
DP,2,0.72,1
DP,1,0.80,4
DP,2,0.84,4
"""


def test_several_privacy_levels_of_a_strategy_are_not_averaged() -> None:
    """Neither promised ones, which runs share, nor measured ones where a run occurs at each of them."""
    for privacy, apart in (("epsilon", (8.0, 1.0, 4.0)), ("epsilon_star", (8.0, 8.0, 1.0, 1.0, 4.0, 4.0))):
        table = read_sweep(LEVELS.format(privacy=privacy).encode())
        roles = guess_roles(table)
        assert roles.levels
        found = sweep(table, roles)
        assert sorted(found.privacy.mean) == sorted(set(apart))
        assert found.runs.tolist() == [2, 2, 2]
        assert found.utility.mean == pytest.approx([0.91, 0.71, 0.82])
        assert found.names == (f"plain, {privacy} 8", f"DP, {privacy} 1", f"DP, {privacy} 4")
        assert set(found.kinds) == {"plain", "DP"}
        together = sweep(table, replace(roles, levels=False))
        assert together.privacy.mean.tolist() == [8.0, 2.5]


def test_runs_whose_privacy_is_measured_are_averaged_where_their_numbers_say_so() -> None:
    table = read_sweep(b"strategy,run,accuracy,epsilon_star\na,1,0.8,1.0\na,2,0.9,3.0\nb,1,0.7,2.0\n")
    roles = guess_roles(table)
    assert not roles.levels
    assert sweep(table, roles).privacy.mean.tolist() == [2.0, 2.0]


def test_rows_without_numbers_for_runs_are_kept_apart_and_equal_ones_put_together() -> None:
    table = read_sweep(b"strategy,accuracy,epsilon_star\na,0.8,1\na,0.9,3\na,0.7,3\nb,0.7,2\n")
    found = sweep(table, guess_roles(table))
    assert found.privacy.mean.tolist() == [1.0, 3.0, 2.0]
    assert found.runs.tolist() == [1, 2, 1]


def test_long_cells_are_cut_in_names() -> None:
    text = "strategy,acc,eps\n" + "".join(f"{'x' * length},0.5,1\n" for length in (80, 81))
    assert of(text, SweepRoles("acc", "eps", "strategy")).kinds == ("x" * 80, "x" * 79 + "…")


def test_runs_are_put_together() -> None:
    found = of(TABLE)
    assert found.names == ("baseline", "DP-SGD, epsilon 10, clip 1", "DP-SGD, epsilon 10, clip 30")
    assert found.kinds == ("baseline", "DP-SGD", "DP-SGD")
    assert found.settings == {"epsilon": ("", "10", "10"), "clip": ("", "1", "30")}
    assert found.runs.tolist() == [2, 2, 1]
    assert found.first_row.tolist() == [1, 2, 5]
    assert found.utility.mean == pytest.approx([0.87, 0.71, 0.6], rel=ROUNDING)
    assert found.privacy.low.tolist() == [2.4, 0.4, 0.2]
    assert found.privacy.high.tolist() == [2.6, 0.6, 0.2]
    assert (found.dropped, found.repeated) == (0, 0)


def test_the_order_of_rows_does_not_matter() -> None:
    found, backwards = of(TABLE), of(HEADER + "\n".join(ROWS.split("\n")[-2::-1]))
    assert dict(zip(backwards.names, backwards.utility.mean, strict=True)) == pytest.approx(
        dict(zip(found.names, found.utility.mean, strict=True)), rel=ROUNDING
    )


def test_against_pandas_on_a_large_sweep() -> None:
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(
        {
            "strategy": rng.choice(["a", "b", "c"], 4000),
            "clip": rng.choice([0.1, 1.0, np.nan], 4000),
            "accuracy": rng.random(4000),
            "epsilon_star": rng.random(4000),
        }
    )
    found = of(frame.to_csv(index=False), replace(ROLES, run=None, hyperparameters=("clip",)))
    groups = frame.groupby(["strategy", "clip"], dropna=False, sort=False)
    assert found.utility.mean == pytest.approx(groups["accuracy"].mean().to_numpy(), rel=1e-9)
    assert found.privacy.high.tolist() == groups["epsilon_star"].max().tolist()
    assert found.runs.tolist() == groups.size().tolist()


def test_without_strategies_or_runs() -> None:
    each = of("acc,eps\n0.5,1\n0.5,1\n", SweepRoles("acc", "eps", each_row=True))
    assert each.names == ("row 1", "row 2")
    together = of("lr,acc,eps\n1,0.5,1\n1,0.7,1\n2,0.5,1\n", SweepRoles("acc", "eps", hyperparameters=("lr",)))
    assert together.names == ("lr 1", "lr 2")
    assert together.runs.tolist() == [2, 1]
    alone = of("acc,eps\n0.5,1\n", SweepRoles("acc", "eps"))
    assert (len(alone), alone.names) == (1, ("row 1",))


def test_strategies_with_numbers_for_names() -> None:
    assert of("config,acc,eps\n7,0.5,1\n8,0.6,1\n7,0.7,2\n", SweepRoles("acc", "eps", "config")).kinds == ("7", "8")


def test_a_run_that_occurs_twice_is_noticed() -> None:
    assert of(TABLE, replace(ROLES, hyperparameters=("epsilon",))).repeated == 1


def test_bars_from_a_column_and_some_of_the_rows() -> None:
    text = "data,strategy,acc,sd,eps\nx,a,0.5,0.1,1\ny,a,0.9,0.1,1\nx,b,0.6,,oops\n"
    roles = SweepRoles("acc", "eps", "strategy", spread="sd", only=("data", "x"))
    found = of(text, roles, drop=True)
    assert (found.utility.low.tolist(), found.utility.high.tolist()) == ([0.4], [0.6])
    assert found.dropped == 1
    with pytest.raises(TableError, match=r"“eps” has 1 cell without a finite number\. The first is in row 3\."):
        of(text, roles)
    assert of(text, replace(roles, only=("data", "y"))).utility.mean.tolist() == [0.9]
    with pytest.raises(TableError, match="says “z” in no row"):
        of(text, replace(roles, only=("data", "z")))


PARQUET = io.BytesIO()
pd.read_csv(io.StringIO(TABLE)).to_parquet(PARQUET)


@pytest.mark.parametrize(
    "data",
    [
        TABLE.replace(",", "\t").encode(),
        TABLE.replace(",", ";").replace(".", ",").encode(),
        TABLE.encode("utf-16"),
        b"\xef\xbb\xbf" + TABLE.encode(),
        gzip.compress(TABLE.encode()),
        TABLE.replace("\n", "\r\n").encode(),
        PARQUET.getvalue(),
    ],
    ids=["tabs", "semicolons and decimal commas", "UTF-16", "BOM", "gzip", "Windows", "Parquet"],
)
def test_every_form_reads_alike(data: bytes) -> None:
    found, expected = of(data), of(TABLE)
    assert found.names == expected.names
    assert found.utility.mean.tolist() == expected.utility.mean.tolist()


@pytest.mark.parametrize("sample", SWEEPS, ids=lambda sample: sample.name)
def test_shipped_sweeps_have_their_columns(sample: SweepSample) -> None:
    found = sweep(sample.table(), sample.roles)
    assert len(found) >= 2
    assert f"`{sample.file}`" in README


@pytest.mark.parametrize("sample", SWEEPS, ids=lambda sample: sample.name)
def test_estimates_are_called_so_wherever_their_column_is_named(sample: SweepSample) -> None:
    """On the axis, in the sentences and in what is taken away; noise was calibrated to the plain epsilon."""
    named = [name for name in sample.table().layout.names if re.search(r"epsilon.star", name)]
    assert all("estimate" in name and "as printed" in name.replace("_", " ") for name in named)
    assert sample.roles.privacy in (*named, "epsilon")


def test_the_published_numbers() -> None:
    """As printed: paper 000, Fig. 4; paper 001, Section 4.2."""
    published = {sample.name: sample for sample in SWEEPS}
    found = {
        name: sweep(published[name].table(), published[name].roles)
        for name in ("000 Fig. 4a, CIFAR-10", "000 Fig. 4b, SNLI", "000 Fig. 4c, ImageNet", "001 Fig. 1, printed")
    }
    cifar, snli, imagenet, purchase = found.values()
    assert cifar.utility.mean.tolist() == [0.67, 0.81]
    assert cifar.utility.low == pytest.approx([0.66, 0.80], rel=ROUNDING)
    assert cifar.utility.high == pytest.approx([0.68, 0.82], rel=ROUNDING)
    assert snli.utility.high == pytest.approx([0.785, 0.805], rel=ROUNDING)
    assert imagenet.utility.mean.tolist() == imagenet.utility.low.tolist() == [0.46, 0.48]
    assert [one.privacy.mean.tolist() for one in (cifar, snli, imagenet)] == [[1, 1], [1, 1], [10, 10]]
    assert purchase.utility.mean.tolist() == [0.86, 0.904, 0.906]
    assert purchase.privacy.mean.tolist() == [2.48, 7.06, 7.79]
