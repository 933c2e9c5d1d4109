"""What the page of one session must do."""

import re
import time

from playwright.sync_api import expect

from accessibility import accessible, accessible_everywhere
from checks import check, fits, loaded, open_session, rows, session_rows, title
from collector import Launch

minute = 60_000


def a_session(collector, final=True):
    """Two minutes with something on every track."""
    collector.start()
    launch = Launch(user="mira@example.com", start=int(time.time() * 1000) - 5 * minute)
    launch.context["device"] = {"model": "iPhone16,2", "systemName": "iOS", "osVersion": "18.1"}
    events = [launch.event("lifecycle", state="foreground", details={}), launch.screen("Menu", after=200)]
    for n in range(6):
        events += [launch.tap(f"Drink {n}", after=2000), launch.request(f"/v1/drinks/{n}", duration=400.0, after=20), launch.log(f"priced drink {n}", after=60)]
    events += [launch.screen("Basket", after=4000), launch.event("storage_changed", after=30, key="basket", newValue="3", suiteName="shop"),
               launch.log("the price has changed", level=3), launch.event("custom", name="basket opened", properties={"items": 3}),
               launch.screen("Checkout", after=5000), launch.tap("Pay now", after=1500),
               launch.request("/v1/checkout", status=503, method="POST", duration=1800.0), launch.log("the card was declined", level=4, after=1900),
               launch.hang([(14, ["decode", "layout", "main"])], after=30_000)]
    collector.send(launch, events, final=final)
    return launch


@check
def the_demo_is_seen(collector, page):
    """the demo's three sessions are listed, and each shows how its launch ended"""
    ledger = collector.demo()
    assert [launch["lost"] for launch in ledger["launches"]] == [0, 0, 0], ledger
    page.goto(collector.url)
    sessions = session_rows(page)
    expect(sessions.first).to_contain_text("mira@example.com")
    all = sessions.count()
    page.locator(".facets").get_by_label("A crash").check()
    expect(sessions).not_to_have_count(all)
    page.locator(".facets").get_by_label("A crash").uncheck()
    expect(sessions).to_have_count(all)

    # What came before the app was opened is listed under its launch.
    last, crashed, killed = [session["sessionId"] for session in collector.get("api/sessions")["sessions"]
                             if not session["sessionId"].startswith("launch:")]
    page.goto(f"{collector.url}#/sessions/{killed}")
    expect(page.locator(".verdict")).to_contain_text("recorded events here")
    expect(rows(page).filter(has_text="Application Opened").first).to_be_visible()
    loaded(page)
    page.keyboard.press("G")
    expect(page.locator(".boundary.killed")).to_contain_text("killed")

    page.goto(f"{collector.url}#/sessions/{crashed}")
    expect(rows(page).first).to_be_visible()
    page.keyboard.press("4")
    expect(page.locator(".row.type-hang")).to_contain_text(re.compile(r"blocked for 2\.\d s"))
    expect(page.locator(".boundary.crashed")).to_contain_text("SIGSEGV")
    page.get_by_role("button", name="Show the report").click()
    expect(title(page)).to_have_text("Crash: SIGSEGV")
    expect(page.get_by_role("link", name="Open the report")).to_be_visible()

    page.get_by_role("link", name="Network").click()
    page.locator(".request", has_text="/v1/checkout").filter(has_text="503").click()
    panel = page.locator(".detail")
    expect(panel.locator(".exchange-head")).to_contain_text("503 Service Unavailable")
    expect(panel).to_contain_text("the payment service does not answer")
    expect(panel.locator(".headers").first).to_contain_text("AuthorizationREDACTED")
    page.locator(".request", has_text="/graphql").click()
    expect(panel).to_contain_text("Loyalty")
    page.locator(".request", has_text="/orders/R-2041").filter(has_not_text="/v1/").first.click()
    expect(panel.locator(".hops")).to_contain_text("301")


