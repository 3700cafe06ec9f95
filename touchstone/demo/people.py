"""The people of the demo: five to sign in as, and simulated annotators whose judgments fill it."""

from collections.abc import Sequence
from itertools import chain, count

from annotation.models import Annotator, Collection, Role, User
from annotation.people.steps.accounts import create_account
from annotation.people.steps.members import add_role
from touchstone.demo.annotators import Behaviour

ADMIN, RESEARCHER = "demo-admin", "demo-researcher"
ANNOTATORS = ("demo-annotator-1", "demo-annotator-2", "demo-annotator-3")
VISITORS = (ADMIN, RESEARCHER, *ANNOTATORS)


def create_visitors() -> dict[str, User]:
    """Accounts without a password: they come in by one-time links only."""
    return {name: create_account(name, may_create_collections=name == ADMIN) for name in VISITORS}


def enrol_visitors(collection: Collection, visitors: dict[str, User]) -> list[Annotator]:
    """Give the visitors their roles; the three who judge, as annotators of the collection."""
    admin = visitors[ADMIN]
    add_role(collection, visitors[RESEARCHER], role=Role.RESEARCHER, actor=admin)
    for name in ANNOTATORS:
        add_role(collection, visitors[name], role=Role.ANNOTATOR, actor=admin)
    return list(Annotator.objects.filter(collection=collection, user__username__in=ANNOTATORS).order_by("user"))


def enrol_simulated(
    collection: Collection, behaviours: Sequence[Behaviour], *, actor: User
) -> dict[Annotator, Behaviour]:
    """One annotator a behaviour, marked as simulated in every list; their accounts cannot sign in."""
    enrolled = {}
    for behaviour in behaviours:
        user = create_account(_free_name(f"simulated-{behaviour.name}"))
        user.is_active = False
        user.save(update_fields=["is_active"])
        add_role(collection, user, role=Role.ANNOTATOR, actor=actor)
        annotator = Annotator.objects.get(collection=collection, user=user)
        annotator.pseudonym, annotator.simulated = f"simulated-{behaviour.name}", True
        annotator.save(update_fields=["pseudonym", "simulated"])
        enrolled[annotator] = behaviour
    return enrolled


def _free_name(name: str) -> str:
    """Another demo on the same installation has simulated annotators of its own."""
    taken = set(User.objects.filter(username__startswith=name).values_list("username", flat=True))
    return first_free(name, taken)


def first_free(name: str, taken: set[str]) -> str:
    """The name, or with the first number behind it that makes it free."""
    numbered = (f"{name}-{n}" for n in count(2))
    return next(each for each in chain([name], numbered) if each not in taken)
