"""Stored policies, and their parameters as the rules read them."""

import json
from collections.abc import Sequence
from dataclasses import asdict

from annotation.models import Collection, Policy
from annotation.quality.consolidation import RULE_WORDS
from annotation.quality.policy import PARAMETER_WORDS
from annotation.quality.policy import Policy as Parameters

DEFAULT = "default"
GOLD_WORDS = {"expert": "from the expert", "judged": "as judged", "omitted": "not at all"}


def policies_of(collection: Collection) -> list[Policy]:
    """By name, the newest version first. Until one of the name "default" is stored, its first version stands there
    unsaved: it is stored with its first use."""
    stored = list(
        Policy.objects.filter(collection=collection).select_related("created_by").order_by("name", "-version")
    )
    if any(policy.name == DEFAULT for policy in stored):
        return stored
    return [unsaved_default(collection), *stored]


def default_policy(collection: Collection) -> Policy:
    """Its newest version."""
    return next(policy for policy in policies_of(collection) if policy.name == DEFAULT)


def default_parameters(collection: Collection) -> Parameters:
    """Of the default policy as it is now: whom it calls reliable."""
    return parameters_of(default_policy(collection))


def unsaved_default(collection: Collection) -> Policy:
    parameters = Parameters()
    return Policy(
        collection=collection,
        name=DEFAULT,
        version=1,
        sha256=parameters.sha256,
        parameters=json.loads(parameters.to_json()),
    )


def parameters_of(policy: Policy) -> Parameters:
    """Raises `PolicyError` if what is stored is not a policy of this version of the program."""
    return Parameters.from_json(json.dumps(policy.parameters))


def policy_named(policies: Sequence[Policy], words: str) -> Policy | None:
    """`name vN`, or `name` alone for its newest version."""
    exact = next((policy for policy in policies if str(policy) == words), None)
    return exact or max((p for p in policies if p.name == words), key=lambda policy: policy.version, default=None)


def described(parameters: Parameters) -> list[tuple[str, str]]:
    """The parameters in words, one line a step."""
    return [in_words(name, value) for name, value in asdict(parameters).items()]


def in_words(name: str, value: float | str | None) -> tuple[str, str]:
    """What a parameter is, and its value as a person would write it."""
    if isinstance(value, bool):
        return PARAMETER_WORDS[name], "yes" if value else "no"
    if value is None:
        return PARAMETER_WORDS[name], "no limit"
    return PARAMETER_WORDS[name], {**GOLD_WORDS, **RULE_WORDS}.get(str(value), str(value))
