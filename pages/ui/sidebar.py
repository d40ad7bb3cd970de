"""The sidebar of pages with a release: its controls, the limit, presets, and a box to paste a release into.

``release_in_force`` has the boxes, and reads and sets what is drawn here. ``numerics.accountants`` reads what is
pasted; a control would show its end for what lies beyond, and the page another release, so such a text is refused.
"""

from dataclasses import asdict
from typing import Any, Literal

import streamlit as st

from numerics.accountants import StatedRelease, release_of
from numerics.deadline import looking_at
from numerics.mechanisms import LARGEST_PHASES, Adjacency, SampledMechanism, Sampling
from numerics.release_file import LONGEST
from numerics.trade_off import Order
from pages.server import budget
from pages.ui import address, release_in_force
from pages.ui.controls import number_box, whole_box
from pages.ui.numbers_in_words import CROWD, NOT_SET, as_entered, quantity
from pages.ui.plain_text import literal
from pages.ui.release_in_force import (
    BOXES,
    DEFAULT,
    DEFAULT_RUN,
    DEFAULTS,
    KINDS,
    TrainingRun,
    counted_epochs,
    counted_steps,
    delta_of,
)
from pages.ui.release_presets import PRESETS, ReleasePreset
from pages.ui.result_header import words_for

_URL: Literal["query-params"] = "query-params"
_OF_MORE = ["mechanism", "delta", "dimension", "clip", "order", "sampling", "adjacency", "records_per_person", "phases"]
MORE = {key: DEFAULTS[key] for key in _OF_MORE}
"""Controls that are drawn once they are unfolded or say something else."""
FIRST = (*MORE, "knows_rate", "people", "batch", "epochs", "noise", "accused", "limit")
"""All controls that a first visitor has, where none is drawn."""
_CHOSEN_NEIGHBOURS, _PRESETS = "chosen_neighbours", "sidebar.presets"
_SECONDS = 1.0  # of what a page computes unasked: to read what is pasted
_OWN_OF_PHASES = {"noise_multiplier", "sampling_rate", "steps"}  # the rest is one control for all phases
_PASTE, _TURN = "sidebar.paste_open", "sidebar.paste_turn"
_HELP = {
    "people": "How many people's records the training data have.",
    "records": "How many records the training data have, of all people together.",
    "batch": "How many {} a batch has, on average: each takes part in a step independently of the others.",
    "epochs": "Passes over the data. Steps are epochs × N / batch size, rounded up to a whole number.",
    "rate": "Probability with which each takes part in a step: batch size divided by N.",
    "steps": "How often a noisy sum is released: the number of training steps.",
    "noise": "Noise multiplier: the scale of the noise on the sum, in units of one record's largest share (the "
    "clipping norm). More noise is more private and less accurate.",
    "noise as 1/ε": "1/ε, where ε is that of one release for one record's largest share: 2 is ε = 0.5. More noise is "
    "more private and less accurate.",
    "accused": f"False positive rate α: of {CROWD:,} people who are not in the data, how many may the attacker wrongly "
    "accuse of being in it? 10 are α = 0.001.",
    "cleared": f"False negative rate α: of {CROWD:,} people in the data, how many may the attacker wrongly say are not "
    "in it? 10 are α = 0.001.",
    "limit": f"The risk that you accept: of {CROWD:,} people in the data, how many may the attacker find, while it "
    "wrongly accuses outsiders as often as is said above?",
    "ruled out": f"The risk that you accept: of {CROWD:,} people who are not in the data, how many may the attacker "
    "rule out, while it wrongly clears members as often as is said above?",
    "mechanism": "What is released, and with what noise. An output that is clamped to a range afterwards keeps the "
    "guarantee of its noise. Noise that is drawn again or renormalised until it lies in a range is another mechanism "
    "and not offered: its law depends on the data, and no certified bracket of it is known here.",
    "delta": "The small probability that (epsilon, delta) leaves out. If it is not set, it follows from N: the largest "
    "power of ten below 1 in N, and 10⁻⁵ where N is not set either.",
    "dimension": "Number of coordinates in which the release differs: parameters of the model. Full knowledge does not "
    "care, the other attackers do. Where it is not set, the relaxed attacker is computed in one dimension, its worst "
    "case.",
    "clip": "The clipping norm C of a record's gradient. Only the printed noise depends on it; all rates are the same.",
    "order": "add-one: of outsiders, how many are accused (membership inference). remove-one: of members, how many are "
    "cleared. both: the worse of the two.",
    "sampling": "Poisson: each record takes part independently, so batches vary in size. fixed size: batches are drawn "
    "without replacement; another mechanism with another guarantee, always read as replace-one. shuffled: every epoch "
    "puts the records into a new order and cuts it into batches, as loaders do. random allocation: in every epoch each "
    "record picks one batch by itself.",
    "adjacency": "add/remove: one record more or less, the usual reading for DP-SGD. replace-one: one record has "
    "another value, which moves the sum twice as far. zero-out: one record adds nothing, and sizes stay.",
    "records_per_person": "The most records that anybody has in the data; each is clipped and drawn by itself. Above 1 "
    "every number is about a person with all of their records, and N and the batch size count records. A person with "
    "fewer risks less.",
    "phases": "Training in several phases with their own noise, sampling rate and steps, one after the other.",
    "paste": "What states the run: a history or state of Opacus, make_private(...), an event of dp-accounting, "
    "DpParams(...), TF Privacy's statement, a release exported here (JSON), YAML, or arguments: "
    "--noise_multiplier=1.1 --batch_size=256 --epochs=60 --num_examples=60000",
    "file": "An exported release: “Release (JSON)” under “Share”. It counts instead of the text above it.",
}
"""What the controls mean, by their keys, or by what a control is where it is read in another way."""


