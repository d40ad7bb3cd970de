"""Make the shipped candidates: ages of the patients in a well-known study. See README.md beside this file.

Run from the project's folder: ``python -m data.make_ages``. Needs scikit-learn (requirements-dev.txt).
"""

from pathlib import Path

import numpy as np
from sklearn.datasets import load_diabetes

FILE = Path(__file__).parent / "ages.csv"


def table() -> str:
    """How many patients are how old, in years."""
    ages, patients = np.unique(load_diabetes(scaled=False).data[:, 0], return_counts=True)
    rows = (f"{age:.0f},{count}" for age, count in zip(ages, patients, strict=True))
    return "\n".join(["age,patients", *rows, ""])


if __name__ == "__main__":
    FILE.write_text(table(), encoding="utf-8")
