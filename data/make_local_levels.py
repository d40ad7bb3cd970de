"""Make the table of local levels that bands of measured curves use (numerics/audits/local_levels.json).

Run from the project's folder: ``python -m data.make_local_levels``. Takes minutes.
"""

import json
from pathlib import Path

from numerics.audits import confidence_band
from numerics.audits.confidence_band import local_level

FILE = Path(confidence_band.__file__).with_name("local_levels.json")
RISKS = (0.0005, 0.005, 0.025, 0.05)  # of either group, for confidence 0.999, 0.99, 0.95 and 0.9
SIZES = [digit * 10**power for power in range(7) for digit in (1, 2, 3, 5)] + [10**7]


def table() -> dict[str, object]:
    """Local levels by number of sides and by risk, each at all sizes."""
    levels = {
        str(sides): {str(risk): [local_level(size, risk, sides) for size in SIZES] for risk in RISKS}
        for sides in (1, 2)
    }
    return {"sizes": SIZES, "levels": levels}


if __name__ == "__main__":
    FILE.write_text(json.dumps(table(), indent=1) + "\n", encoding="utf-8")
