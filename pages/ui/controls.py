"""Controls that the address holds: boxes for numbers, rows of choices, and a slider with a box for other values."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, Literal, TypeVar

import streamlit as st

from pages.ui.address import labelled

Limits = tuple[float, float]
_Default = TypeVar("_Default", float, None)
_Whole = TypeVar("_Whole", int, None)


def number_box(
    label: str,
    key: str,
    limits: Limits,
    default: _Default,
    help: str | None = None,  # noqa: A002 - as Streamlit's widgets name it
    *,
    unset: str | None = None,
    **look: Any,
) -> float | _Default:
    """Draw the box and return the number, within ``limits``.

    ``unset`` stands in an empty box; ``look`` are further settings of Streamlit's ``number_input``.
    """
    low, high = map(float, limits)
    value = None if default is None else float(default)
    look = {"format": "%g", "placeholder": unset, "help": help, **look}
    return st.number_input(label, low, high, value, key=key, bind="query-params", **look)


def whole_box(
    label: str,
    key: str,
    limits: Limits,
    default: _Whole,
    help: str | None = None,  # noqa: A002 - as Streamlit's widgets name it
    **look: Any,
) -> int | _Whole:
    """The same for a whole number; a box of whole numbers would raise when an address says that it is infinite."""
    entered = number_box(label, key, limits, default, help, step=1.0, format="%.0f", **look)
    return None if entered is None else int(entered)


_Option = TypeVar("_Option")


def segmented_control(
    label: str,
    options: Sequence[_Option],
    *,
    default: _Option,
    key: str,
    format_func: Callable[[Any], str] = str,
    help: str | None = None,  # noqa: A002 - as Streamlit's widgets name it
    label_visibility: Literal["visible", "hidden", "collapsed"] = "visible",
) -> _Option:
    """Draw the choices, bound to the address, and return the one in force.

    An address that says ``key=`` leaves nothing chosen, required or not: then the default holds.
    """
    chosen = st.segmented_control(
        label,
        options,
        default=default,
        key=key,
        bind="query-params",
        required=True,
        wrap=True,
        format_func=format_func,
        help=help,
        label_visibility=label_visibility,
    )
    # The session may hold the plain text of an option.
    return next((option for option in options if option == chosen), default)


_LEFT, _RIGHT = " ← ", " → "  # of a label: between the words for its ends and what it is
_PER_DECADE = (1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.2, 2.5, 2.8, 3, 3.5, 4, 4.5, 5, 5.5, 6, 7, 8, 9)


@dataclass(frozen=True)
class SliderWithBox:
    """A positive quantity on a slider with round values, with a box beside it for any other value.

    Attributes:
        key: the slider's key; the box has ``_exact`` after it.
        label: what it is, between words for either end. Plain: a slider's accessible name has its label's marks in it.
        values: the slider's round values, ascending.
        default: the slider's value at first.
        limits: smallest and largest value of the box.
        help: what it means.
        unit: what the slider shows of a value, such as people of 10,000 for a share; also in the address.
    """

    key: str
    label: str
    values: tuple[float, ...]
    default: float
    limits: tuple[float, float]
    help: str
    unit: float = 1.0

    @property
    def name(self) -> str:
        """What it is, without the words for its ends."""
        return self.label.split(_LEFT)[1].split(_RIGHT)[0]

    @property
    def exact_key(self) -> str:
        """Key of the box for exact values."""
        return f"{self.key}_exact"

    def draw_slider(self, unused: str = "") -> None:
        """Draw the slider, after its box if there is one: while that is filled, it stands at the box's value.

        Moved from there, it empties the box. ``unused`` says why its value changes nothing now, if that is so.
        """
        exact = self._exact()
        values = self.values if exact is None else tuple(sorted({*self.values, exact}))
        arrives, held = self.key not in st.session_state, st.session_state.get(self.key, self.default)
        if held != exact and (exact is not None or held not in values):
            st.session_state[self.key] = nearest(held, self.values) if exact is None else exact
        # Of an address that has both the exact value wins: what is bound on arrival would take the other.
        overruled = arrives and exact is not None and st.query_params.pop(self.key, None) is not None
        st.select_slider(
            f"{self.name}: {unused}" if unused else self.label,
            values,
            # What is where it starts is not in the address: an exact value is there once, as the box's.
            value=self.default if exact is None else exact,
            format_func=self.shown,
            key=self.key,
            bind=None if overruled else "query-params",
            help=self.help,
            disabled=bool(unused),
            on_change=self._empty_box,
        )

    def _empty_box(self) -> None:
        """The slider was moved: it says what holds."""
        if st.session_state.get(self.exact_key) not in (None, st.session_state[self.key]):
            st.session_state[self.exact_key] = None

    def _exact(self) -> float | None:
        exact = st.session_state.get(self.exact_key)
        return None if exact is None else float(exact)

    def shown(self, value: float) -> str:
        """A value as the slider shows it: six digits; all of an exact value that would else read as a round one."""
        text = labelled(value * self.unit)
        is_taken = value not in self.values and text in (labelled(one * self.unit) for one in self.values)
        return repr(value * self.unit) if is_taken else text

    def draw_box(self, name: str) -> None:
        """Draw the box for exact values."""
        number_box(name, self.exact_key, self.limits, None, unset="as the slider says")

    def value(self) -> float:
        """The exact value if there is one, else the slider's."""
        exact = self._exact()
        return float(st.session_state[self.key]) if exact is None else exact

    def state_of(self, value: float) -> dict[str, float | None]:
        """Slider and box of this value: the slider's own if it has it, else the box is filled."""
        exact = None if value in self.values else min(max(value, self.limits[0]), self.limits[1])
        return {self.exact_key: exact, self.key: nearest(value, self.values)}

    def put(self, value: float) -> None:
        """Set the slider if it has this value, else the box. For a callback, before widgets are drawn."""
        st.session_state.update(self.state_of(value))


def round_values(first_decade: int, last: float, steps: Sequence[float] = _PER_DECADE) -> tuple[float, ...]:
    """Round numbers from ``10**first_decade`` to ``last``, the same in every decade."""
    values = (float(f"{step:g}e{decade}") for decade in range(first_decade, 4) for step in steps)
    return tuple(value for value in values if value <= last)


def nearest(rate: float, values: Sequence[float]) -> float:
    """The one of a slider's round values that is nearest to ``rate`` on a log scale."""
    return min(values, key=lambda value: abs(log(value / max(rate, 1e-300))))
