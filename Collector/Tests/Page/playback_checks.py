"""What goes along while a replay plays, and what its wireframes and its gaps say of themselves."""

import re
import time

from playwright.sync_api import expect

from checks import check, loaded, open_session, rows
from collector import Launch
from replay_page import at, until
from replay_story import Replay, draw, key, scrolling, snapshot

TIME = re.compile(r"^\d\d:\d\d:\d\d\.\d{3}, ")
TOUCHED = """(() => {
  const canvas = document.querySelector('.glass canvas.screen-touches');
  return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0);
})()"""


def two_screens(collector, gap="uncertain"):
    """The menu, and after 3 s a drink; a wireframe of the menu only."""
    collector.start()
    launch = Launch(start=int(time.time() * 1000) - 100_000)
    start = launch.now
    events = [launch.screen("Menu", after=0), launch.screen("Drink", after=3000),
              *[launch.event("interaction", 250, interactionType="tap", properties={"viewType": kind, "x": 120.5, "y": 300, **more}) for kind, more in (
                  ("_UIHostingView<Shop>", {}), ("UIButton", {}), ("ProductCell", {}), ("UIButton", {"accessibilityLabel": "Add to basket"}),
                  ("_UIHostingView<Shop>", {"accessibilityIdentifier": "pay-button"}))],
              *[launch.screen(f"Drink {n}", after=100) for n in range(150)]]
    collector.send(launch, events, final=True)
    replay = Replay(collector, launch)
    replay.segment("screenshots", start, start + 9_667, scrolling(start), 30)
    replay.segment("screenshots", start + 15_000, start + 15_000, key(start + 15_000, draw(colour="#dff0ff", rows=0), gap=True, dropped=7))
    replay.segment("hierarchy", start, start, snapshot(start))
    replay.segment("events", start, start + 15_000, '{"t":%d,"type":"gap","dropped":7,"reason":"%s","until":%d}\n' % (start + 12_000, gap, start + 15_000))
    return launch, start


@check
def playback_is_followed(collector, page):
    """while a replay plays, the panel, the list and the address say what the picture shows; times have milliseconds"""
    launch, start = two_screens(collector)
    at(page, collector, launch, start + 2_500)
    expect(page.locator(".at-screen")).to_have_text("Menu")
    page.keyboard.press("Space")
    playing = page.locator(".player-bar").get_by_role("button", name="Pause")
    expect(page.locator(".at-screen")).to_have_text("Drink")
    number = lambda text: max([int(n) for n in re.findall(r"Drink (\d+)", text)], default=-1)
    # A busy machine draws seldom: what is written in the next frame is as late, or as early, as the longest wait for one.
    page.evaluate("""() => {
      let last = performance.now();
      window.longestFrame = 0;
      requestAnimationFrame(function drawn() {
        window.longestFrame = Math.max(window.longestFrame, performance.now() - last);
        last = performance.now();
        requestAnimationFrame(drawn);
      });
    }""")
    for _ in range(4):
        seen = page.evaluate("""async () => {
          await new Promise((resolve) => setTimeout(resolve, 700));
          const first = (selector) => document.querySelector(selector)?.textContent ?? "";
          const asked = Number(new URLSearchParams(location.hash.split("?")[1]).get("t"));
          return { moment: first(".transport .moment"), panel: first(".detail h2"), when: first(".detail .when"), screen: first(".at-screen"), asked,
                   led: first(".led-here"), current: first(".row.current .title"), frame: window.longestFrame };
        }""")
        expect(playing).to_be_visible()
        assert seen["panel"] == seen["moment"], seen
        assert seen["screen"].startswith("Drink") and TIME.match(seen["when"]), seen
        # What led here, and the list, are a few screens behind at most.
        assert min(number(seen["led"]), number(seen["current"])) >= number(seen["screen"]) - 6, seen
        minutes, seconds = seen["moment"].split(":")
        behind = int(minutes) * 60_000 + float(seconds) * 1000 - (seen["asked"] - start)
        assert -50 - seen["frame"] <= behind < 1000 + seen["frame"], seen
    page.keyboard.press("Space")
    box = page.locator(".scrub-plot").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.3337, box["y"] + 18)
    expect(page.locator(".detail .when")).to_have_text(TIME)


