"""`manage.py accounting`: the figures of the pages, and what it refuses."""

import csv
import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError

from evaluation.formats.accounting import of_object
from evaluation.models import Accounting
from tests.evaluation.accounted import account, make_accountable
from tests.evaluation.management.calling import called

pytestmark = pytest.mark.django_db


def test_a_snapshot_as_the_page_has_it(tmp_path: Path) -> None:
    campaign = make_accountable()
    slug = campaign.worked.collection.slug
    account(campaign, measures=["AP", "P@2"])
    asked = [slug, "--snapshot", "first", "--k", "3", "-m", "AP", "-m", "P@2"]
    result = of_object(json.loads(called("accounting", *asked, "--format", "json")[0]))
    assert result == of_object(Accounting.objects.get().result)
    table, _ = called("accounting", *asked, "--output", tmp_path / "table")
    assert table == ""
    lines = (tmp_path / "table").read_text().splitlines()
    assert lines[0].startswith("By 2 of 2 measures (AP, P@2) runs change places, but none")
    assert "plain  0.4167  0.4167  0.1667   0.1667" in lines
    with pytest.raises(CommandError, match="--force"):
        called("accounting", *asked, "--output", tmp_path / "table")


def test_policies_and_rules_side_by_side() -> None:
    campaign = make_accountable()
    slug = campaign.worked.collection.slug
    asked = [slug, "--policy", "default", "--rule", "median", "--batch", "first", "--run", "keen", "--run", "plain"]
    text, _ = called("accounting", *asked, "-m", "AP", "--format", "orders")
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["before"], row["after"], row["pairs"], row["swapped"]) == ("default v1", "trial: median", "1", "1")
    assert not Accounting.objects.exists()


REFUSED = [
    (["--snapshot", "nothing"], "no snapshot nothing"),
    (["--snapshot", "first", "--run", "nobody"], "no run nobody"),
    (["--snapshot", "first", "--rule", "median"], "not both"),
    (["--snapshot", "first", "-m", "Judged@10"], "more is not better"),
    (["--snapshot", "first", "--k", "0"], "at least 1"),
    (["--policy", "default"], "two policies or rules"),
    (["--policy", "nothing", "--rule", "median"], "no policy nothing"),
    (["--rule", "mean", "--rule", "median", "--batch", "nothing"], "no batch nothing"),
]


def test_what_cannot_be_done_is_said() -> None:
    campaign = make_accountable()
    for asked, reason in REFUSED:
        with pytest.raises(CommandError, match=reason) as refused:
            called("accounting", campaign.worked.collection.slug, *asked)
        assert refused.value.returncode == 2


def test_an_unknown_collection_is_said() -> None:
    with pytest.raises(CommandError, match="no collection nowhere"):
        called("accounting", "nowhere", "--snapshot", "first")
