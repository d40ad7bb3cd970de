"""What accountants print is read as the release it is; anything else is refused in words, and nothing is run."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numerics.mechanisms import Adjacency, Gaussian, Laplace, SampledMechanism, Sampling
from pages.ui.accountant_state import LONGEST, read
from pages.ui.training_run import TrainingRun
from tests.pages.rail import rail

# Printed by dp-accounting 0.6.0: repr() of events, of DpEventBuilder().build(), and of to_named_tuple().
SAMPLED = (
    "SelfComposedDpEvent(event=PoissonSampledDpEvent(sampling_probability=0.004266666666666667, "
    "event=GaussianDpEvent(noise_multiplier=1.1)), count=14062)"
)
PHASES = (
    "ComposedDpEvent(events=[SelfComposedDpEvent(event=PoissonSampledDpEvent(sampling_probability=0.01, "
    "event=GaussianDpEvent(noise_multiplier=1.1)), count=50), GaussianDpEvent(noise_multiplier=3.0)])"
)
FIXED = (
    "SelfComposedDpEvent(event=SampledWithoutReplacementDpEvent(source_dataset_size=60000, sample_size=600, "
    "event=GaussianDpEvent(noise_multiplier=1.1)), count=1000)"
)
NAMED_TUPLE = (
    "_SelfComposedDpEventNamedTupleWrapper(module_name='dp_accounting.dp_event', class_name='SelfComposedDpEvent', "
    "event=_PoissonSampledDpEventNamedTupleWrapper(module_name='dp_accounting.dp_event', "
    "class_name='PoissonSampledDpEvent', sampling_probability=0.01, event=_GaussianDpEventNamedTupleWrapper("
    "module_name='dp_accounting.dp_event', class_name='GaussianDpEvent', noise_multiplier=1.1)), count=5)"
)
EVENTS: list[tuple[str, tuple[SampledMechanism, ...]]] = [
    (SAMPLED, (Gaussian(1.1, 256 / 60_000, 14_062),)),
    (PHASES, (Gaussian(1.1, 0.01, 50), Gaussian(3.0))),
    ("SelfComposedDpEvent(event=LaplaceDpEvent(noise_multiplier=2.0), count=3)", (Laplace(2.0, 1.0, 3),)),
    (FIXED, (Gaussian(1.1, 0.01, 1000, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE),)),
    (NAMED_TUPLE, (Gaussian(1.1, 0.01, 5),)),
    ('{"class_name": "GaussianDpEvent", "noise_multiplier": 2}', (Gaussian(2.0),)),
]
# As Opacus keeps it: a history of (noise multiplier, sample rate, steps), and state_dict() of it (accountant.py).
HISTORIES: list[tuple[str, tuple[SampledMechanism, ...]]] = [
    ("[(1.1, 0.01, 500), (0.9, 0.01, 250)]", (Gaussian(1.1, 0.01, 500), Gaussian(0.9, 0.01, 250))),
    ("[(1.1, 0.01, 500), (0.9, 0.01, 5), (1.1, 0.01, 1)]", (Gaussian(1.1, 0.01, 501), Gaussian(0.9, 0.01, 5))),
    ("OrderedDict([('history', [(1.1, 0.0042, 14062)]), ('mechanism', 'rdp')])", (Gaussian(1.1, 0.0042, 14_062),)),
    ("OrderedDict({'history': [(1.1, 0.0042, 7)], 'mechanism': 'prv'})", (Gaussian(1.1, 0.0042, 7),)),
    ('{"history": [[1.1, 0.01, 500]], "mechanism": "prv"}', (Gaussian(1.1, 0.01, 500),)),
]
# The first is the example in TF Privacy's compute_dp_sgd_privacy.py, the last two of Opacus' script of that name.
ARGUMENTS = [
    "compute_dp_sgd_privacy \\\n --N=60000 \\\n --batch_size=256 --noise_multiplier=1.12 \\\n --epochs=60 --delta=1e-5",
    "compute_dp_sgd_privacy(60000, 256, 1.12, 60, 1e-5)",
    "compute_dp_sgd_privacy_statement(60000, 256, 60, 1.12, 1e-5, used_microbatching=False, "
    "accountant_type=AccountantType.PLD)",
    "tf_privacy.compute_dp_sgd_privacy_statement(60000, 256, 60, 1.12, 1e-5, False, None, AccountantType.PLD)",
    "--N=60000 --batch_size=256 --noused_microbatching --noise_multiplier=1.12 --epochs=60 --delta=1e-5",
    "noise_multiplier=1.12, batch_size=256, num_epochs=60, num_examples=60000, delta=1e-5",
    '{"noise_multiplier": 1.12, "batch_size": 256, "epochs": 60, "num_examples": 60000, "delta": 1e-5}',
    "python --dataset-size=60000 --batch-size=256 --noise_multiplier=1.12 --epochs=60 --delta=1e-5 --a 10 20 100",
]
# By the names of jax-privacy's accounting.py, accounting/analysis.py with num_updates beside it, and keras_api.py.
JAX_PRIVACY: list[tuple[str, SampledMechanism]] = [
    ("accounting.dpsgd_event(3, 512, sampling_prob=0.1)", Gaussian(3.0, 0.1, 512)),
    ("dpsgd_event(noise_multiplier=3, iterations=512, sampling_prob=0.1, use_zcdp=False)", Gaussian(3.0, 0.1, 512)),
    (
        "fixed_dpsgd_event(3, 512, dataset_size=60000, batch_size=600)",
        Gaussian(3.0, 0.01, 512, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE),
    ),
    (
        "noise_multipliers=4.0, batch_size=1024, num_samples=51200, delta=1e-5, num_updates=10_000",
        Gaussian(4.0, 0.02, 10_000),
    ),
    (
        "keras_api.DPKerasConfig(epsilon=1.0, delta=1e-5, clipping_norm=1.0, batch_size=8, "
        "gradient_accumulation_steps=2, train_steps=10, train_size=80, noise_multiplier=1.0)",
        Gaussian(1.0, 0.2, 10),
    ),
    ("noise_multiplier=2.0, iterations=1000, num_bands=1, sampling_prob=0.1", Gaussian(2.0, 0.1, 1000)),
]
BY_RATE = "--epochs=3 --delta=1e-5 --sample-rate 0.01 --noise-multiplier 1.0 --alphas 2 5 10 20 100"


@pytest.mark.parametrize(("text", "phases"), [*EVENTS, *HISTORIES], ids=lambda value: str(value)[:40])
def test_events_and_histories_are_the_releases_they_are(text: str, phases: tuple[SampledMechanism, ...]) -> None:
    assert read(text).phases == phases


@pytest.mark.parametrize("text", ARGUMENTS, ids=lambda text: text[:30])
def test_arguments_are_the_run_that_they_say(text: str) -> None:
    state = read(text)
    assert state.run == TrainingRun(60_000, 256.0, 60.0)
    assert state.phases == (Gaussian(1.12, 256 / 60_000, 14_063),)
    assert (state.people, state.delta) == (60_000, 1e-5)


@pytest.mark.parametrize(("text", "release"), JAX_PRIVACY, ids=lambda value: str(value)[:30])
def test_jax_privacys_names_are_known(text: str, release: SampledMechanism) -> None:
    assert read(text).phases == (release,)


def test_what_is_not_used_is_named() -> None:
    state = read(BY_RATE)
    assert state.phases == (Gaussian(1.0, 0.01, 300),)
    assert state.run is None
    assert state.words.endswith("Delta 1e-05. Not used: alphas.")
    assert "Gaussian noise 1, rate 0.01 (Poisson), 300 steps; add/remove." in state.words


def test_what_is_not_sampled_is_said_to_be_so() -> None:
    """Nobody draws by Poisson's rule at rate 1; a sampled phase says its own rule."""
    alone = read("LaplaceDpEvent(noise_multiplier=2.0)")
    assert alone.phases == (Laplace(2.0),)
    assert "no sampling" in alone.words
    assert not any(said in alone.words for said in ("rate", "Poisson"))
    both = read("[(1.0, 1.0, 3), (1.5, 0.02, 7)]").words
    assert both.count("no sampling") == both.count("rate 0.02 (Poisson)") == both.count("Poisson") == 1


