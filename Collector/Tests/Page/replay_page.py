"""A session with a replay, and what its page shows of it."""

import json
import time

from playwright.sync_api import expect

from checks import loaded
from collector import Launch
from replay_story import Replay, draw, key, scrolling, snapshot, typing

SCREEN = "document.querySelector('.glass canvas.screen-picture')"
COLOUR = """(place) => {
  const canvas = document.querySelector('.glass canvas.screen-picture');
  const { data } = canvas.getContext('2d').getImageData(place[0], place[1], 1, 1);
  return [...data].slice(0, 3);
}"""
# Pixels that are another colour.
WRONG = """async (url) => {
  const image = await createImageBitmap(await (await fetch(url)).blob());
  const shown = document.querySelector('.glass canvas.screen-picture');
  const other = new OffscreenCanvas(image.width, image.height).getContext('2d');
  other.drawImage(image, 0, 0);
  const [a, b] = [shown.getContext('2d'), other].map((context) => context.getImageData(0, 0, image.width, image.height).data);
  let wrong = 0;
  for (let at = 0; at < a.length; at++) if (Math.abs(a[at] - b[at]) > 12) wrong += 1;
  return wrong;
}"""
SUM = """() => {
  const canvas = document.querySelector('.glass canvas.screen-picture');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return data.reduce((sum, value) => (Math.imul(sum, 31) + value) | 0, 7);
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


def a_replay(collector, hierarchy=True, trouble=False):
    """40 s: a list is scrolled, something is typed, frames are lost, the app is in the background for a while."""
    collector.start()
    launch = Launch(user="mira@example.com", start=int(time.time() * 1000) - 300_000)
    start = launch.now
    events = [launch.screen("Menu", after=100)]
    for n in range(9):
        events.append(launch.event("interaction", 1000, interactionType="tap", properties={"text": f"Drink {n}", "x": 100 + 10 * n, "y": 300}))
    if trouble:
        events += [launch.request("/v1/basket", status=503, after=1900), launch.request("/v1/basket", status=500, after=50), launch.log("typing begins", after=1050)]
    else:
        events.append(launch.log("typing begins", after=3000))
    events += [launch.request("/v1/checkout", status=503, after=6000), launch.log("back again", after=20_000)]
    if trouble:
        events.append(launch.crash(["pay", "main"], after=1900))
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
    deadline = time.time() + 90
    while (found := page.evaluate(expression)) != value:
        assert time.time() < deadline, (expression, found)
        page.wait_for_timeout(30)


def at(page, collector, launch, moment):
    page.goto(f"{collector.url}#/sessions/{launch.session}?t={moment}")
    loaded(page)
    expect(page.locator(".player")).to_be_visible()
