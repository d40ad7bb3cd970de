"""Pages with a mechanism that they were not written for: right, or refused by its name, and no page is taken down."""

from itertools import cycle

import pytest
from streamlit.testing.v1 import AppTest

from numerics.mechanisms import MECHANISMS, Adjacency, Composition, Gaussian, Mechanism, SampledMechanism, Sampling
from numerics.reconstruction.costs import CERTIFIED, costs
from numerics.trade_off import Order
from pages.attackers import formulas as attackers_formulas
from pages.mechanism.python_snippet import python_snippet
from pages.reconstruct import formulas as rebuilding_formulas
from pages.ui import pins, release_controls, release_curves
from pages.ui.cached_reconstruction import PRECISION, PRIORS
from pages.ui.certificate import html_file, words
from pages.ui.certificate.program import program
from pages.ui.certificate.subject import CertificateSubject, one_of_all
from pages.ui.release_choice import ReleaseChoice
from pages.ui.release_formulas import of_the_curve
from pages.ui.threat_models import views
from pages.ui.threat_models.release import ReleaseSetting
from tests.html import Elements
from tests.pages.reconstruct.visit import view
from tests.pages.visit import addressed, script_of, visited
from tests.secant import Secant
from tests.strategies import KNOWN

SECONDS = 60
ONCE: Mechanism = Secant(1.0)
RELEASES: list[Mechanism] = [
    ONCE,
    Secant(1.0, 0.1, 20),
    Secant(1.0, 0.1, 20, Adjacency.REPLACE_ONE),
    Secant(1.0, 0.1, 20, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE),
    Composition((Secant(1.0, 0.1, 20), Secant(2.0))),
]
ADDRESSES = [
    {"knows_rate": "true", "steps": "1", "rate": "1"},
    {"knows_rate": "true", "steps": "20", "rate": "0.1"},
    {"knows_rate": "true", "steps": "20", "rate": "0.1", "phases": "2", "sampling": "fixed size"},
]
EXPLORER, ATTACKERS, REBUILD = (f"pages/{name}/page.py" for name in ("mechanism", "attackers", "reconstruct"))
PARTS = [
    (EXPLORER, {"second": "effect size", "relaxed": "true"}),
    (EXPLORER, {"second": "ε and δ", "solve": "true", "pins": "Secant_2_0.1_20_add__Laplace_1_1_1_add"}),
    *((ATTACKERS, {"part": part}) for part in ("same success", "converters", "noise for η", "audit")),
    (ATTACKERS, {"part": "audit", "audit_attack": "canary, record unknown", "reading": "magnitude of the mean"}),
    (REBUILD, {"more": "solve for", "also": "record unknown (RTM)"}),
    (REBUILD, {"more": "same ε, other rate", "across": "ε"}),
    ("pages/frontier/page.py", {}),
]


@pytest.fixture(autouse=True)
def on_offer(monkeypatch: pytest.MonkeyPatch) -> None:
    for kinds in (release_controls.KINDS, pins._KINDS):
        monkeypatch.setitem(kinds, Secant.name, Secant)


@pytest.fixture(autouse=True)
def few_noises(monkeypatch: pytest.MonkeyPatch) -> None:
    """A curve over the noise has four of them: each takes a certified curve, and one of the unknown record."""
    monkeypatch.setattr(release_curves, "_EFFECTS_WHEN_COMPOSED", release_curves._EFFECTS_WHEN_COMPOSED[::4])


def page(path: str, **query: str | list[str]) -> AppTest:
    """The page with secant noise, if no other is asked for; nothing may be raised."""
    return visited(
        AppTest.from_string(script_of(path), default_timeout=SECONDS),
        addressed(path.split("/")[1], {"mechanism": "Secant", **query}),
    )


def read(app: AppTest) -> str:
    """All that is said."""
    blocks = (*app.markdown, *app.caption, *app.info, *app.warning, *app.error, *app.success)
    return " ".join(str(block.value) for block in blocks)


def setting(release: Mechanism, dimension: int = 1) -> ReleaseSetting:
    return ReleaseSetting(ReleaseChoice(release, 1e-3, Order.ADD, 1e-5, records=1000, dimension=dimension))


def programs(release: Mechanism) -> list[str]:
    """All Python that pages offer of a release."""
    return [
        python_snippet(release, 1e-3, 1e-5, Order.ADD, 0.1),
        attackers_formulas.snippet(setting(release)),
        rebuilding_formulas.snippet(view(release)),
        program(CertificateSubject(setting(release), one_of_all(1000))),
    ]


@pytest.mark.parametrize(("address", "path", "query"), [(one, *part) for one, part in zip(cycle(ADDRESSES), PARTS)])
def test_no_page_is_taken_down(address: dict[str, str], path: str, query: dict[str, str]) -> None:
    page(path, **address, **query)


