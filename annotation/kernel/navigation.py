"""Where one can go in a collection: the navigation beside each page, and the deeds that *Find* offers besides.

An entry is the name of an address and what it is called. Each is written here and nowhere else.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.urls import reverse

from annotation.kernel.access import ADMIN, MEMBER, RESEARCH
from annotation.kernel.waiting import MOST


@dataclass(frozen=True)
class Entry:
    """`name`: of an address whose only value is the collection's, unless `kind` says what is to be imported.

    `parts`: of a subject that has several pages, the first with the entry's own name. `waiting`: how much waits there;
    what is counted is declared in TOUCHSTONE_COUNTS.
    """

    name: str
    text: str
    roles: frozenset[str] = RESEARCH
    kind: str = ""
    parts: Sequence["Entry"] = ()
    waiting: int = 0

    @property
    def waiting_text(self) -> str:
        return f"{MOST}+" if self.waiting > MOST else str(self.waiting)


@dataclass(frozen=True)
class Group:
    """Entries under a title; "" for those that stand first. `key` tells the group's element from others."""

    key: str
    title: str
    entries: Sequence[Entry]


QUALITY = Entry(
    "quality",
    "Quality",
    parts=(
        Entry("quality", "Summary"),
        Entry("quality_annotators", "Annotators"),
        Entry("quality_agreement", "Agreement"),
        Entry("quality_pairs", "Pairs"),
        Entry("quality_machines", "Machines"),
    ),
)

NAVIGATION: tuple[Group, ...] = (
    Group("", "", (Entry("collection", "Overview", MEMBER),)),
    Group(
        "material",
        "Material",
        (
            Entry("topics", "Topics"),
            Entry("documents", "Documents"),
            Entry("runs", "Runs"),
            Entry("vectors", "Vectors"),
            Entry("imports", "Imports"),
        ),
    ),
    Group(
        "judging",
        "Judging",
        (
            Entry("pools", "Pools"),
            Entry("batches", "Batches"),
            Entry("alerts", "Alerts"),
            Entry("gold", "Gold"),
            Entry("guideline", "Guideline"),
            Entry("information", "Consent texts"),
            Entry("qualifications", "Qualification"),
            Entry("people", "People", ADMIN),
        ),
    ),
    Group(
        "results",
        "Results",
        (
            QUALITY,
            Entry("policies", "Policies"),
            Entry("adjudication", "Contested"),
            Entry("snapshots", "Snapshots"),
            Entry("leaderboard", "Leaderboard"),
            Entry("clicks", "Clicks"),
            Entry("reports", "Reports"),
            Entry("series_list", "Series"),
            Entry("experiment_plan", "Planning"),
            Entry("ab_tests", "A/B tests"),
            Entry("beyond", "Beyond ranking"),
            Entry("exports", "Export"),
        ),
    ),
    Group(
        "record",
        "Record",
        (Entry("jobs", "Jobs"), Entry("audit", "Audit", ADMIN), Entry("outgoing", "Messages", ADMIN)),
    ),
)
# Whoever judges and leads nothing browses nothing; the guideline is theirs to read.
OF_ANNOTATORS: tuple[Group, ...] = (
    Group("", "", (Entry("collection", "Overview", MEMBER), Entry("guideline", "Guideline", MEMBER))),
)

OF_OTHERS = {"annotator": "quality", "annotators": "quality"}  # addresses whose names begin otherwise
_ENDING = re.compile("(y|ies|es|s)$")

DEEDS: tuple[Entry, ...] = (
    Entry("import_new", "Import topics", ADMIN, kind="topics"),
    Entry("import_new", "Import documents", ADMIN, kind="documents"),
    Entry("import_new", "Import judgments", ADMIN, kind="judgments"),
    Entry("import_new", "Import gold", ADMIN, kind="gold"),
    Entry("import_new", "Import qrels", kind="qrels"),
    Entry("runs_new", "Import runs"),
    Entry("import_new", "Import vectors", kind="vectors"),
    Entry("pool_runs", "Make a pool from runs"),
    Entry("pool_without_runs", "Make a pool without runs"),
    Entry("pool_file", "Make a pool from a file"),
    Entry("batch_new", "New batch", ADMIN),
    Entry("invitations", "Invite people", ADMIN),
    Entry("guideline_edit", "Edit the guideline", ADMIN),
    Entry("gold_set", "Set gold", ADMIN),
    Entry("qualification_new", "New training round", ADMIN),
    Entry("alerts_settings", "Thresholds of alerts", ADMIN),
    Entry("policy_new", "New policy"),
    Entry("policies_compare", "Compare policies"),
    Entry("snapshot_new", "Freeze a snapshot"),
    Entry("leaderboard_evaluate", "Evaluate runs"),
    Entry("leaderboard_compare", "Compare runs"),
    Entry("runs_fuse", "Fuse runs"),
    Entry("report_new", "Make a report"),
    Entry("series_new", "New series"),
    Entry("sensitivity", "Study how sure the order of runs is"),
    Entry("pooling_replays", "Replay ways to choose judgments"),
    Entry("quality_watch", "See what the watch looks for"),
    Entry("quality_pausing", "See who would be paused"),
    Entry("quality_annotators", "See whom to exclude"),
    Entry("adjudication", "See what to adjudicate"),
    Entry("gold_appeals", "See objections", ADMIN),
    Entry("gold_supply", "See how much gold is left"),
    Entry("bundle", "Pack the collection", ADMIN),
)


def entries_for(entries: Iterable[Entry], roles: frozenset[str]) -> list[Entry]:
    return [entry for entry in entries if entry.roles & roles]


def section_of(address: str) -> str:
    """The entry that the page of this name belongs to, by the word it begins with; empty where there is none."""
    word = address.partition("_")[0]
    names = [entry.name for group in NAVIGATION for entry in group.entries]
    of_word = (name for name in names if _ENDING.sub("", name) == _ENDING.sub("", word))
    return address if address in names else OF_OTHERS.get(word, next(of_word, ""))


def navigation_for(roles: frozenset[str], waiting: Mapping[str, int] | None = None) -> list[Group]:
    """The groups for whoever has these roles in the collection; none for who has none. `waiting`: by entry's name."""
    groups, counts = NAVIGATION if roles & RESEARCH else OF_ANNOTATORS, waiting or {}
    return [replace(group, entries=_counted(group.entries, roles, counts)) for group in groups] if roles else []


def _counted(entries: Iterable[Entry], roles: frozenset[str], counts: Mapping[str, int]) -> list[Entry]:
    return [replace(entry, waiting=counts.get(entry.name, 0)) for entry in entries_for(entries, roles)]


def address_of(entry: Entry, slug: str) -> str:
    return reverse(entry.name, kwargs={"slug": slug, **({"kind": entry.kind} if entry.kind else {})})


MOST_FOUND = 8  # places of a kind, of many


@dataclass(frozen=True)
class Place:
    """Somewhere that a search leads to: what it is called, a word about it, its address."""

    text: str
    note: str
    address: str