@pytest.mark.parametrize("name", ["max_examples_per_user", "examples_per_user"])
def test_examples_of_a_user_are_records_of_a_person(name: str) -> None:
    """A tool that caps them states a guarantee for the user: for who has so many."""
    state = read(f"noise_multiplier=1.1, batch_size=600, num_examples=60000, epochs=1, {name}=3")
    assert state.phases == (Gaussian(1.1, 0.01, 100, records_per_person=3),)
    assert "add/remove, 3 records per person." in state.words
    assert name not in state.words


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("--noise_multiplier=1.1 --batch_size=256 --epochs=60", "N is missing"),
        ("--batch_size=256 --epochs=60 --N=60000", "the noise multiplier is missing"),
        ("noise_multiplier=1.1, num_examples=60000", "the batch size or the sampling rate is missing"),
        ("noise_multiplier=1.1, batch_size=600, num_examples=60000", "the epochs or the steps are missing"),
        ("noise_multiplier=1, batch_size=6, n=60, epochs=1, used_microbatching=True", "microbatches"),
        ("compute_dp_sgd_privacy_statement(60000, 256, 60, 1.12, 1e-5)", "add used_microbatching=False"),
        ("compute_dp_sgd_privacy_statement(60000, 256, 60, 1.12, 1e-5, True)", "microbatches"),
        ("noise_multiplier=tools.NOISE, batch_size=6, n=60, epochs=1", "must be a number above 0, got NOISE"),
        ("--N=60000 --batch_size=256 --used_microbatching --noise_multiplier=1.12 --epochs=60", "microbatches"),
        ("compute_dp_sgd_privacy_statement(60000, 256, 60, 1.12, 1e-5, False, 2.5)", "records per person must be"),
        ("compute_dp_sgd_privacy_statement(60000, 256, 60, 1.12, 1e-5, False, 999)", "records_per_person must be"),
        ("fixed_dpsgd_event(3, 512, dataset_size=600, batch_size=6, examples_per_user=2)", "batches of fixed size"),
        ("noise_multiplier=2.0, iterations=1000, num_bands=4, sampling_prob=0.1", "“Noise in bands” on Mechanism"),
        ("fixed_dpsgd_event(3, 512, dataset_size=600, batch_size=6, replace=True)", "with replacement"),
        ("truncated_dpsgd_event(3, 512, sampling_prob=0.1)", "not known here"),
        ("DPKerasConfig(1.0, 1e-5, 1.0, 8, 1, 10, 80, None)", "the noise multiplier is missing"),
        ("noise_multiplier=1, batch_size=600, n=60, epochs=1", "A batch of 600 is more than all 60 people"),
        ("compute_dp_sgd_privacy_statement(60, 600, 1, 1.12, 1e-5, False, 2)", "is more than all 60 records"),
        ("[(1.1, 0.01)]", "entry 1 of the history"),
        ("[(1.1, 0.01, 2.5)]", "steps of entry 1 must be a whole number"),
        ("[(1.1, 0.01, 5), (-1, 0.01, 5)]", "entry 2 of the history must be a number above 0"),
        ("[(1e400, 0.01, 5)]", "above 0, got inf"),
        ("[(1.1, 2, 5)]", "sampling_rate"),
        ("[]", "0 phases"),
        ("NonPrivateDpEvent()", "NonPrivateDpEvent is not known here"),
        ("PoissonSampledDpEvent(sampling_probability=0.3, event=SelfComposedDpEvent(event=GaussianDpEvent("
         "noise_multiplier=1.1), count=3))", "more than one release of the same batch"),
        ("SelfComposedDpEvent(count=3)", "SelfComposedDpEvent lacks event"),
        ("ComposedDpEvent(events=[GaussianDpEvent(1.0), LaplaceDpEvent(1.0)])", "different noise"),
        ("__import__('os').system('x')", "not known here"),
        ("(lambda: 0)()", "not known here"),
        ("[x for x in y]", "is no number"),
        ("(" * 500, "Paste it as it was printed"),
        ("{'a': [", "Paste it as it was printed"),
        ("x" * 30_000, "20,000 characters"),
        ("  ", "20,000 characters"),
        ("GaussianDpEvent(noise_multiplier=1/0)", "above 0"),
    ],
    ids=lambda text: text[:30],
)  # fmt: skip
def test_what_is_not_understood_is_said(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=r".") as refusal:
        read(text)
    assert why in str(refusal.value)


