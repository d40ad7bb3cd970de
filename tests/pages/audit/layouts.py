"""Tables of every layout, of losses and of attack scores, and what the page says of each."""

from collections.abc import Iterable

import numpy as np

RNG = np.random.default_rng(2)
ROWS = 600


def table(header: str, rows: Iterable[str]) -> bytes:
    return "\n".join([header, *rows, ""]).encode()


def loss(is_in: object = False, by: float = 1.5) -> str:
    return f"{RNG.gamma(2.0) + by * (not is_in):.6f}"


# By its name: the file, what is said of its layout, and what the answer is about.
LOSSES: dict[str, tuple[bytes, tuple[str, ...], str]] = {
    "long": (
        table("loss,member,class", (f"{loss(row % 2)},{row % 2},{'ab'[row // 2 % 2]}" for row in range(ROWS))),
        ("its name says who was trained on",),
        r"ε\* is at least",
    ),
    "groups": (
        table("train_loss,test_loss", (f"{loss(True)},{loss()}" for _ in range(ROWS))),
        ("columns are named so, and none tells groups", "Columns of training data"),
        r"ε\* is at least",
    ),
    "models": (
        table("loss_1,loss_2,member", (f"{loss(row % 2)},{loss(row % 2)},{row % 2}" for row in range(ROWS))),
        ("2 columns are named alike", "Columns of models"),
        "^2 models: with 95 %",
    ),
    "pairs": (
        table(
            "train_loss_5,test_loss_5,train_loss_9,test_loss_9",
            (",".join([loss(True), loss()] * 2) for _ in range(ROWS)),
        ),
        ("columns are named so, and none tells groups", "Columns of fresh data"),
        "^2 models: with 95 %",
    ),
    "epochs": (
        table("loss,member,epoch", (f"{loss(row % 2)},{row % 2},{row // 300}" for row in range(ROWS))),
        ("Rows of one model share", "named so"),
        "^2 epochs: with 95 %",
    ),
    "folds of persons": (
        table(
            "loss,split,fold,user",
            (
                f"{loss(row % 2)},{('test', 'train')[row % 2]},{row // 300},u{row // 4 * 2 + row % 2}"
                for row in range(ROWS)
            ),
        ),
        ("its labels say so", "Rows of one person share"),
        "^2 folds: with 95 %",
    ),
}


def score(is_in: object = True) -> str:
    return f"{RNG.normal(1.5 * bool(is_in)):.6f}"


SCORES: dict[str, tuple[bytes, tuple[str, ...], str]] = {
    "long": (
        table("lira_score,member", (f"{score(row % 2)},{row % 2}" for row in range(ROWS))),
        ("as of scores",),
        "While falsely accusing",
    ),
    "groups": (
        table("score_members,score_outsiders", (f"{score()},{score(False)}" for _ in range(ROWS))),
        ("columns are named so, and none tells groups",),
        "While falsely accusing",
    ),
    "models with members of their own": (
        table(
            "score_1,score_2,member_1,member_2",
            (f"{score(row % 2)},{score(row // 2 % 2)},{row % 2},{row // 2 % 2}" for row in range(ROWS)),
        ),
        ("2 columns are named alike", "Rows of one record share"),
        "^All 2 models surely give members away",
    ),
    "models and epochs": (
        table(
            "score,member,model,epoch",
            (f"{score(row % 2)},{row % 2},{row // 300},{row // 150 % 2}" for row in range(ROWS)),
        ),
        ("Rows of one model share", "named so"),
        "^All 4 models surely give members away",
    ),
    "persons": (
        table("score,member,user", (f"{score(row % 2)},{row % 2},u{row // 4 * 2 + row % 2}" for row in range(ROWS))),
        ("Rows of one person share", "names 300 persons in 600 rows"),
        "While falsely accusing",
    ),
}
