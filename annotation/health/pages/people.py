"""The people of a batch: how much they did when, how fast, how well on gold."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from annotation.batches.read.batches import PersonProgress, person_progress
from annotation.formats.hours import DayOfWork
from annotation.health.pages.plots import Plot, interval_plot, spark
from annotation.health.read.inputs import BatchData
from annotation.models import Batch
from annotation.quality.arrays import or_none
from annotation.text.counted import percent
from annotation.trust.pages.standing import EXCLUDED, Verdict

DAYS = 14


@dataclass(frozen=True)
class PersonHealth(PersonProgress):
    """One participant. `days`: judgments on each of the last days of the batch; None where nothing is known."""

    excluded: bool
    paused: bool
    standing: str
    seconds: float | None
    early: float | None
    hasty: float | None
    n_gold: int
    accuracy: float | None
    low: float
    high: float
    days: tuple[int, ...]
    threshold: float

    @property
    def pseudonym(self) -> str:
        return self.annotator.pseudonym

    @property
    def verdict(self) -> Verdict:
        """As the page of annotators says it."""
        return Verdict(EXCLUDED if self.excluded else self.standing, ())

    @property
    def spark(self) -> Plot:
        when = f"each of the last {len(self.days)} days" if len(self.days) > 1 else "the one day so far"
        return spark(self.days, f"Judgments on {when}: {', '.join(map(str, self.days))}")

    @property
    def gold_plot(self) -> Plot | None:
        if self.accuracy is None:
            return None
        words = f"{percent(self.accuracy)}, between {percent(self.low)} and {percent(self.high)}; "
        words += f"{percent(self.threshold)} asked for"
        return interval_plot(self.accuracy, self.low, self.high, self.threshold, words)


def people_rows(batch: Batch, data: BatchData, work: Sequence[DayOfWork], threshold: float) -> list[PersonHealth]:
    """Active ones first, by pseudonym. Three queries."""
    index_by_name = {name: i for i, name in enumerate(data.inputs.table.annotators)}
    days = _days(work)
    done: dict[tuple[str, date], int] = {(each.pseudonym, each.day): each.n_judged for each in work}
    accuracy, pace = data.people.accuracy, data.pace
    rows = []
    for person in person_progress(batch):
        name = person.annotator.pseudonym
        if name not in index_by_name:  # a machine judge, who stands beside people
            continue
        i = index_by_name[name]
        rows.append(
            PersonHealth(
                **vars(person),
                excluded=bool(data.people.excluded[i]),
                paused=not person.annotator.gets_cards and not data.people.excluded[i],
                standing=data.people.standing_name(i),
                seconds=or_none(pace.seconds.value[i]),
                early=or_none(data.early[i]),
                hasty=or_none(pace.hasty.value[i]),
                n_gold=int(accuracy.n_gold[i]),
                accuracy=or_none(accuracy.share[i]),
                low=float(accuracy.low[i]),
                high=float(accuracy.high[i]),
                days=tuple(done.get((name, day), 0) for day in days),
                threshold=threshold,
            )
        )
    return rows


def _days(work: Sequence[DayOfWork]) -> list[date]:
    """The last days up to the last one on which somebody judged, idle ones too."""
    if not work:
        return []
    last = max(each.day for each in work).toordinal()
    first = max(min(each.day for each in work).toordinal(), last - DAYS + 1)
    return [date.fromordinal(day) for day in range(first, last + 1)]