@check
def one_playhead(collector, page):
    """the playhead moves by the ruler, the strip, keys and rows, and the list, the screen and the panel follow it"""
    launch = a_session(collector)
    open_session(collector, page, launch)
    loaded(page)
    moment = page.locator(".transport .moment")
    expect(moment).to_have_text("0:00.000")
    expect(page.locator(".track-labels")).to_contain_text("Hangs, frames")
    expect(page.locator(".track-labels")).to_contain_text("Storage")

    box = page.locator(".ruler").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.48, box["y"] + 10, steps=4)
    page.mouse.up()
    expect(page.locator(".transport .at")).to_have_text("Checkout")
    expect(page.locator(".at-screen")).to_have_text("Checkout")
    expect(page.locator(".led-here")).to_contain_text("Tap “Pay now”")
    expect(page.locator(".detail")).to_contain_text("iPhone16,2")
    current = page.locator(".row.current")
    expect(current).to_contain_text("the card was declined")
    assert "t=" in page.url or page.wait_for_url(re.compile("t=")) is None

    page.locator("#timeline").focus()
    before = moment.inner_text()
    page.keyboard.press("ArrowLeft")
    expect(moment).not_to_have_text(before)
    page.keyboard.press("ArrowRight")
    expect(moment).to_have_text(before)
    handle = page.get_by_role("slider", name="Playhead")
    handle.focus()
    page.keyboard.press("Home")
    expect(moment).to_have_text("0:00.000")
    expect(handle).to_have_attribute("aria-valuetext", "0:00.000")
    page.keyboard.press("End")
    expect(page.locator(".row.current")).to_contain_text("Main thread blocked")

    strip = page.locator(".brush").bounding_box()
    page.mouse.click(strip["x"] + 4, strip["y"] + 10)
    expect(moment).to_have_text("0:00.000")
    page.locator(".row.screen").filter(has_text="Basket").click()
    expect(page.locator(".transport .at")).to_have_text("Basket")
    expect(title(page)).to_have_text("Basket")


@check
def the_next_page_wins(collector, page):
    """an event that was just chosen does not write its address over that of the page that one goes to next"""
    launch = a_session(collector)
    open_session(collector, page, launch)
    loaded(page)
    # The address has been set, and the browser tells of it only when this script is done: what a view writes now comes too late.
    page.evaluate("""async () => {
        const route = await import("/scripts/base/route.js");
        location.hash = "#/issues";
        route.replace({ view: "sessions", text: "late" });
    }""")
    expect(page.get_by_role("link", name="Issues")).to_have_attribute("aria-current", "page")
    assert page.url.endswith("#/issues"), page.url


@check
def a_link_to_a_moment(collector, page):
    """the address leads to the moment and to the event, also in a session that is open"""
    launch = a_session(collector)
    open_session(collector, page, launch)
    loaded(page)
    page.keyboard.press("e")
    expect(title(page)).to_contain_text("POST /v1/checkout")
    page.wait_for_url(re.compile("event="))
    url = page.url
    page.keyboard.press("Escape")
    expect(page.locator(".kind")).to_have_text("At the playhead")
    page.wait_for_url(re.compile("t="))
    moment = page.locator(".transport .moment").inner_text()
    at = page.url
    page.goto("about:blank")
    page.goto(url)
    expect(title(page)).to_contain_text("POST /v1/checkout")
    expect(page.locator(".row[aria-selected=true]")).to_be_visible()
    page.goto("about:blank")
    page.goto(at)
    expect(page.locator(".transport .moment")).to_have_text(moment)
    page.evaluate("address => { location.hash = address }", url[url.index("#"):])
    expect(title(page)).to_contain_text("POST /v1/checkout")


