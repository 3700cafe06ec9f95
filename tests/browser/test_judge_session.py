"""A stretch of work: a word when a rest is due, the break, a card that has gone meanwhile."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from annotation.models import Assignment, Batch, Slot, WorkSession
from tests.browser.conftest import Opener
from tests.browser.desk import Desk, make_reading, user_of
from tests.browser.watcher import Watcher

pytestmark = pytest.mark.browser


def test_a_rest_is_suggested_once_a_session(open_context: Opener) -> None:
    batch = make_reading(5, nudge_minutes=25)
    desk = Desk.at(open_context(user_of(batch), width=390), batch)
    nudge = desk.page.locator("#nudge")
    desk.grade(1)
    expect(nudge).to_be_hidden()
    WorkSession.objects.update(started_at=timezone.now() - timedelta(minutes=25))
    desk.grade(2)
    expect(nudge).to_contain_text("You have been judging for 25 minutes. Look up, stretch, rest your eyes.")
    expect(desk.page.locator("#announce")).to_contain_text("You have been judging for 25 minutes.")
    expect(desk.page.locator("#document")).to_be_focused()
    desk.grade(3)  # it asks nothing and stands in nobody's way
    expect(nudge).to_be_visible()
    nudge.get_by_role("button", name="Close").press("Enter")
    expect(nudge).to_be_hidden()
    expect(desk.page.locator("#document")).to_be_focused()
    desk.grade(4)
    desk.page.reload()
    desk.ready()
    expect(nudge).to_be_hidden()


def test_no_rest_is_suggested_where_the_batch_says_so(open_context: Opener) -> None:
    batch = make_reading(3, nudge_minutes=0)
    desk = Desk.at(open_context(user_of(batch)), batch)
    WorkSession.objects.update(started_at=timezone.now() - timedelta(minutes=40))
    desk.grade(2)
    expect(desk.page.locator("#nudge")).to_be_hidden()


def test_what_is_left_until_the_break_is_said_and_counted_down(open_context: Opener) -> None:
    batch = make_reading(3, session_minutes=45)
    desk = Desk.at(open_context(user_of(batch)), batch)
    left = desk.page.locator("#until-break")
    expect(left).to_have_text("Break in 45 min", use_inner_text=True)
    WorkSession.objects.update(started_at=timezone.now() - timedelta(minutes=30))
    desk.grade(2)
    expect(left).to_have_text("Break in 15 min", use_inner_text=True)
    desk.page.clock.install()
    desk.page.reload()
    desk.ready()
    desk.page.clock.run_for(5 * 60_000)
    expect(left).to_have_text("Break in 10 min", use_inner_text=True)
    Batch.objects.update(session_minutes=0)
    desk.page.reload()
    expect(left).to_have_count(0)


def test_the_break_says_when_it_ends_by_the_persons_clock(open_context: Opener) -> None:
    batch = make_reading(3)
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.grade(2)
    now = timezone.now()
    WorkSession.objects.update(
        started_at=now - timedelta(minutes=55), ended_at=now, break_until=now + timedelta(minutes=6)
    )
    Slot.objects.filter(state="leased").update(state="open", lease_until=None)
    Assignment.objects.filter(state="leased").update(state="expired", slot=None)
    user = user_of(batch)
    user.time_zone = "Asia/Kathmandu"
    user.save()
    desk.open()
    ends = desk.page.locator("#resumes")
    there = (now + timedelta(minutes=6)).astimezone(ZoneInfo("Asia/Kathmandu"))
    expect(ends).to_have_text(f"{there:%H:%M}, in 6 minutes")
    user.time_zone = "UTC"
    user.save()
    desk.page.clock.install()
    desk.open()
    expect(ends).to_contain_text("in 6 minutes")
    desk.page.clock.run_for(6 * 60_000)
    expect(ends).to_have_text("any time now")
    expect(desk.page.locator("#announce")).to_contain_text("The break is over.")


def test_a_card_that_has_gone_is_said(open_context: Opener, watcher: Watcher) -> None:
    watcher.expect("status of 410")
    batch = make_reading(4)
    desk = Desk.at(open_context(user_of(batch)), batch)
    desk.page.clock.install()
    desk.page.reload()
    desk.ready()
    gone = desk.page.locator("#gone")
    Assignment.objects.filter(cards__token=desk.token).update(state="expired", slot=None)
    desk.page.clock.run_for(30_000)
    desk.page.mouse.move(300, 300)
    desk.page.clock.run_for(31_000)
    expect(gone).to_contain_text("This card has gone to somebody else while you were away.")
    before = desk.token
    gone.get_by_role("link", name="Take another").press("Enter")
    desk.gone(before)
    expect(gone).to_be_hidden()
