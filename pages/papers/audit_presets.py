"""Audits on Attackers that the papers' figures show, and what these leave open."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from numerics.mechanisms import Gaussian, Laplace, SampledMechanism
from numerics.trade_off import Order
from pages.ui import address, release_controls

_RUNS = "The paper averages 1,024 audits and does not say how many rounds each has; here one audit has 10,000."
_PAIR = "Both orders of the test are shown, as in the paper."
PART = "audit"
# Where the widgets of a figure start, by key.
_STARTS: Mapping[str, object] = {
    **release_controls.STARTS,
    "attackers.audit_attack": "canary, full knowledge",
    "attackers.audit_rounds": 10_000,
    "attackers.audit_training_noise": 1.0,
    "attackers.audit_training_steps": 1.0,
    "attackers.audit_share": 1.0,
    "attackers.audit_coordinates": 650.0,
    "attackers.audit_batch": 500.0,
    "attackers.audit_susceptibility": 650.0,
    "attackers.audit_noise": 0.0,
}


@dataclass(frozen=True)
class AuditPreset:
    """A figure of a paper: its attack, the page's ``release`` if the attack looks at it, and the part's own widgets."""

    name: str
    attack: str
    words: str
    release: SampledMechanism | None = None
    values: dict[str, float] = field(default_factory=dict)

    @property
    def state(self) -> dict[str, object]:
        """Every widget that it sets, by key."""
        release = self.release and {
            **release_controls.state_of(self.release, dimension=1),
            "order": Order.SYMMETRIC,
        }
        return {
            **(release or {}),
            "attackers.audit_attack": self.attack,
            "attackers.audit_rounds": 10_000,
            **self.values,
        }

    @property
    def query(self) -> address.Query:
        """Its address on the page, with this part open."""
        return {"attackers.doors": "all", "attackers.part": PART, **address.query(self.state, _STARTS)}


PRESETS = (
    AuditPreset(
        "000 Fig. 3a",
        "offline logit attack",
        "Δ/σ = 1, one step. The paper attacks a one-dimensional synthetic task that it does not describe; here the "
        f"bundled digits are attacked, with every other record known. {_RUNS}",
        values={
            "attackers.audit_training_noise": 1.0,
            "attackers.audit_training_steps": 1.0,
            "attackers.audit_share": 1.0,
        },
    ),
    AuditPreset(
        "000 Fig. 3b",
        "canary, record unknown",
        f"Δ/σ = 1, one step, one dimension. {_PAIR} {_RUNS}",
        release=Gaussian(1.0),
    ),
    AuditPreset(
        "000 Fig. 3c",
        "canary, record unknown",
        "Δ/σ = 2, one step, 50 dimensions. The paper's gradients come from a network on the diabetes data; here they "
        f"are one canary's, which has the same length. {_PAIR} {_RUNS}",
        release=Gaussian(0.5),
        values={"dimension": 50.0},
    ),
    AuditPreset(
        "000 Fig. 5b",
        "canary, record unknown",
        f"Laplace noise, one dimension. The paper does not say how much; here Δ/b = 1. {_PAIR} {_RUNS}",
        release=Laplace(1.0),
    ),
    AuditPreset(
        "000 Fig. 6",
        "canary, record unknown",
        f"One step, sampling rate 0.3. Our copy has Δ/σ² = 1.5; here Δ/σ = 1.5. {_PAIR} {_RUNS}",
        release=Gaussian(1 / 1.5, 0.3),
    ),
    AuditPreset(
        "004 Fig. 2a",
        "GLiR, simulated gradients",
        "No noise. The paper does not say which d and n; here those of CIFAR-10 in its Table 3, d = K = 650 and "
        "n = 500, which give its μ of 1.14. Nor does it say how many rounds; here 10,000.",
        values={
            "attackers.audit_coordinates": 650.0,
            "attackers.audit_batch": 500.0,
            "attackers.audit_susceptibility": 650.0,
            "attackers.audit_noise": 0.0,
        },
    ),
)
