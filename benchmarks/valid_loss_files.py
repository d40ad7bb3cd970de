"""Small loss tables of every kind that is read: text, gzip, Parquet; losses and predictions."""

import gzip
import io
from decimal import Decimal
from functools import cache

import numpy as np
import pyarrow as pa
from pyarrow import parquet

ROWS = 60
MEMBER, RUN = np.arange(ROWS) % 2, np.arange(ROWS) % 4 // 2


def _text() -> str:
    losses = np.random.default_rng(1).gamma(2, 1, ROWS)
    lines = [f"{loss:.6f},{member},{run}" for loss, member, run in zip(losses, MEMBER, RUN, strict=True)]
    return "\n".join(["loss,member,run", *lines]) + "\n"


def _scores() -> pa.Table:
    scores = np.random.default_rng(2).dirichlet(np.ones(3), ROWS).astype(np.float32)
    names = np.array(["cat", "dog", "eel"])
    columns = {f"p_{name}": own for name, own in zip(names, scores.T, strict=True)}
    return pa.table({**columns, "label": names[np.arange(ROWS) % 3], "member": MEMBER})


def _losses() -> pa.Table:
    loss = np.random.default_rng(3).gamma(2, 1, ROWS)
    columns = {
        "loss": loss,
        "half": loss.astype(np.float16),
        "exact": [None if row == 5 else Decimal(f"{value:.4f}") for row, value in enumerate(loss)],
        "member": np.array(["train", "test"])[MEMBER],
        "is_seen": MEMBER == 1,
        "run": pa.array([f"run {run}" for run in RUN]).dictionary_encode(),
        "tokens": [[1.0, 2.0]] * ROWS,
    }
    return pa.table(columns)


def _parquet(table: pa.Table, **options: object) -> bytes:
    out = io.BytesIO()
    parquet.write_table(table, out, **options)
    return out.getvalue()


@cache
def valid_files() -> tuple[bytes, ...]:
    """One of every kind."""
    text, scores, losses = _text(), _scores(), _losses()
    named = text.replace("member", "Zugehörigkeit member")
    plain = {"use_dictionary": False}
    return (
        text.encode(),
        text.replace(",", ";").replace(".", ",").encode(),
        *(named.encode(name) for name in ("utf-8-sig", "utf-16", "cp1252")),
        "\n".join('"' + line.replace(",", '","') + '"' for line in text.splitlines()).encode(),
        gzip.compress(text.encode(), mtime=0),
        gzip.compress(text[:200].encode()) + gzip.compress(text[200:].encode()),
        _parquet(losses),
        _parquet(losses, compression="zstd", row_group_size=20, data_page_version="2.0"),
        _parquet(losses, compression="gzip", write_page_index=True, **plain),
        _parquet(losses.select([0, 3]), compression="none", write_page_checksum=True, **plain),
        _parquet(losses.select([0, 4]), compression="brotli", column_encoding={"loss": "BYTE_STREAM_SPLIT"}, **plain),
        _parquet(scores, compression="lz4"),
        scores.to_pandas().to_csv(index=False).encode(),
    )
