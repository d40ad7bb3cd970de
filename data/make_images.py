"""Make the shipped images: scikit-learn's handwritten digits as one small file. See README.md beside this file.

Run from the project's folder: ``python -m data.make_images``. Needs scikit-learn (requirements-dev.txt).
"""

from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

FILE = Path(__file__).with_name("digits_images.npz")


def main() -> None:
    """Write; NumPy gives the archive a fixed time stamp, so the same digits give the same bytes."""
    images, labels = load_digits(return_X_y=True)
    np.savez_compressed(FILE, images=images.astype(np.uint8), labels=labels.astype(np.uint8))


if __name__ == "__main__":
    main()
