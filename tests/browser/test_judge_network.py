"""The network goes, the server goes: what was judged waits in the browser, is said to wait, and is saved once."""

from collections.abc import Generator

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Opener
from tests.browser.desk import Desk, Door, grades_in, is_sent, make_reading, user_of
from tests.browser.watcher import Watcher
from tests.live import Server

pytestmark = pytest.mark.browser
OFFLINE = "ERR_INTERNET_DISCONNECTED"


def test_without_a_network_judging_goes_on_and_all_is_sent_later(open_context: Opener, watcher: Watcher) -> None:
    watcher.expect(OFFLINE, "status of 503", "503: ")
    batch = make_reading(2, n_topics=2)  # of the next topic, nothing is there yet
    context = open_context(user_of(batch), width=390)
    desk = Desk(context.new_page(), batch)
    door = Door.before(desk.page)
    desk.open()
    desk.begin()
    first, second = desk.token, desk.next
    context.set_offline(True)
    desk.press("3")
    desk.gone(first)
    expect(desk.trouble).to_have_text(
        "Not saved yet: no connection. 1 judgment waits in this browser; trying again in 2 s."
    )
    expect(desk.page.locator("#announce")).to_contain_text("Not saved yet: no connection. 1 judgment waits")
    assert desk.token == second
    desk.press("1")
    expect(desk.trouble).to_contain_text("2 judgments wait in this browser")
    desk.press("4")  # the card stays, its grade is given
    assert (desk.token, grades_in(batch)) == (second, [])
    door.status = 503
    context.set_offline(False)
    expect(desk.trouble).to_contain_text("(503). 2 judgments wait in this browser; trying again in 2 s.")
    door.status = None
    desk.gone(second)
    expect(desk.status).to_have_text("✓ Saved: the 2 that waited")
    expect(desk.page.locator("#trouble")).to_be_hidden()
    assert grades_in(batch) == [3, 1]
    desk.grade(0)
    assert grades_in(batch) == [3, 1, 0]


def test_a_skip_and_a_later_wait_in_their_turn(open_context: Opener, watcher: Watcher) -> None:
    watcher.expect(OFFLINE)
    batch = make_reading(9)
    context = open_context(user_of(batch))
    desk = Desk.at(context, batch)
    put_off, skipped = desk.item(), desk.next
    context.set_offline(True)
    desk.press_and_go_on("l")
    desk.press("s", "3", "Enter")
    desk.let_go()
    expect(desk.trouble).to_contain_text("Not saved yet: no connection. 2 cards wait in this browser")
    context.set_offline(False)
    desk.gone(skipped)
    desk.until(is_sent())
    assert put_off.assignments.get().state == "later"
    assert batch.assignments.get(cards__token=skipped).skip_reason == "unclear"


def test_a_lost_answer_is_asked_for_again_with_the_same_token(open_context: Opener, watcher: Watcher) -> None:
    """The server has the grade, but the page never heard so: the retry is answered as the first time."""
    watcher.expect("ERR_FAILED")
    batch = make_reading(3)
    desk, sent = Desk(open_context(user_of(batch)).new_page(), batch), []

    def lose_first_answer(route: Route) -> None:
        sent.append(route.request.post_data or "")
        if len(sent) > 1:
            return route.continue_()
        route.fetch()
        return route.abort()

    desk.page.route("**/grade", lose_first_answer)
    desk.open()
    desk.begin()
    token = desk.token
    desk.press("3")
    expect(desk.trouble).to_contain_text("Not saved yet: no connection.")
    expect(desk.status).not_to_contain_text("Saved")
    assert grades_in(batch) == [3]
    desk.page.get_by_role("button", name="Try now").click()
    expect(desk.status).to_have_text("✓ Saved: 3 Highly relevant")
    assert [f"token={token}&" in body for body in sent] == [True, True]
    assert sent[0] == sent[1]
    assert grades_in(batch) == [3]


@pytest.fixture
def restarted(server: Server) -> Generator[Server, None, None]:
    """The server runs again whatever the test did."""
    yield server
    if not server.is_running:
        server.start()


def test_a_grade_survives_a_server_that_is_killed(open_context: Opener, watcher: Watcher, restarted: Server) -> None:
    watcher.expect("ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE")
    batch = make_reading(3)
    desk = Desk.at(open_context(user_of(batch)), batch)
    restarted.kill()
    desk.press("4")
    expect(desk.trouble).to_contain_text("Not saved yet: no connection.")
    restarted.start()
    expect(desk.status).to_have_text("✓ Saved: 4 Perfectly relevant")
    expect(desk.page.locator("#trouble")).to_be_hidden()
    assert grades_in(batch) == [4]


