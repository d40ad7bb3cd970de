"""Lines of Python that print what the attackers' models say of a release, as the pages do."""

from contextlib import suppress

from numerics.deadline import DeadlineError
from numerics.membership import as_played
from pages.ui import cached_threat_models
from pages.ui.threat_models.release import ReleaseSetting
from pages.ui.threat_models.views import game
from reports.python_code import constructor


def relaxed_lines(setting: ReleaseSetting) -> str:
    """The lines for the attacker who does not know the record, or why there are none."""
    choice, dimension, test = setting.choice, setting.relaxed_dimension, setting.test
    try:
        with suppress(DeadlineError):  # whoever runs it has the time
            cached_threat_models.relaxed_power(setting.release, choice.alpha, dimension, choice.order, test)
    except ValueError as reason:
        return f"# does not know the record: {reason}"
    return (
        f"test, dimension = relaxed.RelaxedTest.{test.name}, {dimension}\n"
        "unknown = relaxed.power(release, alpha, dimension=dimension, order=order, test=test)\n"
        'print("does not know the record:", min(unknown.upper, full.upper))'
    )


def eta_lines(setting: ReleaseSetting) -> str:
    """The line for eta in the game of the release's neighbours, or why there is none."""
    played = game(setting)
    try:
        as_played(setting.release, played)
    except ValueError as reason:
        return f"# eta, {played}: {reason}"
    return f'print("eta, {played}:", membership.eta(release, Game.{played.name}, precision).upper)'


def membership_lines(setting: ReleaseSetting) -> str:
    """The lines for paper 004's attacker, by the way that the page takes."""
    try:
        release = setting.gradients()
        if setting.spread:
            return "# does not know the others: see over_normal_gradients in numerics.gaussian_membership.stochastic\n"
        exact = cached_threat_models.is_one_step(release, setting.choice.order)
    except ValueError as reason:
        return f"# does not know the others: {reason}\n"
    made = "StepTest(release.effective_size, release.dimension, release.dimension)" if exact else "level(release)"
    fixed = constructor(setting.fixed_size)
    return (
        "# Apart: a record replaced, batches of fixed size; never above the guarantee\n"
        f"release = {release!r}\n"
        f"guarantee = {fixed}.power(alpha, order, precision).upper\n"
        f"about = {made}.trade_off(np.array([alpha])).power[0]\n"
        'print("does not know the others: about", min(about, guarantee))\n'
    )
