"""The words that accountants and training tools use for one release, and what each of them means here."""

from collections.abc import Mapping

ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "records": ("n", "records", "num_examples", "number_of_examples", "num_samples", "dataset_size", "train_size"),
    "batch": ("batch_size", "expected_batch_size"),
    "batches a step": ("gradient_accumulation_steps",),
    "epochs": ("epochs", "num_epochs"),
    "noise": ("noise_multiplier", "noise_multipliers"),
    "rate": ("sample_rate", "sampling_rate", "sampling_probability", "sampling_prob"),
    "steps": ("steps", "num_steps", "train_steps", "num_updates", "num_iterations", "iterations"),
    "delta": ("delta", "target_delta"),
    "epsilon": ("epsilon", "target_epsilon"),
    "records per person": ("max_examples_per_user", "examples_per_user", "records_per_person"),
    "clip": ("l2_norm_clip", "l2_clip_norm", "max_grad_norm", "clipping_norm", "clip"),
    "dimension": ("dimension",),
}
"""The names of a number, by what it means."""
MEANINGS: Mapping[str, str] = {name: meaning for meaning, names in ARGUMENTS.items() for name in names}
_CIRCUMSTANCES = (  # how batches are drawn, which data sets are neighbours, whether records are clipped one by one
    *("sampling", "sampling_method", "poisson_sampling", "adjacency", "neighboring_relation"),
    *("used_microbatching", "num_microbatches", "batch_sizes"),  # the last says batch_size again
)
_NO, _ONE = ("false", "0", "0.0"), ("1", "1.0")
_BANDS = "cannot be entered here: Python has it as numerics.banded_noise."
_SCHEDULE = "that changes from step to step is said as a history: [(noise, rate, steps), ...]."
UNUSUAL: Mapping[str, tuple[tuple[str, ...], str]] = {
    "num_bands": (_ONE, f"noise in bands (num_bands) {_BANDS}"),
    "cycle_length": (_ONE, f"batches in cycles (cycle_length) {_BANDS}"),
    "truncated_batch_size": ((), "truncated batches (truncated_batch_size) are not known here."),
    "replace": (_NO, "batches drawn with replacement are not known here."),
    "batch_size_scale_schedule": (("{}",), f"a batch size (batch_size_scale_schedule) {_SCHEDULE}"),
    "is_finite_guarantee": (("true",), "is_finite_guarantee=False says that there is no guarantee."),
    "mechanism": (
        ("gaussian", "rdp", "prv", "gdp", "pld"),
        "of arguments only Gaussian noise is read: say another mechanism by a release's file.",
    ),
}
"""What makes a release another one than is read here, unless its value is one of those beside it."""
KNOWN = {*MEANINGS, *_CIRCUMSTANCES, *UNUSUAL}
"""The names whose values are looked at."""

EVENTS: Mapping[str, tuple[str, ...]] = {
    "GaussianDpEvent": ("noise_multiplier",),
    "LaplaceDpEvent": ("noise_multiplier",),
    "SelfComposedDpEvent": ("event", "count"),
    "ComposedDpEvent": ("events",),
    "PoissonSampledDpEvent": ("sampling_probability", "event"),
    "SampledWithoutReplacementDpEvent": ("source_dataset_size", "sample_size", "event"),
    "NoOpDpEvent": (),
}
"""The values of an event of dp-accounting in their order, by its class."""
STATEMENT = "compute_dp_sgd_privacy_statement"
TOOLS: Mapping[str, tuple[str, ...]] = {
    "compute_dp_sgd_privacy": ("n", "batch_size", "noise_multiplier", "epochs", "delta"),
    STATEMENT: (
        *("number_of_examples", "batch_size", "num_epochs", "noise_multiplier", "delta"),
        *("used_microbatching", "max_examples_per_user", "accountant_type"),
    ),
    "dpsgd_event": ("noise_multiplier", "iterations"),
    "fixed_dpsgd_event": ("noise_multiplier", "iterations"),
    "DpParams": (),
    "DPKerasConfig": (
        *("epsilon", "delta", "clipping_norm", "batch_size", "gradient_accumulation_steps", "train_steps"),
        "train_size",  # what comes next is not the same in all versions
    ),
    "make_private": (),
    "make_private_with_epsilon": (),
}
"""The same of what DP-SGD is trained with: two calls of TF Privacy, four of jax-privacy, two of Opacus."""
