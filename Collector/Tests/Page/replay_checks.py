"""What the replay in a session's page must do."""

import json
import re
import time

from playwright.sync_api import expect

from accessibility import accessible_everywhere
from checks import check, fits, loaded, open_session, rows
from collector import Launch
from replay_story import Replay, draw, key, scrolling, snapshot, typing

SCREEN = "document.querySelector('.glass canvas.screen-picture')"
COLOUR = """(place) => {
  const canvas = document.querySelector('.glass canvas.screen-picture');
  const { data } = canvas.getContext('2d').getImageData(place[0], place[1], 1, 1);
  return [...data].slice(0, 3);
}"""
DIFFERENCE = """async (url) => {
  const image = await createImageBitmap(await (await fetch(url)).blob());
  const shown = document.querySelector('.glass canvas.screen-picture');
  if (shown.width !== image.width || shown.height !== image.height) return 255;
  const other = new OffscreenCanvas(image.width, image.height).getContext('2d');
  other.drawImage(image, 0, 0);
  const [a, b] = [shown.getContext('2d'), other].map((context) => context.getImageData(0, 0, image.width, image.height).data);
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += Math.abs(a[at] - b[at]);
  return sum / a.length;
}"""


def a_replay(collector, hierarchy=True):
    """40 s: a list is scrolled, something is typed, frames are lost, the app is in the background for a while."""
    collector.start()
    launch = Launch(user="mira@example.com", start=int(time.time() * 1000) - 300_000)
    start = launch.now
    events = [launch.screen("Menu", after=100)]
    for n in range(9):
        events.append(launch.event("interaction", 1000, interactionType="tap", properties={"text": f"Drink {n}", "x": 100 + 10 * n, "y": 300}))
    events += [launch.log("typing begins", after=3000), launch.request("/v1/checkout", status=503, after=6000), launch.log("back again", after=20_000)]
    collector.send(launch, events, final=True)
    replay = Replay(collector, launch)
    replay.segment("screenshots", start, start + 9_667, scrolling(start), 30)
    replay.segment("screenshots", start + 12_000, start + 16_000, typing(start + 12_000), 11)
    replay.segment("screenshots", start + 38_000, start + 38_000, key(start + 38_000, draw(colour="#dff0ff", rows=0), gap=True, dropped=7))
    if hierarchy:
        replay.segment("hierarchy", start, start + 2000, snapshot(start) + snapshot(start + 2000, typed="visible"), 2)
    notes = [{"t": start, "type": "session_start"}, {"t": start + 20_000, "type": "background"}, {"t": start + 34_000, "type": "foreground"},
             {"t": start + 36_500, "type": "gap", "dropped": 7, "reason": "slow"}]
    replay.segment("events", start, start + 40_000, "".join(json.dumps(note) + "\n" for note in notes))
    replay.end(start + 41_000)
    return launch, start


def until(page, expression, value):
    """Playwright's own waiting evaluates strings, which the page's security policy forbids."""
    deadline = time.time() + 30
    while (found := page.evaluate(expression)) != value:
        assert time.time() < deadline, (expression, found)
        page.wait_for_timeout(30)


def at(page, collector, launch, moment):
    page.goto(f"{collector.url}#/sessions/{launch.session}?t={moment}")
    loaded(page)
    expect(page.locator(".player")).to_be_visible()


@check
def pictures_are_put_together(collector, page):
    """the screen is what it was: whole pictures, tiles that changed, parts that moved"""
    launch, start = a_replay(collector)
    for moment, scroll, typed in ((0, 0, ""), (5_000, 15 * 12, ""), (9_700, 29 * 12, ""), (13_300, 0, "fla"), (2_100, 6 * 12, "")):
        at(page, collector, launch, start + moment)
        draw(scroll, typed).save(collector.directory / "expected.png")
        page.route("**/expected.png", lambda route: route.fulfill(path=collector.directory / "expected.png"))
        deadline = time.time() + 10
        while (difference := page.evaluate(DIFFERENCE, f"{collector.url}expected.png")) > 4 and time.time() < deadline:
            page.wait_for_timeout(50)
        assert difference <= 4, (moment, difference)
        page.unroute("**/expected.png")


@check
def the_replay_plays(collector, page):
    """it plays and pauses by the keyboard, at other speeds, jumps over what is idle, and the playhead goes along"""
    launch, start = a_replay(collector)
    at(page, collector, launch, start)
    moment = page.locator(".transport .moment")
    before = moment.inner_text()
    page.keyboard.press("Space")
    expect(page.locator(".player-bar").get_by_role("button", name="Pause")).to_be_visible()
    expect(moment).not_to_have_text(before)
    page.get_by_label("Speed").select_option("8")
    # With the background and all: half a minute would pass.
    page.locator(".skip-idle input").check()
    expect(page.locator(".player-bar").get_by_role("button", name="Play")).to_be_visible()
    expect(page).to_have_url(re.compile("[?&]t="))
    expect(rows(page).last).to_have_class(re.compile("current"))
    page.keyboard.press("Space")
    expect(moment).not_to_have_text("0:41")
    page.keyboard.press(".")
    expect(page.locator(".player-bar").get_by_role("button", name="Play")).to_be_visible()