# Nested, long or large beyond all that is printed: a text within the length that is read, and words of the answer.
HOSTILE = [
    ("--noise_multiplier=1 --sample_rate=1e-320 --epochs=1e300", "sample_rate must lie between 1e-30 and 1e+30"),
    ("--noise_multiplier=1 --sample_rate=1e-30 --epochs=1e30", "must be between 1 and 1000000"),
    ("--noise_multiplier=1 --batch_size=1e30 --gradient_accumulation_steps=1e30 --N=1e9 --epochs=1", "A batch of"),
    ("noise_multiplier=1e-29, batch_size=6, n=60, epochs=1", "noise_multiplier must be between"),
    ("noise_multiplier=5000, batch_size=6, n=60, epochs=1", "noise of phase 1, 5000 cannot be entered"),
    ("noise_multiplier=1, batch_size=6, n=60, epochs=1, delta=0.9", "delta 0.9 cannot be entered"),
    ("noise_multiplier=1, batch_size=6, n=60, epochs=1, l2_norm_clip=1e9", "clip 1e+09 cannot be entered"),
    ("noise_multiplier=1, sample_rate=0.1, n=1e12, steps=1", "the number of people 1e+12 cannot be entered"),
    (f"[(1.0,0.1,0x{'f' * 300})]", "lies beyond 1e+30"),
    (f"[(1.0,0.1,-0x{'f' * 19_000})]", "lies beyond 1e+30"),
    (f"[(1.0,0.1,{'9' * 6000})]", "Paste it as it was printed"),
    ("1 if 1 else " * 1600 + "1", "nested more than 100 deep"),
    ("lambda: " * 2000 + "1", "nested more than 100 deep"),
    ("1/" * 900 + "1", "nested more than 100 deep"),
    ("not " * 900 + "1", "nested more than 100 deep"),
    ("f" + "(1)" * 900, "nested more than 100 deep"),
    ("a" + ".b" * 900, "nested more than 100 deep"),
    ("[" * 120 + "]" * 120, "nested more than 100 deep"),
    ("-" * 19_000 + "1", "Paste it as it was printed"),
    ("[" * 9000 + "]" * 9000, "Paste it as it was printed"),
    ("[(1.0,0.1,1/1e-30)]", "must be between 1 and 1000000"),
    ("'\ud800'", "Paste it as it was printed"),
    ("\x00", "Paste it as it was printed"),
]


