"""Who was trained on, told by names and labels in three languages; asked where they do not tell."""

import json
from pathlib import Path

import numpy as np
import pytest

from losses import join, one_column, read_table, split, training_label
from losses.instances import pairs
from losses.membership import Why, says_trained, without_group
from reports.command.main import main
from tests.loss_files import FRESH, TRAIN, both, check_both, groups, one

pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")

TRAINED = """
    is_train train member membership is_member in_training isMember seen trained inTrain included
    with_record has_canary contains_the_record
    included_in_training is_training_data used_for_training not_test in_sample not_unseen mitglied training
    Trainingsdaten gesehen trainiert entrainement entraînement entraîné apprentissage membre jeu_entraînement
    appartenance
"""
NOT_TRAINED = """
    is_test test holdout unseen is_validation validation out_of_sample nonmember eval oos not_in_training
    isNotMember non-member NonMember notMember excluded excluded_from_training out_of_train unseen_in_training
    held_out heldOut hold-out isTest istest is_val test_set holdout_set eval_set not_seen never_trained left_out
    isUnseen NotInTrainingSet testdaten Testmenge nicht_trainiert ungesehen kein_mitglied Nicht-Mitglied
    without_canary no_record
    nichtmitglied validierung non_membre hors_echantillon hors_échantillon hors_entraînement non_entraîné pas_vu
"""
SILENT = """
    flag split label set group partition valid in out value y x id run output latest contest intestine pretest
    train_test train_or_test test_train_split member_or_not excluded_from_test
"""


@pytest.mark.parametrize("name", TRAINED.split())
def test_names_of_who_was_trained_on(name: str) -> None:
    assert says_trained(name) is True


@pytest.mark.parametrize("name", NOT_TRAINED.split())
def test_names_of_who_was_not_trained_on(name: str) -> None:
    assert says_trained(name) is False


@pytest.mark.parametrize("name", SILENT.split())
def test_names_that_say_neither(name: str) -> None:
    assert says_trained(name) is None


def test_a_number_is_no_negation() -> None:
    assert says_trained("run no 3 train", is_cell=True) is True


@pytest.mark.parametrize("yes_and_no", [("1", "0"), ("true", "false"), ("Yes", "No"), ("ja", "nein"), ("oui", "non")])
def test_a_column_for_outsiders_is_read_the_right_way_round(yes_and_no: tuple[str, str]) -> None:
    yes, no = yes_and_no
    for name in ("is_test", "holdout", "nonmember", "nicht_trainiert", "hors_echantillon"):
        check_both(groups(both(header=f"loss,{name}", labels=(no, yes))))
    check_both(groups(both(header="loss,membre", labels=(yes, no))))


@pytest.mark.parametrize(
    "labels",
    [
        ("train", "test"),
        ("in", "out"),
        ("tr", "te"),
        ("train", "valid"),
        ("member", "not a member"),
        ("included", "excluded"),
        ("Trainingsdaten", "Testdaten"),
        ("Mitglied", "kein Mitglied"),
        ("apprentissage", "validation"),
        ("entraînement", "hors échantillon"),
    ],
)
def test_labels_say_it_whatever_the_order(labels: tuple[str, str]) -> None:
    for order in (labels, labels[::-1]):
        told = training_label("split", order)
        assert told is not None
        assert (told.member, told.why) == (labels[0], Why.LABELS)


@pytest.mark.parametrize("labels", [("with", "without"), ("in", "out"), ("mit", "ohne"), ("with record", "without")])
def test_worlds_of_an_audit_are_told_by_their_labels(labels: tuple[str, str]) -> None:
    told = training_label("world", labels[::-1])
    assert told is not None
    assert (told.member, told.why) == (labels[0], Why.LABELS)


def test_with_and_without_say_nothing_elsewhere_nor_do_numbers_of_worlds() -> None:
    assert training_label("treatment", ("with", "without")) is None
    assert training_label("world", ("0", "1")) is None
    assert read_table(both(header="loss,world").encode()).is_membership_clear  # which is asked for its label


