"""Windows of the browser, lent to one test after another."""

from typing import Any

from playwright.sync_api import Browser, BrowserContext

from tests.browser.watcher import REPORT_VIOLATIONS

PATIENCE_MS = 30_000  # a busy machine is slow, not wrong
MOST = 8  # that wait for a test: each has a process


class Windows:
    """A new one fetches every style sheet and script anew, which costs the server more than the pages themselves.

    What a person left in one is gone before the next test has it: pages, cookies, what the pages stored. One whose
    clock a test has set goes as a whole. A page without script stays open in each, so that its process stays, too.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._kinds: dict[BrowserContext, str] = {}
        self._idle: list[BrowserContext] = []

    def take(self, **options: Any) -> BrowserContext:
        """One with these options of Playwright's."""
        kind = repr(options)
        context = next((each for each in self._idle if self._kinds[each] == kind), None)
        if context is not None:
            self._idle.remove(context)
            return context
        context = self._browser.new_context(**options)
        context.set_default_timeout(PATIENCE_MS)
        context.new_page().goto("/healthz")
        context.add_init_script(REPORT_VIOLATIONS)
        self._kinds[context] = kind
        return context

    def give_back(self, context: BrowserContext) -> None:
        context.set_offline(offline=False)
        own, *pages = context.pages
        is_clock_set = any(page.evaluate("'__pwClock' in globalThis") for page in pages)
        for page in pages:
            page.close()
        if is_clock_set:
            self._close(context)
            return
        context.clear_cookies()
        own.evaluate("localStorage.clear()")
        self._idle.append(context)
        if len(self._idle) > MOST:
            self._close(self._idle.pop(0))

    def _close(self, context: BrowserContext) -> None:
        del self._kinds[context]
        context.close()
