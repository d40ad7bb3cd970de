"""The sheet of a release for other programs: ``python -m pages.ui.sheet_as_program < question.json``.

It is filled in as for *Share*, in a process of its own, so that nothing of the app meets the names of who asks.
"""

import json
import sys

from numerics import release_file
from numerics.trade_off import Order
from pages.ui import sheet_filling
from pages.ui.release_in_force import ReleaseChoice, delta_of
from pages.ui.threat_models import ReleaseSetting


def written(release: str, limit: float, alpha: float) -> dict[str, str]:
    """The document for a release's file, the share of members that may be found, and the rate at which it is asked."""
    file = release_file.read(release)
    delta = delta_of(file.records) if file.delta is None else file.delta
    choice = ReleaseChoice(file.mechanism, alpha, Order.ADD, delta, limit, file.records, file.dimension, file.clip)
    found = sheet_filling.sheet(ReleaseSetting(choice), address="")
    return {"html": found.html, "markdown": found.markdown}


if __name__ == "__main__":
    json.dump(written(**json.load(sys.stdin)), sys.stdout)
