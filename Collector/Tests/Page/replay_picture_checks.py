"""What a replay's pictures must be."""

import random
import time

from PIL import Image
from playwright.sync_api import expect

from checks import check
from collector import Launch
from replay_page import DIFFERENCE, SCREEN, SUM, WRONG, a_replay, at, until
from replay_story import Replay, draw, jpeg, jumble, png, record2


@check
def pictures_are_put_together(collector, page):
    """the screen is what it was: whole pictures, tiles that changed, parts that moved"""
    launch, start = a_replay(collector)
    for moment, scroll, typed in ((0, 0, ""), (5_000, 15 * 12, ""), (9_700, 29 * 12, ""), (13_300, 0, "fla"), (2_100, 6 * 12, "")):
        at(page, collector, launch, start + moment)
        draw(scroll, typed).save(collector.directory / "expected.png")
        page.route("**/expected.png", lambda route: route.fulfill(path=collector.directory / "expected.png"))
        deadline = time.time() + 60
        while (difference := page.evaluate(DIFFERENCE, f"{collector.url}expected.png")) > 4 and time.time() < deadline:
            page.wait_for_timeout(50)
        assert difference <= 4, (moment, difference)
        page.unroute("**/expected.png")


@check
def pictures_from_anywhere(collector, page, **story):
    """a moment is the same picture from wherever one comes: frame by frame, or in one leap, through tiles that were moved about"""
    collector.start()
    launch = Launch(start=int(time.time() * 1000) - 100_000)
    start = launch.now + 1000
    collector.send(launch, [launch.screen("Menu"), launch.log("x", after=20_000)], final=True)
    frames, expected = jumble(start, **story)
    Replay(collector, launch).segment("screenshots", start, start + len(expected) * 200, frames, len(expected))
    page.route("**/expected.png*", lambda route: route.fulfill(path=collector.directory / "expected.png"))

    def shown(n):
        until(page, f"{SCREEN}.dataset.time", str(start + n * 200))
        expected[n].save(collector.directory / "expected.png")
        wrong = page.evaluate(WRONG, f"{collector.url}expected.png?{n}")
        assert wrong == 0, (n, wrong)
        return page.evaluate(SUM)

    at(page, collector, launch, start)
    sums = []
    for n in range(len(expected)):
        if n:
            page.keyboard.press(">")
        sums.append(shown(n))
    order = list(range(len(expected)))
    random.Random(3).shuffle(order)
    for n in order:
        page.evaluate("(moment) => { location.hash = location.hash.replace(/t=\\d+/, `t=${moment}`); }", start + n * 200)
        assert shown(n) == sums[n], n


@check
def pictures_that_come_back(collector, page):
    """tiles of earlier frames come back, from PNGs, from wherever one comes"""
    pictures_from_anywhere(collector, page, version=2)


@check
def pictures_without_a_decoder(collector, page):
    """browsers that decode images through blobs only show the same"""
    page.add_init_script("delete window.ImageDecoder")
    pictures_from_anywhere(collector, page, version=2)
    assert page.evaluate("typeof ImageDecoder") == "undefined"


@check
def pictures_one_after_the_other(collector, page):
    """where so much comes and goes that nobody follows it, frames are drawn one after the other, with what comes back"""
    pictures_from_anywhere(collector, page, version=2, moved=64, frames=36)


@check
def pictures_nobody_made(collector, page):
    """a later version is named as such; what refers to nothing, moves what is not there, or has an image of another size ends the segment before it"""
    collector.start()
    launch = Launch(start=int(time.time() * 1000) - 100_000)
    start = launch.now + 1000
    collector.send(launch, [launch.screen("Menu"), launch.log("x", after=20_000)], final=True)
    replay, whole = Replay(collector, launch), draw()
    # The two frames before it are a key frame and one without an image.
    bad = [dict(references=references) for references in (
        [(0, 1, 3, 0)], [(0, 1, 0, 0)], [(0, 1, 1, 0)], [(0, 1, 2, 220)], [(219, 2, 2, 0)], [(0, 220, 2, 0), (0, 1, 2, 0)])]
    bad += [dict(tiles=[220], columns=1, image=png(Image.new("1", (32, 32)))), dict(tiles=[0], columns=1, image=png(Image.new("1", (64, 32)))),
            dict(flags=1, image=png(Image.new("1", (8000, 8000)))), dict(flags=1, image=jpeg(Image.new("RGB", (6000, 6000)))),
            dict(tiles=[0], columns=1, image=jpeg(Image.new("RGB", (64, 32)))), dict(tiles=[0], columns=60_000, image=jpeg(Image.new("RGB", (32, 32)))),
            dict(moves=[(0, 0, 40, 40, -1, 0)])]
    fine = dict(references=[(0, 1, 2, 219)])
    for n, third in enumerate([*bad, fine]):
        at_n = start + n * 1000
        good = record2(at_n + 500, 0, references=[(0, 1, 1, 219)])
        replay.segment("screenshots", at_n, at_n + 900, record2(at_n, 1, image=png(whole)) + good + record2(at_n + 600, **{"flags": 0, **third}), 3)
    replay.segment("screenshots", start + 15_000, start + 15_500, record2(start + 15_000, 1, image=png(whole)) + record2(start + 15_200, 0, version=3), 2)
    for n in range(len(bad) + 1):
        at(page, collector, launch, start + n * 1000 + 700)
        until(page, f"{SCREEN}.dataset.time", str(start + n * 1000 + (500 if n < len(bad) else 600)))
    at(page, collector, launch, start + 15_300)
    expect(page.locator(".screen-note")).to_contain_text("recorded in version 3 of the format, and this collector reads up to 2")
