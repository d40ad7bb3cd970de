"""What measurements prove: one place for files, what they were read as, and the answer to that kind of evidence."""

import streamlit as st

from losses import SAMPLES, Kind, read_evidence
from losses.names import natural
from losses.recognise_evidence import REFUSED
from pages.audit import attack_scores, evidence, promises, reading
from pages.audit.epsilon_star import view as epsilon_star
from pages.audit.evidence import LabelledScores, LossSource
from pages.ui import address, file_answers, uploads
from pages.ui.catalog import FRONTIER
from pages.ui.upload_preview import Preview

EVIDENCE = {
    Kind.LOSSES: "a model's losses",
    Kind.PREDICTIONS: "predictions",
    Kind.SCORES: "attack scores",
    Kind.CANARIES: "one run with canaries",
    Kind.RUNS: "many runs",
}
"""Kinds of evidence by their labels, which are their values in the address."""
SLOT, _KIND = "audit.files", "audit.evidence"
KEPT = (
    _KIND,
    "audit.sample",
    "audit.scored_sample",
    "audit.canary_sample",
    *epsilon_star.KEYS,
    *attack_scores.KEYS,
    *promises.KEYS,
)
_PLACE = "Files with losses, predictions, attack scores, canaries or runs: one, or several together"
_LOW = (
    "<style>.st-key-audit-place [data-testid=stFileUploaderDropzone]"
    " { padding: .35rem .6rem; min-height: 0; flex-direction: row; align-items: center }"
    " .st-key-audit-recipe table { display: block; overflow-x: auto }</style>"
)


def draw() -> None:
    """Draw the place for files, what is in it, and what that shows; a shipped sample where it is empty."""
    address.start_anew(KEPT)
    st.html(_LOW)
    place, read = st.columns([2, 5], gap="medium")
    with place.container(key="audit.place"):
        files = uploads.draw(
            SLOT,
            _PLACE,
            read_evidence,
            reading.check,
            reading.is_waiting,
            uploads.MOST_FILES,
            label_visibility="collapsed",
        )
    with read:
        kind, found = _evidence(files)
    with st.container():  # one place: the browser forgets the address' part of widgets that move
        if kind in (Kind.CANARIES, Kind.RUNS) and not isinstance(found, LossSource):
            promises.draw(kind, found, is_planned=not files)
        elif isinstance(found, LabelledScores):
            attack_scores.draw(found)
        elif found is not None:
            epsilon_star.draw(found)


def _evidence(came: dict[str, uploads.Upload]) -> tuple[Kind, LossSource | LabelledScores | None]:
    """Draw what the files are, or which sample there is instead of them; what is measured, None while that is open."""
    files = {name: came[name] for name in sorted(came, key=natural)}
    refused = uploads.draw_refused(SLOT)
    if any(one.problem.what == REFUSED[Kind.SWEEP][0] for one in refused):
        weighed = {"frontier.weigh": "your own sweep"}
        st.page_link(FRONTIER.script, label="Weigh it on Frontier", icon=FRONTIER.icon, query_params=weighed)
    _recognise(files)
    labels = {words: kind for kind, words in EVIDENCE.items()}
    row = st.container(horizontal=True, vertical_alignment="center", gap="xsmall")
    with row:
        said = st.selectbox(
            "What was measured", list(labels), key=_KIND, bind="query-params", width=175, label_visibility="collapsed"
        )
        kind = labels[said]
        if not files:
            return kind, None if refused else _sample(kind)
    return kind, reading.draw(Preview(SLOT, files, row), kind)


def _recognise(files: dict[str, uploads.Upload]) -> None:
    """Let files that are new be read as what their columns tell, if they do."""
    keys = tuple(file.digest for file in files.values())
    kind = next((file.table.kind for file in files.values()), "")
    if st.session_state.get("audit.recognised", ()) != keys:
        st.session_state["audit.recognised"] = keys
        if kind and not file_answers.FileAnswers(SLOT, file_answers.digest_of(keys)).is_asked:
            st.session_state[_KIND] = EVIDENCE[Kind(kind)]


def _sample(kind: Kind) -> LossSource | LabelledScores | None:
    """Draw the choice of a sample of a kind; None where there is none."""
    if kind is Kind.RUNS or (kind is Kind.CANARIES and promises.draw_source() != promises.SAMPLE):
        return None
    samples = evidence.CANARY_SAMPLES if kind is Kind.CANARIES else SAMPLES
    keys = {Kind.CANARIES: "audit.canary_sample", Kind.SCORES: "audit.scored_sample"}
    names = [one.name for one in samples]
    name = st.selectbox(
        "Sample",
        names,
        key=keys.get(kind, "audit.sample"),
        bind="query-params",
        width=175,
        label_visibility="collapsed",
    )
    if kind in keys:
        return evidence.shipped_scores(name)
    return evidence.shipped_losses(SAMPLES[names.index(name)])


draw()
