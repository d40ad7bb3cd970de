"""Make the learning task of paper 000 Fig. 3a: one feature, two classes, one record held out with its label flipped.

Run from the project's folder: ``python -m data.make_one_feature_task``. Needs scikit-learn (requirements-dev.txt).
"""

from sklearn.datasets import make_classification

from data import written
from numerics import shipped

NAME, RECORDS, SEED = "one_feature_task", 1025, 20230721
ABOUT = {
    "what": "make_classification as in paper 000 Section 7.3; the first record is held out, its label flipped",
    "seed": f"{SEED}; the paper fixed none, and does not say how far its classes are apart: here 4 standard deviations",
}


def table() -> str:
    """The feature and the label of every record."""
    features, labels = make_classification(
        RECORDS, 1, n_informative=1, n_redundant=0, n_clusters_per_class=1, class_sep=2.0, random_state=SEED
    )
    labels[0] = 1 - labels[0]
    cells = [(float(feature), int(label)) for feature, label in zip(features[:, 0], labels, strict=True)]
    return written.document(("feature", "label"), cells, ABOUT)


if __name__ == "__main__":
    (shipped.DATA / f"{NAME}.csv").write_text(table(), encoding="utf-8")
