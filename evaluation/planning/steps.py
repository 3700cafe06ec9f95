"""A query log comes in: topics are drawn from it, and keep their inclusion probabilities."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from annotation.exchange.steps.importing import Text, TopicImporter, text_of
from annotation.formats.problems import FormatError, Problems
from annotation.kernel.bulk_rows import portions
from annotation.kernel.store import path_of
from annotation.models import Preview, Topic
from annotation.text.counted import counted
from evaluation.models import SampledTopic

if TYPE_CHECKING:
    from evaluation.engine.sampling.allocation import Allocation
    from evaluation.formats.log.queries import QueryLog
    from evaluation.formats.log.query_sample import SampledQueries

PORTION, LONGEST = 500, 200
NO_TEXT = {"description": "", "narrative": ""}


class QueryLogImporter(TopicImporter):
    """See `Importer`. The check reads the log and draws; storing draws the same again."""

    columns = ("number", "title", "count", "stratum", "probability")
    file_formats = ()
    meanings = ()
    topics: "SampledQueries"
    allocation: "Allocation"
    log: "QueryLog"
    facts: dict[str, Any]

    def check(self, stream: BinaryIO, problems: Problems) -> Preview:
        return self._described(super().check(stream, problems), problems)

    def stage(self, stream: BinaryIO, problems: Problems) -> Preview:
        return self._described(super().stage(stream, problems), problems)

    def read(self, stream: BinaryIO, problems: Problems) -> Iterator[Text]:
        """Topics of the sample; the log itself is read from the store, twice."""
        try:
            self._draw(problems)
        except FormatError:
            raise
        except ValueError as reason:
            raise problems.stop(0, str(reason)) from reason
        self.index_by_number = {number: i for i, number in enumerate(self.topics.number)}
        for number, title in zip(self.topics.number, self.topics.title, strict=True):
            yield text_of(number, {"title": title, **NO_TEXT}, 0)

    def shown(self, text: Text) -> list[str]:
        at, topics = self.index_by_number[text.key], self.topics
        stands_for = f"{topics.count[at]:,}", topics.stratum[at], f"{topics.probability[at]:.4g}"
        return [text.key, text.columns["title"][:LONGEST], *stands_for]

    def publish(self) -> None:
        """What the sample says of each topic goes in with it."""
        super().publish()
        topics, shared = self.topics, {"collection": self.collection, "brought_by": self.record}
        for numbers in portions(iter(topics.number), PORTION):
            here = Topic.objects.filter(collection=self.collection, number__in=numbers)
            SampledTopic.objects.filter(topic__in=here).delete()
            rows = [
                SampledTopic(
                    topic_id=pk,
                    stratum=topics.stratum[at],
                    count=int(topics.count[at]),
                    probability=float(topics.probability[at]),
                    **shared,
                )
                for number, pk in here.values_list("number", "pk")
                for at in [self.index_by_number[number]]
            ]
            SampledTopic.objects.bulk_create(rows)

    def _report(self, stream: BinaryIO, n_texts: int) -> None:
        """By the topics: the log has been read to its end, and not from `stream`."""
        n_topics = len(self.topics.number)
        self.run.report(done=n_texts, total=n_topics, message=f"{n_texts:,} of {counted(n_topics, 'topic')} taken in")

    def _draw(self, problems: Problems) -> None:
        from evaluation.engine.sampling.allocation import allocate
        from evaluation.formats.log.queries import read_query_log
        from evaluation.formats.log.query_sample import manifest, sampled

        asked, division = self.record.options, _division(self.record.options)
        self.run.report(done=0, total=0, message="Reading the log")
        self.log = read_query_log(path_of(self.record.sha256), problems, division)
        self.allocation = allocate(
            self.log.size,
            int(asked["total"]),
            rule=asked.get("rule") or "proportional",
            minimum=int(asked.get("minimum") or 0),
            deviation=_by_stratum(asked.get("deviation", "")),
            oversample=_by_stratum(asked.get("oversample", "")),
            rounding=asked.get("rounding") or "largest_remainder",
        )
        seed = int(asked.get("seed") or 0)
        self.run.report(done=0, total=0, message="Drawing topics")
        self.topics = sampled(self.log, self.allocation, seed=seed, prefix=asked.get("number_prefix") or "")
        self.facts = manifest(self.log, division, self.allocation, self.topics, seed=seed)

    def _described(self, preview: Preview, problems: Problems) -> Preview:
        strata = [(f"{one.name}, of {one.size:,}", one.n) for one in self.allocation.strata]
        for note in self.allocation.notes:
            problems.note(0, note)
        counts, facts = [*preview["counts"], *strata], {**preview["facts"], "manifest": json.dumps(self.facts)}
        return {**preview, "counts": counts, "facts": facts}


def _division(asked: dict[str, Any]) -> Any:
    from evaluation.formats.log.queries import FREQUENCY, Division

    third = 1 / 3
    return Division(
        by=asked.get("by") or FREQUENCY,
        head=float(asked.get("head") or third),
        torso=float(asked.get("torso") or third),
        query=asked.get("query_column") or "",
        count=asked.get("count_column") or "",
    )


def _by_stratum(text: str) -> dict[str, float] | None:
    """`tail=3, head=2`. Raises `ValueError` for anything else."""
    by_stratum = {}
    for pair in filter(str.strip, text.split(",")):
        name, _, number = pair.rpartition("=")
        try:
            by_stratum[name.strip()] = float(number)
        except ValueError as fault:
            raise ValueError(f"{pair.strip()}: a stratum and a number are expected, as tail=3") from fault
    return by_stratum or None
