"""What a page must be whatever it shows: accessible, free of inline code, as wide as its window."""

import os
import re
from collections.abc import Sequence
from pathlib import Path

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import APIResponse, Page, Response

INLINE = re.compile(
    r"<style|\sstyle=|\son\w+=|<script(?![^>]*\bsrc=)(?![^>]*type=\"application/json\")|javascript:", re.IGNORECASE
)
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "font-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}


def barriers(page: Page, *rules: str, without: Sequence[str] = ()) -> list[str]:
    """What axe finds, by its usual rules, by these or by all but some, as `rule: where`.

    What passes stays in the page: to send it costs more than to look. No style sheet or film is fetched anew: of what
    is asked, that serves films alone, and there are none.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    options: dict[str, object] = {
        "resultTypes": ["violations"],
        "preload": False,
        "rules": {rule: {"enabled": False} for rule in without},
    }
    if rules:
        options["runOnly"] = list(rules)
    violations = page.evaluate("options => axe.run(options).then(results => results.violations)", options)
    return [f"{rule['id']}: {node['target']} {node['failureSummary']}" for rule in violations for node in rule["nodes"]]


def policy_of(response: APIResponse | Response) -> dict[str, str]:
    """The Content-Security-Policy, by directive."""
    header = response.headers.get("content-security-policy", "")
    parts = [part.strip().partition(" ") for part in header.split(";") if part.strip()]
    return {name: value for name, _, value in parts}


def inline_code(response: APIResponse | Response) -> list[str]:
    """Scripts, styles and event attributes in the HTML as it was received."""
    return INLINE.findall(response.text())


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    width: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return width


def shoot(page: Page, name: str) -> None:
    """Leave screenshots in light and dark where TOUCHSTONE_SHOTS says; none without it."""
    folder = os.environ.get("TOUCHSTONE_SHOTS")
    if not folder:
        return
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.screenshot(path=Path(folder) / f"{name}-{scheme}.png")
    page.emulate_media()
