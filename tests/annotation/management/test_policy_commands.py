"""Policies by command."""

import io
import json
from pathlib import Path

import pytest

from annotation.models import AuditEvent, Policy
from annotation.quality.policy import Policy as Parameters
from tests.annotation.worked_campaign import make_worked
from tests.commands import ran
from tests.factories import make_collection

pytestmark = pytest.mark.django_db


def test_a_policy_goes_out_and_in(tmp_path: Path) -> None:
    make_collection("bees")
    shown = ran("policy", "show", "bees", "default")
    file = tmp_path / "mild.json"
    file.write_text(json.dumps({**json.loads(shown.out), "min_gold": 5}))
    assert ran("policy", "store", "bees", "mild", str(file), "--dry-run").out == "would be stored: mild v1\n"
    assert not Policy.objects.exists()
    stored = ran("policy", "store", "bees", "mild", str(file), "--json").facts
    assert (stored["version"], stored["parameters"]["min_gold"], stored["stored"]) == (1, 5, True)
    assert stored["sha256"] == Parameters(min_gold=5).sha256
    assert ran("policy", "store", "bees", "mild", str(file)).out == "stored: mild v1\n"
    assert [row["name"] for row in ran("policy", "list", "bees", "--json").facts] == ["default", "mild"]
    assert list(AuditEvent.objects.values_list("verb", flat=True)) == ["policy stored"]


def test_what_a_file_does_not_name_is_taken_from_another(monkeypatch: pytest.MonkeyPatch) -> None:
    make_collection("bees")
    for data, words in ((b'{"min_gold": 5}', ()), (b'{"min_judgments": 1}', ("--from", "mild"))):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert ran("policy", "store", "bees", "mild", "-", *words).code == 0
    newest = ran("policy", "show", "bees", "mild", "--json").facts
    assert (newest["version"], newest["parameters"]["min_gold"], newest["parameters"]["min_judgments"]) == (2, 5, 1)


@pytest.mark.parametrize(
    "content",
    [
        *("", "[1]", '{"golden": 1}', '{"min_gold": -1}', '{"min_gold": "5"}', '{"consolidation": "dice"}'),
        *('{"min_gold": 5, "min_gold": 6}', "[" * 100_000),
    ],
)
def test_what_is_no_policy_is_refused_on_trial_too(tmp_path: Path, content: str) -> None:
    make_collection("bees")
    file = tmp_path / "policy.json"
    file.write_text(content)
    words = ("policy", "store", "bees", "odd", str(file), "--json")
    tried, done = ran(*words, "--dry-run"), ran(*words)
    assert (tried.code, done.code, tried.error) == (1, 1, done.error)
    assert not Policy.objects.exists()


def test_policies_side_by_side() -> None:
    make_worked(make_collection("bees"))
    compared = ran("policy", "compare", "bees", "--policy", "default", "--rule", "median", "--json").facts
    assert [(row["name"], row["n_kept"] <= row["n_to_decide"]) for row in compared["rows"]] == [
        ("default v1", True),
        ("trial: median", True),
    ]
    assert len(ran("policy", "compare", "bees", "--rule", "median").out.splitlines()) == 1
    make_collection("empty")
    assert ran("policy", "compare", "empty", "--rule", "median").code == 1
    for words in ((), ("--policy", "none"), ("--rule", "median", "--batch", "none")):
        assert ran("policy", "compare", "bees", *words).code == 2
    assert [ran("policy", "show", "bees", name).code for name in ("none", "default v9")] == [2, 2]
