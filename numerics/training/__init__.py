"""Real training with private gradients, to measure what protection costs.

========================================================  =======================================================
Real records, members and held-out ones                   ``data_set(name)`` for a name in DATA_SETS
A model                                                   ``Softmax()``, ``OneHiddenLayer(width)``
How it is trained                                         ``Recipe(data, model, clip, batch, epochs, rate)``
Train it                                                  ``train(recipe, Protection(noise, sampling), generators)``
How much noise for a goal, for which attacker?            ``calibrated(strategy, goal, recipe.release, alpha, delta)``
What does a trained model reach, and give away?           ``outcomes(model, weights, data, alpha, delta)``
All of it, with progress                                  ``run(Plan(default_recipe(name)))``, ``summary(rows)``
How good were they on the way, and what was promised?     ``Checkpoint``: ``path`` of each step of ``run``
Sweeps made earlier, and their paths                      ``shipped(name)``, ``shipped_path(name)``
========================================================  =======================================================
"""

from numerics.training.calibrated import NOTIONS, Calibrated, Guarantee, Strategy, calibrated, private_release
from numerics.training.data_sets import DATA_SETS, DataSet, data_set
from numerics.training.models import Model, OneHiddenLayer, Softmax
from numerics.training.outcome import Outcome, auroc, outcomes
from numerics.training.path import Checkpoint
from numerics.training.plans import Plan, default_recipe, mu_plan
from numerics.training.private_sgd import Protection, Recipe, train
from numerics.training.summary import Cell, Spread, summary
from numerics.training.sweep import SweepChunk, Trained, run
from numerics.training.tables import shipped, shipped_path
