"""Which pairs somebody may still have to decide on: whoever decides sees nobody's grade of them before."""

from collections.abc import Iterable, Mapping, Sequence

from annotation.gold.read.known_grades import Pair
from annotation.kernel.showing import current_alone
from annotation.models import AdjudicationReading, Batch, Collection, User
from annotation.quality.purpose import CRITERION
from annotation.review.read.adjudication import ContestedOptions, awaited_pairs, contested_of
from annotation.trust.read.judgments import by_scale, decisions
from annotation.trust.read.policies import default_policy, parameters_of
from annotation.trust.read.withheld import judged_batches


def undecided_pairs(
    collection: Collection, person: User, *, of_items: Mapping[str, object], criterion: str = CRITERION
) -> set[Pair]:
    """What people said of these pairs is kept from `person`, who may be asked to decide on them.

    Contested under the default policy without a decision, or still being judged; not what the person was shown before.
    `of_items`: of which items to look for those still being judged, by their columns.
    """
    batches = judged_batches(collection, criterion)
    with current_alone():  # what was no dispute a minute ago may be one now
        contested = {pair for same in by_scale(batches) for pair in _contested(collection, same, criterion)}
    pairs = contested | set(awaited_pairs(batches, **of_items))
    return pairs - decisions(collection, criterion).keys() - set(_seen(collection, person, criterion))


def _contested(collection: Collection, batches: Sequence[Batch], criterion: str) -> Iterable[Pair]:
    options = ContestedOptions(parameters_of(default_policy(collection)))
    return contested_of(collection, batches, options, criterion).index_by_pair


def _seen(collection: Collection, person: User, criterion: str) -> Iterable[Pair]:
    readings = AdjudicationReading.objects.filter(collection=collection, reader=person, criterion=criterion)
    return readings.filter(seen_at__isnull=False).values_list("topic__number", "document__docno")
