"""Releases as JSON: every one comes back as it was, keeps to the published schema, and what is wrong is named."""

import json
from dataclasses import MISSING, fields
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs.make_release_schema import content
from numerics import release_file
from numerics.mechanisms import MECHANISMS, Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.release_file import ReleaseFile, read
from tests import ROOT
from tests.strategies import mechanisms

PUBLISHED = ROOT / "docs" / "release.schema.json"
SIZES = st.one_of(st.none(), st.integers(1, 10**9))
OFFERED = mechanisms().filter(lambda made: all(type(phase) in MECHANISMS for phase in made.phases))
SAID = ReleaseFile((Gaussian(1.0, 0.01, 1000), Gaussian(2.0, 0.01, 5)), 1e-6, 60_000, 10_000, 1.5)


def complaints(file: Any) -> list[str]:
    return [error.message for error in jsonschema.Draft202012Validator(release_file.schema()).iter_errors(file)]


def test_the_published_schema_is_that_of_the_fields() -> None:
    assert content() == PUBLISHED.read_text(), "run: python docs/make_release_schema.py"
    jsonschema.Draft202012Validator.check_schema(json.loads(PUBLISHED.read_text()))


@pytest.mark.parametrize("kind", MECHANISMS)
def test_the_schema_has_every_field_of_every_mechanism(kind: type) -> None:
    rules = release_file.schema()["$defs"][kind.__name__]
    assert list(rules["properties"]) == ["mechanism", *(field.name for field in fields(kind))]
    needed = [field.name for field in fields(kind) if field.default is MISSING]
    assert rules["required"] == ["mechanism", *needed]


@given(OFFERED, st.one_of(st.none(), st.floats(1e-12, 0.1)), SIZES, SIZES, st.one_of(st.none(), st.floats(1e-6, 1e6)))
@settings(max_examples=25)
def test_every_release_comes_back_and_keeps_to_the_schema(mechanism, delta, records, dimension, clip) -> None:
    file = ReleaseFile(mechanism.phases, delta, records, dimension, clip)
    assert not complaints(json.loads(file.text))
    again = read(file.text)
    assert again == file
    assert again.mechanism == mechanism or again.mechanism == mechanism.phases[0]


def test_what_is_left_out_has_its_default() -> None:
    short = [{"mechanism": "Laplace", "noise_multiplier": 2}]
    text = json.dumps({"format": "privacy-trade-offs release", "version": 1, "phases": short})
    assert not complaints(json.loads(text))
    assert read(text) == ReleaseFile((Laplace(2.0),))
    assert read(SAID.text).mechanism == Composition(SAID.phases)


def changed(**values: Any) -> str:
    return json.dumps(json.loads(SAID.text) | values)


def phase(**values: Any) -> str:
    own = json.loads(SAID.text)["phases"][0] | values
    return changed(phases=[{name: value for name, value in own.items() if value is not ...}])


WRONG = {
    "{": r"no JSON: .* in line 1, column 2\. Export the release anew",
    '{"a": 1,\n "b"}': "in line 2, column 5",
    "[1]": r"the file must be an object in braces, got \[1\]",
    '{"format": "other"}': "format must be \"privacy-trade-offs release\", got 'other'",
    changed(version=2): "version must be at most 1, got 2. A newer program made the file",
    changed(version="1"): "version must be a whole number from 1 up, got '1'",
    changed(noise=1): "the file has 'noise', which is not known. Known are format, version, phases, delta",
    changed(phases=[]): "phases must be a list of 1 to 16 phases, got",
    changed(phases=[3]): "phase 1 must be an object in braces, got 3",
    changed(delta=0): "delta must be strictly between 0 and 1, got 0",
    changed(records=1.5): "records must be a whole number, got 1.5",
    changed(records=0): "records must be between 1 and 1000000000, got 0",
    phase(mechanism="Cauchy"): "mechanism of phase 1 must be one of .*Gaussian, .*got 'Cauchy'",
    phase(mechanism=...): "mechanism of phase 1 must be one of .*Gaussian, .*got None",
    phase(sigma=1): "phase 1 has 'sigma', which is not known. Known are noise_multiplier, sampling_rate",
    phase(noise_multiplier=...): "phase 1 lacks noise_multiplier. Add it",
    phase(noise_multiplier=-1): "phase 1: noise_multiplier must be positive and finite, got -1",
    phase(noise_multiplier="1"): "phase 1: noise_multiplier must be a number, got '1'",
    phase(sampling_rate=True): "phase 1: sampling_rate must be a number, got True",
    phase(adjacency="none"): "phase 1: adjacency must be one of 'add/remove'",
    phase(sampling="fixed size"): "phase 1: batches of fixed size need replace-one adjacency",
    changed(
        phases=[{"mechanism": "Gaussian", "noise_multiplier": 1, "adjacency": each} for each in Adjacency]
    ): "share",
    SAID.text.replace("1.5", "NaN"): "NaN is no number that can be read",
    SAID.text.replace("60000", "9" * 5000): r"9{30}\.\.\. is no number that can be read",
    SAID.text.replace('"delta"', '"records"'): "a name stands twice among .*Export the release anew",
    "[" * 19_000: "nested too deep",
    SAID.text + " " * 20_000: "text must have up to 20,000 characters, got",
}


@pytest.mark.parametrize("text", WRONG, ids=[why[:40] for why in WRONG.values()])
def test_what_is_wrong_is_said_with_its_place_and_what_to_do(text: str) -> None:
    with pytest.raises(ValueError, match=WRONG[text]) as refused:
        read(text)
    assert len(str(refused.value)) < 600


@pytest.mark.parametrize("text", [changed(noise=1), phase(sigma=1), phase(noise_multiplier=-1), phase(steps=1.5)])
def test_the_schema_refuses_what_the_reader_refuses(text: str) -> None:
    assert complaints(json.loads(text))
    with pytest.raises(ValueError, match=r"not known|must be"):
        read(text)


def test_fixed_size_comes_back() -> None:
    file = ReleaseFile((Gaussian(1.0, 0.1, 3, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE),))
    assert read(file.text) == file