@pytest.mark.parametrize(("text", "why"), HOSTILE, ids=lambda text: text[:30])
def test_what_nobody_prints_is_refused_in_words(text: str, why: str) -> None:
    assert len(text) <= LONGEST
    with pytest.raises(ValueError, match=r"[a-z]") as refusal:
        read(text)
    assert why in str(refusal.value)
    assert len(str(refusal.value)) < 300


@given(st.text(max_size=200) | st.text(alphabet="[](){},.=-1e5 'nGausianDpEvt_:\"", max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(ValueError):
        assert read(text).phases


def test_it_is_shown_before_it_is_used() -> None:
    app = rail(noise="3", clip="2")
    before = app.session_state["result"]
    app.session_state["pasted_state.open"] = True
    app.run().text_area(key="pasted_state.text").set_value(PHASES).run()
    shown = " ".join(str(block.value) for block in app.markdown).replace("\\", "")
    assert "Gaussian noise 1.1, rate 0.01 (Poisson), 50 steps; then Gaussian noise 3, no sampling, 1 step; " in shown
    assert app.session_state["result"] == before
    app.button(key="pasted_state.use").click().run()
    assert not app.exception
    choice = app.session_state["result"]
    assert choice.mechanism.phases == (Gaussian(1.1, 0.01, 50), Gaussian(3.0))
    assert (choice.records, choice.clip) == (None, None)
    assert not app.session_state["pasted_state.open"], "the box would lie over the answer"
    app.session_state["pasted_state.open"] = True
    app.run().text_area(key="pasted_state.text").set_value(ARGUMENTS[0]).run().button(
        key="pasted_state.use"
    ).click().run()
    choice = app.session_state["result"]
    assert (choice.mechanism, choice.records) == (Gaussian(1.12, 256 / 60_000, 14_063), 60_000)
    assert not app.session_state["knows_rate"]
    app.session_state["pasted_state.open"] = True
    app.run().text_area(key="pasted_state.text").set_value("[(1,2)]").run()
    assert "entry 1 of the history" in app.warning[0].value
    assert app.session_state["result"] == choice
