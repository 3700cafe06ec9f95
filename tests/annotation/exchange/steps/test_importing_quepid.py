"""Ratings of Quepid find the topic of their query; durations are stored; what goes out for Quepid comes in again."""

import pytest

from annotation.exchange.read.exports import outgoing_qrels
from annotation.models import Judgment, Topic
from tests.annotation.exchange.steps.import_work import stored
from tests.factories import make_collection, make_snapshot, make_topic

pytestmark = pytest.mark.django_db


def test_a_query_is_the_topic_of_its_title() -> None:
    collection = make_collection()
    make_topic(collection, "301", title="supersonic  wings")
    make_topic(collection, "302", title="bees")
    make_topic(collection, "303", title="bees")
    record = stored(collection, "judgments", "query,docid,rating\nsupersonic wings,a,3\nbees,a,1\nnew one,b,0\n")
    assert record.state == "published", record.problems
    assert set(Judgment.objects.values_list("topic__number", "grade")) == {("301", 3), ("bees", 1), ("new_one", 0)}
    assert Topic.objects.count() == 5


def test_durations_are_stored() -> None:
    header = "number,docno,annotator,grade,criterion,batch,revision,reading,active_ms,wall_ms,created_at\n"
    own = stored(make_collection(), "judgments", header + "1,a,w,2,relevance,b,1,1,800,900,2024-05-01T10:00:00Z\n")
    other = stored(make_collection(), "judgments", "query,docno,annotator,grade,seconds\n1,a,w,2,1.5\n1,b,w,2,\n")
    assert (own.state, other.state) == ("published", "published")
    times = list(Judgment.objects.order_by("pk").values_list("active_ms", "wall_ms"))
    assert times == [(800, 900), (None, 1500), (None, None)]
    assert dict(map(tuple, other.preview["counts"]))["With a duration"] == 1


def test_qrels_for_quepid() -> None:
    collection = make_collection()
    make_topic(collection, "301", title="supersonic wings")
    snapshot = make_snapshot(collection, "301 0 a 3\n301 0 b -1\n302 0 c 0\n")
    text = b"".join(outgoing_qrels(snapshot, "quepid").pieces).decode()
    assert text.splitlines() == ["query,docid,rating", "supersonic wings,a,3", "302,c,0"]
