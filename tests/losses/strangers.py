"""Tables as strangers bring them: what is open about each, and how the page and the command are told.

Each row fails where its table is read as something it is not without a word.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from losses.row_questions import COPIES, PEOPLE
from pages.audit.row_groups import NOBODY
from pages.audit.row_questions import LOSSES

RNG = np.random.default_rng(11)
PERSONS, ROWS_EACH = 60, 10
EACH_ROW, NUMBERS, WHOSE, EQUAL = (
    "Each row is",
    "These numbers are",
    "Rows of one person share",
    "Rows with equal numbers are",
)


@dataclass(frozen=True)
class Stranger:
    """A table.

    Attributes:
        data: of the file.
        asks: part of the question; empty where nothing is open.
        label: of the choice on the page.
        answers: what may be said: the choice on the page, the command's options, and what is then told of it.
        doubt: what is told beside an answer without any question.
    """

    data: bytes
    asks: str = ""
    label: str = ""
    answers: tuple[tuple[str, tuple[str, ...], str], ...] = ()
    doubt: str = ""


def table(header: str, rows: Iterable[str]) -> bytes:
    return "\n".join([header, *rows, ""]).encode()


def curve(header: str, places: Iterable[object]) -> Stranger:
    """A loss that falls, on training and on validation data."""
    columns = len(header.split(",")) - 1
    rows = (
        ",".join([str(place), *(f"{2.0 * np.exp(-step / 40.0) + 0.1 * column:.4f}" for column in range(columns))])
        for step, place in enumerate(places)
    )
    said = (PEOPLE, ("--rows", "people"), "Each row is a person of its own, as was said.")
    return Stranger(table(header, rows), "training, ", EACH_ROW, (said,))


def without_steps(header: str) -> Stranger:
    return curve(f"{header},value", (f"{value:.4f}" for value in RNG.gamma(2.0, size=100)))


def predictions(header: str, classes: int = 2, of_score: bool = False) -> Stranger:
    """Probabilities of the right answer, or of every class."""
    rows = []
    for row in range(400):
        if classes == 2:
            answer, values = row // 2 % 2, [f"{RNG.beta(2.0, 1.0):.4f}"]
        else:
            answer, values = row % classes, [f"{value:.6f}" for value in RNG.dirichlet(np.ones(classes))]
        rows.append(",".join([*values, str(row % 2), *([] if of_score else [str(answer)])]))
    said = (
        LOSSES,
        ("--evidence", "losses", *(("--loss", "p_0") if classes > 2 else ())),
        "They are losses, as was said.",
    )
    asks = "is named like scores" if of_score else "predictions are no losses"
    return Stranger(table(header, rows), asks, NUMBERS, (said,))


def shared(column: str, cell: Callable[[int], object], correlation: float) -> Stranger:
    """Null data: rows of a person in one group, alike or not; ``cell`` names the person of a row."""
    own = np.repeat(RNG.normal(size=2 * PERSONS), ROWS_EACH)
    losses = np.sqrt(correlation) * own + np.sqrt(1.0 - correlation) * RNG.normal(size=len(own))
    rows = (
        f"{loss:.6f},{int(row < PERSONS * ROWS_EACH)},{cell(row // ROWS_EACH)}"
        for row, loss in enumerate(losses.tolist())
    )
    data = table(f"loss,member,{column}", rows)
    if not correlation:
        return Stranger(data, doubt=f"Column “{column}”: 120 values repeat, each within one group")
    independent = (NOBODY, ("--independent", column), f"Rows that share “{column}” count as independent, as was said.")
    one_each = (column, ("--cluster", column), f"Column “{column}” names 120 persons in 1,200 rows: one row of each")
    return Stranger(data, "more alike than chance explains", WHOSE, (independent, one_each))


def others(column: str, different: int) -> Stranger:
    """A column that tells nothing of persons or of losses."""
    cells = RNG.integers(0, different, 1200)
    return Stranger(
        table(f"loss,member,{column}", (f"{RNG.gamma(2.0):.6f},{row % 2},c{cells[row]}" for row in range(1200)))
    )


def copies(times: int, digits: int) -> Stranger:
    losses = [f"{RNG.gamma(2.0) + 0.3 * (row % 2):.{digits}f},{row % 2}" for row in range(300)]
    once = (COPIES, ("--rows", "copies"), "copies, as was said")
    people = (PEOPLE, ("--rows", "people"), "Each row is a person of its own, as was said.")
    return Stranger(table("loss,member", losses * times), "more than rounding explains", EQUAL, (once, people))


STRANGERS = {
    "Keras": curve("epoch,train_loss,val_loss", range(100)),
    "TensorBoard": curve("Step,train/loss,val/loss", range(0, 1000, 10)),
    "global steps": curve("global_step,train_loss,test_loss", range(100)),
    "iterations": curve("Iterations,train_loss,test_loss", range(100)),
    "named as curves": without_steps("train_loss,val_loss"),
    "probability of the answer": predictions("y_pred_proba,is_train,y_true"),
    "p": predictions("p,is_train,y"),
    "confidence": predictions("confidence,is_train,label"),
    "classes": predictions("p_0,p_1,p_2,p_3,is_train,y", classes=4),
    "score of an attack": predictions("mia_score,is_train", of_score=True),
    "email": shared("email", lambda person: f"p{person}@example.org", 0.9),
    "mrn": shared("mrn", lambda person: 4_000_000 + 17 * person, 0.9),
    "name": shared("name", lambda person: f"Ann {person}", 0.9),
    "hospital": shared("hospital", lambda person: person, 0.5),
    "doc_id": shared("doc_id", lambda person: f"{person:05d}", 0.9),
    "independent": shared("email", lambda person: f"p{person}@example.org", 0.0),
    "city": others("city", 20),
    "town": others("town", 500),
    "street": others("street", 100_000),
    "twice": copies(2, 6),
    "thrice, two digits": copies(3, 2),
    "losses of two groups": Stranger(
        table("train_loss,test_loss", (f"{RNG.gamma(2.0):.6f},{RNG.gamma(2.0):.6f}" for _ in range(300)))
    ),
}