@check
def frames_are_stepped(collector, page):
    """from frame to frame, into the next segment and back, and from event to event"""
    launch, start = a_replay(collector)
    at(page, collector, launch, start + 9_500)
    page.keyboard.press(">")
    expect(page).to_have_url(re.compile(f"t={start + 9_666}"))
    page.keyboard.press(">")
    expect(page).to_have_url(re.compile(f"t={start + 12_000}"))
    page.keyboard.press("<")
    expect(page).to_have_url(re.compile(f"t={start + 9_666}"))
    page.keyboard.press(".")
    expect(page.locator('.row[aria-selected="true"]')).to_be_visible()


@check
def gaps_are_told(collector, page):
    """what is lost, what was in the background and what was never recorded is said"""
    launch, start = a_replay(collector)
    note = page.locator(".screen-note")
    for moment, words in ((25_000, "In the background"), (36_800, "7 frames lost here"), (5_000, "")):
        at(page, collector, launch, start + moment)
        expect(note).to_have_text(words)


@check
def wireframes(collector, page):
    """the wireframe is shown by choice, and by itself where there is no picture; what is masked stays masked"""
    launch, start = a_replay(collector)
    at(page, collector, launch, start + 500)
    # Quicker than pictures are decoded: one that comes late is not drawn over the wireframe.
    for _ in range(5):
        page.keyboard.press("w")
    expect(page.get_by_role("button", name="Wireframe")).to_be_visible()
    until(page, f"{SCREEN}.width", 780)
    page.wait_for_timeout(300)
    assert page.evaluate(COLOUR, [40, 20]) == [59, 42, 32]
    red, green, blue = page.evaluate(COLOUR, [400, 170])
    assert abs(red - green) < 12 and red < 215, (red, green, blue)
    page.keyboard.press("w")
    until(page, f"{SCREEN}.width", 312)

    other = Launch(start=launch.now)
    collector.send(other, [other.screen("Menu")], final=True)
    bomb = "<img src=x onerror=\"window.hacked=1\">"
    Replay(collector, other, "replay-2").segment("hierarchy", other.now, other.now, snapshot(other.now, bomb=bomb))
    open_session(collector, page, other)
    expect(page.locator(".player")).to_be_visible()
    until(page, f"{SCREEN}.width", 780)
    assert page.evaluate("window.hacked") is None


@check
def hostile_replays(collector, page):
    """damaged frames, lines that are no JSON and impossible sizes leave the page whole"""
    collector.start()
    launch = Launch(start=int(time.time() * 1000) - 100_000)
    collector.send(launch, [launch.screen("Menu"), launch.log("x", after=5000)], final=True)
    replay, start = Replay(collector, launch), launch.now - 5000
    whole = scrolling(start, seconds=1)
    replay.segment("screenshots", start, start + 900, whole[:-40], 3)
    replay.segment("screenshots", start + 1000, start + 1500, b"AMF1" + b"\xff" * 4000, 3)
    replay.segment("screenshots", start + 2000, start + 2500, b"nothing of the kind", 3)
    replay.segment("hierarchy", start, start + 100, '{"t":1}\nno json\n{"t":%d,"w":1e9,"h":-5,"nodes":[{"x":"y"},7,null]}\n[]\n' % start, 3)
    replay.segment("events", start, start + 100, "no json at all\n{}\nnull\n", 3)
    for moment in (start + 100, start + 1200, start + 2200):
        page.goto(f"{collector.url}#/sessions/{launch.session}?t={moment}")
        loaded(page)
        expect(page.locator(".player")).to_be_visible()
        page.keyboard.press("w")
        page.wait_for_timeout(200)
        page.keyboard.press("w")
    expect(rows(page)).to_have_count(2)


@check
def a_look_in_passing(collector, page):
    """pointing at the strip shows the screen at that moment"""
    launch, start = a_replay(collector)
    at(page, collector, launch, start)
    box = page.locator(".brush").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + 10)
    expect(page.locator(".brush-preview")).to_be_visible()
    until(page, "document.querySelector('.brush-preview canvas').height", 150)
    page.mouse.move(10, 10)
    expect(page.locator(".brush-preview")).to_be_hidden()


@check
def a_moment_by_hash(collector, page):
    """a link with #t= opens the replay at its moment, and without a replay there is no player"""
    launch, start = a_replay(collector)
    page.goto(f"{collector.url}#/sessions/{launch.session}#t={start + 5000}")
    loaded(page)
    expect(page.locator(".transport .moment")).to_have_text("0:04.900")
    other = Launch(start=launch.now)
    collector.send(other, [other.screen("Menu")], final=True)
    open_session(collector, page, other)
    loaded(page)
    expect(page.locator(".player")).to_be_hidden()


@check
def replays_on_phones(collector, page):
    """it fits on a narrow screen, and is usable with a screen reader"""
    launch, start = a_replay(collector)
    accessible_everywhere(page, lambda: at(page, collector, launch, start + 5000))
    page.set_viewport_size({"width": 360, "height": 740})
    fits(page)
    expect(page.locator(".glass")).to_be_visible()
