"""What a page must be whatever it shows: accessible, free of inline code, as wide as its window."""

import json
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
# The look of a text: its colours, size and weight, and all that is painted behind it, up to the page. Axe cannot decide
# upon a gradient or picture, which is a matter of looks, too; whatever else it cannot decide is asked again.
# Where nothing has been written to the document since a look that found nothing, its tree is as it was: then the rules
# about places and colours look at all of it, the others at the surroundings of what is shown or hidden now, and those
# about the page as a whole at all of it if anything is.
LOOK = """async ([options, known]) => {
    const always = {preload: false, resultTypes: ["violations"]}
    const plain = rules => rules.map(({id, nodes}) => ({
        id, nodes: nodes.map(({target, failureSummary}) => ({target, failureSummary}))}))
    if (!globalThis.axe) return null
    if (known === null) return [plain((await axe.run({...always, ...options})).violations), []]

    const behind = new Map([[null, ""]]), passed = new Set(known), asked = new Map(), times = new Map()
    const painted = element => {
        if (!behind.has(element)) {
            const style = getComputedStyle(element)
            const own = [style.backgroundColor, style.backgroundImage, style.opacity, style.filter, style.mixBlendMode]
            behind.set(element, painted(element.parentElement) + "/" + own.join())
        }
        return behind.get(element)
    }
    const lookOf = element => {
        const style = getComputedStyle(element)
        const own = [style.color, style.fontSize, style.fontWeight, style.textShadow, style.webkitTextFillColor]
        return own.join() + painted(element).replace(PLAIN, "")
    }
    const isAsked = (element, matches) => {
        const look = lookOf(element), isLong = element.textContent.trim().length > 1
        const before = times.get(look + isLong) ?? 0
        if (passed.has(look) || before === OFTEN || !matches()) return false
        times.set(look + isLong, before + 1)
        asked.set(element, look)
        return true
    }
    const isPainted = ({any, element}) => /gradient[(]|url[(]/.test(asked.get(element))
        && any.some(({data}) => ["bgGradient", "bgImage"].includes(data?.messageKey))
    const run = async (what, asks) => {
        const colours = axe._audit.rules.find(({id}) => id === "color-contrast"), matches = colours.matches
        colours.matches = (node, ...rest) => isAsked(node, () => matches(node, ...rest))
        try {
            const both = {preload: false, resultTypes: ["violations", "incomplete"], elementRef: true}
            const {violations, incomplete} = await axe.run(what, {...both, ...asks})
            const nodes = rules => rules.filter(({id}) => id === "color-contrast").flatMap(({nodes}) => nodes)
            const isOpen = node => !isPainted(node)
            for (const {element} of [...nodes(violations), ...nodes(incomplete).filter(isOpen)]) asked.delete(element)
            return violations
        } finally { colours.matches = matches }
    }

    const isShown = element => element.checkVisibility({visibilityProperty: true})
    const shown = new Map([...document.querySelectorAll("body *")].map(element => [element, isShown(element)]))
    const last = globalThis.lastLook
    const violations = []
    if (last && !last.isChanged) {
        const turned = [...shown.keys()].filter(element => shown.get(element) !== last.shown.get(element))
        const all = turned.length ? [...BY_PLACE, ...OF_PAGE] : BY_PLACE
        const values = all.filter(rule => options.rules?.[rule]?.enabled !== false)
        violations.push(...await run(document, {runOnly: {type: "rule", values}}))
        const rules = {...options.rules}
        for (const rule of all) rules[rule] = {enabled: false}
        const include = [...new Set(turned.map(element => element.parentElement.closest(AROUND)))]
        if (include.length) violations.push(...await run({include}, {rules}))
    } else violations.push(...await run(document, options))
    const watch = globalThis.lastLook = {shown, isChanged: violations.length > 0}
    const observer = new MutationObserver(() => { watch.isChanged = true; observer.disconnect() })
    observer.observe(document, {subtree: true, childList: true, attributes: true, characterData: true})
    return [plain(violations), [...new Set(asked.values())]]
}""".replace("PLAIN", r"/\/rgba\(0, 0, 0, 0\),none,1,none,normal/g")
BY_PLACE = (CONTRAST, "link-in-text-block", "scrollable-region-focusable", TARGETS)
OF_PAGE = ("bypass", "heading-order", "landmark-one-main", "page-has-heading-one", "region")
# What is told by its parts, or tells of them: a name, a group, a row.
AROUND = (
    "a, button, label, summary, fieldset, form, table, figure, svg, ul, ol, dl, nav, section, article, header, footer, "
    "aside, main, dialog, body"
)
OFTEN = 3  # texts of one look that are asked about, and as many of one letter, about which axe does not decide
for _name, _value in (("BY_PLACE", list(BY_PLACE)), ("OF_PAGE", list(OF_PAGE)), ("AROUND", AROUND), ("OFTEN", OFTEN)):
    LOOK = LOOK.replace(_name, json.dumps(_value))
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
# Heads of rows on a phone: of a table whose rows are drawn as blocks those that are cut, of any other those that go out
# of sight with the other columns.
PASSING = """() => [...document.querySelectorAll("main .table-scroll > table tbody th:first-child")]
    .filter(head => head.closest("table").matches(".stacked") ? head.scrollWidth > head.clientWidth + 1
        : getComputedStyle(head).position !== "sticky").map(head => head.textContent.trim())"""
