"""Judging knows nothing of gold: the statements by which its pages are answered. See also test_blindness."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, reverse
from django.utils import timezone

from annotation.batches.steps.batches import open_batch
from annotation.batches.steps.layout import lay_out
from annotation.corpus.steps.guidelines import revise_guideline
from annotation.gold.read.due_feedback import due_assignments
from annotation.gold.steps.feedback import sweep_feedback
from annotation.judging.steps.claiming import claim_next
from annotation.judging.steps.desk import desk_of
from annotation.judging.steps.grading import record_judgment
from annotation.judging.urls import _desk, urlpatterns
from annotation.kernel.jobs import claim_job, run_job
from annotation.models import (
    Appeal,
    Assignment,
    Collection,
    Feedback,
    GoldEvent,
    GuidelineVersion,
    Judgment,
    Participation,
    Planting,
    QualificationAnswer,
    Role,
)
from annotation.people.steps.information import revise_information
from tests.annotation.callers import send
from tests.annotation.campaign import make_campaign
from tests.annotation.qualified import make_round
from tests.factories import make_batch, make_member

pytestmark = [pytest.mark.django_db, pytest.mark.both("sql")]

GOLD_MODULES = {GoldEvent.__module__, Planting.__module__}
GOLD_TABLES = [model._meta.db_table for model in apps.get_models() if model.__module__ in GOLD_MODULES]
TWO_HOURS = timedelta(hours=2)
SCRIPT = {"X-Judge": "", "X-Judge-Page": "page1"}


@dataclass
class Visitor:
    """A signed-in person whose visits note the statements behind each address."""

    client: Client
    sql_by_address: dict[str, str] = field(default_factory=dict)

    def get(self, name: str, *args: str, **data: str) -> Any:
        return self._visit("get", name, args, data)

    def post(self, name: str, *args: str, **data: str) -> Any:
        return self._visit("post", name, args, data)

    def call(self, method: str, name: str, *args: str, **body: Any) -> Any:
        """As a program of theirs."""
        address = reverse(name, args=args)
        with CaptureQueriesContext(connection) as statements:
            answer = self.client.get(address, body) if method == "get" else send(self.client, method, address, body)
        assert answer.status_code in (200, 201, 204), (name, answer.content)
        self._note(name, statements)
        return answer.json() if answer.content else None

    def _visit(self, method: str, name: str, args: tuple[str, ...], data: dict[str, str]) -> Any:
        headers = SCRIPT if name.startswith("judge_") and method == "post" else {}
        with CaptureQueriesContext(connection) as statements:
            answer = getattr(self.client, method)(reverse(name, args=args), data, headers=headers)
        assert answer.status_code in (200, 204, 302), (name, answer.status_code)
        self._note(name, statements)
        return answer

    def _note(self, name: str, statements: CaptureQueriesContext) -> None:
        sql = "\n".join(each["sql"] for each in statements)
        self.sql_by_address[name] = self.sql_by_address.get(name, "") + sql

    def addresses_that_name(self, *tables: str) -> set[str]:
        return {name for name, sql in self.sql_by_address.items() if any(f'"{table}"' in sql for table in tables)}


def test_no_address_of_judging_reads_a_table_of_gold() -> None:
    participation = judged_in_part()
    visitor = Visitor(Client())
    assert participation.annotator.user is not None
    visitor.client.force_login(participation.annotator.user)
    judge_cards(visitor, participation)
    read_own_work(visitor, participation)
    pass_gates(visitor, participation)
    judge_by_program(visitor, participation)
    read_own_work_by_program(visitor, participation)
    pass_gates_by_program(visitor, participation)
    names = {pattern.name for pattern in (*_desk, *urlpatterns) if isinstance(pattern, URLPattern)}
    assert set(visitor.sql_by_address) == names, "an address without a visit"
    assert visitor.addresses_that_name(*GOLD_TABLES) == set()
    for model, address in (
        (Judgment, "judge_grade"),
        (Feedback, "own_results"),
        (Appeal, "own_object"),
        (QualificationAnswer, "judge_qualify_pair"),
        (Judgment, "api_judge_grade"),
        (Feedback, "api_own_results"),
        (Appeal, "api_own_object"),
        (QualificationAnswer, "api_judge_qualify_pair"),
    ):
        assert address in visitor.addresses_that_name(model._meta.db_table), "the statements were not captured"


def test_a_page_that_reads_gold_is_noticed() -> None:
    """The admin's list of gold, visited in the same way."""
    participation = judged_in_part()
    collection = participation.batch.collection
    admin = make_member(collection, role=Role.ADMIN)
    visitor = Visitor(Client())
    visitor.client.force_login(admin)
    visitor.get("gold", collection.slug)
    assert visitor.addresses_that_name(GoldEvent._meta.db_table) == {"gold"}


