"""The kinds of evidence, and which options go with each: one that would be ignored is refused."""

import argparse

LOSSES, PREDICTIONS, SCORES, CANARIES, RUNS = "losses", "predictions", "scores", "canaries", "runs"
ALL = (LOSSES, PREDICTIONS, SCORES, CANARIES, RUNS)
_ENGINE = {"engine", "table", "setting"}
_PREDICTED = {"predictions", "answer", "logits", "positive"}
_OF_LOSSES = {"population", "method", "unit", "as_printed", "delta", "clip", "max_epsilon_star"}
_OF_ROWS = {"cluster", "model_column", "model", "slice", "rows"}
_OF_PROMISES = {"claim", "left_out", "confirm"}
_NOT_WITH = {
    LOSSES: _PREDICTED | _OF_PROMISES | {"suspect"},
    PREDICTIONS: _ENGINE | _OF_PROMISES | {"suspect", "loss"},
    SCORES: _ENGINE | _PREDICTED | _OF_LOSSES | _OF_PROMISES,
    CANARIES: _ENGINE | _PREDICTED | _OF_LOSSES | _OF_ROWS,
    RUNS: _ENGINE | _PREDICTED | _OF_LOSSES | _OF_ROWS | {"left_out"},
}


def kind_of(chosen: argparse.Namespace) -> str:
    """The kind of evidence; losses where nothing was said."""
    return chosen.evidence or LOSSES


def check(chosen: argparse.Namespace, usual: argparse.Namespace) -> None:
    """Raise ValueError for an option that the kind of evidence does not go with; ``usual`` has nobody's choices."""
    kind = kind_of(chosen)
    for name in sorted(_NOT_WITH[kind]):
        if getattr(chosen, name) != getattr(usual, name):
            with_it = [other for other in ALL if name not in _NOT_WITH[other]]
            raise ValueError(
                f"--{name.replace('_', '-')} does not go with {kind}, but with --evidence {' or '.join(with_it)}."
            )
