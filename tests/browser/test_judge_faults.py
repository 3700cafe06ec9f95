"""Judgments by the hundred, each with something going wrong: none is lost, doubled, or called saved too soon."""

from collections.abc import Callable, Generator
from random import Random

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import BrowserContext, expect

from annotation.models import Judgment
from tests.browser.conftest import Opener
from tests.browser.desk import Desk, is_sent, make_reading, user_of
from tests.browser.proxy import Fault, Proxy
from tests.browser.watcher import Watcher
from tests.live import Server, sign_in

pytestmark = pytest.mark.browser

N_TOPICS = 3
N_DOCUMENTS = 52
N_CASES = N_TOPICS * N_DOCUMENTS - 2  # on a card that is not the last one: the page goes on after each
TOLD = "[document.getElementById('trouble-text').textContent, document.getElementById('status').textContent]"
LOST = ("net::ERR_", "status of 401", "401: ")


@pytest.fixture
def proxy(server: Server) -> Generator[Proxy, None, None]:
    proxy = Proxy(server.url)
    yield proxy
    proxy.stop()


def test_nothing_is_lost_doubled_or_called_saved_too_soon(open_context: Opener, watcher: Watcher, proxy: Proxy) -> None:
    watcher.expect(*LOST)
    batch = make_reading(N_DOCUMENTS, n_topics=N_TOPICS)
    context = open_context(user_of(batch), base_url=proxy.url)
    desk, chance, wanted = Desk.at(context, batch, hasty=True), Random(29), {}
    for case in range(N_CASES):
        item, token, grade = desk.item(), desk.token, chance.randrange(5)
        wanted[item.pk] = grade
        DEEDS[case % len(DEEDS)](desk, proxy, context, grade)
        recover(desk)
        desk.gone(token)
        assert grades_of(desk, item.pk) == [grade], case
    judgments = Judgment.objects.filter(batch=batch)
    assert dict(judgments.values_list("item", "grade")) == wanted
    assert judgments.count() == len(wanted) == N_CASES
    assert set(proxy.met) == set(Fault)
    assert proxy.met.total() > N_CASES // 2


def recover(desk: Desk) -> None:
    """Whatever is in the way has gone: the page says that it is saved only once it is, and goes on."""
    desk.until(f"!document.getElementById('trouble').hidden || {is_sent()}")
    trouble, status = desk.page.evaluate(TOLD)  # both at the same instant: it is tried again meanwhile
    if trouble:
        assert "Saved" not in status
        desk.page.evaluate("dispatchEvent(new Event('online'))")
    desk.ready()


def grades_of(desk: Desk, item: int) -> list[int]:
    return list(Judgment.objects.filter(batch=desk.batch, item=item).values_list("grade", flat=True))


Deed = Callable[[Desk, Proxy, BrowserContext, int], None]


def meets(fault: Fault) -> Deed:
    def deed(desk: Desk, proxy: Proxy, _context: BrowserContext, grade: int) -> None:
        proxy.put(fault)
        desk.press(str(grade))

    return deed


def waits_for_a_slow_answer(desk: Desk, proxy: Proxy, _context: BrowserContext, grade: int) -> None:
    """The server has saved it, and the page cannot know."""
    proxy.put(Fault.SLOW)
    desk.press(str(grade))
    proxy.wait_for_answer()
    expect(desk.status).to_contain_text("Saving: ")
    proxy.let_go()


def strikes_twice(desk: Desk, _proxy: Proxy, _context: BrowserContext, grade: int) -> None:
    desk.strike(grade, grade)


def reloads(desk: Desk, proxy: Proxy, _context: BrowserContext, grade: int) -> None:
    """The page goes while the grade is on its way, and the answer to it is lost."""
    proxy.put(Fault.UNHEARD)
    desk.press(str(grade))
    desk.page.reload()


def goes_back(desk: Desk, proxy: Proxy, _context: BrowserContext, grade: int) -> None:
    proxy.put(Fault.UNREACHED)
    desk.press(str(grade))
    desk.page.goto("/")
    desk.page.go_back()


def is_signed_out(desk: Desk, proxy: Proxy, context: BrowserContext, grade: int) -> None:
    Session.objects.all().delete()
    desk.press(str(grade))
    expect(desk.trouble).to_contain_text("You are signed out.")
    session = sign_in(user_of(desk.batch))
    context.add_cookies([{"name": "touchstone_session", "value": session, "url": proxy.url}])
    desk.page.evaluate("dispatchEvent(new Event('focus'))")
    desk.until(is_sent())


def judges_in_two_tabs(desk: Desk, proxy: Proxy, context: BrowserContext, grade: int) -> None:
    """The same card, with the same grade, in a second tab."""
    other = Desk(context.new_page(), desk.batch, hasty=True)
    other.open()
    other.ready()
    desk.ready()  # the clock of a page behind another may stand still: the press puts it forward
    proxy.put(Fault.SLOW)
    desk.press(str(grade))
    proxy.wait_for_answer()
    other.press(str(grade))
    other.until(is_sent())
    proxy.let_go()
    other.page.close()


OFTEN = [*(meets(fault) for fault in Fault if fault is not Fault.SLOW), waits_for_a_slow_answer]
DEEDS = [*OFTEN, strikes_twice, *OFTEN, reloads, *OFTEN, goes_back, *OFTEN, is_signed_out, *OFTEN, judges_in_two_tabs]
