"""A new password ends what the old one opened."""

import pytest

from annotation.kernel.api_tokens import api_tokens_of, make_api_token, token_with
from annotation.models import AuditEvent
from annotation.people.steps.accounts import make_password_link, set_password, use_password_link
from tests.factories import make_user

pytestmark = pytest.mark.django_db
NEW = "another horse battery"


@pytest.mark.parametrize("by_link", [False, True])
def test_api_tokens_end_with_the_password(by_link: bool) -> None:
    person, other = make_user(), make_user()
    secrets = [make_api_token(person, name=name) for name in ("one", "two")]
    kept = make_api_token(other, name="theirs")
    if by_link:
        use_password_link(make_password_link(person, actor=None, collection=None), password=NEW)
    else:
        set_password(person, password=NEW)
    tokens = [token_with(secret) for secret in [*secrets, kept]]
    assert [token and token.user for token in tokens] == [None, None, other]
    assert all(token.revoked_at for token in api_tokens_of(person))
    assert AuditEvent.objects.filter(actor=person, verb="API token revoked").count() == 2
    new = token_with(make_api_token(person, name="new"))
    assert (new and new.user) == person