@pytest.mark.parametrize(
    ("status", "reason"),
    [(status, f"the server is in trouble ({status})") for status in (500, 503, 429)],
)
def test_a_server_in_trouble_is_tried_again(open_context: Opener, watcher: Watcher, status: int, reason: str) -> None:
    watcher.expect(f"status of {status}", f"{status}: ")
    batch = make_reading(3)
    desk = Desk(open_context(user_of(batch)).new_page(), batch)
    door = Door.before(desk.page)
    desk.open()
    desk.begin()
    door.status = status
    desk.press("3")
    expect(desk.trouble).to_have_text(
        f"Not saved yet: {reason}. 1 judgment waits in this browser; trying again in 2 s."
    )
    door.status = None
    expect(desk.status).to_have_text("✓ Saved: 3 Highly relevant")
    assert grades_in(batch) == [3]


def test_only_the_servers_own_answer_is_believed(open_context: Opener, watcher: Watcher) -> None:
    """A network that wants a sign-in of its own answers everything with its page, and status 200."""
    batch = make_reading(3)
    desk = Desk(open_context(user_of(batch)).new_page(), batch)
    door = Door.before(desk.page)
    desk.open()
    desk.begin()
    door.status, door.body = 200, "<h1>Welcome to our hotel</h1>"
    desk.press("3")
    expect(desk.trouble).to_contain_text("Not saved yet: the answer was not the server's.")
    other = '<div class="answer" data-outcome="saved" data-token="another" data-current="" data-ahead=""></div>'
    door.body = other
    desk.page.get_by_role("button", name="Try now").press("Enter")
    desk.until("!document.getElementById('trouble-text').textContent.includes('in 2 s')")
    expect(desk.status).not_to_contain_text("Saved")
    door.status = None
    expect(desk.status).to_have_text("✓ Saved: 3 Highly relevant")
    assert grades_in(batch) == [3]


def test_a_refusal_is_said_and_the_rest_goes_on(open_context: Opener, watcher: Watcher) -> None:
    watcher.expect("status of 403")
    batch = make_reading(4)
    desk = Desk(open_context(user_of(batch)).new_page(), batch)
    door = Door.before(desk.page)
    desk.open()
    desk.begin()
    title = desk.title
    door.status = 403
    desk.press_and_go_on("2")
    refused = f"Not saved: 2 Fairly relevant for “{title}”. The server refused it (403)."
    expect(desk.trouble).to_have_text(refused)
    assert len(door.asked) == 2  # once more with a fresh key of the page
    door.status = None
    desk.grade(4)
    expect(desk.trouble).to_have_text(refused)
    assert grades_in(batch) == [4]
    desk.page.reload()  # it is tried again by itself
    expect(desk.status).to_have_text(f"✓ Saved: 2 Fairly relevant for “{title}”")
    expect(desk.page.locator("#trouble")).to_be_hidden()
    assert grades_in(batch) == [4, 2]


def test_what_was_refused_can_be_discarded(open_context: Opener, watcher: Watcher) -> None:
    watcher.expect("status of 403")
    batch = make_reading(3)
    desk = Desk(open_context(user_of(batch)).new_page(), batch)
    door = Door.before(desk.page)
    desk.open()
    desk.begin()
    door.status = 403
    desk.press_and_go_on("3")
    desk.page.get_by_role("button", name="Discard it").press("Enter")
    expect(desk.page.locator("#trouble")).to_be_hidden()
    expect(desk.status).to_contain_text("Discarded: 3 Highly relevant")
    expect(desk.page.locator("#document")).to_be_focused()
    door.status = None
    desk.page.reload()
    desk.ready()
    expect(desk.page.locator("#trouble")).to_be_hidden()
    assert grades_in(batch) == []


def test_what_waits_outlives_its_tab(open_context: Opener, watcher: Watcher) -> None:
    watcher.expect(OFFLINE)
    batch = make_reading(3)
    context = open_context(user_of(batch))
    desk = Desk.at(context, batch)
    title = desk.title
    context.set_offline(True)
    desk.press_and_go_on("3")
    expect(desk.trouble).to_contain_text("1 judgment waits")
    desk.page.close()
    context.set_offline(False)
    later = Desk.at(context, batch, started=False)
    expect(later.status).to_have_text(f"✓ Saved: 3 Highly relevant for “{title}”")
    later.ready()
    later.grade(1)
    assert grades_in(batch) == [3, 1]
