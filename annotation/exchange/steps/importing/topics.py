"""Topics, in any format that `annotation.formats.topics` knows."""

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from django.db.models import QuerySet

from annotation.corpus.read import visible_topics, with_current_text
from annotation.exchange.steps.importing.importer import read_as
from annotation.exchange.steps.importing.texts import Text, TextImporter, cut, text_of
from annotation.formats.file_formats import FileFormat
from annotation.formats.problems import Problems
from annotation.formats.topics import COLUMNS, FORMATS, TopicRow
from annotation.models import Topic, TopicVersion


class TopicImporter(TextImporter):
    noun = "topic"
    columns = COLUMNS
    meanings = COLUMNS
    owner = "topic_id"
    models = (Topic, TopicVersion)

    @staticmethod
    def formats() -> Sequence[FileFormat[Iterator[TopicRow]]]:
        return FORMATS

    def read(self, stream: BinaryIO, problems: Problems) -> Iterator[Text]:
        for row in read_as(self.record, FORMATS, stream, problems):
            columns = {"title": row.title, "description": row.description, "narrative": row.narrative}
            yield text_of(row.number, columns, row.line)

    def shown(self, text: Text) -> list[str]:
        return [text.key, *(cut(text.columns[name]) for name in self.columns[1:])]

    def current(self, keys: Sequence[str]) -> dict[str, tuple[int, str]]:
        topics = visible_topics(self.collection).filter(number__in=keys)
        rows = with_current_text(topics).values_list("number", "pk", "current__sha256")
        return {number: (owner, sha or "") for number, owner, sha in rows}

    def create(self, keys: Sequence[str]) -> list[int]:
        rows = [Topic(collection=self.collection, number=key, brought_by=self.record) for key in keys]
        return [row.pk for row in Topic.objects.bulk_create(rows)]

    def versions(self) -> "QuerySet[TopicVersion]":
        return TopicVersion.objects.filter(collection=self.collection)

    def version(self, owner: int, text: Text, *, current: bool) -> TopicVersion:
        return TopicVersion(
            collection=self.collection,
            topic_id=owner,
            sha256=text.sha256,
            is_current=current,
            brought_by=self.record,
            **text.columns,
        )
