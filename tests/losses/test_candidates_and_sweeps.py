"""Candidates for a record, and sweeps of strategies: read, guessed, counted and put together, or refused."""

import gzip
import io
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from data.make_ages import table as table_of_ages
from losses import (
    AGES,
    Candidates,
    Sweep,
    SweepRoles,
    TableError,
    counted_rows,
    guess_roles,
    read_candidates,
    read_sweep,
    sweep,
    weights,
)
from losses.sweeps.samples import SWEEPS
from numerics.pareto import Better
from tests import ROOT

SWEPT = tomllib.loads(Path(__file__).with_name("sweeps.toml").read_text(encoding="utf-8"))
README = (ROOT / "data" / "README.md").read_text(encoding="utf-8")
ROUNDING = 1e-12  # of means, and of sums of many numbers


def candidates(text: str, column: str = "", drop: bool = False, values: str | None = None) -> Candidates:
    """The candidates; in the likeliest column unless another is named."""
    read = read_candidates(text.encode())
    return weights(read, column or read.numbers[0].name, drop, values)


def test_values_go_with_their_weights() -> None:
    found = candidates("age,count\n30,1\n20,2\nx,3\n25,y\n40,-1\n", "count", drop=True, values="age")
    assert found.values is not None
    assert list(zip(found.values, found.weights, strict=True)) == [(30, 1), (20, 2)]
    assert (found.dropped, found.total) == (3, 3)
    with pytest.raises(TableError, match="“age” has 1 cell "):
        candidates("age,count\n20,1\nold,2\n22,4\n", values="age")
    with pytest.raises(TableError, match="No row is left"):
        candidates("name,count\nann,-5\nbob,-2\n", drop=True)


@pytest.mark.parametrize(
    ("numbers", "needs"),
    [
        *((numbers, False) for numbers in ("0.1 " * 10, "0.3333333 " * 3, "50.5 49.5", "5 3 0", "1 1 1")),
        *((numbers, True) for numbers in ("0.5 0.3", "0.5 0.3 0.3", "0.999 0.00099", "2.5 3.5")),
    ],
)
def test_probabilities_that_do_not_add_up_are_pointed_out_and_left_alone(numbers: str, needs: bool) -> None:
    found = candidates("\n".join(["p", *numbers.split()]))
    assert found.need_dividing is needs
    assert found.weights.tolist() == [*map(float, numbers.split())]


def test_the_example_is_what_its_script_writes_and_its_digest_is_stated() -> None:
    assert AGES.read_text(encoding="utf-8") == table_of_ages()
    assert candidates(table_of_ages()).total == 442
    assert f"{sha256(AGES.read_bytes()).hexdigest()}  {AGES.name}" in README


def test_rows_are_counted() -> None:
    codes = 10_000 + np.random.default_rng(7).integers(0, 60, 5_000) ** 2
    found = counted_rows(read_candidates(("postcode\n" + "\n".join(map(str, codes))).encode()), "postcode")
    values, counts = np.unique(codes, return_counts=True)
    assert found.values is not None
    assert (found.values.tolist(), found.weights.tolist()) == (values.tolist(), counts.tolist())
    name, share = found.likeliest(1)[0]
    assert (int(name), share) == (values[counts.argmax()], counts.max() / 5_000)
    words = counted_rows(read_candidates(b"city,age\nRome,20\nOslo,30\nRome,40\nRome,20\n"), "city")
    assert (words.names, words.weights.tolist(), words.values) == (("Rome", "Oslo"), [3, 1], None)
    for column in ("city", "age"):
        table = read_candidates(b"city,age\nRome,20\n,\nRome,40\n")
        with pytest.raises(TableError, match=r"(?i)row 2"):
            counted_rows(table, column)
        left = counted_rows(table, column, drop=True)
        assert (left.total, left.dropped) == (2, 1)
    with pytest.raises(TableError, match="more than 32,000 different"):
        counted_rows(read_candidates("\n".join(["name", *(f"n{row}" for row in range(32_001))]).encode()), "name")


# Sweeps.


def of(data: bytes, roles: SweepRoles, drop: bool = False) -> Sweep:
    return sweep(read_sweep(data), roles, drop)


