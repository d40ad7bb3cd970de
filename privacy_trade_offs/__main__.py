"""``python -m privacy_trade_offs``: see ``command``."""

import sys

from privacy_trade_offs.command import main

if __name__ == "__main__":
    sys.exit(main())
