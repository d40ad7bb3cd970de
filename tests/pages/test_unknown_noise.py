"""Pages with a mechanism that they were not written for: right, or refused by its name, and no page is taken down."""

from itertools import cycle

import pytest
from streamlit.testing.v1 import AppTest

from numerics.mechanisms import MECHANISMS, Composition, Gaussian, Mechanism, SampledMechanism
from numerics.reconstruction.costs import CERTIFIED, costs
from numerics.trade_off import Order
from pages.attackers import formulas as attackers_formulas
from pages.mechanism.python_snippet import python_snippet
from pages.reconstruct import formulas as rebuilding_formulas
from pages.reconstruct.controls import FigureChoice, ReconstructionSetting
from pages.reconstruct.limit import GuessLimit
from pages.ui import pins, release_controls, release_curves
from pages.ui.cached_reconstruction import PRECISION, PRIORS
from pages.ui.certificate.program import program
from pages.ui.certificate.subject import CertificateSubject, one_of_all
from pages.ui.prior_guess import Guessed, Known
from pages.ui.release_choice import ReleaseChoice
from pages.ui.threat_models import views
from pages.ui.threat_models.release import ReleaseSetting
from tests.pages.driver import text, visit
from tests.secant import Secant
from tests.strategies import KNOWN

ONCE, MANY, PHASES = Secant(1.0), Secant(1.0, 0.1, 20), Composition((Secant(1.0, 0.1, 20), Secant(2.0)))
ADDRESSES = [
    "knows_rate=true&steps=1&rate=1",
    "knows_rate=true&steps=20&rate=0.1",
    "knows_rate=true&steps=20&rate=0.1&phases=2&sampling=fixed+size",
]
PARTS = [
    "mechanism?mechanism.second=effect+size&mechanism.relaxed=true",
    "mechanism?mechanism.second=ε+and+δ&mechanism.solve=true&pins=Secant_2_0.1_20_add__Laplace_1_1_1_add",
    *(f"attackers?attackers.part={part}" for part in ("same+success", "converters", "noise+for+η", "audit")),
    "attackers?attackers.part=audit&attackers.audit_attack=canary,+record+unknown&attackers.reading=magnitude+of+the+mean",
    "reconstruct?reconstruct.more=solve+for&reconstruct.also=record+unknown+(RTM)",
    "reconstruct?reconstruct.more=same+ε,+other+rate&reconstruct.across=ε",
    "frontier?",
]
# Those with a law of one coordinate first; all other tests are about Gaussian noise.
KINDS = sorted((kind for kind in MECHANISMS if kind is not Gaussian), key=lambda kind: kind not in KNOWN)


@pytest.fixture(autouse=True)
def on_offer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Secant noise can be chosen, and a curve over the noise has a quarter of its points: each takes a curve."""
    for kinds in (release_controls.KINDS, pins._KINDS):
        monkeypatch.setitem(kinds, Secant.name, Secant)
    monkeypatch.setattr(release_curves, "_EFFECTS_WHEN_COMPOSED", release_curves._EFFECTS_WHEN_COMPOSED[::4])


def page(part: str, address: str, mechanism: str = "Secant") -> AppTest:
    return visit(f"{part}&mechanism={mechanism}&{address}", folds_open=True)


def setting(release: Mechanism, dimension: int = 1) -> ReleaseSetting:
    return ReleaseSetting(ReleaseChoice(release, 1e-3, Order.ADD, 1e-5, records=1000, dimension=dimension))


def programs(release: SampledMechanism | Composition) -> list[str]:
    """All Python that pages offer of a release."""
    at = setting(release)
    known = Known(1e-3, "", Guessed.RECORD)
    return [
        python_snippet(release, 1e-3, 1e-5, Order.ADD, 0.1),
        attackers_formulas.snippet(at),
        rebuilding_formulas.snippet(ReconstructionSetting(at.choice, known, GuessLimit.starting(1e-3), FigureChoice())),
        program(CertificateSubject(at, one_of_all(1000))),
    ]


@pytest.mark.parametrize(("part", "address", "kind"), list(zip(PARTS, cycle(ADDRESSES), cycle(KINDS), strict=False)))
def test_no_page_is_taken_down_and_what_is_refused_is_refused_by_name(
    part: str, address: str, kind: type[SampledMechanism]
) -> None:
    """Every part is asked about one kind; but for one statistic no noise with a law is called unknown."""
    page(part, address)
    said = text(page(part, ADDRESSES[1], kind.name))
    beside = f"The magnitude of the mean is not offered for {kind.name} noise"
    assert kind not in KNOWN or "not offered for" not in said.replace(beside, "")


@pytest.mark.parametrize("release", [*(kind(1.0, 0.1, 20) for kind in KNOWN[:2]), MANY, PHASES], ids=str)
def test_programs_run_and_name_what_is_not_offered(
    release: SampledMechanism | Composition, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = programs(release)
    for one in texts:
        exec(one, {})
        assert capsys.readouterr().out
    refused = ["not offered for Secant noise" in one for one in texts]
    assert refused == [False, type(release) is Secant, False, type(release) is Secant] or release is PHASES


def test_what_does_not_know_the_noise_says_so_and_the_answer_stays() -> None:
    app = page("mechanism?estimates=CLT&estimates=Edgeworth&estimates=Monte+Carlo&mechanism.relaxed=true", ADDRESSES[1])
    refused = [str(said.value) for said in (*app.info, *app.warning)]
    assert len(refused) == 4
    assert all("not offered for Secant noise." in one for one in refused)
    assert "people can be found while" in text(app)
    app = page("attackers?dimension=30", ADDRESSES[0])
    assert list(app.table[0].value["Share found"])[1] == "—"
    assert "Unknown: the record  \n:material/door_open: **No number**" in [button.label for button in app.button]
    for said in ("not offered for Secant noise", "holds against whoever knows less"):
        assert said in text(app)
    assert "about Gaussian noise in one phase, got Secant" in text(app)
    app = page("attackers?attackers.part=audit", ADDRESSES[1])
    assert any("A planted record is not offered for Secant noise" in str(one.value) for one in app.warning)
    assert list(costs(ONCE, PRIORS, PRECISION)) == [CERTIFIED], "methods are timed that know the noise"


def test_a_relaxed_attacker_is_no_stronger_than_one_who_knows_all() -> None:
    full, unknown, half, others = views.views(setting(MANY, dimension=30))
    assert (unknown.curve, others.curve) == (None, None)
    assert full.found is not None
    assert full.found.upper == pytest.approx(MANY.power(1e-3).upper, rel=1e-3)
    assert half.found is not None
    assert half.found.upper >= full.found.lower
