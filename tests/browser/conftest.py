"""A real browser on a real server: one of each for all tests here, and a watcher on every page.

With TOUCHSTONE_SHOTS=folder the tests of looks also leave screenshots there.
"""

from collections.abc import Callable, Generator

import pytest
from django.conf import settings as django_settings
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright
from pytest_django import Settings

from annotation.models import User
from tests.browser.watcher import Watcher
from tests.live import Server, sign_in

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage",
    "--js-flags=--no-opt --no-maglev",  # no page of a test lives so long that optimized scripts pay
]  # fmt: skip
PATIENCE_MS = 30_000  # a busy machine is slow, not wrong
HEIGHTS = {1280: 800, 390: 844}

Opener = Callable[..., BrowserContext]


@pytest.fixture(scope="package")
def browser(chromium: str) -> Generator[Browser, None, None]:
    """Chromium. Playwright's loop runs in this thread, so Django is told to let the ORM be used beside it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        expect.set_options(timeout=PATIENCE_MS)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
            yield browser
            browser.close()


@pytest.fixture(scope="session")
def shared_server(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Generator[Server, None, None]:
    """gunicorn on the test database, one for all tests in browsers: their rows come and go, it stays.

    Chromium is for the package, for tests that fork processes should have no loop of Playwright beside them.
    """
    server = Server(tmp_path_factory.mktemp("server"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(django_settings, "TOUCHSTONE_FILES", server.var / "files")
        server.start()
    yield server
    server.stop()


@pytest.fixture
def server(transactional_db: None, shared_server: Server, settings: Settings) -> Server:
    """The server, with rows of this test alone; the test sees the server's files."""
    settings.TOUCHSTONE_FILES = shared_server.var / "files"
    return shared_server


@pytest.fixture
def watcher() -> Generator[Watcher, None, None]:
    """Everything a browser complained about; a test says beforehand what it expects."""
    watcher = Watcher()
    yield watcher
    assert watcher.complaints() == []


@pytest.fixture
def open_context(browser: Browser, server: Server, watcher: Watcher) -> Generator[Opener, None, None]:
    """A window of its own for a person, or for the holder of a session: `open_context(user, width=390, dark=True)`."""
    opened: list[BrowserContext] = []

    def open_for(
        person: User | str | None,
        *,
        width: int = 1280,
        height: int = 0,
        dark: bool = False,
        script: bool = True,
        touch: bool = False,
        base_url: str = "",
    ) -> BrowserContext:
        context = browser.new_context(
            base_url=base_url or server.url,
            viewport={"width": width, "height": height or HEIGHTS[width]},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            java_script_enabled=script,
            has_touch=touch,
            is_mobile=touch,
        )
        context.set_default_timeout(PATIENCE_MS)
        opened.append(context)
        watcher.watch(context)
        if person is not None:
            session = person if isinstance(person, str) else sign_in(person)
            context.add_cookies([{"name": "touchstone_session", "value": session, "url": server.url}])
        return context

    yield open_for
    for context in opened:
        context.close()
