"""Freeze the judgments of a collection into qrels, look at what they would be, or verify what was frozen."""

import argparse
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, RefusedError, TouchstoneCommand
from annotation.kernel.commands.naming import add_collection, cleaned, collection_named, snapshot_named
from annotation.kernel.commands.progress import Progress
from annotation.management.naming import batches_named
from annotation.models import Batch, Collection, Policy, Snapshot
from annotation.text.counted import counted
from annotation.trust.forms.snapshots import FreezeForm
from annotation.trust.pages.report import QualityReport, quality_report
from annotation.trust.read.policies import parameters_of, policies_of, policy_named
from annotation.trust.steps.snapshots import FreezeError, freeze_snapshot, prepare_freeze, verify_snapshot


class Command(TouchstoneCommand):
    help = "Freeze a snapshot of qrels from the judgments of a collection, or verify one."
    examples = (
        "touchstone snapshot bees 2026-11 --dry-run",
        "touchstone snapshot bees 2026-11 --batch first --policy 'default v2' --json",
        "touchstone snapshot bees 2026-11 --verify",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "frozen; with --dry-run: could be frozen; with --verify: whole, and rebuilt to the same bytes",
            REFUSED: "refused, or not as it was frozen: the reason is on the standard error",
        }
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("name", help="what the snapshot is called")
        parser.add_argument("--batch", action="append", help="a batch by its name, as often as wanted; all, if none")
        parser.add_argument("--policy", default="default", help='"NAME", its newest version, or "NAME v2"')
        parser.add_argument("--dry-run", action="store_true", help="say what would be kept, and freeze nothing")
        parser.add_argument("--verify", action="store_true", help="check the files of a snapshot and rebuild it")

    def handle(
        self,
        *,
        collection: str,
        name: str,
        batch: list[str] | None,
        policy: str,
        dry_run: bool,
        verify: bool,
        **_options: object,
    ) -> None:
        source, watch = collection_named(collection), Progress(self.stderr)
        if verify:
            self._verify(source, name, watch)
            return
        name = cleaned(FreezeForm, "name", name, "name")
        batches, rule = batches_named(source, batch), policy_named(policies_of(source), policy)
        if rule is None:
            raise MisuseError(f"There is no policy {policy}.")
        sources = {"batches": [each.name for each in batches], "policy": str(rule)}
        words = f"batches: {', '.join(sources['batches'])}; policy: {rule}\n"
        try:
            watch(0, 0, "Reading judgments")
            result = _preview(source, batches, rule) if dry_run else _frozen(source, name, batches, rule)
            watch.end()
            self.answer(words + result[0], {"name": name, "frozen": not dry_run, **sources, **result[1]})
            if dry_run:
                prepare_freeze(source, name=name, batches=batches, policy=rule)
        except (FreezeError, ValueError) as error:
            raise RefusedError(str(error)) from error
        finally:
            watch.end()

    def _verify(self, collection: Collection, name: str, watch: Progress) -> None:
        watch(0, 0, "Rebuilding")
        verification = verify_snapshot(snapshot_named(collection, name))
        watch.end()
        facts = {
            "name": name,
            "sound": verification.sound,
            "rebuilt": verification.rebuilt,
            "faults": verification.faults,
        }
        if verification.sound or self.as_json:
            self.answer(verification.words, facts)
        if not verification.sound:
            raise RefusedError(" ".join(verification.faults))


def _frozen(collection: Collection, name: str, batches: list[Batch], policy: Policy) -> tuple[str, dict[str, object]]:
    snapshot: Snapshot = freeze_snapshot(collection, name=name, batches=batches, policy=policy, created_by=None)
    names = ("n_pairs", "n_topics", "n_dropped", "qrels_sha256", "pairs_sha256", "inputs_sha256")
    words = (
        f"frozen: {counted(snapshot.n_pairs, 'pair')} of {counted(snapshot.n_topics, 'topic')}, "
        f"{snapshot.n_dropped} dropped; qrels {snapshot.qrels_sha256}"
    )
    return words, {each: getattr(snapshot, each) for each in names}


def _preview(collection: Collection, batches: list[Batch], policy: Policy) -> tuple[str, dict[str, object]]:
    report = quality_report(collection, batches, parameters_of(policy))
    facts: dict[str, object] = {
        "n_pairs": report.outcome.n_kept,
        "n_dropped": report.n_dropped,
        "reasons": {each.words: each.n for each in report.reasons},
        "keeps_enough": report.coverage.enough,
    }
    return "\n".join(_words(report)), facts


def _words(report: QualityReport) -> Iterator[str]:
    yield f"would be kept: {counted(report.outcome.n_kept, 'pair')}, {report.n_dropped} dropped"
    for each in report.reasons:
        yield f"  {each.words}: {each.n}"
    if not report.coverage.enough:
        yield "This policy keeps fewer than half of the pairs that judgments decide."
        if report.suggestion:
            changed = "; ".join(f"{name}: {value}" for name, value in report.milder)
            yield f"A milder one would keep {report.suggestion.coverage.kept} of them: {changed}"
