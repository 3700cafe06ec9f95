"""Programs that call the API: one for each of the people of an access test, and one without a token."""

from typing import Any

from django.test import Client

from annotation.kernel.api_tokens import make_api_token
from annotation.models import User
from tests.annotation.against_schema import deviations
from tests.annotation.roles import WHO, People

MEMBERS = {"admin": 200, "researcher": 200, "annotator": 200, "outsider": 200, "anonymous": 401}
RESEARCH = {"admin": 200, "researcher": 200, "annotator": 403, "outsider": 404, "anonymous": 401}


class Program(Client):
    """A client of the API; every answer that it gets is as the schema has it."""

    def request(self, **request: Any) -> Any:
        answer = super().request(**request)
        faults = deviations(request["PATH_INFO"], request["REQUEST_METHOD"], answer)
        if faults:
            raise AssertionError("\n".join(faults))
        return answer


def bearer(secret: str) -> Client:
    return Program(headers={"Authorization": f"Bearer {secret}"})


def caller(person: User, scope: str = "admin") -> Client:
    return bearer(make_api_token(person, name="a program", scope=scope))


def callers(people: People) -> dict[str, Client]:
    return {who: Program() if who == "anonymous" else caller(getattr(people, who)) for who in WHO}


def statuses(people: People, address: str, method: str = "get") -> dict[str, int]:
    """What each of them is answered."""
    return {who: getattr(client, method)(address).status_code for who, client in callers(people).items()}


def send(client: Client, method: str, address: str, body: object = None) -> Any:
    """A request with JSON, as programs send it."""
    return getattr(client, method)(address, {} if body is None else body, content_type="application/json")
