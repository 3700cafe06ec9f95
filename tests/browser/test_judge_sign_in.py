"""The sign-in runs out while somebody judges: nothing is swallowed, and nobody else sends it."""

import re

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.sessions.models import Session
from playwright.sync_api import BrowserContext, expect

from annotation.models import Assignment, Slot, User
from tests.browser.conftest import Opener
from tests.browser.desk import Desk, grades_in, is_sent, make_reading, user_of
from tests.browser.watcher import Watcher
from tests.live import sign_in

pytestmark = pytest.mark.browser
WORD = "birds of the air"
SIGNED_OUT = "You are signed out. 1 judgment waits in this browser, to be saved once you have signed in again."


def with_password(user: User) -> User:
    user.password = PBKDF2PasswordHasher().encode(WORD, "salt", iterations=1000)
    user.save()
    return user


def enter(context: BrowserContext, user: User, url: str) -> None:
    """Sign in behind the page's back, as in another tab."""
    context.add_cookies([{"name": "touchstone_session", "value": sign_in(user), "url": url}])


def test_a_grade_survives_an_expired_sign_in(open_context: Opener, watcher: Watcher) -> None:
    watcher.expect("status of 401")
    batch = make_reading(3)
    user = with_password(user_of(batch))
    desk = Desk.at(open_context(user), batch)
    item, title = desk.item(), desk.title
    Session.objects.all().delete()

    desk.press_and_go_on("3")
    expect(desk.trouble).to_have_text(SIGNED_OUT)
    assert grades_in(batch) == []
    desk.page.get_by_role("link", name="Sign in").press("Enter")
    desk.page.wait_for_url(re.compile(r"/login\?next="))
    desk.page.get_by_role("textbox", name="Username").fill(user.username)
    desk.page.get_by_role("textbox", name="Password").fill(WORD)
    desk.page.keyboard.press("Enter")
    desk.page.wait_for_url(f"**{desk.path}")

    message = f"Saved: 3 Highly relevant for “{title}”"
    expect(desk.status).to_have_text(f"✓ {message}")
    expect(desk.page.locator("#announce")).to_contain_text(message)
    expect(desk.page.locator("#trouble")).to_be_hidden()
    assert grades_in(batch) == [3]
    desk.page.reload()
    desk.ready()
    assert item.judgments.count() == 1


def test_it_is_saved_from_the_start_page_too(open_context: Opener, watcher: Watcher) -> None:
    """The card has gone back meanwhile, so that the person comes to the page where one begins."""
    watcher.expect("status of 401")
    batch = make_reading(3)
    context = open_context(user_of(batch))
    desk = Desk.at(context, batch)
    title = desk.title
    Session.objects.all().delete()
    desk.press_and_go_on("3")
    expect(desk.trouble).to_have_text(SIGNED_OUT)
    Slot.objects.filter(state="leased").update(state="open", lease_until=None)
    Assignment.objects.filter(state="leased").update(state="expired", slot=None)
    enter(context, user_of(batch), desk.page.url)
    desk.page.goto(desk.path)
    expect(desk.page.locator("#late")).to_have_text(f"✓ Saved: 3 Highly relevant for “{title}”")
    assert grades_in(batch) == [3]


def test_a_sign_in_in_another_tab_is_noticed(open_context: Opener, watcher: Watcher) -> None:
    watcher.expect("status of 401", "status of 403")
    batch = make_reading(3)
    user = with_password(user_of(batch))
    context = open_context(user)
    desk = Desk.at(context, batch)
    Session.objects.all().delete()
    desk.press_and_go_on("3")
    expect(desk.trouble).to_have_text(SIGNED_OUT)

    other = context.new_page()
    other.goto("/login")
    other.get_by_role("textbox", name="Username").fill(user.username)
    other.get_by_role("textbox", name="Password").fill(WORD)
    other.keyboard.press("Enter")
    other.wait_for_url(lambda url: "/login" not in url)
    other.close()
    desk.page.evaluate("window.dispatchEvent(new Event('focus'))")  # the person comes back to the page
    expect(desk.status).to_have_text("✓ Saved: 3 Highly relevant")
    expect(desk.page.locator("#trouble")).to_be_hidden()
    desk.grade(1)
    assert grades_in(batch) == [3, 1]


@pytest.mark.parametrize("is_member", [True, False], ids=["of the batch", "not of the batch"])
def test_another_person_in_the_same_browser_never_sends_it(
    open_context: Opener, watcher: Watcher, is_member: bool
) -> None:
    watcher.expect("status of 401", "status of 404", "status of 403")
    batch = make_reading(3, n_people=2)
    user, other = (person.annotator.user for person in batch.participations.order_by("pk"))
    assert user is not None
    assert other is not None
    if not is_member:
        batch.participations.filter(annotator__user=other).delete()
    context = open_context(user)
    desk = Desk.at(context, batch)
    Session.objects.all().delete()
    desk.press_and_go_on("3")
    expect(desk.trouble).to_have_text(SIGNED_OUT)

    enter(context, other, desk.page.url)
    desk.page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(desk.trouble).to_have_text(
        "Somebody else has signed in here. 1 judgment waits in this browser; "
        "nothing is sent until you sign in again yourself."
    )
    if is_member:
        desk.page.goto(desk.path)
        desk.page.get_by_role("button", name="Start judging").press("Enter")
        desk.ready()
        expect(desk.page.locator("#trouble")).to_be_hidden()
    assert grades_in(batch) == []

    enter(context, user, desk.page.url)
    desk.page.goto(desk.path)
    desk.until(is_sent())
    assert [(each.grade, each.annotator.user) for each in batch.judgments.all()] == [(3, user)]
