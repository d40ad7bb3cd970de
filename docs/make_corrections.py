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
        "# What differs here from the papers' text",
        data["introduction"].strip(),
        "The papers, in their numbering here:",
        "\n".join(["| | |", "|---|---|", *rows]),
        data["kinds"].strip(),
        data["conventions"].strip(),
        *(part for paper in data["papers"] for part in _chapter(paper, data)),
        data["ledger"].strip(),
    ]
    return "\n\n".join(parts) + "\n"


def _chapter(paper: dict[str, str], data: dict[str, Any]) -> list[str]:
    """Its title, its entries, and the numbers of it that were withdrawn."""
    entries = [_entry(one) for one in data["corrections"] if one["paper"] == paper["number"]]
    withdrawn = [
        f"**{one['number']}, withdrawn,** because {one['because']}"
        for one in data["withdrawn"]
        if one["paper"] == paper["number"]
    ]
    return [f"## Paper {paper['chapter']}", *entries, *withdrawn]


def _entry(one: dict[str, Any]) -> str:
    """Number, kind, place and title in bold, the text, and below it the quotations."""
    kind = one["kind"][0].upper() + one["kind"][1:]
    quoted = [_quotation("Our copy", quotation) for quotation in one["verbatim"]]
    quoted += [_quotation("Elsewhere in the paper", quotation) for quotation in one["elsewhere"]]
    title = f"**{one['number']}. {kind}: {one['place']}, {one['title']}.**"
    return "\n\n".join([f"{title}\n{one['document'].strip()}", *(["\n".join(quoted)] if quoted else [])])


def _quotation(whose: str, quotation: dict[str, Any]) -> str:
    place = f" ({quotation['place']})" if "place" in quotation else ""
    return f"- {whose}, line {quotation['line']}{place}: ``{quotation['text']}``"


if __name__ == "__main__":
    (ROOT / "docs" / "corrections.md").write_text(document(), encoding="utf-8")
