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
AS_PEOPLE = (PEOPLE, ("--rows", "people"), "Each row is a person of its own, as was said.")
AS_COPIES = (COPIES, ("--rows", "copies"), "copies, as was said")


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


def losses_and(column: str, cell: Callable[[int], object], count: int = 1200) -> Stranger:
    """Losses of people, a row each, and a column that tells nothing of them."""
    rows = (f"{RNG.gamma(2.0):.6f},{row % 2},{cell(row)}" for row in range(count))
    return Stranger(table(f"loss,member,{column}", rows))


def curve(header: str, places: Iterable[object]) -> Stranger:
    """A loss that falls, on training and on validation data."""
    columns = range(header.count(","))
    rows = (
        ",".join([str(place), *(f"{2.0 * np.exp(-step / 40.0) + 0.1 * column:.4f}" for column in columns)])
        for step, place in enumerate(places)
    )
    return Stranger(table(header, rows), "training, ", EACH_ROW, (AS_PEOPLE,))


def long_curve(header: str) -> Stranger:
    """The same with a row for each step and group."""
    rows = (
        f"{step},{split},{2.0 * np.exp(-step / 40.0) + by:.4f}"
        for step in range(300)
        for split, by in (("train", 0.0), ("val", 0.35))
    )
    return replace(curve(header, ()), data=table(header, rows))


def predictions(header: str, classes: int = 2, of_score: bool = False) -> Stranger:
    """Probabilities of the right answer, or of every class."""
    rows = []
    for row in range(400):
        answer = row // 2 % 2 if classes == 2 else row % classes
        values = RNG.beta(2.0, 1.0, 1) if classes == 2 else RNG.dirichlet(np.ones(classes))
        rows.append(
            ",".join([*(f"{value:.6f}" for value in values), str(row % 2), *([] if of_score else [str(answer)])])
        )
    of_class = ("--loss", "p_0") if classes > 2 else ()
    said = (LOSSES, ("--evidence", "losses", *of_class), "They are losses, as was said.")
    asks = "is named like scores" if of_score else "predictions are no losses"
    return Stranger(table(header, rows), asks, NUMBERS, (said,), also=("Losses", "p_0") if of_class else None)


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
    own, weights = RNG.normal(size=1000), RNG.normal(70.0, 10.0, 1000)
    rows = [
        f"{np.exp(0.9 * own[one] + 0.3 * RNG.normal()):.6f},{one % 2},{weights[one]:.6f}"
        for one in RNG.permutation(np.repeat(np.arange(1000), 3))
    ]
    said = (NOBODY, ("--independent", "weight"), "Rows that share “weight” count as independent, as was said.")
    return Stranger(table("loss,member,weight", rows), "more alike than chance explains", WHOSE, (said,))


def behind(one: Stranger, texts: int, different: int) -> bytes:
    """The table with so many columns of text before its last one, of so many different cells each."""
    found = []
    for place, row in enumerate(one.data.decode().split()):
        *first, last = row.split(",")
        middle = RNG.integers(0, different, texts) if place else range(texts)
        found.append(",".join([*first, *(f"{'c' if place else 't'}{cell}" for cell in middle), last]))
    return "\n".join([*found, ""]).encode()


def copies(times: int, digits: int) -> Stranger:
    rows = [f"{RNG.gamma(2.0) + 0.3 * (row % 2):.{digits}f},{row % 2}" for row in range(300)]
    return Stranger(table("loss,member", rows * times), "more than rounding explains", EQUAL, (AS_COPIES, AS_PEOPLE))


def whole_rows(again: int) -> Stranger:
    """Two thousand rows with a measurement, ``again`` of which are there twice."""
    rows = [f"{RNG.gamma(2.0):.2f},{row % 2},{RNG.random():.5f}" for row in range(2000)]
    data = table("loss,member,x", rows + rows[:again])
    return (
        Stranger(data, "equal another one in all columns", EQUAL, (AS_COPIES, AS_PEOPLE)) if again else Stranger(data)
    )


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
    leaves, ages, sexes = RNG.gamma(2.0, size=(8, 2)), RNG.integers(0, 70, 2000), RNG.integers(0, 2, 2000)
    told = enumerate(zip(ages, sexes, strict=True))
    return Stranger(
        table(
            "loss,member,age,sex", (f"{leaves[age // 9, sex]:.6f},{row % 2},{age},s{sex}" for row, (age, sex) in told)
        )
    )


def of_models(names: str) -> Stranger:
    """Losses of several models, of which no name says so."""
    rows = (f"{row % 2},{','.join(f'{RNG.gamma(2.0):.6f}' for _ in names.split(','))}" for row in range(400))
    last = names.rsplit(",", maxsplit=1)[-1]
    said = (last, ("--loss", last), f"{last}”")
    return Stranger(table(f"is_train,{names}", rows), "Several columns may hold the losses", "Losses", (said,))


EMAIL = shared("email", lambda person: f"p{person}@example.org", 0.9)
TOWN = losses_and("town", lambda row: f"c{row * row % 499}")
STRANGERS = {
    "TensorBoard": curve("Step,train/loss,val/loss", range(0, 1000, 10)),
    "named as curves": curve("train_loss,val_loss,value", RNG.gamma(2.0, size=100)),
    "batches": curve("batch,train_loss,test_loss", range(100)),
    "a row for each step and group": long_curve("step,split,loss"),
    "a curve in each file": replace(curve("step,loss", range(300)), fresh=curve("step,x,loss", range(300)).data),
    "networks": of_models("resnet,vgg,vit"),
    "steps of a day": losses_and("steps", lambda _: RNG.integers(0, 20_000)),
    "batches of a model": losses_and("batch", lambda row: row // 200),
    "probability of the answer": predictions("y_pred_proba,is_train,y_true"),
    "output": predictions("output,is_train,ground_truth"),
    "classes": predictions("p_0,p_1,p_2,p_3,is_train,y", classes=4),
    "score of an attack": predictions("mia_score,is_train", of_score=True),
    "email": EMAIL,
    "hospital": shared("hospital", lambda person: person, 0.5),
    "doc_id": shared("doc_id", lambda person: f"{person:05d}", 0.9),
    "email behind other texts": replace(EMAIL, data=behind(EMAIL, 17, 10**9)),
    "a text too many": replace(
        TOWN, data=behind(TOWN, 16, 200), doubt="Not looked at for values that rows share: “town”"
    ),
    "weight": shuffled(),
    "independent": shared("email", lambda person: f"p{person}@example.org", 0.0),
    "city": losses_and("city", lambda row: f"c{row * row % 19}"),
    "street": losses_and("street", lambda _: f"c{RNG.integers(0, 100_000)}"),
    "thrice, two digits": copies(3, 2),
    "some rows twice": whole_rows(200),
    "no row twice": whole_rows(0),
    "saturated": saturated(),
    "a tree": tree(),
    "losses of two groups": Stranger(
        table("train_loss,test_loss", (f"{RNG.gamma(2.0):.6f},{RNG.gamma(2.0):.6f}" for _ in range(300)))
    ),
}
