"""The viewer's figures, in a real browser against a real collector.

    benchmark.py --tool Collector/.build/release/automobile [--events 100000] [--sessions 1000] [--minutes 60] [--only-loading] [--json]
    benchmark.py --tool Collector/.build/debug/automobile --short

Needs a quiet machine, and a collector that was built for release. Frames are measured from their beginning to the moment when
the page has been laid out and painted. Loading is also measured over a network (far.py). The exit code is 1 when a limit is missed, and
when the page shows another number of sessions, events or pictures than was sent: a list that is quick because it is empty is no figure.
"""

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import sync_playwright

from collector import Collector, Launch
from far import Far
from replay_story import Replay, hour
from run import browser_path

# What must hold, in milliseconds or bytes.
limits = {
    "first paint": 1000, "list usable": 1000, "session opens": 1000, "playhead, 95th percentile": 16, "playhead, longest": 50,
    "scrolling, longest frame": 50, "zooming, 95th percentile": 33, "transfer": 300_000,
    "an hour of replay opens": 1000, "an hour of replay seeks, 95th percentile": 100,
    "over 60 ms, first visit": 1200, "over 60 ms, again": 600, "over 60 ms, requests before the list": 8, "over 60 ms, again, files": 1,
}
def must(what, number, expected):
    """How many answers there are, beside how long they took."""
    if number != expected:
        sys.exit(f"{what}: {number}, and not {expected}")


FRAMES = """
async (steps, act) => {
  const costs = [];
  for (let step = 0; step < steps; step++) {
    act(step);
    costs.push(await new Promise((resolve) => requestAnimationFrame((begun) => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve(performance.now() - begun);
      channel.port2.postMessage(null);
    })));
  }
  return costs;
}
"""


# Presses on the strip under the screen, and waits for the picture of that moment.
SEEK = """
([moment, first, span, every]) => new Promise((resolve, reject) => {
  const strip = document.querySelector('.scrub-plot');
  const picture = document.querySelector('.screen-picture');
  const box = strip.getBoundingClientRect();
  const at = { bubbles: true, pointerId: 1, button: 0, clientX: box.left + box.width * (moment - first) / span, clientY: box.top + 18 };
  strip.setPointerCapture = () => {};
  const begun = performance.now();
  strip.dispatchEvent(new PointerEvent('pointerdown', at));
  strip.dispatchEvent(new PointerEvent('pointerup', at));
  const look = () => {
    const away = moment - Number(picture.dataset.time);
    if (picture.dataset.time && Math.abs(away) <= every + span / box.width) resolve(performance.now() - begun);
    else if (performance.now() - begun > 20000) reject(new Error(`no picture of ${moment}, but of ${picture.dataset.time}`));
    else requestAnimationFrame(look);
  };
  look();
})
"""


def measure_hour(page, collector, launch, events, start, minutes):
    """The replay of an hour beside the events of the same hour."""
    page.goto(collector.url)
    page.locator(".session-row").first.wait_for()
    figures = {"an hour of replay opens": page.evaluate("""(session) => new Promise((resolve) => {
      const begun = performance.now();
      location.hash = `#/sessions/${session}`;
      const look = () => document.querySelector('.row.event:not(.pending)') && document.querySelector('.ruler span')
        && document.querySelector('.screen-picture')?.dataset.time ? resolve(performance.now() - begun) : requestAnimationFrame(look);
      look();
    })""", launch.session)}
    page.wait_for_timeout(1500)
    must_show(page, events)
    chance = random.Random(7)
    span = page.evaluate("Number(document.querySelector('.scrub-plot').ariaValueMax)")
    seeks = [page.evaluate(SEEK, [start + chance.randrange(minutes * 60_000 - 1000), start, span, 500]) for _ in range(40)]
    figures["an hour of replay seeks, median"] = statistics.median(seeks)
    figures["an hour of replay seeks, 95th percentile"] = percentile(seeks, 0.95)
    return figures


# The list as one sees it, and what the browser asked for until then. What it has kept costs nothing.
LISTED = """
() => new Promise((resolve) => {
  const look = () => {
    if (!document.querySelector('.session-row')) return requestAnimationFrame(look);
    const files = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    const sent = files.filter(({ transferSize, startTime }) => transferSize > 0 && startTime < performance.now());
    resolve({ at: performance.now(), requests: sent.length, files: sent.filter(({ name }) => !name.includes('/api/')).length,
      bytes: sent.filter(({ name }) => !name.includes('/api/')).reduce((sum, { transferSize }) => sum + transferSize, 0) });
  };
  look();
})
"""


