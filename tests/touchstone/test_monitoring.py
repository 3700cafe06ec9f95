"""`/metrics`: off unless a token is set; sums over processes, also over those that have ended; rules that name it."""

import errno
import os
import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from annotation.kernel import counters
from annotation.models import Job
from touchstone import health
from touchstone.monitoring import FAMILIES, count_request

pytestmark = [pytest.mark.django_db, pytest.mark.both("sql")]

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "a token that is long enough"
SAMPLE = re.compile(r'([a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\]|\\.)*",?)*)\})? (\S+)')


@pytest.fixture(autouse=True)
def _token(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.TOUCHSTONE_MONITOR_TOKEN = TOKEN
    settings.TOUCHSTONE_VAR = tmp_path
    monkeypatch.setattr(counters, "_mine", None)
    monkeypatch.setattr(counters, "_failed_at", None)


def asked() -> dict[str, float]:
    answer = Client().get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/plain; version=0.0.4; charset=utf-8")
    samples = {}
    for line in answer.content.decode().splitlines():
        if not line.startswith("#"):
            match = SAMPLE.fullmatch(line)
            assert match, line
            samples[line.rpartition(" ")[0]] = float(match[3])
    return samples


def test_without_a_token_there_is_no_such_page_and_nothing_is_counted(settings: Settings, tmp_path: Path) -> None:
    settings.TOUCHSTONE_MONITOR_TOKEN = ""
    assert Client().get("/metrics", headers={"authorization": "Bearer "}).status_code == 404
    assert not (tmp_path / "metrics").exists()


@pytest.mark.parametrize("sent", ["", "Bearer", "Bearer another", f"bearer {TOKEN}", TOKEN])
def test_another_token_is_refused(sent: str) -> None:
    answer = Client().get("/metrics", headers={"authorization": sent})
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")


def test_it_only_reads() -> None:
    assert Client().post("/metrics").status_code == 405


def test_requests_are_counted_by_pool_and_status() -> None:
    Client().get("/judge/nothing/")
    Client().get("/healthz")
    Client().get("/no-such-page")
    samples = asked()
    assert samples['touchstone_requests_total{pool="judging",status="3xx"}'] == 1
    assert samples['touchstone_requests_total{pool="other",status="2xx"}'] == 1
    assert samples['touchstone_requests_total{pool="other",status="4xx"}'] == 1
    assert samples['touchstone_request_seconds_count{pool="other"}'] == 2


def test_buckets_are_cumulative_and_in_order() -> None:
    for seconds in (0.01, 0.2, 0.2, 99.0):
        count_request("judging", 200, seconds)
    buckets = [(name, n) for name, n in asked().items() if name.startswith("touchstone_request_seconds_bucket")]
    judging = [(name.split('"')[1], n) for name, n in buckets if "judging" in name]
    assert judging[:4] == [("0.05", 1), ("0.1", 1), ("0.15", 1), ("0.25", 3)]
    assert judging[-2:] == [("30", 3), ("+Inf", 4)]
    assert asked()['touchstone_request_seconds_sum{pool="judging"}'] == pytest.approx(99.41)


def test_queue_and_leases() -> None:
    now = timezone.now()
    Job.objects.create(kind="check_import")
    Job.objects.update(created_at=now - timedelta(seconds=100))
    for minutes in (1, 1, -1):
        lease = now + timedelta(minutes=minutes)
        Job.objects.create(kind="make_report", state=Job.State.RUNNING, lease_until=lease)
    samples = asked()
    assert samples['touchstone_jobs{kind="check_import",state="queued"}'] == 1
    assert samples['touchstone_jobs{kind="make_report",state="running"}'] == 3
    assert samples['touchstone_job_leases{lease="live"}'] == 2
    assert samples['touchstone_job_leases{lease="lapsed"}'] == 1
    assert samples["touchstone_queue_seconds"] == pytest.approx(100, abs=5)
    assert samples["touchstone_judgments_total"] == 0


def test_what_readyz_finds_wrong_is_0(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {n for name, n in asked().items() if name.startswith("touchstone_ready")} == {1}
    monkeypatch.setattr(health, "NO_ROOM", 1 << 62)
    assert asked()['touchstone_ready{check="room"}'] == 0


ADD = """
import sys, types
from pathlib import Path
from django.conf import settings
settings.configure(TOUCHSTONE_MONITOR_TOKEN="on", TOUCHSTONE_VAR=Path(sys.argv[1]))
from annotation.kernel import counters
for _ in range(1000):
    counters.add("n", who="all")
print("added", flush=True)
sys.stdin.read()
"""


def test_processes_add_up_and_a_killed_one_loses_nothing(tmp_path: Path) -> None:
    """A process that ended leaves its file to the next one: what is summed never falls, and files are no more."""

    def started() -> "subprocess.Popen[str]":
        command = [sys.executable, "-c", ADD, str(tmp_path)]
        process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "added\n"
        return process

    def end(process: "subprocess.Popen[str]") -> None:
        process.kill()
        process.communicate()

    first, second = started(), started()
    assert counters.totals()["n", (("who", "all"),)] == 2000
    end(first)
    third = started()
    end(second)
    end(third)
    assert counters.totals()["n", (("who", "all"),)] == 3000
    assert len(list((tmp_path / "metrics").iterdir())) == 2


def test_where_there_is_no_more_room_what_is_new_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counters, "ROOM", 4096)
    for n in range(200):
        counters.add("n", each=str(n))
    counters.add("n", each="0")
    assert counters.totals()["n", (("each", "0"),)] == 2
    assert 10 < len(counters.totals()) < 200


def test_a_disk_without_room_fails_no_request_and_is_said_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(counters, "PAUSE", 0.0)  # tried anew with each request
    with monkeypatch.context() as disk:
        disk.setattr(os, "posix_fallocate", full)
        n_open = sum(1 for _ in Path("/proc/self/fd").iterdir())
        for _ in range(3):
            assert Client().get("/healthz").status_code == 200
        assert 'touchstone_requests_total{pool="other",status="2xx"}' not in asked()
        assert sum(1 for _ in Path("/proc/self/fd").iterdir()) == n_open
    assert [record.message for record in caplog.records if record.name == counters.__name__] == [
        "nothing is counted for /metrics: [Errno 28] No space left on device"
    ]
    Client().get("/healthz")
    assert asked()['touchstone_requests_total{pool="other",status="2xx"}'] >= 1


def test_the_room_of_a_file_is_taken_when_it_is_made(tmp_path: Path) -> None:
    """A hole in a mapped file on a full disk would end the process by a signal."""
    counters.add("n")
    (file,) = (tmp_path / "metrics").iterdir()
    assert file.stat().st_blocks * 512 >= counters.ROOM


@pytest.mark.parametrize("content", [b"\xff" * 64, b"\x40" + bytes(7) + b"\x05" + bytes(7) + b"[1,2]" + bytes(40)])
def test_a_broken_file_is_begun_anew_and_read_as_empty(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "metrics").mkdir()
    (tmp_path / "metrics" / "0.counters").write_bytes(content)
    assert counters.totals() == {}
    counters.add("n")
    assert counters.totals() == {("n", ()): 1}


def test_every_alert_names_what_there_is() -> None:
    rules = yaml.safe_load((ROOT / "docs/examples/touchstone.rules.yaml").read_text())
    alerts = [rule for group in rules["groups"] for rule in group["rules"]]
    assert len({rule["alert"] for rule in alerts}) == len(alerts) >= 8
    for rule in alerts:
        names = {re.sub("_(bucket|sum|count)$", "", name) for name in re.findall(r"touchstone_\w+", rule["expr"])}
        assert names, rule["alert"]
        assert names <= FAMILIES.keys(), rule["alert"]
        assert rule["annotations"]["summary"]
        assert rule["labels"]["severity"] in {"page", "ticket"}
    checks = {word for rule in alerts for word in re.findall(r'check[!=~]+"([^"]+)"', rule["expr"])}
    assert {each for word in checks for each in word.split("|")} <= health.CHECKS.keys()


def test_every_metric_has_its_row() -> None:
    page = (ROOT / "docs/deployment.md").read_text("utf-8")
    assert [name for name in FAMILIES if f"`{name}`" not in page] == []