def roles_of(chosen: dict[str, Any]) -> SweepRoles:
    """Lists of the table are tuples, and directions are named by words."""
    lists = {key: tuple(value) for key, value in chosen.items() if isinstance(value, list)}
    better = {key: Better[value.upper()] for key, value in chosen.items() if key.endswith("better")}
    return SweepRoles(**{**chosen, **lists, **better})


def check_sweep(found: Sweep, row: dict[str, Any]) -> None:
    means = {
        "utility": found.utility.mean,
        "low": found.utility.low,
        "high": found.utility.high,
        "privacy": found.privacy.mean,
    }
    seen: dict[str, Any] = {
        "names": [*found.names],
        "kinds": [*found.kinds],
        "runs": found.runs.tolist(),
        "first_row": found.first_row.tolist(),
        "settings": {name: [*values] for name, values in found.settings.items()},
        "dropped": found.dropped,
        "repeated": found.repeated,
    }
    for key in means.keys() & row.keys():
        assert means[key] == pytest.approx(row[key], rel=ROUNDING), key
    assert {key: seen[key] for key in seen.keys() & row.keys()} == {key: row[key] for key in seen.keys() & row.keys()}


@pytest.mark.parametrize("row", SWEPT["sweep"], ids=lambda row: row["id"])
def test_sweeps_are_guessed_and_put_together_or_refused(row: dict[str, Any]) -> None:
    data = row["text"].encode()
    if "guess" in row:
        assert guess_roles(read_sweep(data)) == roles_of(row["guess"])
    if "roles" not in row:
        return
    roles = roles_of(row["roles"])
    if "refused" not in row:
        check_sweep(of(data, roles), row)
        return
    with pytest.raises(TableError) as caught:
        of(data, roles, row.get("drop", False))
    assert all(words in str(caught.value) for words in row["refused"])
    if "left" in row:
        left = of(data, roles, drop=True)
        assert [*left.names] == row["left"]
        check_sweep(left, row)


def test_the_order_of_rows_and_the_form_of_the_file_do_not_matter() -> None:
    text, roles = SWEPT["sweep"][0]["text"], roles_of(SWEPT["sweep"][0]["roles"])
    header, *rows = text.splitlines()
    out = io.BytesIO()
    pd.read_csv(io.StringIO(text)).to_parquet(out)
    forms = text.replace(",", "\t"), text.replace(",", ";").replace(".", ","), "\n".join([header, *rows[::-1]])
    expected = of(text.encode(), roles)
    for data in (*(form.encode("utf-16") for form in forms), gzip.compress(text.encode()), out.getvalue()):
        found = of(data, roles)
        assert dict(zip(found.names, found.utility.mean, strict=True)) == pytest.approx(
            dict(zip(expected.names, expected.utility.mean, strict=True)), rel=ROUNDING
        )


def test_against_pandas_on_a_large_sweep() -> None:
    rng = np.random.default_rng(4)
    columns = {"strategy": rng.choice(["a", "b", "c"], 4000), "clip": rng.choice([0.1, 1.0, np.nan], 4000)}
    frame = pd.DataFrame({**columns, "acc": rng.random(4000), "eps": rng.random(4000)})
    roles = SweepRoles("acc", "eps", "strategy", hyperparameters=("clip",))
    found = of(frame.to_csv(index=False).encode(), roles)
    groups = frame.groupby(["strategy", "clip"], dropna=False, sort=False)
    assert found.utility.mean == pytest.approx(groups["acc"].mean().to_numpy(), rel=1e-9)
    assert found.privacy.high.tolist() == groups["eps"].max().tolist()
    assert found.runs.tolist() == groups.size().tolist()


def test_shipped_sweeps_have_the_published_numbers_and_call_estimates_so() -> None:
    """On the axis, in the sentences and in what is taken away; noise was calibrated to the plain epsilon."""
    published = {row["name"]: row for row in SWEPT["published"]}
    assert published.keys() <= {sample.name for sample in SWEEPS}
    for sample in SWEEPS:
        found = sweep(sample.table(), sample.roles)
        assert len(found) >= 2
        assert f"`{sample.file}`" in README
        named = [name for name in sample.table().layout.names if "epsilon_star" in name.replace(" ", "_").lower()]
        assert all("estimate" in name and "as printed" in name.replace("_", " ") for name in named)
        assert sample.roles.privacy in (*named, "epsilon")
        check_sweep(found, published.get(sample.name, {}))
