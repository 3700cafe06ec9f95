"""Stored policies, and their parameters as the rules read them."""

import json
from collections.abc import Sequence

from annotation.models import Collection, Policy
from annotation.quality.policy import Policy as Parameters

DEFAULT = "default"


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
