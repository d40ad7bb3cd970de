"""Tables as strangers bring them: what is open about each, and how the page and the command are told.

Each row fails where its table is read as something it is not without a word.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

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
        fresh: the file with the other group, where each has its own.
        also: what else is said on the page, a label and a choice.
    """

    data: bytes
    asks: str = ""
    label: str = ""
    answers: tuple[tuple[str, tuple[str, ...], str], ...] = ()
    doubt: str = ""
    fresh: bytes = b""
    also: tuple[str, str] | None = None


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


def long_curve(header: str, steps: Iterable[object]) -> Stranger:
    """The same with a row for each step and group."""
    rows = (
        f"{step},{split},{2.0 * np.exp(-place / 40.0) + by:.4f}"
        for place, step in enumerate(steps)
        for split, by in (("train", 0.0), ("val", 0.35))
    )
    return replace(curve("epoch,train_loss,val_loss", range(9)), data=table(header, rows))


def two_curves(header: str) -> Stranger:
    """A file for each of the curves."""
    one = curve(f"{header},loss", range(300))
    return replace(one, fresh=curve(f"{header},x,loss", range(300)).data)


def undecided(names: str) -> Stranger:
    """Losses of several models, of which no name says so."""
    rows = (f"{row % 2},{','.join(f'{RNG.gamma(2.0):.6f}' for _ in names.split(','))}" for row in range(400))
    last = names.rsplit(",", maxsplit=1)[-1]
    said = (last, ("--loss", last), f"{last}”")
    return Stranger(table(f"is_train,{names}", rows), "Several columns may hold the losses", "Losses", (said,))


def people(header: str, cells: Callable[[int], object]) -> Stranger:
    """A column that numbers things, among losses of people."""
    return Stranger(table(header, (f"{RNG.gamma(2.0):.6f},{row % 2},{cells(row)}" for row in range(1200))))


def behind(one: Stranger, texts: int, different: int) -> bytes:
    """The table with so many columns of text before its last one, of so many different cells each."""
    head, *rows = one.data.decode().split()
    cells = RNG.integers(0, different, (len(rows), texts))
    found = [head, *rows]
    for place, row in enumerate(found):
        *first, last = row.split(",")
        middle = [f"t{text}" if not place else f"c{cells[place - 1][text]}" for text in range(texts)]
        found[place] = ",".join([*first, *middle, last])
    return "\n".join([*found, ""]).encode()


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
    also = ("Losses", "p_0") if classes > 2 else None
    asks = "is named like scores" if of_score else "predictions are no losses"
    return Stranger(table(header, rows), asks, NUMBERS, (said,), also=also)


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


def shuffled() -> Stranger:
    """Three rows of each person, in any order, by a number of their own with fractions."""
    persons, each = 1000, 3
    own, weights = RNG.normal(size=persons), RNG.normal(70.0, 10.0, persons)
    rows = [
        f"{np.exp(0.9 * own[one] + 0.3 * RNG.normal()):.6f},{one % 2},{weights[one]:.6f}"
        for one in RNG.permutation(np.repeat(np.arange(persons), each))
    ]
    said = (NOBODY, ("--independent", "weight"), "Rows that share “weight” count as independent, as was said.")
    return Stranger(table("loss,member,weight", rows), "more alike than chance explains", WHOSE, (said,))


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


def whole_rows(again: int, digits: int = 2, header: str = "loss,member,x") -> Stranger:
    """Two thousand rows with a measurement, ``again`` of which are there twice."""
    losses, cells = RNG.gamma(2.0, size=2000), RNG.random(2000)
    rows = [f"{losses[row]:.{digits}f},{row % 2},{cells[row]:.5f}" for row in range(2000)]
    once, people = copies(2, 6).answers
    return Stranger(table(header, rows + rows[:again]), "equal another one in all columns", EQUAL, (once, people))


def saturated() -> Stranger:
    """Losses that are often 0, most of all in some of ten classes; and a measurement with few digits."""
    rows = []
    for row in range(2000):
        kind = RNG.integers(0, 10)
        loss = 0.0 if RNG.random() < 0.04 * kind else RNG.gamma(2.0)
        rows.append(f"{loss:.2f},{row % 2},k{kind},{RNG.random():.3f}")
    return Stranger(table("loss,member,class,x", rows))


def tree() -> Stranger:
    """Losses of a tree: one for all whose age and sex are equal."""
    leaves = RNG.gamma(2.0, size=(70, 2))
    rows = []
    for row in range(2000):
        age, sex = RNG.integers(0, 70), RNG.integers(0, 2)
        rows.append(f"{leaves[age // 9, sex]:.6f},{row % 2},{age},s{sex}")
    return Stranger(table("loss,member,age,sex", rows))


STRANGERS = {
    "Keras": curve("epoch,train_loss,val_loss", range(100)),
    "TensorBoard": curve("Step,train/loss,val/loss", range(0, 1000, 10)),
    "global steps": curve("global_step,train_loss,test_loss", range(100)),
    "iterations": curve("Iterations,train_loss,test_loss", range(100)),
    "named as curves": without_steps("train_loss,val_loss"),
    "batches": curve("batch,train_loss,test_loss", range(100)),
    "tokens": curve("tokens,train_loss,test_loss", range(0, 102_400, 1024)),
    "a row for each step and group": long_curve("step,split,loss", range(300)),
    "a curve in each file": two_curves("step"),
    "networks": undecided("resnet,vgg,vit"),
    "yhat": predictions("yhat,is_train,actual"),
    "output": predictions("output,is_train,ground_truth"),
    "steps of a day": people("loss,member,steps", lambda _: RNG.integers(0, 20_000)),
    "epochs of a model": people("loss,member,batch", lambda row: row // 200),
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
    "email behind other texts": replace(
        EMAIL := shared("email", lambda person: f"p{person}@example.org", 0.9), data=behind(EMAIL, 17, 10**9)
    ),
    "a text too many": replace(
        TOWN := others("town", 500),
        data=behind(TOWN, 16, 200),
        doubt="Not looked at for values that rows share: “town”",
    ),
    "weight": shuffled(),
    "independent": shared("email", lambda person: f"p{person}@example.org", 0.0),
    "city": others("city", 20),
    "town": others("town", 500),
    "street": others("street", 100_000),
    "twice": copies(2, 6),
    "thrice, two digits": copies(3, 2),
    "many rows twice": whole_rows(1900),
    "some rows twice": whole_rows(200),
    "some losses twice": replace(
        copies(2, 6),
        data=table("loss,member", (TWICE := [f"{RNG.gamma(2.0):.6f},{row % 2}" for row in range(2000)]) + TWICE[:80]),
    ),
    "no row twice": replace(whole_rows(0), asks=""),
    "saturated": saturated(),
    "a tree": tree(),
    "losses of two groups": Stranger(
        table("train_loss,test_loss", (f"{RNG.gamma(2.0):.6f},{RNG.gamma(2.0):.6f}" for _ in range(300)))
    ),
}
