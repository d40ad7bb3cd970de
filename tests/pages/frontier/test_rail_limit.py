"""The visitor's limit on pages with sliders of their own, and the memo of the noise that is chosen."""

import pytest
from streamlit.testing.v1 import AppTest

from numerics.mechanisms import Gaussian
from numerics.trade_off import Order
from numerics.training import Strategy
from pages.frontier import screen
from pages.frontier.limits import RailLimit
from pages.frontier.screen import Recommendation
from pages.frontier.trained import solve_for
from pages.ui import memo
from pages.ui.memo import assumptions
from tests.html import Elements
from tests.pages.frontier.test_statistic import headline, page
from tests.pages.frontier.trained_models import SWEPT
from tests.plotting.test_static import figure


def mine(app: AppTest) -> bool:
    """Whether the button rests, and what it says."""
    button = app.button(key="frontier.use_my_limit")
    assert "20" in button.label
    assert button.help is not None
    assert "at most 20 of 10,000 found while 10 of 10,000 are falsely accused" in button.help
    return bool(button.disabled)


@pytest.mark.parametrize("query", [{}, {"frontier.stat_success": "ε"}], ids=["people", "epsilon"])
def test_a_statistics_view_takes_the_visitors_limit_over(query: dict[str, str]) -> None:
    app = page(**query)
    assert not mine(app)
    app.button(key="frontier.use_my_limit").click().run()
    assert not app.exception
    assert "For at most 20 of 10,000 found" in headline(app)
    assert mine(app)


def test_trained_models_are_held_to_it_by_the_noise_they_were_trained_with() -> None:
    recipe = SWEPT.plan.recipe
    strict, loose = sorted(SWEPT.levels(Strategy.FULL), key=lambda cell: cell.goal)

    def found(noise: float) -> float:
        return Gaussian(noise, recipe.sampling_rate, recipe.steps).power(1e-3, Order.ADD).upper

    at_strict, at_loose = (found(cell.rows[0].noise_multiplier) for cell in (strict, loose))
    assert 1.01 * at_strict < 0.99 * at_loose
    assert solve_for.loosest(SWEPT, RailLimit(1.01 * at_loose, 1e-3)) == loose.goal
    assert solve_for.loosest(SWEPT, RailLimit(0.99 * at_loose, 1e-3)) == strict.goal
    assert solve_for.loosest(SWEPT, RailLimit(0.99 * at_strict, 1e-3)) is None


def test_the_memo_says_the_answer_without_its_icons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.ui.address.permalink", lambda **_: "https://privacy.example.org/frontier")
    answer = Recommendation("Choose noise **2**.", verdict=":green[:material/check_circle:] Limit met (certified).")
    said = screen.memo(answer, "a mean", assumptions(Gaussian(1.0)), "what is shown")
    text = Elements(memo.page(said, figure())).text
    for words in ("Choose noise 2.", "Limit met (certified).", "a mean", "what is shown", "lacks this one record"):
        assert words in text
    assert "material" not in text
