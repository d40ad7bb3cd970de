"""What others have promised: epsilons published with real deployments, to compare a release with."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Deployment:
    """A published promise, about one day of one user: its ``epsilon``, and where it was published."""

    name: str
    epsilon: float
    source: str


# All three protect one day of one user, not one record of a data set.
DEPLOYMENTS = (
    Deployment("Google symptom searches", 1.68, "Bavadekar et al. 2020, arXiv 2009.01265"),
    Deployment("Google vaccination searches", 2.19, "arXiv 2107.01179, with δ = 10⁻⁵"),
    Deployment("Apple emoji suggestions", 4.0, "local model; D. Desfontaines, A list of real-world uses of DP"),
)
