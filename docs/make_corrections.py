"""Write docs/corrections.md from data/corrections.toml: ``python -m docs.make_corrections``. A test compares them."""

import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def document() -> str:
    """The text of docs/corrections.md."""
    data = tomllib.loads((ROOT / "data" / "corrections.toml").read_text(encoding="utf-8"))
    rows = [f"| {paper['number']} | {paper['reference']} |" for paper in data["papers"]]
    parts = [
        "# Where this code differs from the papers' print",
        data["introduction"],
        "The papers, in their numbering here:",
        "\n".join(["| | |", "|---|---|", *rows]),
        data["kinds"],
        data["conventions"],
        *(part for paper in data["papers"] for part in _chapter(paper, data["corrections"])),
        data["ledger"],
    ]
    return "\n\n".join(parts) + "\n"


def _chapter(paper: dict[str, str], corrections: list[dict[str, Any]]) -> list[str]:
    """Its title, and its entries; each starts with what was found, in bold, and there gets its number."""
    own = (one for one in corrections if one["paper"] == paper["number"])
    entries = [f"**{one['number']}. {one['document'].removeprefix('**')}" for one in own]
    return [f"## Paper {paper['chapter']}", *entries]


if __name__ == "__main__":
    (ROOT / "docs" / "corrections.md").write_text(document(), encoding="utf-8")
