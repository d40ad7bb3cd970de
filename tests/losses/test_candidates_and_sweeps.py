"""Candidates for a record, and sweeps of strategies: guessed, counted and put together, or refused."""

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


def of(data: bytes, roles: SweepRoles, drop: bool = False) -> Sweep:
    return sweep(read_sweep(data), roles, drop)


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
        check_sweep(of(data, roles_of(row["roles"])), row)
    if "refused" in row:
        with pytest.raises(TableError) as caught:
            of(data, roles_of(row["roles"]), row.get("drop", False))
        assert all(words in str(caught.value) for words in row["refused"])
    if "left" in row:
        left = of(data, roles_of(row["roles"]), drop=True)
        assert [*left.names] == row["left"]
        check_sweep(left, row)


def test_the_order_of_rows_and_the_form_of_the_file_do_not_matter_and_pandas_agrees() -> None:
    text, roles = SWEPT["sweep"][0]["text"], roles_of(SWEPT["sweep"][0]["roles"])
    header, *rows = text.splitlines()
    out = io.BytesIO()
    pd.read_csv(io.StringIO(text)).to_parquet(out)
    forms = text.replace(",", "\t"), text.replace(",", ";").replace(".", ","), "\n".join([header, *rows[::-1]])
    expected = of(text.encode(), roles)
    for data in (*(form.encode("utf-16") for form in forms), gzip.compress(text.encode()), out.getvalue()):
        found = of(data, roles)
        means = dict(zip(expected.names, expected.utility.mean, strict=True))
        assert dict(zip(found.names, found.utility.mean, strict=True)) == pytest.approx(means, rel=ROUNDING)
    rng = np.random.default_rng(4)
    columns = {"strategy": rng.choice(["a", "b", "c"], 1000), "clip": rng.choice([0.1, 1.0, np.nan], 1000)}
    frame = pd.DataFrame({**columns, "acc": rng.random(1000), "eps": rng.random(1000)})
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
