"""What the replay of a session that is still recorded must do."""

import json
import re
import time

from playwright.sync_api import expect

from checks import check, open_session
from collector import Launch
from replay_page import COLOUR, SCREEN, until
from replay_story import Replay, draw, key, snapshot


def recorded_now(collector, ago, logged):
    """A session that began some milliseconds ago and goes on; its last line in the log came so long after its screen."""
    collector.start()
    launch = Launch(user="mira@example.com", start=int(time.time() * 1000) - ago)
    start = launch.now
    collector.send(launch, [launch.screen("Menu", after=100), launch.log("one", after=logged)])
    return launch, start, Replay(collector, launch)


@check
def a_replay_live(collector, page):
    """what is still being recorded plays as it comes, waits for more, is left by looking elsewhere, and is come back to"""
    launch, start, replay = recorded_now(collector, 20_000, 15_000)
    replay.segment("screenshots", start, start + 5000, key(start, draw()) + key(start + 5000, draw(60)), 2)
    open_session(collector, page, launch)
    live = page.locator(".player-bar .live")
    expect(live).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".screen-note")).to_have_text("Waiting for more frames")
    shown = draw(300)
    replay.segment("screenshots", start + 6000, start + 7000, key(start + 6000, draw(120)) + key(start + 7000, shown), 2)
    # It goes on by itself, to the newest picture.
    expect(page.locator(".transport .moment")).to_have_text(re.compile(r"0:06\.9"))
    expect(page.locator(".screen-note")).to_have_text("Waiting for more frames")
    expect(live).to_have_attribute("aria-pressed", "true")
    # Somebody looks at something else.
    page.locator(".scrub-plot").focus()
    page.keyboard.press("Home")
    expect(live).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_role("button", name="Jump to live")).to_be_visible()
    replay.segment("screenshots", start + 8000, start + 9000, key(start + 8000, draw(400)) + key(start + 9000, shown), 2)
    until(page, "Number(document.querySelector('.scrub-plot').ariaValueMax) > 15000", True)
    expect(page.locator(".scrub-plot")).to_have_attribute("aria-valuenow", re.compile(r"^\d{1,3}$"))
    live.click()
    expect(live).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".transport .moment")).to_have_text(re.compile(r"0:08\.9"))
    page.keyboard.press("Space")
    expect(live).to_have_attribute("aria-pressed", "false")
    # The session ends: there is nothing more to wait for.
    live.click()
    expect(live).to_have_attribute("aria-pressed", "true")
    collector.send(launch, [launch.log("bye", after=10)], final=True)
    expect(live).to_be_hidden()
    expect(page.locator(".screen-note")).not_to_have_text("Waiting for more frames")
    expect(page.get_by_role("button", name="Following")).to_be_hidden()


@check
def a_live_view_that_falls_behind(collector, page):
    """who falls more than 45 s behind what is recorded now leaps to it; who is a little behind sees all of it"""
    launch, start, replay = recorded_now(collector, 200_000, 150_000)
    replay.segment("screenshots", start, start + 5000, key(start, draw()) + key(start + 5000, draw(60)), 2)
    open_session(collector, page, launch)
    expect(page.locator(".screen-note")).to_have_text("Waiting for more frames")
    # All moments that were shown, from now on.
    page.evaluate("""() => {
      window.moments = [];
      new MutationObserver(() => window.moments.push(Number(document.querySelector('.scrub-plot').ariaValueNow)))
        .observe(document.querySelector('.scrub-plot'), { attributes: true, attributeFilter: ['aria-valuenow'] });
    }""")
    moment = page.locator(".transport .moment")
    # 40 s later: that is played, and in it what is idle is jumped over.
    replay.segment("screenshots", start + 43_000, start + 45_000, key(start + 43_000, draw(120)) + key(start + 45_000, draw(180)), 2)
    expect(moment).to_have_text(re.compile(r"0:4[45]\."))
    expect(page.locator(".screen-note")).to_have_text("Waiting for more frames")
    # A minute later: there is no hope of seeing all that. It is shown from 8 s before the newest.
    newest = start + 120_000
    pictures = b"".join(key(newest - ago, draw(ago // 100)) for ago in (20_000, 10_000, 6000, 4000, 2000, 0))
    replay.segment("screenshots", newest - 20_000, newest, pictures, 6)
    expect(page.locator(".player-bar .live")).to_have_attribute("aria-pressed", "true")
    expect(moment).to_have_text(re.compile(r"(1:59\.9|2:00\.0)"))
    expect(page.locator(".glass canvas.screen-picture")).to_have_attribute("data-time", str(newest))
    seen = page.evaluate("window.moments.filter((moment) => moment > 46000)")
    assert seen and min(seen) >= 111_500, seen[:5]
    expect(page.locator(".player-bar .live")).to_have_attribute("aria-pressed", "true")


@check
def a_wireframe_live(collector, page):
    """what is recorded without pictures is as fresh: a segment of lines that grows is drawn as it grows"""
    launch, start, replay = recorded_now(collector, 20_000, 15_000)
    note = lambda at, type, **more: json.dumps({"t": at, "type": type, **more}) + "\n"
    head = replay.segment("hierarchy", start, start, snapshot(start))
    notes = replay.segment("events", start, start, note(start, "session_start"))
    open_session(collector, page, launch)
    until(page, f"{SCREEN}.width", 780)
    assert page.evaluate(COLOUR, [400, 170])[2] < 215
    replay.segment("hierarchy", start + 4000, start + 6000, snapshot(start + 6000, typed="visible"), continues=head)
    replay.segment("events", start + 5000, start + 5500, note(start + 5000, "background") + note(start + 5500, "foreground"), continues=notes)
    # What is typed has no mask any more.
    until(page, f"({COLOUR})([400, 170])[2] > 240", True)
    replay.segment("events", start + 6500, start + 6500, note(start + 6500, "background"), continues=notes)
    expect(page.locator(".player-bar .live")).to_have_attribute("aria-pressed", "true")
    listed = collector.get(f"api/replays/{replay.name}")["segments"]
    assert sorted((one["kind"], one["parts"]) for one in listed) == [("events", 3), ("hierarchy", 2)], listed
