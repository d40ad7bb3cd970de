"""Real models trained with the noise that each assumption about the attacker asks for."""

from dataclasses import fields
from functools import partial
from time import perf_counter

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from numerics.trade_off import Bound, Order
from numerics.training import DATA_SETS, Plan, Strategy, Trained, data_set
from pages.frontier import screen
from pages.frontier import trained_answer as answers
from pages.frontier.limit import Limit
from pages.frontier.screen import Panel, Places
from pages.frontier.trained_answer import Swept, TrainingChoice, swept
from pages.ui import downloads, sheet_filling
from pages.ui.controls import number_box
from pages.ui.release_in_force import ReleaseChoice
from pages.ui.result_header import Formula
from pages.ui.share import Shared
from pages.ui.sheet_filling import SheetAnswer
from pages.ui.skipped import error_boundary
from pages.ui.threat_models import ReleaseSetting
from plotting import theme
from reports.rounding import capitalised
from reports.sheet import Sheet, Standing

FORMULAS = (
    Formula(
        r"w \leftarrow w - \frac{r}{n}\Big(\sum_{i \in B} g_i \min\{1, C / \lVert g_i \rVert\} + s\,C\,z\Big), "
        r"\quad z \sim \mathcal{N}(0, I_d)",
        "A step of DP-SGD: every record's gradient is cut to length C, and noise of s · C is added to their sum.",
        "papers 000, 001 and 004; paper 004 Algorithm 2",
        "correction 49: gradients are cut by min, not max.",
    ),
    Formula(
        r"s_{\mathrm{DP}} = \min\{s : 1 - f_s(\alpha) \le \text{level}\}",
        "Full knowledge: the least noise whose certified trade-off curve keeps the level; batches are Poisson "
        "draws, neighbours differ by one record more or less.",
        "paper 000, Section 7.3",
    ),
    Formula(
        r"s_{\mathrm{RTM}} = \min\{s : 1 - D_s(\alpha) \le \text{level}\} \le s_{\mathrm{DP}}",
        "Record unknown: the same with the best test that does not know which side the record pulls to; an "
        "estimate of the reading that is a guarantee (minimax).",
        "paper 000, Theorem 2 and Section 7.3",
        "correction 15: the paper's several steps are the power of one statistic; this is the best test.",
    ),
    Formula(
        r"\mu_{\text{step}} = \frac{d + (2 n_{\text{eff}} - 1) K}{n_{\text{eff}} \sqrt{2 d + 4 n_{\text{eff}} K}}, "
        r"\quad n_{\text{eff}} = n + s^2,\ K = d",
        "Other records unknown: their gradients hide the record as noise would; for a record of typical "
        "gradient (K = d), in the limit of many steps of fixed-size batches, neighbours that differ in one record.",
        "paper 004, Theorem 5.1 and Eq. 10",
        "corrections 45, 46 and 52: K is centred and typical, not worst case; the limit is no bound.",
    ),
    Formula(
        r"L' = \Phi\bigl(z_{\alpha'} + z_L - z_\alpha\bigr)",
        "A limit of L at the rate α is L′ at the rate α′ of these levels, through the Gaussian curve of its point: a "
        "convention. That the noise chosen keeps L at α as well is certified by its own curve.",
        "a convention of all pages",
    ),
)
ASSUMPTIONS = (
    "Part of what is lost at loose levels is lost to clipping, not to noise: without protection nothing is clipped.",
    "The split into records trained on and held out is fixed; runs differ in batches, noise and starting weights.",
    "The learning rate and all other numbers of the recipe were chosen without regard to privacy: choosing them on the "
    "same records gives away a little that is not counted.",
    "Lower bounds are about the one model and a random record of each group; they are valid with 95 % confidence.",
    "With Poisson batches the promise is about a record more or less, while the attack compares members and outsiders "
    "of one model. The promise's outsiders are those of a model with one record fewer, which is hardly another one.",
    "Each attacker's noise is used with the sampling and the neighbours its guarantee is for: they are not the same.",
)


