"""Models: gradients against differences and against one record at a time, and what clipping does to them."""

import numpy as np
import pytest
from scipy.special import logsumexp

from numerics.audits import gradients
from numerics.training import DATA_SETS, Model, OneHiddenLayer, Softmax, data_set
from numerics.training.models import with_constant

FEATURES, RECORDS, MODELS = 3, 7, 2
STEP = 1e-6
DIFFERENCES = 1e-8  # central differences: STEP^2 and rounding / STEP
ROUNDING = 1e-12

cases = pytest.mark.parametrize(
    ("model", "classes"), [(Softmax(), 2), (Softmax(), 4), (OneHiddenLayer(5), 2), (OneHiddenLayer(5), 3)], ids=str
)


def example(model: Model, classes: int):
    """Weights of some models, and other records for each."""
    generator = np.random.default_rng(1)
    weights = generator.standard_normal((MODELS, model.dimension(FEATURES, classes)))
    inputs = np.stack([with_constant(generator.standard_normal((RECORDS, FEATURES))) for _ in range(MODELS)])
    labels = np.stack([np.arange(RECORDS) % classes] * MODELS)
    return weights, inputs, labels


def one_by_one(model: Model, weights, inputs, labels):
    """Gradients (models, records, d), each of a batch of one."""
    ones = np.ones((MODELS, 1))
    return np.stack(
        [model.clipped_sum(weights, inputs[:, [i]], labels[:, [i]], ones, np.inf) for i in range(inputs.shape[1])],
        axis=1,
    )


@cases
def test_gradient_is_that_of_the_loss(model: Model, classes: int):
    weights, inputs, labels = example(model, classes)

    def loss(at):
        scores = model.scores(at, inputs)
        own = np.take_along_axis(scores, labels[..., None], axis=-1)[..., 0]
        return np.sum(logsumexp(scores, axis=-1) - own, axis=-1)

    found = model.clipped_sum(weights, inputs, labels, np.ones(labels.shape), np.inf)
    for place in range(weights.shape[1]):
        step = np.zeros(weights.shape)
        step[:, place] = STEP
        slope = (loss(weights + step) - loss(weights - step)) / (2.0 * STEP)
        assert found[:, place] == pytest.approx(slope, abs=DIFFERENCES * RECORDS, rel=DIFFERENCES)


@cases
@pytest.mark.parametrize("clip", [0.1, 1.0, 2.5])
def test_clipped_sum_is_that_of_gradients_clipped_one_by_one(model: Model, classes: int, clip: float):
    weights, inputs, labels = example(model, classes)
    taking_part = (np.arange(MODELS * RECORDS).reshape(MODELS, RECORDS) % 3 > 0).astype(float)
    each = one_by_one(model, weights, inputs, labels)
    norms = np.linalg.norm(each, axis=-1, keepdims=True)
    expected = (each * np.minimum(1.0, clip / norms) * taking_part[..., None]).sum(axis=1)
    found = model.clipped_sum(weights, inputs, labels, taking_part, clip)
    assert found == pytest.approx(expected, abs=ROUNDING)


@cases
def test_no_record_adds_more_than_the_clip(model: Model, classes: int):
    weights, inputs, labels = example(model, classes)
    clip, ones = 0.5, np.ones((MODELS, 1))
    free = np.linalg.norm(one_by_one(model, weights, inputs, labels), axis=-1)
    assert (free > clip).any()
    for i in range(RECORDS):
        added = np.linalg.norm(model.clipped_sum(weights, inputs[:, [i]], labels[:, [i]], ones, clip), axis=-1)
        assert added == pytest.approx(np.minimum(free[:, i], clip), rel=ROUNDING)


@cases
def test_a_clip_that_nobody_reaches_changes_nothing(model: Model, classes: int):
    weights, inputs, labels = example(model, classes)
    ones = np.ones(labels.shape)
    sums = [model.clipped_sum(weights, inputs, labels, ones, clip) for clip in (1e6, np.inf)]
    assert np.array_equal(sums[0], sums[1])


def test_softmax_agrees_with_the_audits_gradients():
    weights, inputs, labels = example(Softmax(), 4)
    table = gradients(inputs[0], labels[0], weights[0].reshape(FEATURES + 1, 4), 0.7)
    found = Softmax().clipped_sum(weights[:1], inputs[:1], labels[:1], np.ones((1, RECORDS)), 0.7)
    assert found[0] == pytest.approx(table.sum(axis=0), abs=ROUNDING)


@cases
def test_start_has_the_dimension(model: Model, classes: int):
    start = model.start(FEATURES, classes, np.random.default_rng(0))
    assert start.shape == (model.dimension(FEATURES, classes),)
    assert model.scores(start[None], np.ones((6, FEATURES + 1))).shape == (1, 6, classes)


@pytest.mark.parametrize("classes", [2, 3])
def test_intercepts_of_a_network_start_at_0(classes: int):
    width, columns = 5, 1 if classes == 2 else classes
    start = OneHiddenLayer(width).start(FEATURES, classes, np.random.default_rng(0))
    first, second = start[: (FEATURES + 1) * width].reshape(-1, width), start[(FEATURES + 1) * width :]
    assert not np.any(first[-1])
    assert not np.any(second.reshape(-1, columns)[-1])
    assert np.count_nonzero(start) == FEATURES * width + width * columns


@pytest.mark.parametrize(("width", "error"), [(0, ValueError), (1001, ValueError), (2.5, TypeError)])
def test_width_is_refused(width, error):
    with pytest.raises(error, match="width must be"):
        OneHiddenLayer(width)


@pytest.mark.parametrize(
    ("name", "records", "held_out", "features", "classes"),
    [("digits", 1797, 599, 64, 10), ("breast cancer", 569, 190, 30, 2), ("mnist", 5000, 1670, 196, 10)],
)
def test_records_and_their_split(name: str, records: int, held_out: int, features: int, classes: int):
    found = data_set(name)
    assert abs(len(found.fresh_labels) - held_out) <= classes  # rounded in every class
    assert found.records + len(found.fresh_labels) == records
    assert found.features.shape == (found.records, features)
    assert found.classes == classes
    for label in range(classes):
        inside, outside = (np.sum(labels == label) for labels in (found.labels, found.fresh_labels))
        assert abs(outside - (inside + outside) / 3) <= 0.5
    assert not any(part.flags.writeable for part in (found.features, found.labels, found.fresh_features))
    assert data_set(name) is found


def test_scaling_looks_at_no_member():
    """Images by their largest possible grey value; measurements by the held-out records."""
    images = data_set("mnist").features
    assert images.min() == 0.0
    assert 0.9 < images.max() <= 1.0
    fresh = data_set("breast cancer").fresh_features
    assert fresh.mean(axis=0) == pytest.approx(np.zeros(30), abs=1e-10)
    assert fresh.std(axis=0) == pytest.approx(np.ones(30), rel=1e-10)


def test_unknown_data_is_refused():
    with pytest.raises(ValueError, match="data must be one of"):
        data_set("adult")
    assert tuple(DATA_SETS) == ("digits", "breast cancer", "mnist")
