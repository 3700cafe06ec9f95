"""Pairs sent to those who decide."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.kernel.commands.base import RefusedError
from annotation.models import AuditEvent, Collection, SentPair
from tests.annotation.roles import ADMINS_ONLY, make_people
from tests.annotation.worked_campaign import make_worked

pytestmark = pytest.mark.django_db
QUEUE, PAIR = "/c/bees/quality/contested/", "/c/bees/quality/pair"
SEND = QUEUE + "send"


def key_of(docno: str) -> str:
    return json.dumps(["g" if docno.startswith("G") else "1", docno])


def test_pairs_of_the_list_are_sent_with_a_reason_and_wait_until_somebody_decides() -> None:
    people = make_people()
    worked, client = make_worked(people.collection), people.client("admin")
    worked.fill()
    worked.add_item("checked", planted="check")
    worked.judge("checked", "Amber", 0)
    keys = [key_of(docno) for docno in ("d2", "d4", "G00", "checked", "nowhere")]
    assert people.statuses(SEND, "post") == {**ADMINS_ONLY, "admin": 302}
    asked = client.post(SEND, {"pair": keys, "which": "ticked"})
    assert [docno for _, docno in asked.context["sending"].sent] == ["d2", "d4"]
    assert asked.context["sending"].unfit == 3
    assert client.post(SEND, {"pair": keys, "reason": " "}).status_code == 422
    answer = client.post(SEND, {"pair": keys, "reason": "Read in two ways"}, follow=True)
    assert "2 pairs sent to adjudication; 3 with nothing to decide: gold, an attention check" in answer.text
    first, second = client.get(QUEUE).context["page_obj"][:2]
    assert (first.docno, first.why, first.sender) == ("d4", ["too few reliable judgments", "sent"], "lead")
    assert (second.docno, second.why, second.because) == ("d2", ["sent"], "Read in two ways")
    again = client.post(SEND, {"pair": keys[:1], "reason": "For another reason"}, follow=True)
    assert "0 pairs sent to adjudication; 1 sent before." in again.text
    assert SentPair.objects.filter(reason="Read in two ways", decided_at=None).count() == SentPair.objects.count() == 2
    assert "Read in two ways" not in client.get(f"{PAIR}?number=1&docno=d2").text, (
        "nothing is said before the own grade"
    )
    client.post(f"{PAIR}/blind?number=1&docno=d2", {"grade": 2})
    client.post(f"{PAIR}?number=1&docno=d2", {"grade": 1, "reason": "So", "based_on": 0})
    assert [row.docno for row in client.get(QUEUE + "?reason=sent").context["page_obj"]] == ["d4"]
    assert "1 decided already" in client.post(SEND, {"pair": keys[:1], "reason": "Again"}, follow=True).text
    chosen = client.post(SEND + "?q=d5", {"which": "all", "reason": "Too few"}, follow=True)
    assert "1 pair sent to adjudication." in chosen.text
    assert AuditEvent.objects.filter(verb="pairs sent to adjudication").count() == 2


def test_a_file_of_pairs_is_sent_by_command(tmp_path: Path) -> None:
    make_people()
    worked = make_worked(Collection.objects.get(slug="bees"))
    worked.fill()
    file, output = tmp_path / "pairs.txt", io.StringIO()
    asked = ("adjudicate", "send", "bees", "--file", str(file), "--reason", "Read in two ways", "--json")
    file.write_text("1 d2\n1\n")
    with pytest.raises(RefusedError) as refusal:
        call_command(*asked, stdout=output)
    assert [(each.file, each.line) for each in refusal.value.problems] == [("pairs.txt", 2)]
    assert not SentPair.objects.exists()
    file.write_text("1 d2\n1 nowhere\n")
    call_command(*asked, stdout=output)
    answer = json.loads(output.getvalue())
    assert (answer["sent"], answer["unfit"]) == (1, 1)