@check
def zoom(collector, page):
    """wheel, keys and the strip zoom and pan; a click into the tracks chooses what is there"""
    launch = a_session(collector)
    open_session(collector, page, launch)
    loaded(page)
    ticks = page.locator(".ruler span")
    expect(ticks.first).to_have_text("0:00")
    plot = page.locator(".track-plot canvas").bounding_box()
    window = page.locator(".brush .window")
    expect(window).to_have_class(re.compile("whole"))
    page.mouse.move(plot["x"] + plot["width"] * 0.4, plot["y"] + 12)
    for _ in range(4):
        page.mouse.wheel(0, -200)
    expect(window).not_to_have_class(re.compile("whole"))
    first = ticks.first.inner_text()
    page.mouse.wheel(120, 0)
    expect(ticks.first).not_to_have_text(first)
    page.keyboard.press("0")
    expect(window).to_have_class(re.compile("whole"))
    page.keyboard.press("+")
    expect(window).not_to_have_class(re.compile("whole"))
    page.get_by_role("button", name="Whole session").click()
    strip = page.locator(".brush").bounding_box()
    page.mouse.move(strip["x"] + strip["width"] * 0.2, strip["y"] + 12)
    page.mouse.down()
    page.mouse.move(strip["x"] + strip["width"] * 0.4, strip["y"] + 12, steps=4)
    page.mouse.up()
    expect(window).not_to_have_class(re.compile("whole"))
    page.keyboard.press("0")
    # Into the track of screens, where Checkout is.
    page.mouse.click(plot["x"] + plot["width"] * 0.6, plot["y"] + 12)
    expect(title(page)).to_have_text("Checkout")
    page.mouse.move(plot["x"] + plot["width"] * 0.05, plot["y"] + 12)
    expect(page.locator(".track-tip")).to_contain_text("Menu")


@check
def ways_to_look(collector, page):
    """the log with its levels, the requests with their waterfall, the errors: by keys and clicks"""
    launch = a_session(collector)
    open_session(collector, page, launch)
    loaded(page)
    page.keyboard.press("2")
    expect(rows(page)).to_have_count(8)
    page.get_by_label("Level").select_option("3")
    expect(rows(page)).to_have_count(2)
    page.locator("#timeline").focus()
    page.keyboard.press("3")
    expect(rows(page)).to_have_count(7)
    expect(page.locator(".when-bar i")).to_have_count(7)
    page.get_by_role("button", name=re.compile("^Errors")).click()
    expect(rows(page)).to_have_count(3)
    page.locator("#timeline").focus()
    for expected in ("POST /v1/checkout", "the card was declined", "Main thread blocked", "POST /v1/checkout"):
        page.keyboard.press("e")
        expect(title(page)).to_contain_text(expected)
    page.keyboard.press("E")
    expect(title(page)).to_contain_text("Main thread blocked")
    page.wait_for_url(re.compile("tab=errors"))
    page.reload()
    expect(rows(page)).to_have_count(3)


@check
def the_panel(collector, page):
    """an event's panel has its details, context, what was before, and its JSON to copy"""
    launch = a_session(collector)
    open_session(collector, page, launch)
    loaded(page)
    page.keyboard.press("4")
    rows(page).filter(has_text="the card was declined").click()
    panel = page.locator(".detail")
    page.get_by_role("tab", name="Context").click()
    expect(panel).to_contain_text("iPhone16,2")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Before")).to_be_focused()
    expect(page.locator(".led-here li").first).to_contain_text("POST /v1/checkout")
    expect(page.locator(".led-here")).to_contain_text("Pay now")
    page.get_by_role("tab", name="JSON").click()
    expect(panel.locator(".json")).to_contain_text('"message": "the card was declined"')
    page.get_by_role("tab", name="Before").click()
    page.locator(".led-here button", has_text="Pay now").click()
    expect(title(page)).to_contain_text("Pay now")


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
    expect(rows(page)).to_have_count(len(events))
    for index in range(len(events)):
        rows(page).nth(index).click()
        expect(title(page)).to_be_visible()
        for tab in ("Context", "Before", "JSON"):
            page.get_by_role("tab", name=tab).click()
    page.keyboard.press("Control+k")
    page.keyboard.type("img src")
    expect(page.locator(".palette-item").first).to_contain_text("<img src=x")
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
    expect(page.locator(".verdict")).to_contain_text("All 10\u202f000 recorded events here")
    expect(page.locator(".chip[data-type=log] .number")).to_have_text("9\u202f800")
    loaded(page)
    assert rows(page).count() < 120
    page.locator("#timeline").focus()
    page.keyboard.press("G")
    expect(title(page)).to_have_text("entry 9999 of many")
    page.keyboard.press("g")
    expect(title(page)).to_have_text("Screen 0")
    assert rows(page).count() < 120
    # What is far away is fetched when one gets there.
    page.locator("#timeline").evaluate("element => { element.scrollTop = element.scrollHeight / 2 }")
    expect(rows(page).filter(has_text=re.compile(r"entry 4\d\d\d of many|entry 5\d\d\d of many")).first).to_be_visible()
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
    open_session(collector, page, launch)
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
def early_link(collector, page):
    """a link to a session that is about to begin shows it as soon as it is there"""
    collector.start()
    launch = Launch()
    open_session(collector, page, launch)
    expect(page.get_by_text("This session is not here")).to_be_visible()
    collector.send(launch, [launch.log("first")])
    expect(page.locator(".list").get_by_text("first", exact=True)).to_be_visible()
    expect(page.get_by_text("This session is not here")).to_be_hidden()
    collector.send(launch, [launch.log("second")])
    expect(page.locator(".list").get_by_text("second", exact=True)).to_be_visible()
    expect(rows(page)).to_have_count(2)


