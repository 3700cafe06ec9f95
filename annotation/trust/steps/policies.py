"""Policies: stored once, named and versioned, never changed."""

import json

from django.db import transaction
from django.db.models import Max

from annotation.kernel.audit import record_audit
from annotation.models import Collection, Policy, User
from annotation.quality.policy import Policy as Parameters
from annotation.trust.read.policies import DEFAULT, parameters_of


@transaction.atomic
def store_policy(collection: Collection, *, name: str, parameters: Parameters, actor: User | None) -> Policy:
    """The next version under this name; the one there is, if one of that name has the same parameters.

    The first version of "default" is the built-in one, whatever is stored under that name.
    """
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    versions = Policy.objects.filter(collection=collection, name=name)
    same = versions.filter(sha256=parameters.sha256).first()
    if same:
        return same
    if name == DEFAULT and parameters != Parameters() and not versions.exists():
        store_policy(collection, name=DEFAULT, parameters=Parameters(), actor=actor)
    policy = Policy.objects.create(
        collection=collection,
        name=name,
        version=(versions.aggregate(last=Max("version"))["last"] or 0) + 1,
        sha256=parameters.sha256,
        parameters=json.loads(parameters.to_json()),
        created_by=actor,
    )
    record_audit("policy stored", actor=actor, collection=collection, subject=str(policy), sha256=policy.sha256)
    return policy


def store_unsaved(policy: Policy, *, actor: User | None) -> Policy:
    """The policy itself; the default one, until now unsaved, is stored by its first use."""
    if policy.pk:
        return policy
    return store_policy(policy.collection, name=policy.name, parameters=parameters_of(policy), actor=actor)