# Told to each document before its own scripts: by how much what is seen has moved without anybody's doing.
WATCH_SHIFTS = """
window.shifts = 0;
new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
}).observe({type: "layout-shift", buffered: true});
"""
LARGEST_SHIFT = 0.02
WHOLE = os.environ.get("TOUCHSTONE_LOOK") == "whole"  # `make looks`: what takes minutes of the processor more
_passed = set[str]()  # looks


def barriers(page: Page, *rules: str, without: Sequence[str] = ()) -> list[str]:
    """What axe finds, by its usual rules, by these or by all but some, as `rule: where`.

    Axe is sent to a page once, and what passes stays there: to send costs more than to look. No style sheet or film is
    fetched anew: of what is asked, that serves films alone, and there are none. Contrast takes more than half of axe's
    time: of text that looks like text whose contrast has passed, on this page or on one before, it is not asked again,
    and of a look that is new it is asked OFTEN on a page.
    """
    chosen = {TARGETS: {"enabled": True}, **{rule: {"enabled": False} for rule in without}}
    options: dict[str, object] = {"rules": chosen}
    if rules:
        options["runOnly"] = list(rules)
    by_look = not rules and CONTRAST not in without
    asked = [options, sorted(_passed) if by_look else None]
    answer = page.evaluate(LOOK, asked)
    if answer is None:
        page.add_init_script(AXE_SCRIPT)  # for the documents to come: to send it costs more than to run it
        page.evaluate(AXE_SCRIPT)
        answer = page.evaluate(LOOK, asked)
    violations, passed = answer
    _passed.update(passed)
    return [f"{rule['id']}: {node['target']} {node['failureSummary']}" for rule in violations for node in rule["nodes"]]


def barriers_in_system_colours(page: Page) -> list[str]:
    """What axe finds where the system gives the colours. Nothing unless the look is whole."""
    if not WHOLE:
        return []
    page.emulate_media(forced_colors="active")
    faults = barriers(page)
    page.emulate_media(forced_colors="none")
    return faults


def shift_anew(page: Page) -> float:
    """By how much the page moves when it is opened in a window as wide as this one is now."""
    other = page.context.new_page()
    other.add_init_script(WATCH_SHIFTS)
    other.set_viewport_size(page.viewport_size or {"width": 390, "height": 844})
    other.goto(page.url, wait_until="networkidle")
    moved = shift(other)
    other.close()
    return moved


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


def overflow_in_larger_letters(page: Page, width: int) -> int:
    """As `overflow`, in a window so wide, for who has chosen the largest letters."""
    page.set_viewport_size({"width": width, "height": 800})
    page.evaluate("() => { document.documentElement.dataset.text = 'larger' }")
    return overflow(page)


def pushed_sideways(page: Page) -> list[str]:
    """What has to be pushed sideways to be read, also within what is folded, each by what names it."""
    names: list[str] = page.evaluate(SIDEWAYS)
    return names


def passing_heads(page: Page) -> list[str]:
    """Heads of rows that are not seen whole on a phone, or leave its window where their table is pushed sideways."""
    names: list[str] = page.evaluate(PASSING)
    return names


def height(page: Page) -> int:
    """Of the whole page, in pixels."""
    n_pixels: int = page.evaluate("document.documentElement.scrollHeight")
    return n_pixels


def shift(page: Page) -> float:
    """By how much it has moved since it was opened, two frames from now; `WATCH_SHIFTS` has to watch."""
    frame = "await new Promise(requestAnimationFrame);"
    moved: float = page.evaluate(f"async () => {{ {frame} {frame} return window.shifts }}")
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