def test_in_below_a_name_of_outsiders_is_not_guessed() -> None:
    """In the test data, or in the training data?"""
    assert training_label("is_test", ("in", "out")) is None
    assert training_label("is_test", ("train", "test")) is not None


@pytest.mark.parametrize("name", ["flag", "split", "label", "column 2"])
def test_ones_and_zeros_below_another_name_are_asked_for(name: str) -> None:
    assert training_label(name, ("0", "1")) is None
    said = training_label(name, ("0", "1"), "0")
    assert said is not None
    assert (said.member, said.why) == ("0", Why.SAID)


def test_a_label_said_against_the_name_holds_and_is_said() -> None:
    said = training_label("is_test", ("0", "1"), "1")
    assert said is not None
    assert said.words == "“1” in column “is_test” means training data: this was said, not guessed."


def test_a_flag_is_no_clear_membership() -> None:
    assert not read_table(both(header="loss,flag").encode()).is_membership_clear
    assert read_table(both(header="loss,is_test").encode()).is_membership_clear


def test_several_models_with_a_column_for_outsiders() -> None:
    table = read_table(both(header="loss,is_test", labels=("0", "1")).encode())
    told = training_label("is_test", table.labels[0].labels)
    assert told is not None
    check_both(split(table, "loss", told.column, told.member))


def test_files_named_after_who_was_not_trained_on() -> None:
    tables = {
        "not_in_training_1.csv": read_table(one(FRESH).encode()),
        "training_1.csv": read_table(one(TRAIN).encode()),
    }
    ((name, (train, fresh)),) = pairs(tables).items()
    assert name == "1"
    check_both(join(one_column(tables[train], "loss"), one_column(tables[fresh], "loss")))
    assert without_group("ModèleA_nonmember") == "ModeleA_nonmember"  # glued words are for says_trained alone


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "losses.csv"


def command(path: Path, capsys: pytest.CaptureFixture[str], *more: str, code: int = 0) -> str:
    assert main(["audit", str(path), *more]) == code
    shown = capsys.readouterr()
    return shown.err if code else shown.out


@pytest.mark.parametrize(
    "name", ["is_test", "test", "holdout", "unseen", "is_validation", "out_of_sample", "nonmember", "eval"]
)
def test_the_command_reads_outsiders_the_right_way_round(
    name: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_text(both(header=f"loss,{name}", labels=("0", "1")))
    found = json.loads(command(path, capsys, "--json"))["numbers"]
    assert found["sizes"] == {"train": len(TRAIN), "population": len(FRESH)}
    assert found["columns"] == {
        "loss": "loss",
        "membership": name,
        "member": "0",
        "why": "its name says who was not trained on",
    }
    assert f"“0” in column “{name}” means training data: its name says who was not" in command(path, capsys)


@pytest.mark.parametrize("name", ["flag", "split", "label"])
def test_the_command_asks_where_a_name_does_not_tell(name: str, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path.write_text(both(header=f"loss,{name}", labels=("0", "1")))
    assert "Name the label of training data: --member VALUE." in command(path, capsys, "--membership", name, code=2)
    found = json.loads(command(path, capsys, "--membership", name, "--member", "0", "--unit", "nats", "--json"))[
        "numbers"
    ]
    assert found["sizes"] == {"train": len(TRAIN), "population": len(FRESH)}
    assert found["columns"]["why"] == "this was said, not guessed"
    assert np.isfinite(found["estimates"]["parametric"]["value"])


def test_of_two_columns_as_likely_the_first_is_the_membership() -> None:
    rows = "".join(f"{row}.5,{('train', 'test')[row % 2]},{('train', 'test')[row % 2]}\n" for row in range(40))
    table = read_table(f"loss,target_split,note\n{rows}".encode())
    assert [column.name for column in table.labels] == ["target_split", "note"]
