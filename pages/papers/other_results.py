"""What the papers state, define or tabulate without a page of its own here: where it is, or why it is nowhere."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Other:
    """Numbered items of a paper, by their names there, and one sentence on where they are or why they are not."""

    items: tuple[str, ...]
    words: str

    @property
    def markdown(self) -> str:
        """As an entry of a list."""
        return f"- **{', '.join(self.items)}**: {self.words}"


def _others(*rows: tuple[str, str]) -> tuple[Other, ...]:
    return tuple(Other(tuple(items.split(", ")), words) for items, words in rows)


OTHERS: Mapping[str, tuple[Other, ...]] = MappingProxyType(
    {
        "000": _others(
            ("Def. 1", "f-DP is the curve of full knowledge in every figure, and of the page Mechanism."),
            (
                "Def. 2",
                "how curves are made of a statistic's two laws; all are made so, with the inverse of correction 3.",
            ),
            (
                "Lemma 1, Lemma 2",
                "about tests, without a quantity: no one test is best for either sign. Fig. 3a has one that knows the "
                "sign beside one that does not.",
            ),
            ("Lemma 3, Lemma 4", "which noise the magnitude is the best statistic for: Fig. 3b, 5b; correction 4."),
            ("Lemma 6, Lemma 7", "J is never below f, and what is computed from a release gives away no more: Fig. 1."),
            ("Theorem 1", "the curves of Fig. 1a and 1b, with the threshold of the proof, correction 2."),
            ("Theorem 2, Cor. 1", "the curves of Fig. 1c, 1d and 1f."),
            (
                "Lemma 8",
                "equal releases: Fig. 2a; no bound where they differ, correction 9; read by correction 8.",
            ),
            ("Theorem 3", "Fig. 2a, with both sides of Eq. 7 as Eqs. 58 and 59 have them, correction 12."),
            ("Lemma 9", "Fig. 5a for one step; of several steps, which it is not about, see correction 15: Fig. 1e."),
            ("Fig. S1", "named in the caption of Fig. 7, and not in the paper."),
        ),
        "001": _others(
            ("Theorem 1", "the region of error rates that ε and δ leave: ε* is where it touches a model's; Fig. 3."),
            ("Def. 1, Def. 2, Theorem 3", "ε* itself, on the page Audit and in Fig. 3 to 5; corrections 19 and 20."),
            ("Theorem 2", "the upper line of Theorem 4's page."),
        ),
        "002": _others(
            ("Def. 1, Prop. 2", "η, exactly: the curves of Theorems 4 and 8, and the page Attackers."),
            ("Theorem 3", "what is computed from a release tells no more: about all releases, without a quantity."),
            ("Theorem 7", "with Theorem 5, whose release it is."),
            ("Theorem 9, Cor. 10, Cor. 14", "the constants of Fig. 1's lines; corrections 31 to 33."),
            ("Prop. 11", "the data of Fig. 1; correction 35."),
            ("Lemma 12, Lemma 13", "steps of proofs."),
            ("Table 1", "in words: see who knows what, on the page Attackers."),
        ),
        "003": _others(
            ("Theorem 1", "every figure; its bound by ε and δ is on the page Reconstruct, with correction 37."),
            ("Cor. 1", "one release of Laplace noise: the page Reconstruct with that noise; many are in Fig. 1b."),
            ("Cor. 2", "Gaussian noise: Fig. 1c; correction 38."),
            ("Cor. 3", "sampled releases: Fig. 1a, 1d, 1e and 2."),
            ("Remark 1", "why Monte Carlo fails: the crosses in Fig. 1b to 1d."),
            ("Remark 2", "how the curve is computed, in words."),
        ),
        "004": _others(
            ("Def. 3.1", "the experiment that every measured point of Fig. 2 to 6 repeats."),
            ("Def. 3.2, Def. 3.3, Def. 3.4", "trade-off curves, and which of two is lower: all figures."),
            (
                "Def. 4.1, Theorem 4.1, Theorem D.2",
                "tests of records of several K, of which the worst bounds all: computed beside K = d on the page "
                "Attackers; correction 46.",
            ),
            ("Def. 4.2, Def. 4.3, Remark 4.1", "the notion itself: Fig. 1 to 3."),
            ("Theorem 4.2", "differential privacy implies it: the lesser of both noises in Table 5."),
            ("Theorem 5.1, Cor. 5.1", "Eq. 8 and its normal limit: the curves of Fig. 1 and 2."),
            ("Remark 5.1", "the size of μ: Table 3."),
            ("Remark 5.2", "on the proof, in words."),
            ("Lemma 5.1", "many steps: the levels of Table 5; an approximation, correction 52."),
            ("Alg. 1", "GLiR, carried out in Fig. 2, 4 and 5; corrections 47 and 48."),
            ("Alg. 2", "training with clipping and noise: Fig. 3, with correction 49."),
            ("Def. D.1, Lemma D.1, Theorem D.1", "composition as of differential privacy: Fig. 2c; correction 51."),
            ("Remark E.1", "the inverse of Eq. 8, a step of the proof."),
            ("Cor. F.1", "μ of one notion from the other: the page Attackers, with correction 50."),
            ("Table 1", "in words: see who knows what, on the page Attackers."),
            (
                "Table 2",
                "which attack needs what, in words; of the five attacks Fig. 2 has the last, Fig. 6 the third.",
            ),
            ("Table 4", "settings of training runs: Table 5 is computed from them, and Fig. 3 trains other data."),
        ),
    }
)
