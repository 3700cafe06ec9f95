"""Versions of a guideline, and what changed from one to another."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.models import Case, Collection, GuidelineVersion
from annotation.text.difference import Change, changes


@dataclass(frozen=True)
class Section:
    """One of the texts, as stretches that stayed, went or came."""

    title: str
    changes: list[Change]

    @property
    def is_same(self) -> bool:
        return all(change.kind == "same" for change in self.changes)


def versions_of(collection: Collection) -> list[GuidelineVersion]:
    """The newest first, without their texts."""
    versions = GuidelineVersion.objects.filter(collection=collection).select_related("created_by").order_by("-number")
    return list(versions.defer("introduction", "examples", "cases", "edge_cases"))


def guideline_changes(version: GuidelineVersion) -> list[Section]:
    """What changed since the version numbered before it; nothing for the first."""
    before = GuidelineVersion.objects.filter(collection=version.collection, number=version.number - 1).first()
    return [] if before is None else changes_between(before, version)


def changes_between(before: GuidelineVersion, after: GuidelineVersion) -> list[Section]:
    """Text by text. Worked examples are compared as the lines that people read."""
    return [
        Section("Introduction", changes(before.introduction, after.introduction)),
        Section("Worked examples", changes(_lines(before.cases), _lines(after.cases))),
        Section("Examples", changes(before.examples, after.examples)),
        Section("Edge cases", changes(before.edge_cases, after.edge_cases)),
    ]


def _lines(cases: Sequence[Case]) -> str:
    return "\n".join(
        f"Grade {case['grade']}. Topic: {case['topic']}\nDocument: {case['document']}\nWhy: {case['reason']}\n"
        for case in cases
    )
