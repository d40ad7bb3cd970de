"""The same numbers from tables in Spark: a real session in local mode, through Ibis."""

import json
import os
import shutil
import warnings
from collections.abc import Iterator
from importlib import import_module

import numpy as np
import pyarrow as pa
import pytest

from losses.errors import TableError
from losses.warehouse import auditing, passes
from losses.warehouse.auditing import Clips, Wish, audit
from losses.warehouse.columns import labelled_losses, two_tables
from losses.warehouse.engines import Engine, ibis, named_table
from numerics.epsilon_star import EMPIRICAL_CLIP, LossScale, Method, estimate
from reports.command.main import main
from tests.warehouse_tables import SUMMED, check, gammas

# Of Spark 4.3, Ibis 12 and pandas 3 about each other; all are locked.
pytestmark = [
    pytest.mark.nightly,
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning", "ignore::UserWarning"),
]

# Of the small: what Spark compiles for large tables takes longer than to do without.
SETTINGS = {
    "spark.master": "local[2]",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.adaptive.enabled": "false",
    "spark.ui.enabled": "false",
}
GROUPS = TRAIN, POPULATION = gammas(700)
PARAMETRIC = Wish((Method.PARAMETRIC,), scale=LossScale.NATS)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        pytest.fail("Spark needs Java 17 or newer: install it (Debian: default-jre-headless) or set JAVA_HOME.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = import_module("pyspark.sql").SparkSession.builder.config(map=SETTINGS).getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        losses = pa.table({"loss": [*TRAIN, *POPULATION], "member": [1] * len(TRAIN) + [0] * len(POPULATION)})
        texts = pa.table({"loss": ["0.5", "n.a.", "inf", None] * 30, "split": ["train", "test", "", None] * 30})
        for name, table in (("losses", losses), ("texts", texts), ("train", losses.slice(0, len(TRAIN)))):
            session.createDataFrame(table).createOrReplaceTempView(name)
        yield ibis().pyspark.connect(session)
    session.stop()


def test_numbers_are_those_in_memory(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes, "BINS", 512)  # so few that one look is not enough
    monkeypatch.setattr(passes, "_MOST_RUNS", 6)
    monkeypatch.setattr(passes, "_MOST_CUT", 1)
    monkeypatch.setattr(auditing, "_FEW", 100)
    rows, chosen = labelled_losses(engine, named_table(engine, "losses"))
    found = audit(engine, rows, Wish(clips=Clips.PAPER, scale=LossScale.NATS), column=chosen.membership or "")
    check(found, GROUPS, {Method.PARAMETRIC: found.delta, Method.EMPIRICAL: EMPIRICAL_CLIP})
    assert found.passes > 3
    rows, _ = two_tables(engine, named_table(engine, "train"), named_table(engine, "losses"), "loss")
    value = audit(engine, rows, PARAMETRIC).found[Method.PARAMETRIC].value
    expected = estimate(TRAIN, np.concatenate(GROUPS), method=Method.PARAMETRIC, scale=LossScale.NATS)
    assert value == pytest.approx(expected.value, rel=SUMMED)
    rows, _ = labelled_losses(engine, named_table(engine, "texts"), "loss", "split")
    with pytest.raises(TableError, match="60 without a label, 30 blank or no number"):
        audit(engine, rows)


@pytest.mark.usefixtures("engine")
def test_the_command_finds_the_running_session(capsys: pytest.CaptureFixture[str]) -> None:
    """It ends the session, so that nothing can be asked of it afterwards."""
    said = ["audit", "--engine", "pyspark://", "--table", "losses", "--unit", "nats", "--json", "--quiet"]
    assert main([*said, "--setting", "spark.sql.shuffle.partitions=3"]) == 0
    value = json.loads(capsys.readouterr().out)["numbers"]["estimates"]["parametric"]["value"]
    expected = estimate(*GROUPS, method=Method.PARAMETRIC, scale=LossScale.NATS)
    assert value == pytest.approx(expected.value, rel=SUMMED)
