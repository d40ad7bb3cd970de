"""What an audit found: sentences, figure, files, and how it was computed."""

from functools import partial

import numpy as np
import streamlit as st

from numerics.trade_off import Bound, Floats, Order
from pages.attackers.audit import words
from pages.attackers.audit.formulas import LIMITS
from pages.attackers.audit.run import CONFIDENCE, AuditTask, Pair, Result
from pages.ui import chart, csv_tables, downloads, readout
from pages.ui.downloads import Downloads
from pages.ui.segmented_control import segmented_control
from plotting.audit import Audited, audit_figure
from plotting.curves import Axes
from plotting.theme import Figure


def draw(result: Result, alpha: float) -> None:
    """Draw it; ``alpha`` is the page's false positive rate."""
    if not result.pairs:
        st.info("Stopped before the first round: nothing was measured. Start again to measure.")
        return
    rate = words.stated_rate(result, alpha)
    subject = result.audit.subject
    sentences = [words.sentence(pair, rate, order, subject) for order, pair in result.pairs.items()]
    readout.answer(sentences[0], Bound.AUDIT, level=3)
    for sentence in sentences[1:]:
        st.markdown(sentence)
    st.markdown(words.overall(result))
    st.caption(" ".join((words.done(result), *_moved(rate, alpha))))
    figure = _figure(result, rate)
    chart.draw(figure, f"Measured curve with limits, and the theory. {sentences[0].replace('**', '')}", "audit_figure")
    _take(result, figure)
    how(result)


def _moved(rate: float, alpha: float) -> list[str]:
    if abs(rate - alpha) <= 1e-9 * alpha:
        return []
    return [f"The page's false alarms, {alpha:g}, are not among the rates that so many rounds can state well."]


def _figure(result: Result, rate: float) -> Figure:
    axes = segmented_control("Axes", list(Axes), default=Axes.LOG, key="audit_axes", label_visibility="collapsed")
    several = len(result.pairs) > 1
    subject = result.audit.subject
    audited = [
        Audited(pair.measured, pair.theory, subject.color, f", {order}" if several else "", subject.premise)
        for order, pair in result.pairs.items()
    ]
    return audit_figure(audited, rate, axes, set(result.pairs) == {Order.ADD})


def how(result: Result) -> None:
    """Draw "How this is computed"."""
    pairs = list(result.pairs.values())
    notes = [*pairs[0].measured.assumptions, *dict.fromkeys(note for pair in pairs for note in pair.theory.assumptions)]
    notes.append("Sampled attacks say what this attack reached, not what a better one would.")
    readout.how([*result.audit.subject.formulas, LIMITS], notes, Bound.AUDIT, result.seconds, key="how_audit")


def header(result: Result) -> dict[str, str]:
    """What a reader of the file must know."""
    said = {f"sentence {order}": theory.theory.label for order, theory in result.pairs.items()}
    return {
        "attack": result.audit.name,
        **result.audit.subject.parameters,
        "rounds without and with the record": f"{result.done} each, of {result.audit.rounds} asked for",
        "seed": str(result.audit.seed),
        "confidence": CONFIDENCE.sentence,
        "alpha": "false positive rate",
        "beta": "false negative rate; (lower limit) and (upper limit) are of the true one",
        **{name.replace("sentence", "theory,"): label for name, label in said.items()},
    }


def table(result: Result) -> str:
    """CSV of the measured curves and the theory beside them, one below the other."""
    blocks = [_columns(pair) for pair in result.pairs.values()]
    columns = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
    orders = [str(order) for order, pair in result.pairs.items() for _ in pair.measured.alpha]
    return csv_tables.table({"order": orders, **columns}, header(result))


def _columns(pair: Pair) -> dict[str, Floats]:
    measured, columns = pair.measured, {"alpha": pair.measured.alpha}
    limits = {" (lower limit)": measured.lower, " (upper limit)": measured.upper}
    for name, side in ({"": measured} | limits | {" (theory)": pair.theory}).items():
        if side is not None:
            columns |= {f"beta{name}": side.beta, f"power{name}": side.power}
    return columns


def python(audit: AuditTask) -> str:
    """Python that measures the same curve; run it in the project's folder."""
    orders = ", ".join(f"Order.{order.name}" for order in audit.subject.orders)
    return (
        "from numerics.audits import Confidence, collected, measured_curve\n"
        "from numerics.trade_off import Order\n"
        "from pages.attackers.audit.cached import rates\n"
        f"{audit.subject.python}\n"
        f"scores = collected(attack.rounds({audit.rounds}, seed={audit.seed}))\n"
        f"for order in ({orders},):\n"
        f"    curve = measured_curve(scores, rates({audit.rounds}), Confidence({CONFIDENCE.level}), order)\n"
        "    print(curve.alpha, curve.power, curve.upper.power, curve.lower.power)\n"
    )


def _take(result: Result, figure: Figure) -> None:
    table_of = partial(table, result)
    downloads.draw(Downloads("audit", figure, python(result.audit), header(result), table=table_of))
