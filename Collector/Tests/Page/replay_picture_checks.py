"""What a replay's pictures must be."""

import random
import time

from checks import check
from collector import Launch
from replay_page import DIFFERENCE, SCREEN, SUM, WRONG, a_replay, at, until
from replay_story import Replay, draw, jumble


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
def pictures_from_anywhere(collector, page):
    """a moment is the same picture from wherever one comes: frame by frame, or in one leap, through tiles that were moved about"""
    collector.start()
    launch = Launch(start=int(time.time() * 1000) - 100_000)
    start = launch.now + 1000
    collector.send(launch, [launch.screen("Menu"), launch.log("x", after=20_000)], final=True)
    frames, expected = jumble(start)
    Replay(collector, launch).segment("screenshots", start, start + 4800, frames, len(expected))
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
def pictures_without_a_decoder(collector, page):
    """browsers that decode images through blobs only show the same"""
    page.add_init_script("delete window.ImageDecoder")
    pictures_from_anywhere(collector, page)
    assert page.evaluate("typeof ImageDecoder") == "undefined"
