"""The people of an access test: those with a role, the outsider and the anonymous visitor."""

from dataclasses import dataclass

from django.test import Client

from annotation.models import Collection, Role, User
from tests.factories import make_annotator, make_collection, make_member, make_user

WHO = ("admin", "researcher", "annotator", "outsider", "anonymous")


@dataclass(frozen=True)
class People:
    collection: Collection
    admin: User
    researcher: User
    annotator: User
    outsider: User

    def client(self, who: str) -> Client:
        client = Client()
        if who != "anonymous":
            client.force_login(getattr(self, who))
        return client

    def statuses(self, address: str, method: str = "get") -> dict[str, int]:
        """What each of them is answered."""
        return {who: getattr(self.client(who), method)(address).status_code for who in WHO}


def make_people(slug: str = "bees") -> People:
    admin = make_user("lead")
    collection = make_collection(slug, admin=admin)
    researcher = make_member(collection, make_user("researcher"), Role.RESEARCHER)
    annotator = make_annotator(collection, make_user("annotator"), "A-ONE").user
    assert annotator is not None
    other = make_collection(admin=make_user("elsewhere"))
    outsider = make_member(other, make_user("outsider"), Role.ADMIN)
    return People(collection, admin, researcher, annotator, outsider)


ADMINS_ONLY = {"admin": 200, "researcher": 403, "annotator": 403, "outsider": 404, "anonymous": 302}
RESEARCH_ONLY = {"admin": 200, "researcher": 200, "annotator": 403, "outsider": 404, "anonymous": 302}
MEMBERS_ONLY = {"admin": 200, "researcher": 200, "annotator": 200, "outsider": 404, "anonymous": 302}
