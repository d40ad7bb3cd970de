"""Make data/paper_excerpts.json: the lines that corrections quote, from our machine-read copies of the papers.

Run from the project's folder: ``python -m data.make_excerpts FOLDER``, where FOLDER has one text for each paper, whose
name begins with the paper's number. An excerpt is a quotation with a little before and after it in its line. It stops
where a quotation is not found exactly once in its line.
"""

import hashlib
import json
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from numerics.shipped import DATA

NAME = "paper_excerpts.json"
AROUND = 60  # characters on either side


def excerpts(copies: Mapping[str, str]) -> dict[str, Any]:
    """What is shipped, from the text of each copy by the paper's number. Raises ValueError for what is not found."""
    entries = tomllib.loads((DATA / "corrections.toml").read_text(encoding="utf-8"))["corrections"]
    quoted = {
        (one["paper"], quotation["line"], quotation["text"])
        for one in entries
        for quotation in (*one["verbatim"], *one["elsewhere"])
    }
    lines = {paper: text.split("\n") for paper, text in copies.items()}
    rows = [
        {"paper": paper, "line": line, "text": _around(f"{paper}, line {line}", lines[paper][line - 1], text)}
        for paper, line, text in sorted(quoted)
    ]
    hashes = {paper: hashlib.sha256(text.encode()).hexdigest() for paper, text in copies.items()}
    return {"sha256 of the whole copy": hashes, "excerpts": rows}


def _around(place: str, line: str, text: str) -> str:
    """``text`` with what stands around it."""
    if line.count(text) != 1:
        raise ValueError(f"{place}: {text!r} occurs {line.count(text)} times.")
    start = line.index(text)
    return line[max(start - AROUND, 0) : start + len(text) + AROUND]


def main(folder: str) -> None:
    """Write the file."""
    copies = {path.name[:3]: path.read_text(encoding="utf-8") for path in sorted(Path(folder).glob("*.txt"))}
    text = json.dumps(excerpts(copies), indent=1, ensure_ascii=False)
    (DATA / NAME).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
