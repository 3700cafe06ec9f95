"""Topics that were drawn from a query log, and what they say about all of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from django.db.models import QuerySet

from annotation.corpus.read.texts import current_topic_versions
from annotation.models import Collection, TopicVersion
from evaluation.engine.sampling.topics import MeasureEstimate, estimate_measures
from evaluation.leaderboard.read.evaluations import values_of
from evaluation.models import Evaluation, SampledTopic

COLUMNS = ("number", "title", "count", "stratum", "probability")


def newest_sample(collection: Collection) -> QuerySet[SampledTopic]:
    """The topics that the newest query log gave. Samples of several logs speak for none of them together."""
    here = SampledTopic.objects.filter(collection=collection)
    return here.filter(brought_by__in=here.order_by("-brought_by").values("brought_by")[:1])


def sampled_topics(collection: Collection) -> QuerySet[TopicVersion]:
    """The current texts of the newest sample, `topic.sampled` joined."""
    texts = current_topic_versions(collection).select_related("topic__sampled")
    return texts.filter(topic__sampled__in=newest_sample(collection))


def sample_lines(collection: Collection) -> Iterator[bytes]:
    """The sample as TSV, which `estimate_means --sample` reads."""
    yield "\t".join(COLUMNS).encode() + b"\n"
    for text in sampled_topics(collection).iterator(chunk_size=1000):
        one = text.topic.sampled
        title, stratum = (" ".join(each.split()) for each in (text.title, one.stratum))
        yield f"{text.topic.number}\t{title}\t{one.count}\t{stratum}\t{one.probability!r}\n".encode()


@dataclass(frozen=True)
class Estimates:
    """Of each run by one measure, in the order of the evaluations. `log` is the file that the sample came from;
    `n_strangers` evaluated topics are not in the sample, and left aside."""

    log: str
    n_topics: int
    n_strangers: int
    rows: list[MeasureEstimate]


def estimates_of(evaluations: Sequence[Evaluation], measure: str, *, confidence: float = 0.95) -> Estimates:
    """By the newest sample of the collection. Raises `ValueError` where there is none, where a run was not evaluated by
    the measure, and as `estimate_measures` does."""
    if not evaluations:
        raise ValueError("No run is evaluated yet.")
    if lacking := [each.run.tag for each in evaluations if measure not in each.measures]:
        raise ValueError(f"Not evaluated by {measure}: {', '.join(lacking)}.")
    sample = list(newest_sample(evaluations[0].run.collection).select_related("topic", "brought_by"))
    if not sample:
        raise ValueError("No topic of this collection was drawn from a query log.")
    rows = [_estimate(each, measure, sample, confidence) for each in evaluations]
    numbers = {one.topic.number for one in sample}
    strangers = {number for each in evaluations for number in values_of(each).numbers} - numbers
    return Estimates(sample[0].brought_by.filename, len(sample), len(strangers), rows)


def _estimate(evaluation: Evaluation, measure: str, sample: list[SampledTopic], confidence: float) -> MeasureEstimate:
    values = values_of(evaluation)
    numbers = {one.topic.number for one in sample}
    kept = [at for at, number in enumerate(values.numbers) if number in numbers]
    if not kept:
        raise ValueError("No topic of the sample was evaluated.")
    column = values.measures.index(measure)
    alone = replace(
        values,
        measures=(measure,),
        numbers=tuple(values.numbers[at] for at in kept),
        value=values.value[kept][:, [column]],
    )
    return estimate_measures(
        alone,
        number=[one.topic.number for one in sample],
        stratum=[one.stratum for one in sample],
        probability=np.array([one.probability for one in sample]),
        count=np.array([one.count for one in sample]),
        confidence=confidence,
    )[0]
