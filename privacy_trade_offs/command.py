"""The command of an installed wheel."""

import os
import re
import sys
from importlib import metadata
from importlib.metadata import PackageNotFoundError
from pathlib import Path

NAME = "privacy-trade-offs"
UNUSABLE = 2  # exit code
# The folder that a checkout is, too: the layers lie beside app.py, and find each other by it.
ROOT = next(folder for folder in Path(__file__).parents if (folder / "app.py").is_file())


def main() -> int:
    """Start the app, or the audit of files; what else is said goes to Streamlit: ``--server.port 9000``."""
    given = sys.argv[1:]
    if given[:1] != ["audit"]:
        return _app(given)
    if missing := needed("warehouse"):
        return _refused(f"An audit needs {missing}")
    sys.path.insert(0, str(ROOT))
    from reports.command.main import started  # noqa: PLC0415 - found by the line above

    return started()


def _app(given: list[str]) -> int:
    if missing := needed("app"):
        return _refused(f"The app needs {missing}")
    from streamlit.web.cli import main as streamlit  # noqa: PLC0415 - the mathematics is installed without it

    os.chdir(ROOT)  # its settings, icon and pages are found from here
    streamlit(["run", "app.py", *given], prog_name="streamlit")
    return 0


def needed(extra: str) -> str:
    """What an extra of the wheel asks for and is not installed, and how to get it; empty if nothing."""
    try:
        wanted = metadata.requires(NAME) or []
    except PackageNotFoundError:  # a checkout
        return ""
    of_extra = re.compile(rf"([\w.-]+).*;.*extra == ['\"]{extra}['\"]")
    missing = [found[1] for each in wanted if (found := of_extra.match(each)) and not _is_installed(found[1])]
    if not missing:
        return ""
    return (
        f"{', '.join(missing)}. Install what you installed again with [{extra}] behind it, such as: "
        f'python -m pip install ".[{extra}]"'
    )


def _is_installed(name: str) -> bool:
    try:
        metadata.version(name)
    except PackageNotFoundError:
        return False
    return True


def _refused(why: str) -> int:
    sys.stderr.write(f"{why}\n")
    return UNUSABLE
