"""Runs under a snapshot with its dropped pairs counted, or under several policies, without storing anything."""

import argparse
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, RefusedError, TouchstoneCommand
from annotation.kernel.commands.files import add_output, checked_output
from annotation.kernel.commands.naming import add_collection, collection_named, snapshot_named
from annotation.kernel.jobs import JobRefusedError
from annotation.models import Collection
from annotation.quality.consolidation import RULE_WORDS
from annotation.trust.read.judgments import policy_inputs
from evaluation.accounting.steps.requests import quality_measures
from evaluation.accounting.steps.scoring import AccountingRequest, score_policies, score_snapshot
from evaluation.formats.accounting import FORMS, AccountingResult
from evaluation.management.accounting import (
    as_table,
    batches_named,
    policies_named,
    runs_named,
)
from evaluation.management.files import write_text


class Command(TouchstoneCommand):
    help = "What runs are worth if the pairs that a snapshot dropped are counted, or under several policies."
    examples = (
        "touchstone accounting bees --snapshot 2026-11",
        "touchstone accounting bees --snapshot 2026-11 --run bm25 --run dense -m nDCG@10 --k 20 --format json",
        "touchstone accounting bees --policy default --policy 'mild v2' --rule dawid_skene --format orders",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "written",
            REFUSED: "refused: the policies keep nothing in common, there is no run, or one has to be imported again",
        }
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("--snapshot", metavar="NAME", help="the snapshot whose dropped pairs are counted")
        parser.add_argument("--policy", action="append", default=[], help='"NAME", its newest version, or "NAME v2"')
        parser.add_argument("--rule", action="append", default=[], choices=list(RULE_WORDS), help="a rule by itself")
        parser.add_argument("--batch", action="append", default=[], help="read by the policies; all, if none")
        parser.add_argument("--run", action="append", default=[], metavar="TAG", help="all, if none")
        parser.add_argument("--measure", "-m", action="append", default=[], metavar="NAME", help="as in evaluate")
        parser.add_argument("--k", type=int, default=10, help="how deep to look for what is judged (%(default)s)")
        parser.add_argument(
            "--format", dest="form", choices=["table", *FORMS], help="default: table; json, with --json"
        )
        add_output(parser)

    def handle(
        self,
        *,
        collection: str,
        snapshot: str | None,
        form: str | None,
        output: str | None,
        force: bool,
        **options: Any,
    ) -> None:
        target, here = checked_output(output, force=force), collection_named(collection)
        form = form or ("json" if self.as_json else "table")
        if snapshot is not None and (options["policy"] or options["rule"] or options["batch"]):
            raise MisuseError("Name a snapshot, or policies and rules; not both.")
        request = _request(here, options)
        try:
            result = _of_policies(here, request, options) if snapshot is None else _of_snapshot(here, request, snapshot)
        except (JobRefusedError, ValueError) as refused:
            raise RefusedError(str(refused)) from refused
        text = as_table(result, against_first=snapshot is not None) if form == "table" else FORMS[form](result)
        write_text(text, target, self.stdout, force=force)


def _request(collection: Collection, options: dict[str, Any]) -> AccountingRequest:
    if options["k"] < 1:
        raise MisuseError("--k is at least 1")
    try:
        measures = quality_measures(options["measure"])
    except ValueError as fault:
        raise MisuseError(str(fault)) from fault
    return AccountingRequest(runs_named(collection, options["run"]), options["k"], measures)


def _of_snapshot(collection: Collection, request: AccountingRequest, name: str) -> AccountingResult:
    return score_snapshot(snapshot_named(collection, name), request)[0]


def _of_policies(collection: Collection, request: AccountingRequest, options: dict[str, Any]) -> AccountingResult:
    policies = policies_named(collection, options["policy"], options["rule"])
    inputs = policy_inputs(collection, batches_named(collection, options["batch"]))
    return score_policies(inputs, policies, request)[0]
