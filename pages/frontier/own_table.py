"""A table of the visitor's own: how much noise on a statistic of half of it hides who is in that half."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from losses import TableError, read_predictions
from losses.table import unusable_rows
from numerics.deadline import looking_at
from numerics.membership.one_swap import SwapNoise
from numerics.trade_off import Bracket, Floats
from numerics.training.data_sets import REAL_TABLES, real_table
from pages.frontier import own_table_answer as answers
from pages.frontier.limit import Limit
from pages.frontier.own_table_answer import TableNoise, TableQuestion
from pages.server.budget import Budget, Visit
from pages.server.shared_cache import session_cache
from pages.ui import chart, downloads, result_header, upload_preview, uploads
from pages.ui.controls import number_box, segmented_control, whole_box
from pages.ui.result_header import Formula
from pages.ui.skipped import error_boundary
from pages.ui.upload_preview import look_at
from plotting.curves import Axes, OperatingPoint
from plotting.limit import LimitRegion
from plotting.trade_off import trade_off_figure

_FILE, _SLOT = "a file", "frontier.table_file"
_KEPT = 3
_FEWEST, _MOST = 4, 1_000_000  # records
_LABEL = "A table: a row for every person, a column for every number"
_SAID = "What you give stays in this session and is not stored."
_NOISES = {"Laplace": SwapNoise.LAPLACE, "Gaussian": SwapNoise.GAUSSIAN}
_ETA_HELP = "Accuracy above one half of whoever guesses who was drawn. If not set, it follows from my limit."
_CAPTION = (
    "Standard deviations, for the laws differ: the paper has Laplace noise or, for a histogram, noise of a norm, the "
    "others have the law above. Differential privacy counts the largest change by one replaced record within these "
    "data; the one-swap bound counts the mean change, of the record that it hides least."
)


def draw(limit: Limit) -> None:
    """Draw what is released of which table, the noise that hides its records, and how the other ways compare."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        source = st.selectbox("Table", [*REAL_TABLES, _FILE], key="frontier.stat_table", bind="query-params", width=190)
        kinds = st.multiselect(
            "Released of a random half",
            answers.KINDS,
            [answers.MEDIAN],
            key="frontier.stat_released",
            bind="query-params",
            width=330,
        )
        place = st.container(horizontal=True, vertical_alignment="bottom", width="content", gap="small")
    found = _uploaded(answers.SLOPE in kinds) if source == _FILE else _shipped(str(source), answers.SLOPE in kinds)
    if found is None:
        st.caption(_SAID)
        return
    key, y, x = found
    if not kinds:
        st.info("Choose what is released of the table.", icon=":material/edit:")
        return
    with place:
        is_laplace = len(kinds) == 1 and kinds[0] != answers.HISTOGRAM
        noise = SwapNoise.GAUSSIAN
        if is_laplace:
            noise = _NOISES[segmented_control("Noise", list(_NOISES), default="Laplace", key="frontier.stat_law")]
        trimmed, bins = 0.1, 10
        if answers.TRIMMED in kinds:
            trimmed = number_box("Trimmed at each end", "frontier.stat_trimmed", (0.0, 0.5), 0.1, width=150)
        if answers.HISTOGRAM in kinds:
            bins = whole_box("Bins of equal width", "frontier.stat_table_bins", (2, 1000), 10, width=150)
        wanted = number_box("η", "frontier.stat_eta", (1e-4, 0.499), None, _ETA_HELP, unset="my limit's", width=110)
        rows = whole_box("First rows", "frontier.stat_rows", (_FEWEST, _MOST), None, unset="all", width=110)
    even = min(len(y), rows or len(y)) // 2 * 2
    if even < _FEWEST:
        st.warning(f"At least {_FEWEST} rows of numbers are needed, there are {len(y):,}.", icon=":material/block:")
        return
    question = TableQuestion(
        y[:even], None if x is None else x[:even], tuple(kinds), trimmed, bins, noise, limit, wanted
    )
    asked = (key, even, question.kinds, trimmed, bins, noise, limit, wanted)
    with error_boundary("noise for this table"), st.spinner("Swapping records …", show_time=True):
        kept = uploads.made_of(_SLOT, "noise") if source == _FILE else "frontier.table_noise"
        answer = session_cache(kept, asked, _KEPT, lambda: _answered(question))
        _draw_found(answer, even, len(y))
    result_header.how_computed(_FORMULAS, _ASSUMPTIONS, answers.KINDS_OF_NUMBERS, key="frontier.stat_table_how")


def _answered(question: TableQuestion) -> TableNoise:
    """The answer, for as long as the visitor waits for it."""
    with looking_at(Budget(is_cancelled=Visit().is_cancelled)):
        return answers.answered(question)


def _shipped(name: str, has_x: bool) -> tuple[str, Floats, Floats | None]:
    """What tells the columns from others, the one that is released, and x."""
    columns = session_cache("frontier.table_shipped", name, 1, lambda: real_table(name))
    with st.container(horizontal=True):
        y = st.selectbox("Column", list(columns), key="frontier.stat_column", bind="query-params", width=190)
        others = [one for one in columns if one != y]
        x = st.selectbox("x", others, key="frontier.stat_x", bind="query-params", width=190) if has_x else None
    return f"{name} {y} {x}", columns[y], None if x is None else columns[x]


