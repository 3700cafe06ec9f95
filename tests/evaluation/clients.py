"""Browsers of people who are signed in."""

from django.test import Client

from annotation.models import Collection, Role, User
from tests.factories import make_member


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def researcher_of(collection: Collection) -> Client:
    return signed_in(make_member(collection, role=Role.RESEARCHER))
