"""Topics by people: how far each agrees with the others, as a drawing with its words, and as a table."""

from dataclasses import dataclass

from django.urls import reverse

from annotation.kernel.plots.heat import Head, HeatPlot, Share, heat_plot
from annotation.kernel.tables import Column, Kind
from annotation.quality.agreement.cells import LEAST, Cells
from annotation.quality.table import JudgmentTable
from annotation.text.counted import counted


@dataclass(frozen=True)
class PersonOnTopic:
    """`n`: pairs that others judged too; `share` of the others with the same grade over these, NaN where none is."""

    number: str
    pseudonym: str
    n: int
    share: float

    @property
    def is_sure(self) -> bool:
        return self.n >= LEAST

    @property
    def text(self) -> str:
        share, pairs = f"{100 * self.share:.0f} %", counted(self.n, "pair")
        return f"{self.pseudonym} on topic {self.number}: {share} over {pairs}"


@dataclass(frozen=True)
class AgreementMap:
    drawn: HeatPlot
    words: str
    least: int = LEAST


TOPICS_PEOPLE: tuple[Column[PersonOnTopic], ...] = (
    Column("number", lambda each: each.number, Kind.ID),
    Column("annotator", lambda each: each.pseudonym),
    Column("compared_pairs", lambda each: each.n, Kind.WHOLE),
    Column("agreement_with_others", lambda each: each.share, Kind.NUMBER),
)


def people_on_topics(cells: Cells, table: JudgmentTable) -> list[PersonOnTopic]:
    """Who shares any pair of a topic with others, topic by topic in the order of the drawing."""
    return [each for line in _lines(cells, table) for each in line if each.n]


def agreement_map(cells: Cells, table: JudgmentTable, slug: str, query: str) -> AgreementMap | None:
    """`query`: the choice, which goes along to people. None where nobody shares enough of a topic with others."""
    lines = _lines(cells, table)
    if not lines:
        return None
    topics, people = [line[0].number for line in lines], [each.pseudonym for each in lines[0]]
    drawn = heat_plot(
        [Head(number, f"Topic {number}", reverse("topic", args=[slug, number])) for number in topics],
        [Head(name, name, f"{reverse('annotator', args=[slug, name])}?{query}") for name in people],
        [[Share(each.share, each.text) if each.is_sure else None for each in line] for line in lines],
    )
    lowest = min((each for line in lines for each in line if each.is_sure), key=lambda each: each.share)
    return AgreementMap(drawn, f"{_chosen(cells)}Lowest: {lowest.text}. Of many squares some are low by chance.")


def _lines(cells: Cells, table: JudgmentTable) -> list[list[PersonOnTopic]]:
    people = [table.annotators[who] for who in cells.who.tolist()]
    return [
        [PersonOnTopic(table.numbers[topic], *each) for each in zip(people, n, share, strict=True)]
        for topic, n, share in zip(cells.topic.tolist(), cells.n.tolist(), cells.share.tolist(), strict=True)
    ]


def _chosen(cells: Cells) -> str:
    """What was left out; empty where nothing was."""
    n_topics, n_people = cells.n.shape
    topics = f"the {n_topics} of {cells.of_topics:,} topics with the lowest agreement"
    people = f"the {n_people} of {cells.of_people:,} people who share most pairs on them"
    parts = [topics] * (n_topics < cells.of_topics) + [people] * (n_people < cells.of_people)
    return f"Shown: {' and '.join(parts)}. " if parts else ""
