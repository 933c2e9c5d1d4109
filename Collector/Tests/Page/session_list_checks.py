"""What the list of events on the page of one session must do."""

import re
import time

from playwright.sync_api import expect

from checks import check, loaded, open_at_start, open_session, rows, session_rows, title
from collector import Launch


@check
def live(collector, page):
    """a live session grows while one looks, follows its end, and stops following when one scrolls up"""
    collector.start()
    launch = Launch()
    collector.send(launch, [launch.log(f"line {n}", tag=f"tag {n}") for n in range(100)])
    open_session(collector, page, launch)
    expect(page.get_by_role("button", name="Following")).to_be_visible()
    expect(page.get_by_text("line 99", exact=True)).to_be_visible()
    collector.send(launch, [launch.log("and one more")])
    expect(page.locator(".list").get_by_text("and one more")).to_be_visible()

    page.locator("#timeline").hover()
    page.mouse.wheel(0, -4000)
    expect(page.get_by_role("button", name="Jump to live")).to_be_visible()
    expect(page.locator(".list").get_by_text("line 0", exact=True)).to_be_visible()
    collector.send(launch, [launch.log("unseen")])
    fresh = page.locator(".fresh")
    expect(fresh).to_contain_text("1 new event")
    expect(page.locator(".list").get_by_text("line 0", exact=True)).to_be_visible()
    fresh.click()
    expect(page.locator(".list").get_by_text("unseen", exact=True)).to_be_visible()


@check
def hostile(collector, page):
    """nothing that an app recorded becomes markup, code or a page that breaks"""
    collector.start()
    bomb = "<img src=x onerror=\"window.hit=1\"><script>window.hit=1</script>"
    launch = Launch(user=bomb)
    launch.context.update(appVersion=bomb, tags={bomb: bomb}, device={"model": bomb, "osVersion": bomb})
    events = [
        launch.screen(bomb, **{"__proto__": bomb, "constructor": "x"}),
        launch.log(bomb + "\u001b[31m\u202e reversed", tag=bomb),
        launch.event("network_request", url="javascript:window.hit=1", method=bomb, statusCode=200, durationMs=1e300),
        launch.event("__proto__", constructor=bomb), launch.event("toString"), launch.event("a" * 60, deep=[[[[bomb]]]]),
        launch.event("interaction", interactionType="tap", properties=None),
        launch.event("view_body_snapshot", snapshots="none"),
        launch.event("storage_changed", key=None, newValue={"a": 1}, valueType=3, suiteName=7),
        launch.event("log", level="high", message=["a"], tag=None), launch.event("hang", durationMs="long"),
        launch.event("log", level=10**18, message="far", tag=bomb), launch.event("custom", name=[bomb], durationMs=-1e308),
    ]
    for _, event in events[4:7]:
        event["timestamp"] = 9_000_000_000_000_000
    collector.send(launch, events)
    page.goto(collector.url)
    expect(session_rows(page)).to_contain_text("<img src=x")
    expect(page.locator(".facets")).to_contain_text("<img src=x")
    session_rows(page).click()
    loaded(page)
    page.keyboard.press("g")
    expect(rows(page)).to_have_count(len(events))
    for index in range(len(events)):
        rows(page).nth(index).click()
        expect(title(page)).to_be_visible()
        for tab in ("Context", "Before", "JSON"):
            page.get_by_role("tab", name=tab).click()
    page.keyboard.press("Control+k")
    page.keyboard.type("img src")
    expect(page.locator(".palette-item", has_text="<img src=x").first).to_be_visible()
    page.keyboard.press("Escape")
    assert page.evaluate("window.hit") is None
    assert page.locator("img[src=x], .session script, .detail script").count() == 0
    expect(page.locator(".session h1")).to_contain_text("<img src=x")


@check
def long_sessions(collector, page):
    """ten thousand events are all there, with only the visible ones in the page"""
    collector.start()
    launch = Launch(start=int(time.time() * 1000) - 600_000)
    collector.send(launch, [
        launch.screen(f"Screen {n}") if n % 50 == 0 else launch.log(f"entry {n} of many{' needle' * (n == 7777)}", tag=f"tag {n}", after=20)
        for n in range(10_000)
    ], final=True)
    open_session(collector, page, launch)
    expect(page.locator(".verdict")).to_contain_text("All 10\u202f000 recorded events received")
    expect(page.locator(".chip[data-type=log] .number")).to_have_text("9\u202f800")
    loaded(page)
    assert rows(page).count() < 120
    page.locator("#timeline").focus()
    page.keyboard.press("G")
    expect(title(page)).to_have_text("entry 9999 of many")
    page.keyboard.press("g")
    expect(title(page)).to_have_text("Screen 0")
    assert rows(page).count() < 120
    expect(page.locator("#timeline")).to_have_attribute("aria-activedescendant", re.compile("event-"))
    # What is far away is fetched when one gets there.
    page.locator("#timeline").evaluate("element => { element.scrollTop = element.scrollHeight / 2 }")
    expect(rows(page).filter(has_text=re.compile(r"entry 4\d\d\d of many|entry 5\d\d\d of many")).first).to_be_visible()
    # The row that was chosen is not in the page any more, and nobody is told of it.
    expect(page.locator("#timeline")).not_to_have_attribute("aria-activedescendant", re.compile("."))
    page.keyboard.press("/")
    page.keyboard.type("many needle")
    expect(rows(page)).to_have_count(1)
    page.keyboard.press("Enter")
    expect(title(page)).to_have_text("entry 7777 of many needle")


