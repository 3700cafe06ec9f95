"""What Mozilla's HTTP Observatory gives a sign-in page, by its published rules, served over HTTPS with collected files.

https://developer.mozilla.org/en-US/observatory/docs/tests_and_scoring: 100 to begin with, modifiers for what each test
finds; bonuses count from 90 on.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.migrated import migrated_database

ROOT = Path(__file__).resolve().parents[2]
WANTED = 130
ASK = """
import json, django
django.setup()
from django.core.management import call_command
from django.test import Client
call_command("collectstatic", interactive=False, verbosity=0)
answer = Client(headers={"host": "judge.example.org"}).get("/login", secure=True)
cookies = [morsel.OutputString() for morsel in answer.cookies.values()]
print(json.dumps({"headers": dict(answer.headers), "cookies": cookies, "page": answer.content.decode()}))
"""


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    var = tmp_path_factory.mktemp("observatory")
    shutil.copyfile(migrated_database(), var / "touchstone.sqlite3")
    outside = {name: value for name, value in os.environ.items() if not name.startswith("TOUCHSTONE_")}
    environment = {
        **outside,
        "DATABASE_URL": "",
        "DJANGO_SETTINGS_MODULE": "touchstone.settings",
        "TOUCHSTONE_VAR": str(var),
        "TOUCHSTONE_HTTPS": "on",
        "TOUCHSTONE_PROXIES": "1",
        "TOUCHSTONE_ALLOWED_HOSTS": "judge.example.org",
    }
    done = subprocess.run([sys.executable, "-c", ASK], cwd=ROOT, env=environment, check=True, capture_output=True)
    content: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return content


def policy(headers: Mapping[str, str]) -> dict[str, list[str]]:
    parts = (part.split() for part in headers["Content-Security-Policy"].split(";"))
    return {name: values for name, *values in filter(None, parts)}


def csp(headers: Mapping[str, str], _page: str, _cookies: list[str]) -> int:
    rules = policy(headers)
    if any("'unsafe" in value for values in rules.values() for value in values):
        return -20
    return 10 if rules["default-src"] == ["'none'"] else 5


def cookies(_headers: Mapping[str, str], _page: str, all_cookies: list[str]) -> int:
    safe = all("secure" in cookie.lower() and "samesite" in cookie.lower() for cookie in all_cookies)
    return 5 if safe and all_cookies else -20 if all_cookies else 0


def framing(headers: Mapping[str, str], _page: str, _cookies: list[str]) -> int:
    return 5 if policy(headers).get("frame-ancestors") == ["'none'"] else 0


def referrer(headers: Mapping[str, str], _page: str, _cookies: list[str]) -> int:
    private = ("no-referrer", "same-origin", "strict-origin", "strict-origin-when-cross-origin")
    return 5 if headers["Referrer-Policy"] in private else 0


def transport(headers: Mapping[str, str], _page: str, _cookies: list[str]) -> int:
    age = re.search(r"max-age=(\d+)", headers["Strict-Transport-Security"])
    return 0 if age and int(age[1]) >= 15_768_000 else -10


def sniffing(headers: Mapping[str, str], _page: str, _cookies: list[str]) -> int:
    return 0 if headers["X-Content-Type-Options"] == "nosniff" else -5


def integrity(_headers: Mapping[str, str], page: str, _cookies: list[str]) -> int:
    scripts = re.findall(r"<script\b[^>]*>", page)
    return 5 if scripts and all(' integrity="sha384-' in script for script in scripts) else 0


TESTS: tuple[Callable[[Mapping[str, str], str, list[str]], int], ...] = (
    *(csp, cookies, framing, referrer, transport, sniffing, integrity),
)


def test_the_score(answer: dict[str, object]) -> None:
    headers, page, all_cookies = answer["headers"], answer["page"], answer["cookies"]
    assert isinstance(headers, dict)
    assert isinstance(page, str)
    assert isinstance(all_cookies, list)
    modifiers = {test.__name__: test(headers, page, all_cookies) for test in TESTS}
    penalties = 100 + sum(n for n in modifiers.values() if n < 0)
    bonuses = sum(n for n in modifiers.values() if n > 0)
    assert penalties + (bonuses if penalties >= 90 else 0) >= WANTED, modifiers


def test_styles_have_their_hash_too(answer: dict[str, object]) -> None:
    links = re.findall(r'<link rel="stylesheet"[^>]*>', str(answer["page"]))
    assert links
    assert [link for link in links if ' integrity="sha384-' not in link] == []