@check
def wireframes_say_how_old_they_are(collector, page):
    """a wireframe says how old it is, and one of another screen that it is that; no taps are drawn on what was not touched"""
    launch, start = two_screens(collector)
    age = page.locator(".screen-age")
    at(page, collector, launch, start + 3_300)
    until(page, TOUCHED, True)
    expect(age).to_be_hidden()
    page.keyboard.press("w")
    expect(age).to_have_text("Previous screen from 3.3 s ago")
    until(page, TOUCHED, False)
    at(page, collector, launch, start + 2_000)
    expect(age).to_have_text("Wireframe from 2 s ago")
    at(page, collector, launch, start + 200)
    expect(age).to_be_hidden()
    page.keyboard.press("w")
    at(page, collector, launch, start + 3_300)
    until(page, TOUCHED, True)


@check
def wireframes_keep_their_words(collector, page):
    """what is written in a wireframe finds room, smaller where it must be, and ends with dots where it does not"""
    page.add_init_script("""
      window.written = [];
      const { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
        window.written.push({ text, width: this.measureText(text).width, size: parseFloat(this.font), colour: this.fillStyle });
        return fillText.call(this, text, ...place);
      };""")
    collector.start()
    launch = Launch(start=int(time.time() * 1000) - 10_000)
    collector.send(launch, [launch.screen("Menu")], final=True)
    nodes = [("Add to my basket", 100, 20, {"f": 17, "k": "text"}), ("Donaudampfschifffahrtsgesellschaft", 60, 20, {"f": 15, "k": "text"}),
             ("Two lines find room in here", 110, 40, {"f": 16, "k": "text"}), ("Pay", 100, 40, {"k": "button", "c": "#202020"})]
    line = {"t": launch.now, "w": 390, "h": 844, "nodes": [{"x": 10, "y": 50 + 60 * n, "w": w, "h": h, "t": text, **more} for n, (text, w, h, more) in enumerate(nodes)]}
    Replay(collector, launch).segment("hierarchy", launch.now, launch.now, __import__("json").dumps(line) + "\n")
    open_session(collector, page, launch)
    until(page, "window.written.some(({ text }) => text === 'Pay')", True)
    written = page.evaluate("window.written")
    words = [one["text"] for one in written]
    assert all(one["width"] <= 110.5 for one in written if one["text"] != "map"), written
    assert any(text.startswith("Donau") and text.endswith("…") for text in words), words
    assert any("Two lines" in text for text in words) and any("in here" in text for text in words), words
    assert next(one for one in written if one["text"].startswith("Add to"))["size"] < 17, written
    assert next(one for one in written if one["text"] == "Pay")["colour"] == "#ffffff", written


@check
def taps_have_names(collector, page):
    """a tap is called by what was touched, or by what that was and where, and never by the system's names for views"""
    launch, start = two_screens(collector)
    open_session(collector, page, launch)
    loaded(page)
    taps = page.locator(".row.type-interaction .title")
    expect(taps).to_have_text(["Tap at 121, 300 in Drink", "Tap on a button at 121, 300", "Tap “ProductCell” at 121, 300", "Tap “Add to basket”", "Tap “pay-button”"])
    expect(page.locator("#timeline")).not_to_contain_text("_UIHosting")


@check
def gaps_say_why(collector, page):
    """frames that are missing say why: where what had to be covered was not certain, too"""
    launch, start = two_screens(collector)
    at(page, collector, launch, start)
    until(page, "Number(document.querySelector('.scrub-plot').ariaValueMax) > 14000", True)
    box = page.locator(".scrub-plot").bounding_box()
    most = page.evaluate("Number(document.querySelector('.scrub-plot').ariaValueMax)")
    page.mouse.move(box["x"] + box["width"] * 13_000 / most, box["y"] + 17)
    expect(page.locator(".scrubber .brush-preview b")).to_have_text("7 frames lost: masking was not certain")
    look, player = [page.locator(one).bounding_box() for one in (".scrubber .brush-preview", ".player")]
    assert look["x"] >= player["x"] and look["x"] + look["width"] <= player["x"] + player["width"], (look, player)


@check
def what_was_erased_is_told(collector, page):
    """events that were erased before they were delivered are counted as such"""
    collector.start()
    launch = Launch()
    collector.send(launch, [launch.log("the last")], final=True, dropped={"erased": 3})
    # The page is asked once, and what came is counted a moment later.
    collector.until("api/launches", lambda found: found["launches"])
    page.goto(f"{collector.url}#/health")
    reason = page.locator(".reasons li").filter(has_text="Erased")
    expect(reason).to_contain_text("3")
    expect(reason).to_contain_text("consent was denied, or the app called eraseAll()")
