"""Small loss tables of every kind that is read: text, gzip, Parquet; losses and predictions."""

import gzip
import io
from decimal import Decimal
from functools import cache

import numpy as np
import pyarrow as pa
from pyarrow import parquet


def _text(rows: int = 60) -> str:
    rng = np.random.default_rng(1)
    lines = [
        f"{loss:.6f},{member},{run}"
        for loss, member, run in zip(rng.gamma(2, 1, rows), _member(rows), _run(rows), strict=True)
    ]
    return "\n".join(["loss,member,run", *lines]) + "\n"


def _member(rows: int) -> np.ndarray:
    return np.arange(rows) % 2


def _run(rows: int) -> np.ndarray:
    return np.arange(rows) % 4 // 2


def _scores(rows: int = 60) -> pa.Table:
    rng = np.random.default_rng(2)
    scores = rng.dirichlet(np.ones(3), rows).astype(np.float32)
    columns = {f"p_{name}": scores[:, place] for place, name in enumerate(("cat", "dog", "eel"))}
    labels = np.array(["cat", "dog", "eel"])[np.arange(rows) % 3]
    return pa.table({**columns, "label": labels, "member": _member(rows)})


def _losses(rows: int = 60) -> pa.Table:
    loss = np.random.default_rng(3).gamma(2, 1, rows)
    return pa.table(
        {
            "loss": loss,
            "half": loss.astype(np.float16),
            "exact": [None if row == 5 else Decimal(f"{value:.4f}") for row, value in enumerate(loss)],
            "member": np.array(["train", "test"])[_member(rows)],
            "is_seen": _member(rows) == 1,
            "run": pa.array([f"run {run}" for run in _run(rows)]).dictionary_encode(),
            "tokens": [[1.0, 2.0]] * rows,
        }
    )


def _parquet(table: pa.Table, **options: object) -> bytes:
    out = io.BytesIO()
    parquet.write_table(table, out, **options)
    return out.getvalue()


@cache
def valid_files() -> tuple[bytes, ...]:
    """One of every kind."""
    text, scores, losses = _text(), _scores(), _losses()
    commas = text.replace(",", ";").replace(".", ",")
    encodings = [
        text.replace("member", "Zugehörigkeit member").encode(name) for name in ("utf-8-sig", "utf-16", "cp1252")
    ]
    quoted = "\n".join(",".join(f'"{cell}"' for cell in line.split(",")) for line in text.splitlines())
    thousands = "\n".join(f"1'{row:03d}.5;{row % 2}" for row in range(40))
    packed = (
        gzip.compress(text.encode(), mtime=0),
        gzip.compress(text[:200].encode()) + gzip.compress(text[200:].encode()),
    )
    tables = [
        _parquet(losses),
        _parquet(losses, compression="zstd", row_group_size=20, data_page_version="2.0"),
        _parquet(losses, compression="gzip", use_dictionary=False, write_page_index=True),
        _parquet(losses.select([0, 3]), compression="none", use_dictionary=False, write_page_checksum=True),
        _parquet(
            losses.select([0, 4]),
            compression="brotli",
            column_encoding={"loss": "BYTE_STREAM_SPLIT"},
            use_dictionary=False,
        ),
        _parquet(scores, compression="lz4"),
    ]
    words = io.BytesIO()
    scores.to_pandas().to_csv(words, index=False)
    return (
        text.encode(),
        commas.encode(),
        *encodings,
        quoted.encode(),
        thousands.encode(),
        *packed,
        *tables,
        words.getvalue(),
    )
