"""Team-draft interleaving, and multileaving where there are more than two rankers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from evaluation.engine.arrays import Floats
from evaluation.engine.interleaving.lists import NOBODY, Lists
from evaluation.engine.interleaving.method import CreditByClick, Draw, Shown

SharedPrefix: TypeAlias = Literal["drafted", "teamless"]


@dataclass(frozen=True, kw_only=True)
class TeamDraft(CreditByClick):
    """In rounds: a random order of the rankers is drawn, and each picks its first document that is not in the list yet,
    which joins its team. A click is credited to the team.

    `shared_prefix`: the documents that begin all rankings alike are drafted as all others are, as in the papers; or
    they are `teamless`, and clicks on them, which only a coin would give to a ranker, count for none.

    Under clicks that do not depend on the documents, all rankers are credited alike on average: at each position each
    is as likely to have picked. Radlinski, Kurup and Joachims, How does clickthrough data reflect retrieval quality?,
    CIKM 2008; several rankers: Schuth, Sietsma, Whiteson, Lefortier and de Rijke, Multileaved comparisons for fast
    online evaluation, CIKM 2014.
    """

    title = "team draft"
    shared_prefix: SharedPrefix = "drafted"

    def __post_init__(self) -> None:
        if self.shared_prefix not in get_args(SharedPrefix):
            raise ValueError(f"the shared prefix is drafted or teamless, not {self.shared_prefix!r}")

    def drawing(self, rankings: Sequence[Sequence[str]]) -> Draw:
        depth = len(rankings[0])
        begun = shared_prefix(rankings) if self.shared_prefix == "teamless" else 0

        def draw(rng: np.random.Generator) -> Shown:
            docnos = dict.fromkeys(rankings[0][:begun], NOBODY)
            at = [begun] * len(rankings)
            while len(docnos) < depth:
                for ranker in rng.permutation(len(rankings)).tolist()[: depth - len(docnos)]:
                    while rankings[ranker][at[ranker]] in docnos:
                        at[ranker] += 1
                    docnos[rankings[ranker][at[ranker]]] = ranker
            return Shown(tuple(docnos), tuple(docnos.values()))

        return draw

    def weight(self, lists: Lists) -> Floats:
        weight: Floats = (lists.team[:, :, None] == np.arange(len(lists.rankers))) * 1.0
        return weight


def shared_prefix(rankings: Sequence[Sequence[str]]) -> int:
    """How many documents begin all rankings alike."""
    for at, docnos in enumerate(zip(*rankings, strict=False)):
        if len(set(docnos)) > 1:
            return at
    return min(map(len, rankings))
