"""What columns leave open: whether rows are people, and whether numbers are losses."""

import pytest

from losses import read_table
from losses.row_questions import curves, scores


def header(names: str) -> bytes:
    width = names.count(",") + 1
    return "\n".join(
        [names, *(",".join(f"{row + 0.25 * place:.3f}" for place in range(width)) for row in range(50))]
    ).encode()


@pytest.mark.parametrize(
    "names",
    [
        *(
            f"{step},train_loss,test_loss"
            for step in ("step", "Epochs", "iter", "iteration", "global_step", "_step", "ROUND")
        ),
        "train_loss,val_loss",
        "loss,val_loss",
        "train/loss,val/loss",
        "run - train_loss,run - train_loss__MIN,run - train_loss__MAX,run - test_loss",
    ],
)
def test_curves_are_asked_about(names: str) -> None:
    assert curves(read_table(header(names)))


@pytest.mark.parametrize("names", ["train_loss,test_loss", "index,train_loss,test_loss", "loss_members,loss_outsiders"])
def test_groups_of_people_are_not(names: str) -> None:
    assert not curves(read_table(header(names)))


def test_a_table_with_a_membership_and_epochs_is_no_curve() -> None:
    rows = [f"{row}.5,{row % 2},{row // 10}" for row in range(60)]
    assert not curves(read_table("\n".join(["loss,member,epoch", *rows]).encode()))


@pytest.mark.parametrize("name", ["confidence", "lira_score", "mia_score", "y_pred_proba", "p", "logit"])
def test_scores_are_not_called_losses(name: str) -> None:
    assert scores(name)


@pytest.mark.parametrize("name", ["loss", "nll", "cross_entropy", "score_loss", "x", "value", "error", "perplexity"])
def test_other_numbers_are_taken_as_before(name: str) -> None:
    assert not scores(name)
