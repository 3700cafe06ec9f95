"""Every value that NIST published of 25 runs of a real track, as the leaderboard shows it."""

import csv
import gzip
import io
from pathlib import Path

import pytest
from django.urls import reverse

from annotation.kernel.jobs import claim_job, run_job
from annotation.models import Role
from tests.evaluation.clients import signed_in
from tests.factories import make_collection, make_member, make_run, make_snapshot, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.shared]

OURS = {  # trec_eval's name, and ours at its level of relevance; nDCG takes grades as they are at any level
    "recip_rank": "RR{}", "P_10": "P{}@10", "P_100": "P{}@100", "recall_10": "R{}@10", "recall_100": "R{}@100",
    "ndcg_cut_10": "nDCG@10", "ndcg_cut_100": "nDCG@100",
}  # fmt: skip


def our_name(measure: str, level: str) -> str:
    return OURS[measure].format("" if level == "1" else f"(rel={level})")


def test_all_published_values_stand_on_the_leaderboard(shared_data: Path) -> None:
    folder = shared_data / "dl19"
    with (folder / "nist_official.tsv").open() as stream:
        published = {
            (row["run"], our_name(row["measure"], row["level"])): row["value"]
            for row in csv.DictReader(stream, delimiter="\t")
        }
    collection = make_collection(admin=make_user())
    make_snapshot(collection, (folder / "qrels.txt").read_text("utf-8"), name="nist")
    runs = [
        make_run(collection, gzip.decompress(file.read_bytes()).decode())
        for file in sorted((folder / "runs").iterdir())
    ]
    client = signed_in(make_member(collection, role=Role.RESEARCHER))
    names = sorted({name for _, name in published})
    asked = {
        "snapshot": "nist",
        "averaging": "complete",
        "runs": [run.tag for run in runs],
        "measures": " ".join(names),
    }
    assert client.post(reverse("leaderboard_evaluate", args=[collection.slug]), asked).status_code == 302
    job = claim_job()
    assert job is not None
    assert run_job(job).state == "done"
    address = reverse("leaderboard", args=[collection.slug])
    board = client.get(address, {"measure": names}).context["board"]
    heads = [column.name for column in board.heads]
    seen = {(row.tag, name): cells[heads.index(name)][1].text for row, cells in board.lines for name in names}
    rows = csv.DictReader(io.StringIO(client.get(address, {"measure": names, "form": "csv"}).content.decode()))
    in_file = {(row["run"], name): row[name] for row in rows for name in names}
    # a level that changes nothing is published twice: 350 values of 12 measures of ours
    assert (len(runs), len(published)) == (25, 25 * len(names))
    assert seen == in_file == published
