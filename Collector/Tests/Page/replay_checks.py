"""What the replay in a session's page must do."""

import re
import time

from playwright.sync_api import expect

from accessibility import accessible_everywhere
from checks import check, fits, loaded, open_session, rows
from collector import Launch
from replay_page import COLOUR, SCREEN, a_replay, at, until
from replay_story import Replay, scrolling, snapshot


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
def the_player_comes_late(collector, page):
    """what one has gone to in the list stays in sight when the player comes and takes its room; what one scrolled away from does not"""
    launch, _ = a_replay(collector)
    collector.send(launch, [launch.log(f"line {n}") for n in range(200)], final=True)
    held = []
    page.route("**/replays", lambda route: held.append(route))
    player, last = page.locator(".player"), rows(page).filter(has_text="line 199")

    def comes():
        expect(player).to_be_hidden()
        while not held:
            page.wait_for_timeout(30)
        held.pop().continue_()
        expect(player).to_be_visible()

    open_session(collector, page, launch)
    loaded(page)
    page.keyboard.press("G")
    expect(last).to_be_in_viewport()
    comes()
    expect(last).to_be_in_viewport()
    expect(page.locator(".boundary").last).to_be_in_viewport()

    page.reload()
    loaded(page)
    page.keyboard.press("G")
    expect(last).to_be_in_viewport()
    page.locator("#timeline").hover()
    page.mouse.wheel(0, -1500)
    expect(last).not_to_be_in_viewport()
    comes()
    page.wait_for_timeout(300)
    expect(last).not_to_be_in_viewport()


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
    expect(page.locator(".brush-box .brush-preview")).to_be_visible()
    until(page, "document.querySelector('.brush-box .brush-preview canvas').height", 150)
    page.mouse.move(10, 10)
    expect(page.locator(".brush-box .brush-preview")).to_be_hidden()


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


@check
def faults_and_gaps(collector, page):
    """what went wrong and what is missing stands on the strip under the screen and on a track of its own, says what it is, and leads there"""
    launch, start = a_replay(collector, trouble=True)
    at(page, collector, launch, start)
    strip = page.locator(".scrub-plot")
    box = strip.bounding_box()

    def place(moment):
        shown = page.evaluate("() => { const { ariaValueMax } = document.querySelector('.scrub-plot'); return Number(ariaValueMax); }")
        return box["x"] + box["width"] * moment / shown

    look = page.locator(".scrubber .brush-preview")
    until(page, "Number(document.querySelector('.scrub-plot').ariaValueMax) > 40000", True)
    for moment, words in ((11_000, "2 errors, first: Failed request"), (37_000, "7 frames lost"), (40_000, "Crash")):
        page.mouse.move(place(moment), box["y"] + 6)
        expect(look.locator("b")).to_contain_text(words)
    page.mouse.move(place(5_000), box["y"] + 6)
    expect(look.locator("b")).to_be_hidden()
    page.mouse.click(place(40_000), box["y"] + 6)
    expect(page).to_have_url(re.compile(f"t={start + 40_000}"))
    # The track of the same: its name says how many are lost.
    expect(page.locator(".track-labels")).to_contain_text("Replay")
    expect(page.locator(".track-plot canvas")).to_have_attribute("aria-label", re.compile("Replay, 7 frames lost"))
    strip.focus()
    page.keyboard.press("Home")
    expect(strip).to_have_attribute("aria-valuenow", "0")
    page.keyboard.press("ArrowRight")
    expect(strip).to_have_attribute("aria-valuenow", "5000")


@check
def a_session_as_a_file(collector, page):
    """a session is saved as one file, and opens in another collector: picked, dropped, and with the replay; what is no such file is told"""
    launch, start = a_replay(collector)
    at(page, collector, launch, start + 500)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save file").click()
    file = collector.directory / "session.automobile"
    download.value.save_as(file)
    assert file.stat().st_size > 10_000 and download.value.suggested_filename.endswith(".automobile")
    collector.stop()
    collector.data.rename(collector.directory / "other")
    collector.start()
    page.goto(collector.url)
    page.get_by_role("button", name="Open file").wait_for()
    page.get_by_label("Session file").set_input_files({"name": "x.automobile", "mimeType": "", "buffer": b"<script>alert(1)</script>"})
    expect(page.locator(".open-file .error")).to_contain_text("not a session file")
    page.get_by_label("Session file").set_input_files(file)
    loaded(page)
    expect(page.locator("h1")).to_contain_text("mira@example.com")
    expect(page.locator(".head .imported")).to_contain_text("From a file, ")
    expect(page.locator(".head .imported")).to_have_attribute("title", re.compile(r"Opened from a file .*, saved .* by collector \d"))
    expect(page.locator(".player")).to_be_visible()
    expect(rows(page)).to_have_count(13)
    expect(page.locator(".glass canvas.screen-picture")).to_have_attribute("data-time", str(start + 16_000))
    # Once more, dropped onto the list: it is here already, and opens.
    page.goto(collector.url)
    expect(page.locator(".session-row")).to_have_count(1)
    expect(page.locator(".session-row .imported")).to_have_text("From a file")
    page.evaluate("""async (path) => {
      const bytes = await (await fetch(path)).blob();
      const data = new DataTransfer();
      data.items.add(new File([bytes], "session.automobile"));
      document.getElementById("session").dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }));
    }""", f"api/sessions/{launch.session}/file")
    loaded(page)
    expect(page.locator("h1")).to_contain_text("mira@example.com")
