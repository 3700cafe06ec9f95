"""Runs under a snapshot with its dropped pairs counted, or under several policies, without storing anything."""

import argparse
from typing import Any

from django.core.management.base import CommandError

from annotation.kernel.jobs import JobRefusedError
from annotation.models import Collection
from annotation.quality.consolidation import RULE_WORDS
from annotation.trust.read import policy_inputs
from evaluation.accounting.steps import AccountingRequest, quality_measures, score_policies, score_snapshot
from evaluation.formats.accounting import FORMS, AccountingResult
from evaluation.management.accounting import (
    as_table,
    batches_named,
    policies_named,
    runs_named,
    snapshot_named,
)
from evaluation.management.base import MISUSED, REFUSED, CollectionCommand, collection_named
from evaluation.management.command_options import checked_output
from evaluation.management.files import write_text

HELP_END = """examples:
  python manage.py accounting bees --snapshot 2026-11
  python manage.py accounting bees --snapshot 2026-11 --run bm25 --run dense -m nDCG@10 --k 20 --format json
  python manage.py accounting bees --policy default --policy 'mild v2' --rule dawid_skene --format orders

exit codes:
  0  written
  1  refused: the policies keep nothing in common, or a run has to be imported again
  2  the command cannot be carried out as given: no such collection, snapshot, policy, rule, batch or run"""


class Command(CollectionCommand):
    help = "What runs are worth if the pairs that a snapshot dropped are counted, or under several policies."
    help_end = HELP_END

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--snapshot", metavar="NAME", help="the snapshot whose dropped pairs are counted")
        parser.add_argument("--policy", action="append", default=[], help='"NAME", its newest version, or "NAME v2"')
        parser.add_argument("--rule", action="append", default=[], choices=list(RULE_WORDS), help="a rule by itself")
        parser.add_argument("--batch", action="append", default=[], help="read by the policies; all, if none")
        parser.add_argument("--run", action="append", default=[], metavar="TAG", help="all, if none")
        parser.add_argument("--measure", "-m", action="append", default=[], metavar="NAME", help="as in evaluate")
        parser.add_argument("--k", type=int, default=10, help="how deep to look for what is judged (%(default)s)")
        parser.add_argument("--format", dest="form", choices=["table", *FORMS], default="table")
        parser.add_argument("--output", "-o", metavar="FILE", help="write there instead of the standard output")
        parser.add_argument("--force", action="store_true", help="replace the file if it is there")

    def handle(
        self,
        *,
        collection: str,
        snapshot: str | None,
        form: str,
        output: str | None,
        force: bool,
        **options: Any,
    ) -> None:
        target, here = checked_output(output, force=force), collection_named(collection)
        if snapshot is not None and (options["policy"] or options["rule"] or options["batch"]):
            raise CommandError("Name a snapshot, or policies and rules; not both.", returncode=MISUSED)
        request = _request(here, options)
        try:
            result = _of_policies(here, request, options) if snapshot is None else _of_snapshot(here, request, snapshot)
        except (JobRefusedError, ValueError) as refused:
            raise CommandError(str(refused), returncode=REFUSED) from refused
        text = as_table(result, against_first=snapshot is not None) if form == "table" else FORMS[form](result)
        write_text(text, target, self.stdout)


def _request(collection: Collection, options: dict[str, Any]) -> AccountingRequest:
    if options["k"] < 1:
        raise CommandError("--k is at least 1", returncode=MISUSED)
    try:
        measures = quality_measures(options["measure"])
    except ValueError as fault:
        raise CommandError(str(fault), returncode=MISUSED) from fault
    return AccountingRequest(runs_named(collection, options["run"]), options["k"], measures)


def _of_snapshot(collection: Collection, request: AccountingRequest, name: str) -> AccountingResult:
    return score_snapshot(snapshot_named(collection, name), request)[0]


def _of_policies(collection: Collection, request: AccountingRequest, options: dict[str, Any]) -> AccountingResult:
    policies = policies_named(collection, options["policy"], options["rule"])
    inputs = policy_inputs(collection, batches_named(collection, options["batch"]))
    return score_policies(inputs, policies, request)[0]
