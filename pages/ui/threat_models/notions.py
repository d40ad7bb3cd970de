"""The attackers of the papers: what each knows, and which data sets its notion compares. Shared by the pages."""

from dataclasses import dataclass

from plotting import theme


@dataclass(frozen=True)
class ThreatModel:
    """The assumptions of a notion, in plain words (a row of the ledger).

    Attributes:
        notion: its short name.
        title: its name in full.
        name: the attacker, after "who".
        short: the same in two words, for a line of a figure.
        color: of its lines and people, in every figure.
        knows: what the attacker has.
        hidden: what stays random to the attacker.
        neighbours: the two data sets that are compared.
        change: how far one record moves the released sum or mean.
        sampling: how records are drawn into a step.
        null: the hypothesis that is tested against "member".
        answer: what the notion's number says.
        source: the papers.
    """

    notion: str
    title: str
    name: str
    short: str
    color: str
    knows: str
    hidden: str
    neighbours: str
    change: str
    sampling: str
    null: str
    answer: str
    source: str


FULL = ThreatModel(
    "DP",
    "differential privacy",
    "knows all but the noise",
    "all known",
    theme.KNOWS_ALL,
    "both data sets, the record, the mechanism",
    "noise and sampling",
    "one record more or less (add/remove)",
    "C on the sum",
    "Poisson: every record on its own, with probability p",
    "the record is absent",
    "the most that any attacker finds; holds whatever is known",
    "papers 000, 003",
)
RELAXED = ThreatModel(
    "RTM",
    "relaxed threat model",
    "does not know the record",
    "record unknown",
    theme.RECORD_UNKNOWN,
    "all other records, the mechanism",
    "the record's side or direction",
    "one record added",
    "C on the sum",
    "Poisson",
    "the record is absent",
    "the most that is found without knowing which way the record pulls",
    "paper 000",
)
SAMPLE = ThreatModel(
    "MIP",
    "membership inference privacy",
    "does not know who was drawn",
    "draw unknown",
    theme.DRAW_UNKNOWN,
    "a pool of records, the one looked for",
    "which records of the pool are used",
    "independent coins: one record more or less; exact halves (paper 002): one replaced",
    "2C on the sum with halves, C with coins",
    "from the pool: each by its own fair coin, or exactly half",
    "none: member and outsider are equally likely",
    "accuracy above one half, η, of the game named with it; members found: at most what full knowledge finds",
    "paper 002",
)
OTHERS = ThreatModel(
    "GMIP",
    "Gaussian membership inference privacy",
    "does not know the others",
    "others unknown",
    theme.OTHERS_UNKNOWN,
    "the record, how gradients are distributed",
    "all other records",
    "one record replaced",
    "2C/n on the mean",
    "batches of n of N, fixed size",
    "the record is an outsider",
    "about how far apart the two worlds are, μ; an estimate (K = d), apart from Poisson's numbers",
    "paper 004",
)
CANDIDATES = ThreatModel(
    "ReRo",
    "reconstruction robustness",
    "has a guess about the record",
    "record guessed",
    theme.NEUTRAL,
    "all other records, the mechanism, candidates with a prior κ",
    "noise and sampling",
    "one record more or less (add/remove)",
    "C on the sum",
    "Poisson",
    "the record is absent",
    "how often the record is reconstructed, γ, by somebody who guesses right with probability κ",
    "papers 003, 000",
)
LOSSES = ThreatModel(
    "Epsilon*",
    "audit of one trained model",
    "sees the losses of one trained model",
    "losses seen",
    theme.NEUTRAL,
    "losses of members and of outsiders",
    "whose loss is looked at",
    "none: the model is fixed",
    "no limit is assumed",
    "none",
    "the loss is an outsider's",
    "how much these losses give away; nothing about how the model was trained",
    "paper 001",
)
ATTACKERS = (FULL, RELAXED, SAMPLE, OTHERS)
"""Those that look at the same release, by how much they know."""
ALL = (*ATTACKERS, CANDIDATES, LOSSES)
