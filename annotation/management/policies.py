"""Policies as commands: listed, looked at, stored from a file, side by side on the same judgments."""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from types import MappingProxyType
from typing import Any

from annotation.formats.objects import strict_json
from annotation.kernel.commands.base import DONE, REFUSED, MisuseError, RefusedError, TouchstoneCommand
from annotation.kernel.commands.files import name_of, opened
from annotation.kernel.commands.naming import (
    add_collection,
    add_dry_run,
    collection_named,
    require_valid,
    trial,
)
from annotation.kernel.commands.progress import Progress
from annotation.management.naming import batches_named
from annotation.models import Collection, Policy
from annotation.quality.consolidation import RULE_WORDS
from annotation.quality.policy import Policy as Parameters
from annotation.quality.policy import PolicyError
from annotation.trust.forms.quality import MOST_COMPARED, PolicyForm
from annotation.trust.read.comparison import ComparedPolicy, compare_on, trials
from annotation.trust.read.judgments import policy_inputs
from annotation.trust.read.policies import parameters_of, policies_of, policy_named
from annotation.trust.steps.policies import store_policy

POLICY = '"NAME", its newest version, or "NAME v2"'


class ListPolicies(TouchstoneCommand):
    help = "List the policies of a collection, by name, the newest version first."
    examples = ("touchstone policy list bees",)

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)

    def handle(self, *, collection: str, **_options: object) -> None:
        policies = policies_of(collection_named(collection))
        self.answer("\n".join(map(str, policies)), [_as_facts(policy) for policy in policies])


class ShowPolicy(TouchstoneCommand):
    help = "Show the parameters of a policy, as `policy store` takes them."
    examples = ("touchstone policy show bees default", "touchstone policy show bees 'mild v2' --json")

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("policy", help=POLICY)

    def handle(self, *, collection: str, policy: str, **_options: object) -> None:
        shown = _policy(collection_named(collection), policy)
        parameters = json.dumps(asdict(parameters_of(shown)), indent=2)
        self.answer(parameters, _as_facts(shown))


class StorePolicy(TouchstoneCommand):
    help = (
        "Store a policy: a name that is there gets its next version; the same parameters under the same name are the "
        "version that is there."
    )
    examples = (
        "touchstone policy store bees mild mild.json",
        """echo '{"min_gold": 5}' | touchstone policy store bees mild - --from default --dry-run""",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {
            DONE: "stored, or there already; with --dry-run: could be stored",
            REFUSED: "refused: a parameter that cannot be",
        }
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("name", help="what the policy is called")
        parser.add_argument("file", help="a JSON object of the parameters that differ; - for the standard input")
        parser.add_argument("--from", dest="begin", metavar="POLICY", help="from which they differ; default: built in")
        add_dry_run(parser)

    def handle(
        self, *, collection: str, name: str, file: str, begin: str | None, dry_run: bool, **_options: object
    ) -> None:
        target = collection_named(collection)
        base = parameters_of(_policy(target, begin)) if begin else Parameters()
        parameters = _read(file, base)
        require_valid(PolicyForm({"name": name, **asdict(parameters)}))
        with trial(dry_run=dry_run):
            policy = store_policy(target, name=name, parameters=parameters, actor=None)
        self.answer(
            f"{'would be stored' if dry_run else 'stored'}: {policy}", {**_as_facts(policy), "stored": not dry_run}
        )


class ComparePolicies(TouchstoneCommand):
    help = "Policies and rules side by side on the same judgments: what each keeps, and how right it is on gold."
    examples = (
        "touchstone policy compare bees --policy default --policy 'mild v2'",
        "touchstone policy compare bees --rule median --rule dawid_skene --batch first --json",
    )
    exits: Mapping[int, str] = MappingProxyType(
        {DONE: "compared", REFUSED: "refused: nothing is laid out, or the batches cannot be read together"}
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_collection(parser)
        parser.add_argument("--policy", action="append", default=[], help=POLICY)
        parser.add_argument("--rule", action="append", default=[], choices=list(RULE_WORDS), help="a rule by itself")
        parser.add_argument("--batch", action="append", help="a batch by its name, as often as wanted; all, if none")

    def handle(
        self, *, collection: str, policy: Sequence[str], rule: Sequence[str], batch: list[str] | None, **_: object
    ) -> None:
        source, watch = collection_named(collection), Progress(self.stderr)
        chosen = [_policy(source, name) for name in policy]
        named = {str(each): parameters_of(each) for each in chosen} | trials(rule)
        if not 0 < len(named) <= MOST_COMPARED:
            raise MisuseError(f"Choose one to {MOST_COMPARED} policies and rules in all.")
        try:
            watch(0, 0, "Reading judgments")
            comparison = compare_on(policy_inputs(source, batches_named(source, batch)), named)
        except ValueError as error:
            raise RefusedError(str(error)) from error
        finally:
            watch.end()
        rows = comparison.rows
        facts = {"n_gold": comparison.n_gold, "rows": [_compared(row) for row in rows]}
        self.answer("\n".join(map(_in_words, rows)), facts)


DEEDS: Mapping[str, type[TouchstoneCommand]] = MappingProxyType(
    {"list": ListPolicies, "show": ShowPolicy, "store": StorePolicy, "compare": ComparePolicies}
)


def _policy(collection: Collection, name: str) -> Policy:
    policy = policy_named(policies_of(collection), name)
    if policy is None:
        raise MisuseError(f"There is no policy {name}.")
    return policy


def _read(file: str, base: Parameters) -> Parameters:
    """The parameters of the file in those of `base`."""
    with opened(file) as stream:
        data = stream.read()
    try:
        values = strict_json(data.decode("utf-8-sig"))
    except ValueError as fault:
        raise RefusedError(f"{name_of(file)}: not JSON: {fault}") from fault
    if not isinstance(values, dict):
        raise RefusedError(f"{name_of(file)}: a JSON object is expected")
    unknown = sorted(values.keys() - asdict(base).keys())
    if unknown:
        raise RefusedError(f"{unknown[0]}: is no parameter of a policy")
    try:
        return replace(base, **values)
    except PolicyError as fault:
        raise RefusedError(str(fault)) from fault


def _as_facts(policy: Policy) -> dict[str, Any]:
    return {
        "name": policy.name,
        "version": policy.version,
        "sha256": policy.sha256,
        "parameters": asdict(parameters_of(policy)),
    }


def _compared(row: ComparedPolicy) -> dict[str, object]:
    return {
        "name": row.name,
        "rule": row.rule,
        "n_kept": row.coverage.kept,
        "n_to_decide": row.coverage.total,
        "n_dropped": row.n_dropped,
        "n_gold": row.gold.n_kept,
        "n_right": row.gold.n_right,
        "accuracy": row.accuracy,
        "n_as_first": row.same.n_yes,
        "n_both_keep": row.same.n,
    }


def _in_words(row: ComparedPolicy) -> str:
    right = f"{row.gold.n_right} of {row.gold.n_kept} gold right"
    return f"{row.name}: keeps {row.coverage.kept} of {row.coverage.total} pairs, {right}"