def _uploaded(has_x: bool) -> tuple[str, Floats, Floats | None] | None:
    """The same of a file; None while there is none, or something is open."""
    preview = upload_preview.of_file(_SLOT, _LABEL, read_predictions)
    if preview is None:
        return None
    (upload,) = preview.files.values()
    names = [one.name for one in upload.table.numbers]
    chosen = [preview.column("Column", "y", names)]
    if has_x and len(names) > 1:
        chosen.append(preview.column("x", "x", [one for one in names if one != chosen[0]]))
    columns = [upload.table.number(name) for name in chosen]
    drop = preview.leave_out(*columns)
    left_out = unusable_rows(columns)

    def usable() -> Mapping[str, Floats]:
        kept = np.logical_and.reduce([one.usable(drop) for one in columns])
        if kept.sum() > _MOST:
            what = f"The table has {int(kept.sum()):,} rows; at most {_MOST:,} are read."
            raise TableError(what, "Keep fewer rows.")
        return {one.name: one.values[kept] for one in columns}

    read = f"rows of {' and '.join(chosen)}"
    if not preview.read_as(lambda: look_at({read: usable()[chosen[0]]}, left_out, chosen[0])):
        return None
    values = list(usable().values())
    return f"{upload.key} {chosen} {drop}", values[0], values[1] if len(values) > 1 else None


def _draw_found(found: TableNoise, used: int, rows: int) -> None:
    result_header.answer(answers.sentence(found), level=3)
    st.markdown(answers.verdict(found))
    columns = answers.table(found)
    st.table(columns, hide_index=True)
    spreads = "; ".join(f"{name} {answers.size(each)}" for name, each in found.spreads.items())
    odd = " The last row is left out, for halves need an even number." if used == rows - 1 else ""
    st.caption(f"{used:,} records. Standard deviation from half to half: {spreads}.{odd} {_CAPTION}")
    if found.curves:
        alpha = found.question.limit.alpha
        power = answers.power_at(found)
        point = OperatingPoint(alpha, Bracket(power, power, power))
        limit = LimitRegion(found.question.limit.found, result_header.crowd_for(alpha))
        figure = trade_off_figure(found.curves[0], point, Axes.LOG, compared=found.curves[1:], limit=limit)
        st.caption("Both curves are of the record with the largest η; where few are accused another's may be higher.")
        alt = f"Members found against outsiders accused, for the record hidden least. {answers.verdict(found)}"
        chart.draw(figure, result_header.spoken(alt), key="frontier.stat_table_curve")
    header = {"released": ", ".join(found.units), "eta": repr(found.question.eta), "kind": found.bound.value}
    downloads.button("Data (CSV)", "own-table.csv", lambda: downloads.table(columns, header))
    if found.curves:
        downloads.button("Curves (CSV)", "own-table-curves.csv", lambda: downloads.of_curves(found.curves, header))


_FORMULAS = (
    Formula(
        r"\eta_x \le \tfrac12\, \mathbb{E}_{S,y}\,\mathrm{TV}(t), \quad t = \Bigl(\textstyle\sum_i "
        r"(\lVert\theta_i(S) - \theta_i(S - x + y)\rVert / \sigma_i)^2\Bigr)^{1/2}; \qquad \mathrm{TV} = 1 - e^{-t/2}, "
        r"\quad 2\Phi(t/2) - 1",
        "The one-swap bound: with y in the place of x, a half S with x is a half without it. Laplace noise on one "
        "number, or Gaussian noise on all statistics; the averaged profile bounds the whole curve, too.",
        "correction 32, new; docs/one_swap_bound.md",
    ),
    Formula(
        r"\mathbb{E}_{S,y} \le \bar v + \sqrt{\tfrac{2 V \log(2/p)}{m}} + \tfrac{7 \log(2/p)}{3 (m - 1)}, \quad "
        r"p = .05 / 6 n",
        "An audit, where swaps cannot be counted: v are the m values that drawn halves give a record, as shares of "
        "what the longest swap shows, and V is their variance; n records and 6 scales share the 5 %. The scales were "
        "proposed by other draws.",
        "Maurer and Pontil 2009, Theorem 4",
    ),
    Formula(
        r"\eta = \max_x \tfrac14 \int \lvert p_{\mathrm{in}(x)}(t) - p_{\mathrm{out}(x)}(t)\rvert\, dt",
        "The exact η of few records: the densities of the noisy number over all halves with and without record x. Of "
        "Laplace noise it is integrated in closed form between neighbouring values; of Gaussian noise it is bracketed "
        "cell by cell, and the upper end is shown.",
        "paper 002 Prop. 2; correction 27",
    ),
    Formula(
        r"\mu = z_\alpha - z_{\mathrm{TPR}}, \quad \eta = \Phi(\mu/2) - \tfrac12; \qquad b_{002} = "
        r"(6.16/\eta)^2\,\sigma_\theta",
        "The limit as an η: half of the advantage on the Gaussian curve through it. The paper's noise for that η, with "
        "the spread of the statistic over halves.",
        "paper 002 Prop. 2 and Cor. 14",
        "the proof covers one dimension only; the claim holds (correction 31)",
    ),
)
_ASSUMPTIONS = (
    "Sizes of swaps are the data's own: the noise keeps its promise if the table is public, or if swaps of the private "
    "one are assumed to be no larger. Scaled by private data, the noise itself tells of them.",
    "Exactly half of the records is used, and their number is even; the attacker knows all of them, but not who is in.",
    "Several statistics were chosen before any was seen, and have noise of their own.",
    "Edges of bins, and the number of records, are public.",
    "The paper's spread of a median, a trimmed mean or a slope of more than 20 records is an estimate, of 400 halves.",
)
