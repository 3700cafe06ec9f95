"""The list of pairs that drop."""

import json
from collections.abc import Iterable
from contextlib import suppress

from django.http import QueryDict
from django.template.defaultfilters import floatformat
from django.urls import reverse

from annotation.formats.objects import strict_json
from annotation.formats.snapshot_jsonl import DroppedPair
from annotation.kernel.list_columns import linked, numbers, texts
from annotation.kernel.listing import Listed, Listing, Only, Ticks, listed_rows
from annotation.kernel.page_tables import UNKNOWN
from annotation.kernel.tables import Cell, Kind, Shown
from annotation.models import Collection
from annotation.trust.pages.report import QualityReport


def pair_list(collection: Collection, report: QualityReport, *, may_decide: bool) -> Listing[DroppedPair]:
    """Of `report.dropped`, which heeds the reason."""

    def topic(pair: DroppedPair) -> str:
        return reverse("topic", args=[collection.slug, pair.number])

    def document(pair: DroppedPair) -> str:
        return reverse("document", args=[collection.slug, pair.docno])

    def median(pair: DroppedPair) -> Cell:
        return Cell(floatformat(pair.median, -1) or UNKNOWN)

    return Listing(
        "Pairs",
        (
            linked("Topic", "number", lambda pair: pair.number, topic, kind=Kind.ID, by="number", look="code fit"),
            linked("Document", "docno", lambda pair: pair.docno, document, kind=Kind.ID, by="docno", look="docno"),
            texts("Reason", "reason", lambda pair: pair.reason, by="reason", look="reason"),
            numbers("Judgments", "judgments", lambda pair: pair.n_judgments, by="n_judgments"),
            numbers("Min", "min", lambda pair: pair.min, by="min"),
            Listed("median", lambda pair: pair.median, Kind.NUMBER, by="median", shown=Shown("Median", median)),
            numbers("Max", "max", lambda pair: pair.max, by="max"),
        ),
        search=("number", "docno", "reason"),
        hint="Topic, document or reason",
        filters=(Only("reason", "Reason", "", reasons_to_choose(report)),),
        kept_parameters=("batch", "policy"),
        ticks=Ticks(
            "of-pairs", "pair", value=pair_key, named=lambda pair: f"topic {pair.number}, document {pair.docno}"
        ),
        deeds="annotation/trust/quality_pair_deeds.html" if may_decide else "",
        deeds_named="Decide",
    )


def reasons_to_choose(report: QualityReport) -> list[tuple[str, str]]:
    return [(each.key, f"{each.words}: {each.n:,}") for each in report.reasons if each.n]


def pair_key(pair: DroppedPair) -> str:
    """How a pair is written in a form: a topic and a docno may hold anything."""
    return json.dumps([pair.number, pair.docno])


def pairs_of_keys(keys: Iterable[str]) -> list[tuple[str, str]]:
    """What is no key, nobody's table has sent."""
    pairs = []
    for key in keys:
        with suppress(ValueError, TypeError):
            number, docno = strict_json(key)
            pairs.append((str(number), str(docno)))
    return pairs


def chosen_pairs(
    collection: Collection, report: QualityReport | None, sent: QueryDict, query: QueryDict
) -> list[tuple[str, str]]:
    """The pairs that were ticked in the list, or with `which=all` those that its address finds."""
    if sent.get("which") != "all":
        return pairs_of_keys(sent.getlist("pair"))
    if report is None:
        return []
    dropped = report.dropped(query.get("reason", ""))
    listed = listed_rows(pair_list(collection, report, may_decide=False), dropped, query)
    return [(pair.number, pair.docno) for pair in listed.matches]