def judged_in_part() -> Participation:
    """A person with work left, in a laid-out batch with gold: some feedback was given, more is due."""
    campaign = make_campaign(n_topics=2, n_people=3)
    new_guideline(campaign.collection, "The first")
    batch = campaign.draft(gold_share=0.3, feedback="delayed", feedback_hours=1, session_minutes=0, minimum_seconds=0)
    lay_out(batch, actor=None)
    open_batch(batch, actor=None)
    participation = batch.participations.select_related("annotator__user", "batch__collection").earliest("pk")
    judge_some(participation)
    sweep_feedback(moment=timezone.now())
    while run := claim_job():
        run_job(run)
    judge_some(participation)
    assert Feedback.objects.filter(annotator=participation.annotator).exists()
    assert due_assignments(batch, moment=timezone.now()).exists()
    return participation


def new_guideline(collection: Collection, introduction: str) -> GuidelineVersion:
    return revise_guideline(collection, introduction=introduction, examples="", edge_cases="", cases=(), actor=None)


def judge_some(participation: Participation) -> None:
    moment = timezone.now() - TWO_HOURS
    for _ in range(8):
        card = claim_next(participation, moment=moment)
        assert card is not None
        record_judgment(participation, token=card.token, grade=2, moment=moment)


def judge_cards(visitor: Visitor, participation: Participation) -> None:
    batch = participation.batch.token

    def card(at: int = 0) -> str:
        participation.refresh_from_db()
        return desk_of(participation, moment=timezone.now()).cards[at].token

    visitor.post("judge_start", batch)
    visitor.get("judge", batch)
    visitor.get("judge_document", batch, token=card(), view="whole")
    visitor.post("judge_choices", batch, reading="whole")
    visitor.post("judge_terms", batch, token=card(), words="swift")
    visitor.post("judge_heartbeat", batch, token=card())
    visitor.post("judge_grade", batch, token=card(), grade="3")
    visitor.post("judge_later", batch, token=card())
    visitor.post("judge_skip", batch, token=card(), reason=Assignment.SkipReason.values[0])
    visitor.get("judge_recent", batch)
    visitor.post("judge_undo", batch)
    visitor.get("judge", batch)
    visitor.post("judge_keep", batch)
    visitor.post("judge_release", batch, token=card(1), page="page1")
    visitor.get("judge_keys")
    visitor.post("judge_keys", reset="1")


def read_own_work(visitor: Visitor, participation: Participation) -> None:
    batch = participation.batch.token
    wrong = [row for row in Feedback.objects.filter(batch=participation.batch) if 2 not in row.accepted]
    result = Judgment.objects.get(assignment=wrong[0].assignment_id).token
    visitor.get("own_work")
    visitor.get("own_results", batch)
    visitor.get("own_result", batch, result)
    visitor.post("own_object", batch, result, reason="It names a bird.")
    visitor.get("own_result", batch, result)
    visitor.post("own_results_read", batch)
    assert Appeal.objects.exists()