# Those with a law of one coordinate first; all other tests are about Gaussian noise.
KINDS = sorted((kind for kind in MECHANISMS if kind is not Gaussian), key=lambda kind: kind not in KNOWN)


@pytest.mark.parametrize(("part", "kind"), list(zip(PARTS, cycle(KINDS))), ids=str)
def test_a_page_answers_for_every_mechanism_or_refuses_it_by_name(
    kind: type[SampledMechanism], part: tuple[str, dict[str, str]]
) -> None:
    """Every part is asked about one kind; but for one statistic no noise with a law is called unknown."""
    path, query = part
    said = read(page(path, mechanism=kind.name, **ADDRESSES[1], **query))
    if kind in KNOWN:
        assert "not offered for" not in said.replace(
            f"The magnitude of the mean is not offered for {kind.name} noise", ""
        )


@pytest.mark.parametrize("kind", KNOWN[:2])
def test_programs_of_every_mechanism_run(kind: type[SampledMechanism], capsys: pytest.CaptureFixture[str]) -> None:
    for text in programs(kind(1.0, 0.1, 20)):
        assert "not offered for" not in text
        exec(text, {})
        assert capsys.readouterr().out


@pytest.mark.parametrize("address", ADDRESSES[1:2], ids=str)
def test_estimates_that_do_not_know_the_noise_say_so_and_the_answer_stays(address: dict[str, str]) -> None:
    app = page(EXPLORER, **address, estimates=["CLT", "Edgeworth", "Monte Carlo"], relaxed="true")
    refused = [str(said.value) for said in (*app.info, *app.warning)]
    assert len(refused) == 4
    assert all("not offered for Secant noise." in one for one in refused)
    assert "people can be found while" in read(app)


@pytest.mark.parametrize("address", ADDRESSES[:1], ids=str)
def test_who_knows_less_has_no_number_where_none_is_known(address: dict[str, str]) -> None:
    app = page(ATTACKERS, **address, dimension="30")
    assert list(app.table[0].value["Share found"])[1] == "—"
    assert "Unknown: the record  \n:material/door_open: **No number**" in [button.label for button in app.button]
    assert "not offered for Secant noise" in read(app)
    assert "holds against whoever knows less" in read(app)
    assert "standard deviation" not in read(app)
    assert "about Gaussian noise in one phase, got Secant" in read(app)


def test_an_audit_is_refused_by_name() -> None:
    app = page(ATTACKERS, **ADDRESSES[1], part="audit")
    assert any("A planted record is not offered for Secant noise" in str(one.value) for one in app.warning)


@pytest.mark.parametrize("release", RELEASES[1:2], ids=lambda release: release.label)
def test_a_relaxed_attacker_is_no_stronger_than_one_who_knows_all(release: Mechanism) -> None:
    full, unknown, half, others = views.views(setting(release, dimension=30))
    assert unknown.curve is None
    assert others.curve is None
    assert full.found is not None
    assert full.found.upper == pytest.approx(release.power(1e-3).upper, rel=1e-3)
    assert half.found is not None
    assert half.found.upper >= full.found.lower


@pytest.mark.parametrize("release", RELEASES[1:3], ids=lambda release: release.label)
def test_programs_run_and_name_what_is_not_offered(release: Mechanism, capsys: pytest.CaptureFixture[str]) -> None:
    texts = programs(release)
    for text in texts:
        exec(text, {})
    assert capsys.readouterr().out
    for text in (texts[1], texts[3]):
        assert "# does not know the others: this notion is about Gaussian noise" in text
        added = release.adjacency is Adjacency.ADD_REMOVE
        assert ("not offered for Secant noise" if added else "not defined") in text


@pytest.mark.parametrize("release", RELEASES[1:2], ids=lambda release: release.label)
def test_the_certificate_names_the_noise_as_its_mechanism_does(release: Mechanism) -> None:
    at = CertificateSubject(setting(release), one_of_all(1000))
    text = Elements(html_file.page(at)).text
    assert "noise: scale, in units of" in dict(words.parameters(at))["Mechanism"]
    assert "standard deviation" not in text
    assert "RTM makes no statement" in text
    assert "GMIP makes no statement" in text


def test_phases_of_two_kinds_have_both_their_names() -> None:
    mixed = Composition((Gaussian(1.0), Secant(1.0)))
    found = dict(words.parameters(CertificateSubject(setting(mixed), one_of_all(1000))))
    assert "noise: standard deviation or scale, in units of" in found["Mechanism"]


def test_the_formula_shown_is_that_of_the_noise() -> None:
    (gaussian,) = of_the_curve(Gaussian(1.0, steps=3))
    assert "Gaussian noise" in gaussian.words
    assert len(of_the_curve(Gaussian(1.0, 0.1))) == 2
    assert all("lattice" in of_the_curve(release)[0].words for release in RELEASES)


def test_methods_are_timed_that_know_the_noise() -> None:
    assert list(costs(ONCE, PRIORS, PRECISION)) == [CERTIFIED]
