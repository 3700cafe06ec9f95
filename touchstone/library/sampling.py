"""`ts.sample_queries` and `ts.estimate_means`: topics from a query log, and what they say about all of it."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from annotation.formats.problems import Problems
from evaluation.engine.sampling.allocation import Allocation, Rounding, Rule, allocate
from evaluation.engine.sampling.topics import MeasureEstimate, estimate_measures
from evaluation.formats.log.queries import FREQUENCY, Division, read_query_log
from evaluation.formats.log.query_sample import SampledQueries, manifest, read_sample, sampled
from touchstone.library.measures import MeasureLike, measures_of
from touchstone.library.scoring import Reading, evaluated
from touchstone.library.sources import PathLike, QrelsSource, RunSources


@dataclass(frozen=True, eq=False)
class QuerySample:
    """`topics` in the order of the log; `manifest` is what the sample can be rebuilt from."""

    topics: SampledQueries
    allocation: Allocation
    manifest: dict[str, Any]


def sample_queries(
    log: PathLike,
    total: int,
    *,
    by: str = FREQUENCY,
    head: float = 1 / 3,
    torso: float = 1 / 3,
    rule: Rule = "proportional",
    minimum: int = 0,
    deviation: Mapping[str, float] | None = None,
    oversample: Mapping[str, float] | None = None,
    rounding: Rounding = "largest_remainder",
    seed: int = 0,
) -> QuerySample:
    """Draw a stratified sample of a query log, a file of any form that docs/formats.md names; needs polars.

    `by`, `head` and `torso` divide the log, the others are those of `allocate`; docs/samples.md says which to take.
    Raises `FormatError` for a log that is malformed, `ValueError` for a division or an allocation that cannot be,
    `OSError` for a file that cannot be read.
    """
    division = Division(by=by, head=head, torso=torso)
    path = Path(os.fspath(log))
    queries = read_query_log(path, Problems(path.name), division)
    options: dict[str, Any] = {"deviation": deviation, "oversample": oversample, "rounding": rounding}
    allocation = allocate(queries.size, total, rule=rule, minimum=minimum, **options)
    topics = sampled(queries, allocation, seed=seed)
    return QuerySample(topics, allocation, manifest(queries, division, allocation, topics, seed=seed))


def estimate_means(
    qrels: QrelsSource,
    runs: RunSources,
    sample: PathLike | SampledQueries,
    measures: MeasureLike | Iterable[MeasureLike] = "nDCG@10",
    *,
    confidence: float = 0.95,
    **reading: Unpack[Reading],
) -> list[MeasureEstimate]:
    """Say what runs would have over all queries, and over all traffic, from judged topics that are a sample.

    `sample` is the file of topics of the command `sample_queries`, or `.topics` of `ts.sample_queries`; the rest as in
    `evaluate`. Raises as `evaluate`, and `ValueError` where judgments and sample do not belong together.
    """
    topics = sample
    if not isinstance(topics, SampledQueries):
        path = Path(os.fspath(topics))
        topics = read_sample(path, Problems(path.name))
    evaluations, _ = evaluated(qrels, runs, measures_of(measures), reading)
    return [
        one
        for evaluation in evaluations
        for one in estimate_measures(
            evaluation,
            number=topics.number,
            stratum=topics.stratum,
            probability=topics.probability,
            count=topics.count,
            confidence=confidence,
        )
    ]