def pass_gates(visitor: Visitor, participation: Participation) -> None:
    """Another batch, with a text to agree to, a qualification round and a changed guideline."""
    collection = participation.batch.collection
    information = revise_information(collection, text="What is kept of you", based_on=0, actor=None)
    batch = make_batch(
        collection, [participation.annotator], information=information, qualification=make_round(collection)
    ).token
    guideline = new_guideline(collection, "The second")
    visitor.get("judge", batch)
    visitor.post("judge_decline", batch)
    visitor.post("judge_consent", batch, number=str(information.number))
    visitor.get("judge", batch)
    visitor.post("judge_qualify_begin", batch)
    for grade in ("0", "3", "4"):
        item = visitor.get("judge_qualify", batch).context["item"].token
        visitor.post("judge_qualify_pair", batch, item, grade=grade)
        visitor.get("judge_qualify_pair", batch, item)
    visitor.get("judge_qualify", batch)
    visitor.get("judge", batch)
    visitor.post("judge_acknowledge", batch, number=str(guideline.number))
    assert visitor.get("judge", batch).context["card"] is not None


def judge_by_program(visitor: Visitor, participation: Participation) -> None:
    batch = participation.batch.token

    def deed(name: str, **body: object) -> Any:
        return visitor.call("post", f"api_judge_{name}", batch, **body)

    ahead = {"ahead": True, "page": "page2"}
    visitor.call("get", "api_judging")
    cards = deed("next", **ahead)["cards"]
    visitor.call("get", "api_judge", batch)
    for name in ("document", "guideline"):
        visitor.call("get", f"api_judge_{name}", batch, token=cards[0]["token"])
    deed("terms", token=cards[0]["token"], words=["bird"])
    deed("heartbeat", token=cards[0]["token"])
    deed("release", token=cards[1]["token"], page="page2")
    cards = deed("grade", token=cards[0]["token"], grade=3, **ahead)["cards"]
    cards = deed("later", token=cards[0]["token"])["cards"]
    deed("skip", token=cards[0]["token"], reason=Assignment.SkipReason.values[0])
    visitor.call("get", "api_judge_recent", batch)
    deed("undo")
    deed("keep")
    visitor.call("get", "api_judge_choices")
    visitor.call("patch", "api_judge_choices", marks=False)


def read_own_work_by_program(visitor: Visitor, participation: Participation) -> None:
    batch = participation.batch.token
    Appeal.objects.all().delete()  # else there is nothing left to object to
    visitor.call("get", "api_own_work")
    rows = visitor.call("get", "api_own_results", batch)["results"]
    result = next(row["result"] for row in rows if row["can_object"])
    visitor.call("get", "api_own_result", batch, result)
    visitor.call("post", "api_own_object", batch, result, reason="It names a bird.")
    visitor.call("post", "api_own_results_read", batch)


def pass_gates_by_program(visitor: Visitor, participation: Participation) -> None:
    collection = participation.batch.collection
    information = revise_information(collection, text="What else is kept", based_on=1, actor=None)
    qualification = make_round(collection, name="Further", prefix="f")
    batch = make_batch(
        collection, [participation.annotator], information=information, qualification=qualification
    ).token
    guideline = new_guideline(collection, "The third")
    visitor.call("get", "api_judge_information", batch)
    visitor.call("post", "api_judge_decline", batch)
    visitor.call("post", "api_judge_consent", batch, number=information.number)
    visitor.call("post", "api_judge_qualify_begin", batch)
    for grade in (0, 3, 4):
        item = visitor.call("get", "api_judge_qualify", batch)["pair"]["item"]
        visitor.call("post", "api_judge_qualify_pair", batch, item, grade=grade)
        visitor.call("get", "api_judge_qualify_pair", batch, item)
    visitor.call("get", "api_judge_guideline", batch)
    answer = visitor.call("post", "api_judge_acknowledge", batch, number=guideline.number)
    assert answer["state"] == "card"
