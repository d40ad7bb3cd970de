"""Make the shipped measurements of paper 004 Fig. 2c, 5c and 6. See README.md beside this file.

Run from the project's folder: ``python -m data.make_paper_004``. About two minutes on one core.
"""

from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray

from data import written
from numerics import shipped
from numerics.audits import Background, RealGradients, Scores, Training, collected, gradients, repeated
from numerics.audits.digits import BACKGROUND_RECORDS, digits
from numerics.audits.logit_space import logits
from numerics.trade_off import Floats

BATCH, AUDITS, ROUNDS, SEED = 100, 10, 1000, 1
RATES = np.union1d(np.geomspace(2e-3, 1.0, 13)[:-1], np.linspace(0.05, 0.95, 19))
GRADIENT_STEPS = (1, 2, 5, 10)
LOSS_STEPS = (5, 50, 500)
MODELS = 600
COLUMNS = ("steps", "alpha", "missed", "sd")
_TRAINED, _RATE, _CLIP, _UNCLIPPED = 100, 5.0, 1.0, 1e6
Row = tuple[int, float, float, float]
GRADIENT_ABOUT = {
    "what": "false negative rates of GLiR on several steps of a model of the digits, the same batch of 100 at each"
}
LOSS_ABOUT = {
    "what": "false negative rates of the likelihood ratio attack on logits of 600 models of 100 digits each",
    "steps": "of training, on all 100 digits",
}


def gradient_tables(steps: int) -> list[Floats]:
    """Gradients (1797, 170) of all digits at successive steps of a trained softmax regression."""
    features, labels = digits()
    everybody, draw = np.ones((1, len(labels))), np.random.default_rng(0)
    weights = Training(0.0, _TRAINED, _RATE).run(features, labels, everybody, np.zeros((features.shape[1], 10)), draw)
    tables = []
    for _ in range(steps):
        tables.append(gradients(features, labels, weights[0], _CLIP))
        weights = Training(0.0, 1, _RATE).run(features, labels, everybody, weights[0], draw)
    return tables


def gradient_rows(steps: tuple[int, ...] = GRADIENT_STEPS) -> Generator[Row, None, None]:
    """GLiR on each number of steps."""
    tables = gradient_tables(max(steps))
    backgrounds = tuple(Background.estimated(table[:BACKGROUND_RECORDS]) for table in tables)
    populations = tuple(table[BACKGROUND_RECORDS:] for table in tables)
    for number in steps:
        attack = RealGradients(populations[:number], backgrounds[:number], BATCH)
        yield from _measured(number, Scores(*collected(attack.run(AUDITS * ROUNDS, SEED))))


def loss_rows(steps: tuple[int, ...] = LOSS_STEPS) -> Generator[Row, None, None]:
    """The attack on each number of steps, every model attacked with all others as shadow models."""
    features, labels = digits()
    features, labels = features[BACKGROUND_RECORDS:], labels[BACKGROUND_RECORDS:]
    draw = np.random.default_rng(SEED)
    order = draw.random((MODELS, len(labels))).argsort(axis=1)
    members = order < BATCH
    outsiders = (order >= BATCH) & (order < 2 * BATCH)  # as many as members
    start = np.zeros((features.shape[1], 10))
    for number in steps:
        training = Training(0.0, number, _RATE, _UNCLIPPED)
        weights = training.run(features, labels, members.astype(float), start, draw)
        ratio = log_ratios(logits(features, labels, weights), members)
        yield from _measured(number, Scores(ratio[outsiders], ratio[members]))


def log_ratios(observed: Floats, members: NDArray[np.bool_]) -> Floats:
    """Log likelihood ratios (models, records) of ``observed`` values, as large as a model seems trained on a record.

    Of each record, values of models trained with it and of those trained without have a normal law each, fitted to all
    models but the one that is judged (Carlini et al. 2022).
    """
    inside, outside = (_log_density(observed, side.astype(float)) for side in (members, ~members))
    return inside - outside


def _log_density(observed: Floats, chosen: Floats) -> Floats:
    """By the normal law of the chosen others."""
    count, total, squares = (
        np.sum(chosen * power, axis=0) - chosen * power for power in (np.ones_like(observed), observed, observed**2)
    )
    mean = total / count
    variance = (squares - count * mean**2) / (count - 1.0)
    return np.asarray(-0.5 * (observed - mean) ** 2 / variance - 0.5 * np.log(variance))


def _measured(steps: int, scores: Scores) -> Generator[Row, None, None]:
    found = repeated(scores, AUDITS, RATES)
    for alpha, mean, deviation in zip(*found, strict=True):
        yield steps, float(alpha), float(mean), float(deviation)


TABLES = {
    "paper_004_fig_2c": (gradient_rows, GRADIENT_ABOUT),
    "paper_004_fig_6": (loss_rows, LOSS_ABOUT),
}

if __name__ == "__main__":
    for name, (rows, about) in TABLES.items():
        (shipped.DATA / f"{name}.csv").write_text(written.document(COLUMNS, rows(), about), encoding="utf-8")
