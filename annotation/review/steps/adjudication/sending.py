"""Pairs sent to those who decide, many at once, with one reason."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from annotation.corpus.read.pairs import FoundPairs, found_pairs
from annotation.gold.read.current import current_gold
from annotation.gold.read.known_grades import Pair
from annotation.kernel.audit import record_audit, short_texts
from annotation.kernel.visible import laid_out, visible_batches
from annotation.models import Collection, Item, Planting, SentPair, User
from annotation.quality.purpose import CRITERION
from annotation.review.read.adjudication import sent_pairs
from annotation.text.counted import counted
from annotation.trust.read.judgments import decisions

PORTION = 2000


@dataclass(frozen=True)
class Sending:
    """What becomes of pairs that are sent. `sent`: go to those who decide; `already`: were sent before and wait;
    `decided`: somebody has decided; `unfit`: they are laid out in no batch, or are gold or attention checks."""

    sent: Sequence[Pair]
    already: int
    decided: int
    unfit: int

    @property
    def nothing_to_decide(self) -> bool:
        """On none of the pairs there is anything to decide."""
        return not (self.sent or self.already or self.decided)

    @property
    def words(self) -> str:
        rest = {"sent before": self.already, "decided already": self.decided}
        parts = [f"{counted(len(self.sent), 'pair')} sent to adjudication"]
        parts += [f"{n:,} {words}" for words, n in rest.items() if n]
        if self.unfit:
            parts.append(f"{self.unfit:,} with nothing to decide: gold, an attention check, or laid out in no batch")
        return "; ".join(parts) + "."


def sending_of(collection: Collection, pairs: Iterable[Pair], criterion: str = CRITERION) -> Sending:
    """What would become of the pairs, each once, in their order."""
    return _classified(collection, pairs, criterion)[0]


@transaction.atomic
def send_pairs(
    collection: Collection,
    pairs: Iterable[Pair],
    *,
    reason: str,
    actor: User,
    moment: datetime,
    criterion: str = CRITERION,
) -> Sending:
    """Have pairs decided on, whatever the policy makes of them. One that waits already keeps its first reason."""
    sending, ids = _classified(collection, pairs, criterion)
    rows = [
        SentPair(
            collection=collection,
            topic_id=ids.topics[number],
            document_id=ids.documents[docno],
            criterion=criterion,
            reason=reason,
            created_by=actor,
            created_at=moment,
        )
        for number, docno in sending.sent
    ]
    SentPair.objects.bulk_create(rows, batch_size=PORTION, ignore_conflicts=True)  # somebody else may do so now
    if rows:
        texts = short_texts(reason=reason)
        record_audit("pairs sent to adjudication", actor=actor, collection=collection, pairs=len(rows), **texts)
    return sending


def _classified(collection: Collection, pairs: Iterable[Pair], criterion: str) -> tuple[Sending, FoundPairs]:
    distinct = list(dict.fromkeys(pairs))
    ids = found_pairs(collection, distinct)
    fit = _laid_out(collection, ids, criterion) - _gold_and_checks(collection, criterion)
    waiting, decided = sent_pairs(collection, criterion), decisions(collection, criterion)
    rest = [pair for pair in distinct if pair in fit and pair not in decided]
    sent = [pair for pair in rest if pair not in waiting]
    n_decided = sum(pair in decided for pair in distinct)
    return Sending(sent, len(rest) - len(sent), n_decided, len(distinct) - len(rest) - n_decided), ids


def _laid_out(collection: Collection, ids: FoundPairs, criterion: str) -> set[Pair]:
    laid = Item.objects.filter(laid_out(), batch__in=visible_batches(collection), batch__criterion=criterion)
    laid = laid.filter(topic__in=ids.topics.values())
    return set(laid.values_list("topic__number", "document__docno").distinct())


def _gold_and_checks(collection: Collection, criterion: str) -> set[Pair]:
    """Gold and attention checks."""
    gold = current_gold(collection, criterion).values_list("topic__number", "document__docno")
    checks = Planting.objects.filter(
        laid_out("item__batch__"), item__collection=collection, purpose=Planting.Purpose.CHECK
    )
    return {*gold, *checks.values_list("item__topic__number", "item__document__docno")}
