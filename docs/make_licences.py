"""Write docs/licences.md: the licence of every package in requirements.txt, as the installed packages state it.

Run it where they are installed: ``python docs/make_licences.py``. tests/test_data.py compares the two files.
"""

import re
from importlib.metadata import metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
WEAK = {"MPL-2.0"}  # weak copyleft: its own files stay under it
PERMISSIVE = {"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "MIT", "MIT-CMU", "PSF-2.0", "Zlib"}
_STATED = {  # where a package states its licence in words only
    "BSD License": "BSD-3-Clause",
    "BSD 3-Clause License": "BSD-3-Clause",
    "3-Clause BSD License": "BSD-3-Clause",
    "MIT License": "MIT",
    "The MIT License (MIT)": "MIT",
    "Apache Software License": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
_HEAD = """# Licences of the packages the app runs with

Made by `docs/make_licences.py` from the metadata of the packages in `requirements.txt`. The app itself is Apache-2.0.
All are permissive but those marked *weak copyleft*: changed files of such a package stay under its licence, and nothing
else does. Wheels of NumPy, SciPy, pandas, scikit-learn and pyarrow hold compiled libraries under licences of their own
(OpenBLAS: BSD; the GCC runtime: GPL with the exception that lets any program use it); each wheel lists them.

| package | version | licence | kind |
|---|---|---|---|
"""


def locked(path: Path = ROOT / "requirements.txt") -> dict[str, str]:
    """The versions in the lock by package."""
    return dict(re.findall(r"^([\w.-]+)==(\S+)", path.read_text(), re.MULTILINE))


def licence(package: str) -> str:
    """What the installed package says of its licence."""
    about = metadata(package)
    classifiers = [one for one in about.get_all("Classifier", []) if one.startswith("License :: OSI Approved :: ")]
    words = [about[name] for name in ("License-Expression", "License") if name in about]
    words += [one.rsplit(" :: ", 1)[1] for one in classifiers]
    found = next(word for word in words if word and len(word) < 80)  # some put the whole text there
    return _STATED.get(found, found)


def kind(found: str) -> str:
    """Permissive or weak copyleft; raises ValueError for a licence that nobody has looked at yet."""
    names = set(re.split(r" AND | OR ", found))
    if not names <= WEAK | PERMISSIVE:
        raise ValueError(f"licence must be a known one, got {found!r}.")
    return "weak copyleft" if names & WEAK else "permissive"


def page() -> str:
    """The text of docs/licences.md."""
    rows = ((package, version, licence(package)) for package, version in locked().items())
    lines = (f"| {package} | {version} | {found} | {kind(found)} |" for package, version, found in rows)
    return _HEAD + "\n".join(sorted(lines, key=str.lower)) + "\n"


if __name__ == "__main__":
    (ROOT / "docs" / "licences.md").write_text(page())
