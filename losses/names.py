"""What the name of a column says of its cells: whose a row is, of which model, which record, scores or answers.

Who was trained on is ``losses.training_labels``. A name of a measurement, such as ``model_loss``, says none of these.
"""

import re

from losses.training_labels import spaced

_PERSON = re.compile(
    r"(?<![a-z])(person(en)?|user|patient(in|en)?|subject|customer|client|participant|individual|household|famil(y|ie)|"
    r"speaker|student|respondent|nutzer|benutzer|proband(en)?|teilnehmer|kund(e|en|in)|haushalt|personne|utilisateur|"
    r"sujet|menage)s?(?![a-z])",
    re.IGNORECASE,
)
_CLUSTER = re.compile(
    r"(?<![a-z])(cluster|group|account|device|author|writer|owner|gruppe|groupe|grappe)s?(?![a-z])", re.I
)
_MODEL = re.compile(
    r"(?<![a-z])(model|instance|run|seed|trial|shadow|epoch|fold|checkpoint|modell|modele|lauf|epoche|epoque)s?(?![a-z])",
    re.IGNORECASE,
)
_SLICE = re.compile(
    r"(?<![a-z])(class|label|target|category|slice|subgroup|subset|domain|source|sex|gender|age|region|country|language|"
    r"klasse|classe|kategorie|categorie)s?(?![a-z])",
    re.IGNORECASE,
)
_RECORD = re.compile(r"(?<![a-z])(id|ids|idx|index|record|canary|sample|example|row)s?(?![a-z])", re.IGNORECASE)
_MEASURED = re.compile(r"loss|nll|entropy|score|logit|prob|accura|correct|error", re.IGNORECASE)
_ANSWERS = re.compile(
    r"(?<![a-z])(y|labels?|class|targets?|truth|true|actuals?|answers?|category)(?![a-z])", re.IGNORECASE
)
_PREDICTIONS = re.compile(
    r"prob(?!e|lem)|logit|score|softmax|confiden|sigmoid|(?<![a-z])pred(?!ec)|(?<![a-z])outputs?(?![a-z])|"
    r"(?<![a-z])(p|f|y[\W_]?hat)(?![a-z])",
    re.IGNORECASE,
)
_SCORES = re.compile(r"score|statistic|lira|rmia|attack|logit|observ|confiden|(^|[^a-z])stat([^a-z]|$)", re.I)
_MADE_OF_SCORES = re.compile(r"guess|decision|verdict", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
_SMALL = re.compile(r"loss|nll|cross.?ent|deviance|perplex|error|(^|[^a-z])ce([^a-z]|$)|p.?value", re.IGNORECASE)


def names_persons(name: str) -> bool:
    """Whether its cells name persons."""
    return _says(_PERSON, name)


def names_clusters(name: str) -> bool:
    """Whether its cells may name persons, or others to whom several rows belong."""
    return names_persons(name) or _says(_CLUSTER, name)


def is_told_by_slicing(name: str) -> bool:
    """Whether who slices by the column says what it is: a slice has many people, and a model's rows are of one."""
    return not (names_persons(name) or names_models(name))


def names_models(name: str) -> bool:
    """Whether its cells name models, or states of one, such as epochs."""
    return _says(_MODEL, name)


def names_slices(name: str) -> bool:
    """Whether its cells may name classes or subgroups."""
    return _says(_SLICE, name)


def names_records(name: str) -> bool:
    """Whether its cells may name records."""
    return _says(_RECORD, name)


def mentions_models(name: str) -> bool:
    """Whether a name speaks of models, or states of one, even if it is a measurement's: ``loss_model_1``."""
    return _MODEL.search(spaced(name)) is not None


def names_answers(name: str) -> bool:
    """Whether a column is called like right answers."""
    return _ANSWERS.search(spaced(name)) is not None


def names_predictions(name: str) -> bool:
    """Whether a column is called like predictions, or like scores of classes."""
    return _PREDICTIONS.search(spaced(name)) is not None


def names_scores(name: str) -> bool:
    """Whether a column is called like scores of an attack, and not like what was made of them."""
    return _SCORES.search(name) is not None and not is_made_of_scores(name)


def is_made_of_scores(name: str) -> bool:
    """Whether a column is called like guesses or decisions."""
    return _MADE_OF_SCORES.search(name) is not None


def small_means_in(name: str) -> bool:
    """Whether a column's name says that small numbers speak for "in": losses, errors, p-values."""
    return _SMALL.search(name) is not None and _SCORES.search(name) is None


def natural(name: str) -> list[tuple[bool, float, str]]:
    """What sorts numbers by their size, -1 before 160.25 before 160.5, and names by that of numbers in them."""
    if _NUMBER.fullmatch(name):
        return [(False, float(name), name)]
    return [
        (not part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in re.split(r"(\d+)", name) if part
    ]


def _says(words: re.Pattern[str], name: str) -> bool:
    return words.search(spaced(name)) is not None and _MEASURED.search(name) is None