def seconds(url):
    begun = time.monotonic()
    urllib.request.urlopen(url).read()
    return time.monotonic() - begun


def measure_loading(browser, collector, visits, sessions, round_trip=0.06):
    """A browser that has never been here, and then again with connections of its own: medians of several."""
    with Far(collector.port, round_trip) as far:
        # The quickest of some: on a busy machine one takes longer.
        quickest = min(seconds(far.url + "health") for _ in range(8))
        assert 2 * round_trip <= quickest < 3 * round_trip, f"connecting and asking take a round trip each, and not {quickest} s"
        first, again = [], []
        for _ in range(visits):
            far.forget()
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            page = context.new_page()
            page.goto(far.url, wait_until="commit")
            first.append(page.evaluate(LISTED))
            page.wait_for_timeout(500)
            must("sessions in the list, over a network", length(page, ".session-row"), min(sessions + 1, PAGE))
            page.close()
            far.forget()
            page = context.new_page()
            page.goto(far.url, wait_until="commit")
            again.append(page.evaluate(LISTED))
            context.close()
    middle = lambda found, name: statistics.median(one[name] for one in found)
    return {
        "over 60 ms, first visit": middle(first, "at"), "over 60 ms, again": middle(again, "at"), "transfer": middle(first, "bytes"),
        "over 60 ms, requests before the list": middle(first, "requests"), "over 60 ms, again, files": middle(again, "files"),
    }


def events_of(launch, number):
    """As an app makes them: mostly logs, with screens, taps and requests among them."""
    for n in range(number):
        if n % 200 == 0:
            yield launch.screen(f"Screen {n // 200}", after=40)
        elif n % 17 == 0:
            yield launch.request(f"/v1/things/{n}", status=503 if n % 510 == 0 else 200, duration=80.0 + n % 400)
        elif n % 29 == 0:
            yield launch.tap(f"Button {n % 40}")
        else:
            yield launch.log(f"entry {n}: something happened that somebody wrote down", level=4 if n % 997 == 0 else 2, tag=f"tag {n % 9}")


def fill(collector, options):
    launch = Launch(start=int(time.time() * 1000) - options.events * 12)
    events = list(events_of(launch, options.events))
    collector.send(launch, events, final=True)
    for n in range(options.sessions):
        other = Launch(user=f"person {n}", start=int(time.time() * 1000) - (n + 2) * 3_600_000)
        collector.send(other, list(events_of(other, 20)), final=True)
    deadline = time.time() + 600
    while collector.get(f"api/sessions/{launch.session}")["events"] < options.events:
        assert time.time() < deadline, "the events were not indexed in ten minutes"
        time.sleep(0.2)
    collector.until("api/sessions?limit=200", lambda found: len(found["sessions"]) == min(options.sessions + 1, 200))
    return launch, events


