"""Make the shipped samples: losses of two models of scikit-learn's handwritten digits. See README.md beside this file.

Run from the project's folder: ``python -m data.make_losses``. Needs scikit-learn (requirements-dev.txt).
"""

import gzip
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

SEED = 20230721
FOLDER = Path(__file__).parent
# Probabilities of 0 and 1 have no finite loss; float64 resolves 1 - p down to this.
SMALLEST = 1e-15

MODELS = {
    "digits_overfitted": make_pipeline(
        StandardScaler(),
        MLPClassifier(
            hidden_layer_sizes=(512,), alpha=0.0, tol=0.0, n_iter_no_change=10_000, max_iter=300, random_state=SEED
        ),
    ),
    "digits_regularised": make_pipeline(StandardScaler(), LogisticRegression(C=0.01, max_iter=2000)),
}


def losses(probabilities: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, int]:
    """Loss -(log f_y - log(1 - f_y)) of every row, and how many probabilities were cut to [SMALLEST, 1 - SMALLEST]."""
    own = probabilities[np.arange(len(labels)), labels]
    # The others' probabilities are added up: 1 - f_y would be 0 long before they are.
    rest = np.where(np.arange(probabilities.shape[1]) == labels[:, None], 0.0, probabilities).sum(axis=1)
    cut = int(np.sum((own < SMALLEST) | (rest < SMALLEST)))
    return np.log(np.maximum(rest, SMALLEST)) - np.log(np.maximum(own, SMALLEST)), cut


def main() -> None:
    """Train, measure and write."""
    images, labels = load_digits(return_X_y=True)
    split = train_test_split(images, labels, test_size=0.5, random_state=SEED, stratify=labels)
    train_images, fresh_images, train_labels, fresh_labels = split
    for name, model in MODELS.items():
        model.fit(train_images, train_labels)
        train, cut_train = losses(model.predict_proba(train_images), train_labels)
        fresh, cut_fresh = losses(model.predict_proba(fresh_images), fresh_labels)
        rows = [f"{loss:.10g},1" for loss in train] + [f"{loss:.10g},0" for loss in fresh]
        content = "loss,member\n" + "\n".join(rows) + "\n"
        # A fixed time stamp and no file name: the same losses give the same bytes.
        (FOLDER / f"{name}.csv.gz").write_bytes(gzip.compress(content.encode(), mtime=0))
        accuracy = model.score(train_images, train_labels), model.score(fresh_images, fresh_labels)
        print(f"{name}: accuracy {accuracy[0]:.4f} / {accuracy[1]:.4f}, cut {cut_train} / {cut_fresh}")


if __name__ == "__main__":
    main()
