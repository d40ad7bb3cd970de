"""Candidates for a record, and sweeps of strategies: guessed, counted and put together, or refused."""

import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from data.make_ages import table as table_of_ages
from losses import AGES, Sweep, SweepRoles, TableError, counted_rows, guess_roles, read_candidates, read_sweep, sweep
from losses.sweeps.samples import SWEEPS
from numerics.pareto import Better
from tests import ROOT

SWEPT = tomllib.loads(Path(__file__).with_name("sweeps.toml").read_text(encoding="utf-8"))
README = (ROOT / "data" / "README.md").read_text(encoding="utf-8")
ROUNDING = 1e-12  # of means, and of sums of many numbers


def test_rows_are_counted_and_the_example_is_what_its_script_writes() -> None:
    codes = 10_000 + np.random.default_rng(7).integers(0, 60, 5_000) ** 2
    found = counted_rows(read_candidates(("postcode\n" + "\n".join(map(str, codes))).encode()), "postcode")
    values, counts = np.unique(codes, return_counts=True)
    assert found.values is not None
    assert (found.values.tolist(), found.weights.tolist()) == (values.tolist(), counts.tolist())
    name, share = found.likeliest(1)[0]
    assert (int(name), share) == (values[counts.argmax()], counts.max() / 5_000)
    assert AGES.read_text(encoding="utf-8") == table_of_ages()
    assert f"{sha256(AGES.read_bytes()).hexdigest()}  {AGES.name}" in README


def roles_of(chosen: dict[str, Any]) -> SweepRoles:
    """Lists of the table are tuples, and directions are named by words."""
    lists = {key: tuple(value) for key, value in chosen.items() if isinstance(value, list)}
    better = {key: Better[value.upper()] for key, value in chosen.items() if key.endswith("better")}
    return SweepRoles(**{**chosen, **lists, **better})


def check_sweep(found: Sweep, row: dict[str, Any]) -> None:
    utility, privacy = found.utility, found.privacy
    means = {"utility": utility.mean, "low": utility.low, "high": utility.high, "privacy": privacy.mean}
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
    if "roles" in row and "refused" not in row:
        check_sweep(sweep(read_sweep(data), roles_of(row["roles"])), row)
    if "refused" in row:
        with pytest.raises(TableError) as caught:
            sweep(read_sweep(data), roles_of(row["roles"]), row.get("drop", False))
        assert all(words in str(caught.value) for words in row["refused"])
    if "left" in row:
        left = sweep(read_sweep(data), roles_of(row["roles"]), drop=True)
        assert [*left.names] == row["left"]
        check_sweep(left, row)


def test_the_order_of_rows_does_not_matter_and_pandas_agrees() -> None:
    rng = np.random.default_rng(4)
    columns = {"strategy": rng.choice(["a", "b", "c"], 1000), "clip": rng.choice([0.1, 1.0, np.nan], 1000)}
    frame = pd.DataFrame({**columns, "acc": rng.random(1000), "eps": rng.random(1000)})
    roles = SweepRoles("acc", "eps", "strategy", hyperparameters=("clip",))
    for rows, data in ((frame, frame.to_csv(index=False).encode()), (frame[::-1], frame[::-1].to_parquet(index=False))):
        found = sweep(read_sweep(data), roles)
        groups = rows.groupby(["strategy", "clip"], dropna=False, sort=False)
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
        assert sample.roles.privacy in (*named, "epsilon against its own attacker")
        check_sweep(found, published.get(sample.name, {}))