def fill_hour(collector, options):
    launch = Launch(user="an hour", start=int(time.time() * 1000) - options.minutes * 60_000 - 60_000)
    start, step = launch.now, max(options.minutes * 60_000 // options.events, 1)
    events = list(events_of(launch, options.events))
    for n, (_, event) in enumerate(events):
        event["timestamp"] = start + n * step
    collector.send(launch, events, final=True)
    hour(Replay(collector, launch), start, options.minutes)
    deadline = time.time() + 600
    while collector.get(f"api/sessions/{launch.session}")["events"] < options.events:
        assert time.time() < deadline, "the events were not indexed in ten minutes"
        time.sleep(0.2)
    return launch, events, start


def percentile(values, part):
    return sorted(values)[min(int(len(values) * part), len(values) - 1)]


# A page of the list of sessions, as the viewer asks for it.
PAGE = 100


def length(page, row):
    """How many entries a list has, of which the page holds those in sight."""
    return int(page.locator(row).first.get_attribute("aria-setsize"))


def must_show(page, events):
    """What the session's page counts, against what was sent."""
    kinds = [event["eventType"] for _, event in events]
    failed = sum(event.get("statusCode", 0) >= 500 or event.get("level") == 4 for _, event in events)
    places = [(f".chip[data-type={kind}] .number", kinds.count(kind)) for kind in sorted(set(kinds))]
    for place, number in [*places, ("[data-key='tab errors'] .number", failed)]:
        shown = page.locator(place).inner_text()
        must(place, int("".join(filter(str.isdigit, shown))), number)
    # And the line that begins the launch.
    must("entries of the session", length(page, ".row.event"), len(events) + 1)


def measure(page, collector, launch, events, sessions):
    figures = {}
    page.goto(collector.url)
    page.locator(".session-row").first.wait_for()
    figures["first paint"] = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    figures["list usable"] = page.evaluate("performance.now()")
    must("sessions in the list", length(page, ".session-row"), min(sessions + 1, PAGE))
    figures["session opens"] = page.evaluate("""(session) => new Promise((resolve) => {
      const begun = performance.now();
      location.hash = `#/sessions/${session}`;
      const look = () => document.querySelector('.row.event:not(.pending)') && document.querySelector('.ruler span')
        ? resolve(performance.now() - begun) : requestAnimationFrame(look);
      look();
    })""", launch.session)
    # What was asked for at first has come.
    page.wait_for_timeout(1500)
    must_show(page, events)
    moves = page.evaluate(f"""() => ({FRAMES})(120, (step) => {{
      const plot = document.querySelector('.track-plot');
      const box = plot.getBoundingClientRect();
      const at = {{ bubbles: true, pointerId: 1, clientX: box.left + box.width * (0.02 + step * 0.008), clientY: box.top + 8 }};
      plot.setPointerCapture = () => {{}};
      if (step === 0) plot.dispatchEvent(new PointerEvent('pointerdown', at));
      plot.dispatchEvent(new PointerEvent('pointermove', at));
      if (step === 119) plot.dispatchEvent(new PointerEvent('pointerup', at));
    }})""")
    figures["playhead, median"] = statistics.median(moves)
    figures["playhead, 95th percentile"] = percentile(moves, 0.95)
    figures["playhead, longest"] = max(moves)
    scrolls = page.evaluate(f"""() => ({FRAMES})(300, (step) => {{
      const list = document.getElementById('timeline');
      list.scrollTop = step < 150 ? step * 400 : (step - 149) * (list.scrollHeight / 150);
    }})""")
    figures["scrolling, median frame"] = statistics.median(scrolls)
    figures["scrolling, longest frame"] = max(scrolls)
    # The last one stands at the end.
    page.wait_for_timeout(500)
    must("the last event in sight", page.locator(".row.event").last.get_attribute("data-place"), str(len(events) - 1))
    zooms = page.evaluate(f"""() => ({FRAMES})(60, (step) => {{
      const plot = document.querySelector('.track-plot');
      const box = plot.getBoundingClientRect();
      plot.dispatchEvent(new WheelEvent('wheel', {{ bubbles: true, cancelable: true, deltaY: step < 40 ? -60 : 120, clientX: box.left + box.width / 2, clientY: box.top + 40 }}));
    }})""")
    figures["zooming, 95th percentile"] = percentile(zooms, 0.95)
    return figures


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tool", required=True, help="the program automobile")
    arguments.add_argument("--events", type=int, default=100_000, help="in the long session")
    arguments.add_argument("--sessions", type=int, default=1000, help="besides")
    arguments.add_argument("--minutes", type=int, default=60, help="of replay, in a session of as many events; 0: none")
    arguments.add_argument("--only-loading", action="store_true", help="over a network, and nothing else")
    arguments.add_argument("--json", action="store_true")
    arguments.add_argument("--short", action="store_true", help="little of everything: shows that every answer is right; a missed limit is only said")
    options = arguments.parse_args()
    if options.short:
        options.events, options.sessions, options.minutes = 4000, 120, 2
    with tempfile.TemporaryDirectory(prefix="automobile-page-") as directory, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox", "--disable-gpu"])
        with Collector(options.tool, None, Path(directory)) as collector:
            launch, events = fill(collector.start(), options)
            figures = measure_loading(browser, collector, 1 if options.short else 9, options.sessions)
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            if not options.only_loading:
                figures |= measure(page, collector, launch, events, options.sessions)
            if options.minutes and not options.only_loading:
                launch, events, start = fill_hour(collector, options)
                figures |= measure_hour(page, collector, launch, events, start, options.minutes)
        browser.close()
    missed = [name for name, value in figures.items() if value > limits.get(name, value)]
    if options.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            unit = "bytes" if name == "transfer" else "" if name.endswith(("the list", "files")) else "ms"
            verdict = f"   (at most {limits[name]}{': MISSED' if name in missed else ''})" if name in limits else ""
            print(f"{name:42} {value:10.1f} {unit}{verdict}")
    if missed and not options.short:
        sys.exit(f"missed: {', '.join(missed)}")


if __name__ == "__main__":
    main()
