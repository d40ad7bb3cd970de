"""Once the noise found is used, the page, the certificate and the Python to take away say that the limit is kept."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from numerics.mechanisms import Composition, Gaussian
from numerics.trade_off import Order
from pages.ui import cached
from pages.ui.certificate import html_file, words
from pages.ui.certificate.subject import CertificateSubject, one_of_all
from pages.ui.numbers_in_words import rounded_up
from pages.ui.release_choice import ReleaseChoice
from pages.ui.threat_models.release import ReleaseSetting
from tests.html import Elements
from tests.pages.mechanism import visit as page_mechanism
from tests.pages.mechanism.visit import metric
from tests.pages.reconstruct import visit as page_reconstruct
from tests.pages.visit import checked

# The kind of limit, the box it is entered in, the limit, the metric that shows what it limits, and the snippet's name.
LIMITS = [
    ("epsilon", "goal_epsilon", 1.0, "ε at δ", "epsilon"),
    ("advantage", "goal_advantage", 0.1, "Advantage", "advantage"),
    ("members found", "goal_found", 0.002, "Found at", "true positive rate"),
]


def used(app: AppTest) -> AppTest:
    """The app after the button is pressed."""
    (button,) = (button for button in app.button if button.key == "solve_for.use")
    return checked(button.click().run())


def solved(limit: str, box: str, goal: float) -> AppTest:
    app = page_mechanism.page(solve="true", keep=limit, **{box: str(goal)})
    (promise,) = (str(text.value) for text in app.success)
    noise = re.findall(r"Noise ([\d.]+)", promise)[0]
    used(app)
    assert app.session_state["noise"] == float(noise)
    return app


@pytest.mark.parametrize(("limit", "box", "goal", "name", "printed"), LIMITS, ids=[row[0] for row in LIMITS])
def test_page_snippet_and_certificate_keep_the_limit(
    limit: str, box: str, goal: float, name: str, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    app = solved(limit, box, goal)
    assert float(metric(app, name)) <= goal

    (code,) = (block.value for block in app.code if "numerics" in block.value)
    exec(code, {})
    upper = float(re.findall(rf"^{printed}:.*upper=([\d.e-]+)", capsys.readouterr().out, re.MULTILINE)[0])
    assert upper <= goal
    assert rounded_up(upper, 8) in next(one.help for one in app.metric if one.label.startswith(name))

    choice = ReleaseChoice(
        Gaussian(app.session_state["noise"], 0.01, 1000), 1e-3, Order.ADD, 1e-5, records=1000, dimension=1
    )
    subject = CertificateSubject(ReleaseSetting(choice), one_of_all(1000))
    text = Elements(html_file.page(subject)).text
    assert metric(app, name) in text
    if limit == "members found":
        said = "At most **20** of 10,000 people can be found while 10 of 10,000 outsiders are wrongly accused"
        assert said in " ".join(str(block.value) for block in app.markdown)
        assert said in words.sentences(subject)[0]


def test_reconstruction_keeps_its_limit() -> None:
    """By the least noise of the part, and by the noise that is offered beside the verdict."""
    gamma = "Right with the release"
    app = page_reconstruct.page(more="what the limit allows", guess_limit="200")
    (_, guess) = (str(box.value) for box in app.success)
    kappa = float(re.findall(r"κ = ([\d.]+)\*\*", guess)[0])
    used(app)
    assert float(metric(app, gamma)) <= 0.02
    weaker = page_reconstruct.page(kappa_exact=repr(kappa))
    assert float(metric(weaker, gamma)) <= 0.02
    app = page_reconstruct.page(guess_limit="20")
    (button,) = (button for button in app.button if button.key == "reconstruct.use_guess_noise")
    checked(button.click().run())
    assert float(metric(app, gamma)) <= 0.002


def test_the_noise_of_every_phase_is_said_put_and_kept() -> None:
    app = page_mechanism.page(
        solve="true",
        keep="advantage",
        phases="2",
        rate_2="0.02",
        noise_2="1.7",
        knows_rate="true",
        steps="50",
        steps_2="20",
    )
    (promise,) = (str(text.value) for text in app.success)
    first, second = map(float, re.findall(r"phase 1: ([\d.]+), phase 2: ([\d.]+)\)\*\*", promise)[0])
    used(app)
    assert (app.session_state["noise"], app.session_state["noise_2"]) == (first, second)
    assert float(metric(app, "Advantage")) <= 0.1
    release = Composition((Gaussian(first, 0.01, 50), Gaussian(second, 0.02, 20)))
    assert rounded_up(cached.advantage(release).upper) == metric(app, "Advantage")
