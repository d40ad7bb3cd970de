"""Releases as JSON: every one comes back as it was, keeps to the published schema, and what is wrong is named."""

import json
import tomllib
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs.make_release_schema import content
from docs.make_release_schema import schema as published_schema
from numerics.mechanisms import MECHANISMS, Composition, Gaussian, Laplace
from numerics.release_file import ReleaseFile, read
from tests import ROOT
from tests.strategies import mechanisms

SIZES = st.one_of(st.none(), st.integers(1, 10**9))
OFFERED = mechanisms().filter(lambda made: all(type(phase) in MECHANISMS for phase in made.phases))
SAID = ReleaseFile((Gaussian(1.0, 0.01, 1000), Gaussian(2.0, 0.01, 5)), 1e-6, 60_000, 10_000, 1.5)
WRONG = tomllib.loads(Path(__file__).with_name("release_file.toml").read_text())["wrong"]


def complaints(text: str) -> list[str]:
    schema = jsonschema.Draft202012Validator(published_schema())
    return [error.message for error in schema.iter_errors(json.loads(text))]


def changed(**values: Any) -> str:
    return json.dumps(json.loads(SAID.text) | values)


def phase(**values: Any) -> str:
    first, second = json.loads(SAID.text)["phases"]
    return changed(phases=[{name: value for name, value in (first | values).items() if value is not ...}, second])


def test_the_published_schema_is_that_of_the_fields() -> None:
    published = (ROOT / "docs" / "release.schema.json").read_text()
    assert content() == published, "run: python -m docs.make_release_schema"
    jsonschema.Draft202012Validator.check_schema(json.loads(published))
    for kind in MECHANISMS:
        rules = published_schema()["$defs"][kind.__name__]
        assert list(rules["properties"]) == ["mechanism", *(field.name for field in fields(kind))]
        needed = [field.name for field in fields(kind) if field.default is MISSING]
        assert rules["required"] == ["mechanism", *needed]


@settings(max_examples=25)
@given(OFFERED, st.one_of(st.none(), st.floats(1e-12, 0.1)), SIZES, SIZES, st.one_of(st.none(), st.floats(1e-6, 1e6)))
def test_every_release_comes_back_and_keeps_to_the_schema(mechanism, delta, records, dimension, clip) -> None:
    file = ReleaseFile(mechanism.phases, delta, records, dimension, clip)
    assert not complaints(file.text)
    again = read(file.text)
    assert again == file
    assert again.mechanism == mechanism or again.mechanism == mechanism.phases[0]


def test_what_is_left_out_has_its_default() -> None:
    short = [{"mechanism": "Laplace", "noise_multiplier": 2}]
    text = json.dumps({"format": "privacy-trade-offs release", "version": 1, "phases": short})
    assert not complaints(text)
    assert read(text) == ReleaseFile((Laplace(2.0),))
    assert read(SAID.text).mechanism == Composition(SAID.phases)


@pytest.mark.parametrize(("question", "why"), WRONG, ids=[question[:40] for question, _ in WRONG])
def test_what_is_wrong_is_said_with_its_place_and_what_to_do_and_the_schema_refuses_unknown_names(
    question: str, why: str
) -> None:
    text = eval(question, {"changed": changed, "phase": phase, "SAID": SAID.text})
    with pytest.raises(ValueError, match=why):
        read(text)
    if "not known" in why or "noise_multiplier=-1" in question:
        assert complaints(text)
