"""What is missing since somebody was excluded, and what was added in its place, as lines that leave."""

from annotation.batches.read.replacements import additions, missing_judgments
from annotation.formats.standing_tables import AddedLine, MissingLine
from annotation.models import Collection


def missing_lines(collection: Collection) -> list[MissingLine]:
    return [
        MissingLine(each.batch.name, each.n, len(each.n_of), ", ".join(each.names), each.hours, each.cost, each.n_stuck)
        for each in missing_judgments(collection)
    ]


def added_lines(collection: Collection) -> list[AddedLine]:
    return [
        AddedLine(each.batch.name, each.n_added, each.n_judged, each.n_beyond, each.n_spare)
        for each in additions(collection)
    ]
