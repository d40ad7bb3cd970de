"""Write docs/release.schema.json, the JSON Schema of exported releases: ``python docs/make_release_schema.py``.

It is derived from the fields of the mechanisms; tests/numerics/test_release_file.py compares the two. A field, a
mechanism or a way to draw batches that is added needs a new copy; one that goes or changes its meaning needs a new
version, too.
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILE = ROOT / "docs" / "release.schema.json"


def content() -> str:
    """The text of the file."""
    sys.path.insert(0, str(ROOT))
    from numerics.release_file import schema  # noqa: PLC0415 - found once the folder of the project is known

    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(content())
