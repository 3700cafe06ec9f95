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

TALLEST = 2500  # px of a page, 1280 px wide
CONTRAST = "color-contrast"
TARGETS = "target-size"  # WCAG 2.5.8, which axe leaves out unless asked
# The look of a text: its colours, size and weight, and all that is painted behind it, up to the page.
LOOK = """async ([options, known]) => {
    const always = {preload: false, resultTypes: ["violations"]}
    const plain = rules => rules.map(({id, nodes}) => ({
        id, nodes: nodes.map(({target, failureSummary}) => ({target, failureSummary}))}))
    if (known === null) return [plain((await axe.run({...always, ...options})).violations), []]
    const rules = {...options.rules, "color-contrast": {enabled: false}}
    const others = (await axe.run({...always, ...options, rules})).violations

    const looks = new Map(), behind = new Map([[null, ""]])
    const painted = element => {
        if (!behind.has(element)) {
            const style = getComputedStyle(element)
            const own = [style.backgroundColor, style.backgroundImage, style.opacity, style.filter, style.mixBlendMode]
            behind.set(element, painted(element.parentElement) + "/" + own.join())
        }
        return behind.get(element)
    }
    const hasText = element => [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim())
    for (const element of document.querySelectorAll("body *")) {
        if (!hasText(element) && !element.matches("input, select, textarea")) continue
        const style = getComputedStyle(element)
        const own = [style.color, style.fontSize, style.fontWeight, style.textShadow, style.webkitTextFillColor]
        looks.set(element, own.join() + painted(element).replace(PLAIN, ""))
    }
    const passed = new Set(known)
    const include = [...looks.keys()].filter(element => !passed.has(looks.get(element)))
    if (!include.length) return [plain(others), []]
    const contrast = {...always, resultTypes: ["violations", "passes"], runOnly: ["color-contrast"], elementRef: true}
    const results = await axe.run({include}, contrast)
    const elements = results.passes.flatMap(rule => rule.nodes.map(node => node.element))
    const new_ones = new Set(elements.map(element => looks.get(element)).filter(Boolean))
    return [plain([...others, ...results.violations]), [...new_ones]]
}""".replace("PLAIN", r"/\/rgba\(0, 0, 0, 0\),none,1,none,normal/g")
SIDEWAYS = """() => {
    const folded = [...document.querySelectorAll("details:not([open])")]
    folded.forEach(details => { details.open = true })
    const isWide = each => each.clientWidth && each.scrollWidth > each.clientWidth + 1
        && ["auto", "scroll"].includes(getComputedStyle(each).overflowX)
    const nameOf = each => each.id || each.getAttribute("aria-labelledby") || each.className
    const names = [...document.querySelectorAll("main *")].filter(isWide).map(each =>
        `${nameOf(each)}: ${each.scrollWidth} of ${each.clientWidth}`)
    folded.forEach(details => { details.open = false })
    return names
}"""
# Of a table that is not drawn as blocks on a phone: heads of rows that go out of sight with the other columns.
PASSING = """() => [...document.querySelectorAll("main .table-scroll > table:not(.stacked) tbody th:first-child")]
    .filter(head => getComputedStyle(head).position !== "sticky").map(head => head.textContent.trim())"""
# Told to each document before its own scripts: by how much what is seen has moved without anybody's doing.
WATCH_SHIFTS = """
window.shifts = 0;
new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
}).observe({type: "layout-shift", buffered: true});
"""
LARGEST_SHIFT = 0.02
_passed = set[str]()  # looks


def barriers(page: Page, *rules: str, without: Sequence[str] = ()) -> list[str]:
    """What axe finds, by its usual rules, by these or by all but some, as `rule: where`.

    What passes stays in the page: to send it costs more than to look. No style sheet or film is fetched anew: of what
    is asked, that serves films alone, and there are none. Contrast takes more than half of axe's time: of text that
    looks like text whose contrast has passed, on this page or on one before, it is not asked again.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    chosen = {TARGETS: {"enabled": True}, **{rule: {"enabled": False} for rule in without}}
    options: dict[str, object] = {"rules": chosen}
    if rules:
        options["runOnly"] = list(rules)
    by_look = not rules and CONTRAST not in without
    violations, passed = page.evaluate(LOOK, [options, sorted(_passed) if by_look else None])
    _passed.update(passed)
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


def pushed_sideways(page: Page) -> list[str]:
    """What has to be pushed sideways to be read, also within what is folded, each by what names it."""
    names: list[str] = page.evaluate(SIDEWAYS)
    return names


def passing_heads(page: Page) -> list[str]:
    """Heads of rows that leave the window of a phone where their table is pushed sideways."""
    names: list[str] = page.evaluate(PASSING)
    return names


def height(page: Page) -> int:
    """Of the whole page, in pixels."""
    n_pixels: int = page.evaluate("document.documentElement.scrollHeight")
    return n_pixels


def shift(page: Page) -> float:
    """By how much it has moved since it was opened; `WATCH_SHIFTS` has to watch."""
    moved: float = page.evaluate("window.shifts")
    return moved


def shoot(page: Page, name: str) -> None:
    """Leave screenshots in light and dark where TOUCHSTONE_SHOTS says; none without it."""
    folder = os.environ.get("TOUCHSTONE_SHOTS")
    if not folder:
        return
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.screenshot(path=Path(folder) / f"{name}-{scheme}.png")
    page.emulate_media()
