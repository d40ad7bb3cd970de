"""What a trained model is good for, and what it gives away: both from its own outputs.

Losses are -(log f_y - log(1 - f_y)), f_y the probability of the right class (paper 001). What they give away is
measured on one model: the lower limits hold for this model and the draw of its records, and are no promise about
another run.
"""

import numpy as np
import scipy
from scipy.special import log_softmax

from numerics import epsilon_star
from numerics.audits import measured_curve
from numerics.audits.logit_space import Labels, logits_of_scores
from numerics.audits.rounds import Scores
from numerics.epsilon_star.confidence import Ascending
from numerics.trade_off import Floats
from numerics.training.data_sets import DataSet
from numerics.training.models import Model, with_constant
from numerics.validation import OpenProbability, Unknown, checked, value


@value
class Outcome:
    """Numbers of one trained model.

    Attributes:
        accuracy: share of the held-out records it classifies rightly.
        auroc: area under the receiver operating characteristic on held-out records; with more than two classes the
            mean over classes of one against the rest.
        epsilon_star_estimate_as_printed: Epsilon* by normal fits as paper 001 prints them, which may lie on
            either side.
        epsilon_at_least: Epsilon* is at least this, with 95 % confidence.
        power_measured: share of the members that the loss attack finds at the false positive rate asked for.
        power_at_least: the same, with 95 % confidence at least; 0 whatever the losses where fewer than about
            4.4 / alpha records are held out, which cannot show that so few are accused.
        power_at_most: the same attack finds at most this share, with the same confidence (of both limits together).
    """

    accuracy: Unknown
    auroc: Unknown
    epsilon_star_estimate_as_printed: Unknown
    epsilon_at_least: Unknown
    power_measured: Unknown
    power_at_least: Unknown
    power_at_most: Unknown = 1.0


@checked
def outcomes(
    model: Model, weights: Floats, found: DataSet, alpha: OpenProbability, delta: OpenProbability
) -> tuple[Outcome, ...]:
    """Outcome of each of several models with ``weights`` (models, d); ``alpha`` and ``delta`` are the attack's."""
    fresh, seen = (model.scores(weights, with_constant(part)) for part in (found.fresh_features, found.features))
    right = (fresh.argmax(axis=-1) == found.fresh_labels).mean(axis=-1).tolist()
    areas = [auroc(own, found.fresh_labels) for own in fresh]
    fresh_losses, losses = -logits_of_scores(fresh, found.fresh_labels), -logits_of_scores(seen, found.labels)
    rows = zip(right, areas, np.sort(losses), np.sort(fresh_losses), strict=True)
    return tuple(_outcome(share, area, own, other, alpha, delta) for share, area, own, other in rows)


def _outcome(accuracy: float, area: float, losses: Floats, fresh: Floats, alpha: float, delta: float) -> Outcome:
    estimated = epsilon_star.estimate(
        losses, fresh, delta, epsilon_star.Method.PARAMETRIC, scale=epsilon_star.LossScale.PRINTED
    ).value
    surely = epsilon_star.lower_bound(Ascending(losses), Ascending(fresh), delta).value
    curve = measured_curve(Scores(-fresh, -losses), np.array([alpha]))
    at_least = 0.0 if curve.upper is None else float(curve.upper.power[0])
    at_most = 1.0 if curve.lower is None else float(curve.lower.power[0])
    return Outcome(accuracy, area, estimated, surely, float(curve.power[0]), at_least, at_most)


@checked
def auroc(scores: Floats, labels: Labels) -> float:
    """Area under the receiver operating characteristic of ``scores`` (n, classes); one against the rest, averaged.

    A class is ranked by the log of its probability, which keeps its digits; ties count half (Mann-Whitney).
    """
    classes = scores.shape[1]
    own = np.eye(classes)[labels]
    ranks, members = scipy.stats.rankdata(log_softmax(scores, axis=1), axis=0), own.sum(axis=0)
    surplus = (ranks * own).sum(axis=0) - 0.5 * members * (members + 1.0)
    return float(np.mean((surplus / (members * (len(labels) - members)))[-1 if classes == 2 else 0 :]))
