"""Versions of a guideline, and what changed from one to another."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from annotation.models import Case, Collection, GuidelineVersion
from annotation.text.difference import Change, changes
from annotation.text.markdown import plain_text

TITLES = ("Introduction", "Worked examples", "More on examples", "Edge cases")


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
    return [] if before is None else _compared(before, version, as_written=str)


def changes_to_read(before: GuidelineVersion, after: GuidelineVersion) -> list[Section]:
    """What changed for those who read it, without the marks of Markdown; only the texts that did."""
    return [each for each in _compared(before, after, as_written=plain_text) if not each.is_same]


def text_changes(before: str, after: str) -> list[Change]:
    """As `changes_to_read`, of one text."""
    return changes(plain_text(before), plain_text(after))


def _compared(before: GuidelineVersion, after: GuidelineVersion, *, as_written: Callable[[str], str]) -> list[Section]:
    """Text by text. Worked examples are compared as the lines that people read."""
    texts = {
        "Introduction": (before.introduction, after.introduction),
        "More on examples": (before.examples, after.examples),
        "Edge cases": (before.edge_cases, after.edge_cases),
    }
    changes_by_title = {title: changes(as_written(old), as_written(new)) for title, (old, new) in texts.items()}
    changes_by_title["Worked examples"] = changes(_lines(before.cases), _lines(after.cases))
    return [Section(title, changes_by_title[title]) for title in TITLES]


def _lines(cases: Sequence[Case]) -> str:
    return "\n".join(
        f"Grade {case['grade']}. Topic: {case['topic']}\nDocument: {case['document']}\nWhy: {case['reason']}\n"
        for case in cases
    )