@check
def filters(collector, page):
    """chips and text narrow the timeline, the address keeps them, and a reload shows the same"""
    collector.start()
    launch = Launch()
    collector.send(launch, [
        launch.screen("Menu"), launch.log("all is well"), launch.log("the card was declined", level=4), launch.request("/v1/pay", status=503, method="POST"),
    ], final=True)
    open_at_start(collector, page, launch)
    expect(rows(page)).to_have_count(4)
    page.locator(".chip[data-type=log]").click()
    expect(rows(page)).to_have_count(2)
    page.keyboard.press("/")
    page.keyboard.type("declined card")
    expect(rows(page)).to_have_count(1)
    page.keyboard.press("Enter")
    expect(title(page)).to_have_text("the card was declined")
    page.wait_for_url(re.compile("event="))
    assert "types=log" in page.url and "q=declined" in page.url, page.url

    page.reload()
    expect(rows(page)).to_have_count(1)
    expect(title(page)).to_have_text("the card was declined")
    page.locator(".filters input").fill("nothing like it")
    expect(page.get_by_text("No event matches the filter")).to_be_visible()
    page.get_by_role("button", name="Clear the filter").click()
    expect(rows(page)).to_have_count(4)


@check
def bursts(collector, page):
    """a burst of like entries is folded, opens by a click or a link into it, and never hides an error"""
    collector.start()
    launch = Launch()
    events = [launch.screen("Menu")]
    events += [launch.log(f"article {n}", tag="sync", level=4 if n == 150 else 1, after=0) for n in range(300)]
    events += [launch.screen("Basket")]
    collector.send(launch, events, final=True)
    open_session(collector, page, launch)
    # Two screens, the error, and of each half the first three and the last.
    expect(rows(page)).to_have_count(11)
    expect(page.locator(".list").get_by_text("article 150", exact=True)).to_be_visible()
    folds = page.locator(".fold button")
    expect(folds).to_have_count(2)
    expect(folds.first).to_contain_text("146 more like these")
    folds.first.click()
    expect(page.get_by_text("article 20", exact=True)).to_be_visible()
    expect(page.get_by_text("146 more like these")).to_have_count(0)

    inside = collector.get(f"api/sessions/{launch.session}/events?limit=1000")["events"][200]
    page.goto("about:blank")
    page.goto(f"{collector.url}#/sessions/{launch.session}?event={inside['id']}")
    expect(title(page)).to_have_text(inside["payload"]["message"])
    expect(page.locator(".row[aria-selected=true]")).to_be_visible()


@check
def a_burst_opens_late(collector, page):
    """what one has gone to stays in sight when the burst that it ends opens above it"""
    collector.start()
    launch = Launch()
    collector.send(launch, [launch.screen("Menu"), *(launch.log(f"article {n}", tag="sync", after=0) for n in range(300))], final=True)
    held = []
    # How the launch ended comes last, and has the list drawn once more.
    page.route("**/api/launches?*", lambda route: held.append(route))
    more, last = page.get_by_text("296 more like these"), page.locator(".list").get_by_text("article 299", exact=True)
    open_session(collector, page, launch)
    loaded(page)
    page.keyboard.press("G")
    expect(title(page)).to_have_text("article 299")
    expect(more).to_be_visible()
    while not held:
        page.wait_for_timeout(30)
    held.pop().continue_()
    expect(more).to_have_count(0)
    expect(last).to_be_in_viewport()


@check
def what_comes_late_above(collector, page):
    """what one has gone to stays in sight when many earlier events come late"""
    collector.start()
    now = int(time.time() * 1000)
    early, launch = Launch(start=now - 60_000), Launch(start=now - 30_000)
    early.context["sessionId"] = early.session = launch.session
    collector.send(launch, [launch.log(f"line {n}", tag=f"tag {n}") for n in range(100)])
    open_session(collector, page, launch)
    expect(page.get_by_role("button", name="Following")).to_be_visible()
    chosen = rows(page).filter(has_text="line 50")
    for _ in range(50):
        page.keyboard.press("k")
    expect(title(page)).to_have_text("line 50")
    expect(chosen).to_be_in_viewport()
    collector.send(early, [early.log(f"late {n}", tag=f"tag {n}") for n in range(60)])
    expect(page.locator(".chip[data-type=log] .number")).to_have_text("160")
    expect(chosen).to_be_in_viewport()


@check
def early_link(collector, page):
    """a link to a session that is about to begin shows it as soon as it is there"""
    collector.start()
    launch = Launch()
    open_session(collector, page, launch)
    expect(page.get_by_text("Session not found")).to_be_visible()
    collector.send(launch, [launch.log("first")])
    expect(page.locator(".list").get_by_text("first", exact=True)).to_be_visible()
    expect(page.get_by_text("Session not found")).to_be_hidden()
    collector.send(launch, [launch.log("second")])
    expect(page.locator(".list").get_by_text("second", exact=True)).to_be_visible()
    expect(rows(page)).to_have_count(2)


@check
def missing_and_away(collector, page):
    """a session that does not exist, and a collector that goes away and comes back, are told apart"""
    collector.start()
    page.goto(f"{collector.url}#/sessions/nobody%2F%3Cb%3E")
    expect(page.get_by_text("Session not found")).to_be_visible()
    launch = Launch()
    collector.send(launch, [launch.log("before")])
    open_session(collector, page, launch)
    expect(rows(page)).to_have_count(1)
    collector.stop()
    expect(page.locator("#banner")).to_contain_text("is not responding")
    collector.start()
    collector.send(launch, [launch.log("after")])
    expect(page.locator("#banner")).to_be_hidden()
    expect(page.locator(".list").get_by_text("after", exact=True)).to_be_visible()
