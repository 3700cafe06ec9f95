"""Links, invitations and last admins when many act at the same moment: real transactions, one thread a person."""

from collections.abc import Callable
from threading import Barrier, Thread

import pytest
from django.db import connection

from annotation.kernel.api_tokens import make_api_token, note_use, revoke_api_token, token_with
from annotation.models import Annotator, Collection, Invitation, Membership, Role, SignInLink, User
from annotation.people.steps.accounts import (
    LinkGoneError,
    make_password_link,
    make_sign_in_link,
    use_password_link,
    use_sign_in_link,
)
from annotation.people.steps.invitations import join_by_invitation, join_with_new_account, make_invitations
from annotation.people.steps.members import LastAdminError, change_roles, remove_member
from tests.factories import make_collection, make_member, make_user

pytestmark = pytest.mark.both("locks")


def at_once(*deeds: Callable[[], object]) -> list[object]:
    """What each deed gave or raised, all begun at the same moment on connections of their own."""
    barrier = Barrier(len(deeds))
    outcomes: list[object] = [None] * len(deeds)

    def run(place: int, deed: Callable[[], object]) -> None:
        try:
            barrier.wait()
            outcomes[place] = deed()
        except Exception as error:  # noqa: BLE001 - the error is the outcome
            outcomes[place] = error
        finally:
            connection.close()

    threads = [Thread(target=run, args=(place, deed)) for place, deed in enumerate(deeds)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def kinds(outcomes: list[object]) -> list[str]:
    return sorted(type(outcome).__name__ for outcome in outcomes)


@pytest.mark.django_db(transaction=True)
def test_a_sign_in_link_serves_one_of_many() -> None:
    secret = make_sign_in_link(make_user())
    assert kinds(at_once(*[lambda: use_sign_in_link(secret)] * 8)) == ["LinkGoneError"] * 7 + ["User"]


@pytest.mark.django_db(transaction=True)
def test_a_password_link_sets_one_of_many_passwords() -> None:
    person = make_user()
    secret = make_password_link(person, actor=None, collection=None)
    passwords = [f"mountain-ridge-{n}" for n in range(6)]
    outcomes = at_once(*[lambda p=p: use_password_link(secret, password=p) for p in passwords])
    person.refresh_from_db()
    assert kinds(outcomes) == ["LinkGoneError"] * 5 + ["User"]
    assert [person.check_password(password) for password in passwords] == [isinstance(o, User) for o in outcomes]


@pytest.mark.django_db(transaction=True)
def test_an_invitation_brings_one_of_many_in() -> None:
    collection = make_collection(admin=make_user())
    lead = Membership.objects.get().user
    _, secret = make_invitations(collection, role=Role.ANNOTATOR, notes=[""], actor=lead)[0]
    people = [make_user() for _ in range(4)]
    joins = [lambda p=p: join_by_invitation(secret, person=p) for p in people]
    newcomers = [lambda n=n: join_with_new_account(secret, username=f"new-{n}", password="x") for n in range(4)]
    outcomes = at_once(*joins, *newcomers)
    assert kinds(outcomes)[:-1] == ["LinkGoneError"] * 7 or kinds(outcomes)[1:] == ["LinkGoneError"] * 7
    assert Membership.objects.filter(role=Role.ANNOTATOR).count() == 1
    assert Annotator.objects.count() == 1
    assert User.objects.filter(username__startswith="new-").count() == sum(isinstance(o, User) for o in outcomes)
    assert Invitation.objects.get().used_by == Membership.objects.get(role=Role.ANNOTATOR).user


@pytest.mark.django_db(transaction=True)
def test_two_admins_cannot_remove_each_other_at_once() -> None:
    one, two = make_user(), make_user()
    collection = make_collection(admin=one)
    make_member(collection, two, Role.ADMIN)
    outcomes = at_once(
        lambda: remove_member(collection, two, actor=one),
        lambda: change_roles(collection, one, roles={Role.RESEARCHER.value}, actor=two),
    )
    assert kinds(outcomes) == ["LastAdminError", "NoneType"]
    assert Membership.objects.filter(collection=collection, role=Role.ADMIN).count() == 1


@pytest.mark.django_db
def test_a_name_taken_leaves_the_invitation_open() -> None:
    lead = make_user("taken")
    collection = make_collection(admin=lead)
    _, secret = make_invitations(collection, role=Role.ANNOTATOR, notes=[""], actor=lead)[0]
    with pytest.raises(Exception, match=r"(?i)unique"):
        join_with_new_account(secret, username="taken", password="x")
    join_with_new_account(secret, username="free", password="x")
    assert Invitation.objects.get().used_by == User.objects.get(username="free")


@pytest.mark.django_db
def test_no_invitation_and_no_role_are_errors_not_everything() -> None:
    lead = make_user()
    collection = make_collection(admin=lead)
    with pytest.raises(ValueError, match="no invitation"):
        make_invitations(collection, role=Role.ANNOTATOR, notes=[], actor=lead)
    with pytest.raises(ValueError, match="at least one role"):
        change_roles(collection, lead, roles=set(), actor=lead)
    assert Membership.objects.count() == 1


@pytest.mark.django_db
def test_a_refused_change_of_roles_changes_nothing() -> None:
    lead = make_user()
    collection = make_collection(admin=lead)
    with pytest.raises(LastAdminError):
        change_roles(collection, lead, roles={Role.ANNOTATOR.value, Role.RESEARCHER.value}, actor=lead)
    assert [membership.role for membership in Membership.objects.all()] == ["admin"]
    assert not Annotator.objects.exists()


@pytest.mark.django_db
def test_pseudonym_survives_leaving_and_coming_back() -> None:
    lead, person = make_user(), make_user()
    collection: Collection = make_collection(admin=lead)
    change_roles(collection, person, roles={Role.ANNOTATOR.value}, actor=lead)
    before = Annotator.objects.get()
    remove_member(collection, person, actor=lead)
    change_roles(collection, person, roles={Role.ANNOTATOR.value}, actor=lead)
    assert Annotator.objects.get() == before


@pytest.mark.django_db
def test_a_token_names_its_person_until_revoked_or_closed() -> None:
    person = make_user()
    secret = make_api_token(person, name="x")
    token = token_with(secret)
    assert token is not None
    note_use(token)
    assert token.user == person
    assert person.api_tokens.get().last_used_at is not None
    assert token_with(secret[:-1]) is None
    assert token_with("") is None
    User.objects.update(is_active=False)
    assert token_with(secret) is None
    User.objects.update(is_active=True)
    assert revoke_api_token(person, prefix=secret[:8]) is True
    assert revoke_api_token(person, prefix=secret[:8]) is False
    assert token_with(secret) is None


@pytest.mark.django_db
def test_a_link_of_one_purpose_does_not_serve_the_other() -> None:
    person = make_user()
    with pytest.raises(LinkGoneError):
        use_sign_in_link(make_password_link(person, actor=None, collection=None))
    with pytest.raises(LinkGoneError):
        use_password_link(make_sign_in_link(person), password="x")
    assert not SignInLink.objects.filter(used_at__isnull=False).exists()