def draw() -> str:
    """Draw the sidebar; returns why there is no release, empty if there is one.

    On every page, in the same place, in folds and not in popovers: the browser forgets the URL's part of a widget that
    is not there, that has moved, or that lies in a closed popover, as soon as the visitor goes to another page.
    """
    if address.example_arrives():
        release_in_force.follow_address()
    kind = release_in_force.chosen_kind()
    with st.sidebar:
        with st.container(horizontal=True, gap="small"):
            _draw_presets()
            _draw_paste()
        st.toggle("I know rate and steps", key="knows_rate", bind=_URL, on_change=_switch)
        with st.grid(2, min_column_width=100):  # two in a row on phones too, where columns stack
            _draw_run(kind)
            _box("noise", "Noise, 1/ε" if kind.is_epsilon else "", _noise_help(kind))
        derived = st.container()
        _draw_attack()
        with st.expander("More", type="compact", key="sidebar.more", on_change="rerun") as more:
            if more.open or not address.is_default(MORE):
                _draw_more(kind)
        refused = release_in_force.refusal()
        derived.caption(refused or _derived(kind))
    return refused


def _box(
    key: str, label: str = "", meaning: str = "", phase: str = "", *, unset: str = "", rests: bool = False
) -> None:
    """Draw a box of the release; ``label`` and ``meaning`` where they are not the usual ones, ``phase`` of its key."""
    box, counted = BOXES[key], release_in_force.counted()
    draw = whole_box if box.is_whole else number_box
    name, meaning = (label or box.label).format(counted.capitalize()), (meaning or _HELP[key]).format(counted)
    start: Any = box.default
    look: dict[str, Any] = {"unset": unset or None, "disabled": rests} | ({} if box.is_whole else {"step": box.step})
    draw(name, f"{key}{phase}", (box.low, box.high), start, meaning, **look)


def _draw_presets() -> None:
    """Draw a button for each preset, folded away; sent once the fold is opened."""
    fold = st.popover("Presets", key=_PRESETS, on_change="rerun")
    for preset in PRESETS if fold.open else ():
        fold.button(preset.name, help=preset.words, on_click=_use_preset, args=(preset,), width="stretch")


def _use_preset(preset: ReleasePreset) -> None:
    """Set it, and fold the buttons away: what they set lies below them."""
    release_in_force.use(preset)
    st.session_state[_PRESETS] = False


def _draw_paste() -> None:
    """Draw the box for what an accountant printed, folded away, with what is understood of it before it is used."""
    fold = st.popover("Paste", key=_PASTE, on_change="rerun")
    if not fold.open:
        return
    pasted = fold.text_area(
        "Accountant's state or arguments",
        key="sidebar.paste_text",
        max_chars=LONGEST,
        placeholder=_HELP["paste"],
    )
    key = f"sidebar.paste_file_{st.session_state.get(_TURN, 0)}"
    file = fold.file_uploader("or a release's file", "json", key=key, help=_HELP["file"], max_upload_size=1)
    if not pasted and file is None:
        return
    try:
        found = read(pasted if file is None else _text_of(file.getvalue()))
    except ValueError as reason:
        fold.warning(f"Not understood: {literal(str(reason))}", icon=":material/block:")
        return
    fold.markdown(literal(found.words))
    fold.button("Use it", key="sidebar.paste_use", on_click=_use_pasted, args=(found,))


