"""The sheet of a release, as the app's *Share* writes it, for a program that asks."""

import json
import subprocess
import sys
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from numerics.accountants import release_of
from numerics.validation import OpenProbability, checked
from privacy_trade_offs.command import ROOT, needed


@dataclass(frozen=True)
class Sheet:
    """One document to file, on two pages: an HTML file that runs and loads nothing.

    Attributes:
        html: the document.
        markdown: its first lines for a model card.
    """

    html: str = field(repr=False)
    markdown: str

    def save(self, path: str | Path) -> None:
        """Write the document; open it in a browser to fill in, print or file it."""
        Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        """The document in a frame of its own, as its style is for a whole page."""
        return f'<iframe sandbox width="100%" height="800" srcdoc="{escape(self.html)}"></iframe>'


@checked
def sheet(release: object, limit: OpenProbability, alpha: OpenProbability = 0.001, **said: object) -> Sheet:
    """The sheet of a release against the share of members that may be found.

    It is filled in by the app's own functions, in a process of their own: the app's modules have names that a program
    may use for its own. So it takes some seconds.

    Args:
        release: a mechanism, or whatever ``release_of`` reads.
        limit: share of members found that is accepted, at most: 0.002 is 20 of 10,000.
        alpha: the false positive rate at which they are counted.
        said: what goes with the release: ``delta``, ``records``, ``dimension``, ``clip``.

    Raises ValueError for what is no release or limit, and RuntimeError where the app's packages are missing.
    """
    if missing := needed("app"):
        raise RuntimeError(f"The sheet needs {missing}")
    asked = {"release": release_of(release, **said).text, "limit": limit, "alpha": alpha}
    program = [sys.executable, "-X", "utf8", "-m", "pages.ui.sheet_filling"]
    done = subprocess.run(
        program, input=json.dumps(asked), cwd=ROOT, capture_output=True, check=False, encoding="utf-8"
    )
    if done.returncode:
        reason = done.stderr.strip() or f"its process ended with {done.returncode}"
        raise RuntimeError(f"The sheet could not be written: {reason.splitlines()[-1]}")
    return Sheet(**json.loads(done.stdout))