def draw(subject: DeltaGenerator) -> None:
    """Draw the controls, the answer, the figures and what goes with them."""
    places = Places.empty()
    with error_boundary("answer for these models"):
        data = subject.selectbox(
            "Trained on",
            list(DATA_SETS),
            key="frontier.train_data",
            bind="query-params",
            format_func=lambda data: {"mnist": "MNIST"}.get(data, data),
            label_visibility="collapsed",
            width=200,
        )
        held = places.draw_limit()
        if held is None:
            return
        started = perf_counter()
        with places.answer, st.spinner("Reading the data …", show_time=True):  # at first also the library they are in
            chosen = TrainingChoice(swept(data), held)
            said = answers.said(chosen)
        places.draw_said(said)
        found, panels = chosen.swept, answers.panels(chosen)
        places.draw_panels(panels)
        seconds = perf_counter() - started
        parts = {f"{strategy}, apart": partial(_draw_apart, chosen, strategy) for strategy in answers.apart(found)}
        parts |= {"in numbers": partial(_draw_numbers, chosen), "a model this good": partial(_draw_wanted, found)}
        sheet = None if chosen.at(Strategy.FULL) is None else partial(_sheet, chosen, panels[0].figure)
        places.draw_rest(
            said,
            ("frontier.train_more", parts),
            (FORMULAS, (answers.reading(found), *ASSUMPTIONS), Bound.AUDIT, seconds),
            Shared("training", snippet(found.plan), partial(models_table, found), sheet=sheet),
        )
        places.draw_motion(held, partial(answers.states, data, held.alpha))


def _draw_apart(chosen: TrainingChoice, strategy: Strategy) -> None:
    """Draw an attacker whose levels answer another question, on an axis of its own."""
    words, figure = answers.apart_sentence(chosen, strategy), answers.cost(chosen, [strategy])
    title, key = f"Apart: {answers.named(strategy)}", f"frontier.apart_chart_{strategy}"
    screen.draw_panel(Panel(title, figure, words, key, f"{words} {answers.APART}"))


def _draw_numbers(chosen: TrainingChoice) -> None:
    if chosen.level is not None:
        st.markdown(f"**Trained for {Limit(chosen.level, chosen.swept.plan.alpha).full}**")
    downloads.draw_table(answers.table(chosen))
    st.caption(answers.TABLE_NOTE)


def _draw_wanted(found: Swept) -> None:
    """Draw the inverse: a model this good is wanted, how strict can the protection be?"""
    label = "Smallest accuracy wanted, on average over the runs"
    wanted = number_box(label, "frontier.train_wanted", (0.0, 1.0), 0.9, step=0.01, width=420)
    kept = {strategy: answers.strictest(found, strategy, wanted) for strategy in found.plan.notions}
    st.markdown("\n".join(f"- **{strategy}**: {words}" for strategy, words in kept.items()))


def _sheet(chosen: TrainingChoice, figure: theme.Figure, link: str) -> Sheet:
    """The sheet of a training with the noise of the level in force, as of any planned release."""
    cell, held, plan = chosen.at(Strategy.FULL), chosen.limit, chosen.swept.plan
    if cell is None:
        raise ValueError("a level must be in force.")
    recipe, said = plan.recipe, answers.said(chosen)
    sizes = recipe.records, recipe.dimension, recipe.clip
    mechanism = chosen.swept.release(cell.rows[0].noise_multiplier)
    release = ReleaseChoice(mechanism, held.alpha, Order.ADD, plan.delta, held.found, *sizes)
    facts = (("Limit", f"{capitalised(held.full)}."), ("Training", f"{recipe.label}."), *said.facts)
    picture = screen.on_sheet(figure, "Across: members found, at most. Up: accuracy.")
    answer = SheetAnswer(Standing.WITHIN, said.sentence, facts, picture)
    return sheet_filling.sheet(ReleaseSetting(release), link, lambda: answer)


def models_table(found: Swept) -> str:
    """CSV of every model, with what a reader must know of them on top."""
    names, recipe = [field.name for field in fields(Trained)], found.plan.recipe
    header = {
        "recipe": recipe.label,
        "data": data_set(recipe.data).source,
        "false positive rate": f"{found.plan.alpha:g}",
        "delta": f"{found.plan.delta:g}",
        "assumptions": " ".join(ASSUMPTIONS),
    }
    return downloads.table({name: [str(getattr(row, name)) for row in found.rows] for name in names}, header)


def snippet(plan: Plan) -> str:
    """Python that trains the same models and prints the page's numbers; with another recipe, those of that."""
    levels, notions = (goal.goal for goal in plan.goals), (f"Strategy.{notion.name}" for notion in plan.notions)
    return f"""from numerics.calibration import PowerTarget
from numerics.training import *

recipe = {plan.recipe!r}
goals = tuple(PowerTarget(value, {plan.alpha!r}) for value in ({", ".join(map(repr, levels))},))
plan = Plan(recipe, goals, ({", ".join(notions)},), seeds={plan.seeds}, alpha={plan.alpha!r}, delta={plan.delta!r})
for cell in summary(row for step in run(plan) for row in step.trained):
    print(cell.strategy, cell.goal, cell.accuracy.mean, cell.rows[0].noise_multiplier)
"""