def _use_pasted(pasted: StatedRelease) -> None:
    """Set the run to it, and fold the box away, without the file; delta and sizes that it does not say are not set."""
    first, *later = pasted.phases
    state = {
        **release_in_force.state_of(first, pasted.records, pasted.dimension, pasted.clip),
        "delta": pasted.delta,
        "phases": len(pasted.phases),
    }
    if run := run_of(pasted):
        known = {key: DEFAULTS[key] for key in ("rate", "steps", "records")}
        state |= known | release_in_force.state_of_run(run)
    release_in_force.put(state)
    for number, phase in enumerate(later, 2):
        address.put(f"noise_{number}", phase.noise_multiplier)
        address.put(f"rate_{number}", phase.sampling_rate)
        address.put(f"steps_{number}", float(phase.steps))
    st.session_state[_TURN] = st.session_state.get(_TURN, 0) + 1
    st.session_state[_PASTE] = False


def read(text: str) -> StatedRelease:
    """Read what was pasted; ValueError says what is not understood or cannot be entered, where, and what to do."""
    with budget.portion(_SECONDS), budget.current().counted(), looking_at(budget.current()):
        found = release_of(text)  # an epsilon in place of a noise is solved for
    said = [
        ("the number of people", "people", found.records),
        ("delta", "delta", found.delta),
        ("clip", "clip", found.clip),
        ("the batch size", "batch", found.batch),
        ("the number of epochs", "epochs", found.epochs),
    ]
    for place, one in enumerate(found.phases, 1):
        said.append((f"noise of phase {place},", "noise", one.noise_multiplier))
        said.append((f"sampling rate of phase {place},", "rate", one.sampling_rate))
    for name, key, value in said:
        box = BOXES[key]
        if value is not None and box.held(value) != value:
            raise ValueError(f"{name} {value:g} cannot be entered: the controls have {box.low:g} to {box.high:g}.")
    if any(_shared(one) != _shared(found.phases[0]) for one in found.phases):
        raise ValueError("phases with different noise or sampling cannot be entered together.")
    return found


def _shared(phase: SampledMechanism) -> dict[str, object]:
    """What all phases have in common where they are entered."""
    return {"name": phase.name} | {name: said for name, said in asdict(phase).items() if name not in _OWN_OF_PHASES}


def run_of(stated: StatedRelease) -> TrainingRun | None:
    """The run of batches and epochs that was stated, if it was stated so."""
    if stated.records is None or stated.batch is None or stated.epochs is None:
        return None
    return TrainingRun(stated.records, stated.batch, stated.epochs)


def _text_of(data: bytes) -> str:
    """The text of a release's file, of which a little more than can be read is looked at."""
    try:
        return data[: 4 * LONGEST + 4].decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("the file is no text in UTF-8. Export the release anew.") from None


def _draw_run(kind: type[SampledMechanism]) -> None:
    """Draw the three boxes in which the switch says that the visitor speaks."""
    rests, why = not kind.is_sampled, "" if kind.is_sampled else kind.limits
    size = _HELP[release_in_force.counted()]
    if st.session_state["knows_rate"]:
        _box("rate", "Sampling rate: all" if rests else "", why, rests=rests)
        _box("steps")
        _box("records", "", size, unset=NOT_SET)
    else:
        _box("people", "", size)
        _box("batch", "Batch size: all" if rests else "", why, rests=rests)
        _box("epochs")


def _draw_attack() -> None:
    """Draw the boxes of the attack: whom it may wrong, my limit on whom it finds, and what blind guessing does."""
    if release_in_force.chosen_order() is Order.REMOVE:
        _box("accused", f"Wrongly cleared, of {CROWD:,}", _HELP["cleared"])
        _box("limit", f"My limit: ruled out, of {CROWD:,}", _HELP["ruled out"])
    else:
        _box("accused")
        _box("limit")
    # What the limit is to be compared with; it is never raised on its own.
    state, finds = st.session_state, words_for(release_in_force.chosen_order()).finds
    guessing = f"Blind guessing {finds} {quantity(state['accused'])} of {CROWD:,}"
    st.caption(f"{guessing}: no noise keeps this limit." if state["limit"] <= state["accused"] else f"{guessing}.")