@check
def missing_and_away(collector, page):
    """a session that does not exist, and a collector that goes away and comes back, are told apart"""
    collector.start()
    page.goto(f"{collector.url}#/sessions/nobody%2F%3Cb%3E")
    expect(page.get_by_text("This session is not here")).to_be_visible()
    launch = Launch()
    collector.send(launch, [launch.log("before")])
    open_session(collector, page, launch)
    expect(rows(page)).to_have_count(1)
    collector.stop()
    expect(page.locator("#banner")).to_contain_text("does not answer")
    collector.start()
    collector.send(launch, [launch.log("after")])
    expect(page.locator("#banner")).to_be_hidden()
    expect(page.locator(".list").get_by_text("after", exact=True)).to_be_visible()


@check
def session_by_keys(collector, page):
    """j and k walk, e finds errors, Escape closes and goes back, and Tab reaches everything in the order of reading"""
    launch = a_session(collector)
    open_session(collector, page, launch)
    loaded(page)
    for key, expected in [("j", "Foreground"), ("j", "Menu"), ("k", "Foreground"), ("G", "Main thread blocked"), ("g", "Foreground")]:
        page.keyboard.press(key)
        expect(title(page)).to_contain_text(expected)
    page.keyboard.press("Escape")
    expect(page.locator(".detail h2")).to_have_text(re.compile(r"^\d+:\d\d"))
    page.evaluate("document.activeElement.blur()")
    places = []
    for _ in range(60):
        page.keyboard.press("Tab")
        places.append(page.evaluate("""() => {
          const at = document.activeElement;
          return ['#topbar', '.head', '.timeline', '.filters', '.list', '.ledger', '.detail'].findIndex((part) => at.closest(part));
        }"""))
        if places[-1] == 6:
            break
    order = [place for place in places if place >= 0]
    assert order == sorted(order) and set(order) >= {0, 1, 2, 3, 4, 5, 6}, places
    page.keyboard.press("Escape")
    expect(session_rows(page)).to_have_count(1)


@check
def session_accessible(collector, page):
    """the session's page passes axe in light and dark, wide and narrow, and fits a small phone"""
    launch = a_session(collector)
    launch2 = Launch(user="a.very.long.address.indeed@some.company.example.com")
    collector.send(launch2, [
        launch2.screen("A destination with a rather long name", argument="and an argument that is longer still"),
        launch2.log("x" * 400, tag="unbroken"), launch2.request("/" + "p" * 200),
    ], final=True)
    open_session(collector, page, launch)
    loaded(page)
    accessible_everywhere(page, lambda: expect(rows(page).first).to_be_visible())
    fits(page)
    for tab in "234":
        page.locator("#timeline").focus()
        page.keyboard.press(tab)
        accessible(page)
        fits(page)
    page.set_viewport_size({"width": 1440, "height": 900})
    rows(page).filter(has_text="/v1/checkout").click()
    expect(page.locator(".exchange-head")).to_be_visible()
    accessible_everywhere(page, lambda: expect(title(page)).to_be_visible())
    fits(page)
    page.locator(".detail").get_by_role("button", name="Close").click()
    page.get_by_role("link", name="All sessions").click()
    expect(session_rows(page)).to_have_count(2)
    session_rows(page).filter(has_text="a.very.long").click()
    expect(rows(page)).to_have_count(3)
    fits(page)
    box = page.locator(".filters input").bounding_box()
    assert box["x"] + box["width"] <= 360, box
    rows(page).nth(1).click()
    expect(title(page)).to_be_visible()
    fits(page)
