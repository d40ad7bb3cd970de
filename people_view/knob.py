"""A slider of the page that moves what the page shows: sentences, numbers and figures, while the finger drags it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from people_view.mounting import mount


@dataclass(frozen=True)
class State:
    """What the page shows at one place of the slider.

    Attributes:
        texts: by the key of a container, the texts in it from top to bottom, of headings, paragraphs, captions and
            values of metrics. Bold letters and badges in Markdown; a badge at the end that says what kind of number it
            is may be left out, and stays.
        figures: by the key of a chart, where its parts lie: see ``plotting.motion``.
    """

    texts: Mapping[str, Sequence[str]]
    figures: Mapping[str, object]


def draw_knob(slider: str, chosen: str, states: Mapping[str, State], pale: Sequence[str] = ()) -> None:
    """Let a slider of Streamlit's move what is on the page; draws nothing by itself. To be called last on a page.

    Slider, sentences and figures stay the page's own, with keyboard, address and screen reader. While the finger
    drags, the browser shows the state of the place that the slider passes; when it lifts, Streamlit asks the server.

    Args:
        slider: the slider's key.
        chosen: the place that this run has answered, as the slider shows it (the text of its ``format_func``).
        states: by the slider's places, as it shows them. What is not known yet is missing: it is shown pale there.
            They are sent once as long as they stay the same; ``chosen`` is no part of them.
        pale: keys of what no state says, such as a button for the advised noise: pale while the slider is elsewhere.
    """
    sent = {place: {"texts": state.texts, "figures": state.figures} for place, state in states.items()}
    mount(f"{slider}_states", {"part": "states", "slider": slider, "states": sent})
    mount(f"{slider}_knob", {"part": "knob", "slider": slider, "chosen": chosen, "pale": list(pale)})