def _draw_more(kind: type[SampledMechanism]) -> None:
    """Draw the controls that most visitors leave where they are."""
    # As wide as the sidebar: half of it cuts names off. One whose name comes first must not change old addresses.
    names = list(KINDS)
    start = names.index(DEFAULT.name)
    st.selectbox(
        "Mechanism", names, start, key="mechanism", bind=_URL, help=_HELP["mechanism"], on_change=_follow_sampling
    )
    with st.grid(2, min_column_width=100):
        for own in kind.parameters:
            box = whole_box if own.is_whole else number_box
            box(own.label, own.name, (own.low, own.high), getattr(kind, own.name), own.help)
        _box("delta", unset=f"{as_entered(delta_of(release_in_force.people()))}, from N")
        _box("dimension", unset=NOT_SET)
        _box("clip", unset=NOT_SET)
        st.selectbox("Order of the test", list(Order), key="order", bind=_URL, help=_HELP["order"])
    said = _draw_sampling(kind)
    with st.grid(2, min_column_width=100):
        _box("records_per_person")
        phases = st.selectbox("Phases", range(1, LARGEST_PHASES + 1), key="phases", bind=_URL, help=_HELP["phases"])
    if said:
        st.caption(said)
    for number in range(2, int(phases or 1) + 1):
        with st.grid(3, min_column_width=60):
            _box("noise", f"Noise {number}", _noise_help(kind), f"_{number}")
            rate = f"Rate {number}{'' if kind.is_sampled else ': all'}"
            _box("rate", rate, "", f"_{number}", rests=not kind.is_sampled)
            _box("steps", f"Steps {number}", "", f"_{number}")


def _draw_sampling(kind: type[SampledMechanism]) -> str:
    """Draw the boxes of sampling and neighbours; returns what is to be said where not all of these can be chosen."""
    sampling = st.selectbox(
        "Sampling" if kind.is_sampled else "Sampling: none",
        list(Sampling),
        key="sampling",
        bind=_URL,
        help=_HELP["sampling"] if kind.is_sampled else kind.limits,
        disabled=not kind.is_sampled,
        on_change=_follow_sampling,
    )
    known = release_in_force.possible_neighbours(kind, Sampling(sampling or Sampling.POISSON))
    bind: Literal["query-params"] | None = _URL
    if release_in_force.chosen_neighbours() not in known:  # the box shows what holds
        bind = _URL if "adjacency" in st.session_state else None  # on arrival the address would be taken
        address.put("adjacency", known[0])
    chosen = st.selectbox(
        "Neighbours", list(Adjacency), key="adjacency", bind=bind, help=_HELP["adjacency"], disabled=len(known) == 1
    )
    if kind.limits or len(known) == len(Adjacency):
        return f"{kind.name}: {kind.limits}" if kind.limits else ""
    return f"{str(sampling).capitalize()} is read as {' or '.join(known)}: compare it with Poisson under {chosen}."


def _noise_help(kind: type[SampledMechanism]) -> str:
    return _HELP["noise as 1/ε" if kind.is_epsilon else "noise"]


def _derived(kind: type[SampledMechanism]) -> str:
    """What follows from the run, and epsilon where the noise is another word for it."""
    state, epsilon = st.session_state, ""
    if kind.is_epsilon:
        epsilon = f" A release has ε = {1.0 / float(state['noise']):.4g} for one record's largest share in it."
    run = None if state["knows_rate"] else release_in_force.training_run()
    if not kind.is_sampled:
        steps = int(state["steps"]) if run is None else run.steps
        return f"Everybody takes part in every release: {counted_steps(steps)}.{epsilon}"
    several = " N and batches count records." if int(state["records_per_person"]) > 1 else ""
    if run is not None:
        return f"That is a rate of {run.rate:.3g} and {counted_steps(run.steps)}.{several}{epsilon}"
    rate, steps, records = float(state["rate"]), int(state["steps"]), release_in_force.people()
    batches = "" if records is None else f", batches of {quantity(rate * records)}"
    return f"That is {counted_epochs(steps * rate)}{batches}.{several}{epsilon}"


def _switch() -> None:
    """Say the same release in the other words. For the switch: the widgets are those of the run before."""
    state = st.session_state
    if state["knows_rate"]:
        run = release_in_force.training_run()
        if not run.refusal():
            release_in_force.put({"rate": run.rate, "steps": run.steps, "records": float(run.people)})
        return
    people = int(state["records"] or DEFAULT_RUN.people)
    if not state["records"]:
        counted = release_in_force.counted()
        st.toast(f"Nobody has said how many {counted} there are: {people:,} stands there now, with the same release.")
    rate = float(state["rate"]) if release_in_force.chosen_kind().is_sampled else 1.0
    run = TrainingRun.of(rate, int(state["steps"]), people)
    release_in_force.put(release_in_force.state_of_run(run))


def _follow_sampling() -> None:
    """Keep the visitor's neighbours for when there is a choice again. For the box, before it is drawn anew."""
    state = st.session_state
    kind, sampling = KINDS[state["mechanism"]], Sampling(state["sampling"])
    if release_in_force.neighbours(kind, sampling, state["adjacency"]) != state["adjacency"]:
        state.setdefault(_CHOSEN_NEIGHBOURS, state["adjacency"])
    elif release_in_force.neighbours(kind, sampling, chosen := state.get(_CHOSEN_NEIGHBOURS)) == chosen:
        state["adjacency"] = state.pop(_CHOSEN_NEIGHBOURS)
