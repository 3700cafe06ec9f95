"""Listens to what a browser complains about: console, scripts, Content-Security-Policy, lost requests."""

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, Response

# The browser's own event, besides what the console says, so that a report-only policy would be heard too.
REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
    console.error(`CSP violated: ${event.violatedDirective} by ${event.blockedURI || event.sample}`));
"""


CALLED_OFF = "net::ERR_ABORTED"  # by the browser, because the page went meanwhile


class Watcher:
    """What was heard, less what the test expects. Every page of a watched context is watched, later ones too."""

    def __init__(self) -> None:
        self._heard: list[str] = []
        self._expected = [CALLED_OFF]

    def watch(self, context: BrowserContext) -> None:
        context.add_init_script(REPORT_VIOLATIONS)
        context.on("console", self._on_console)
        context.on("weberror", lambda error: self._heard.append(f"error in a script: {error.error}"))
        context.on("requestfailed", self._on_lost)
        context.on("response", self._on_response)

    def expect(self, *parts: str) -> None:
        """A complaint that contains one of `parts` belongs to the test."""
        self._expected.extend(parts)

    def complaints(self) -> list[str]:
        return [line for line in self._heard if not any(part in line for part in self._expected)]

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self._heard.append(f"console {message.type}: {message.text} ({message.location.get('url')})")

    def _on_lost(self, request: Request) -> None:
        self._heard.append(f"request failed: {request.method} {request.url}: {request.failure}")

    def _on_response(self, response: Response) -> None:
        if response.status >= 500:
            self._heard.append(f"{response.status}: {response.url}")
