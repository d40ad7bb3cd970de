"""``python -m losses audit``: see ``reports.command``."""

import sys

from reports.command.main import started

if __name__ == "__main__":
    sys.exit(started())
