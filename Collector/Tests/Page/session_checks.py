"""What the page of one session must do."""

import re

from playwright.sync_api import expect

from accessibility import accessible, accessible_everywhere
from checks import check, fits, loaded, open_at_start, open_session, rows, session_rows, title
from collector import Launch
from session_story import a_session


@check
def the_demo_is_seen(collector, page):
    """the demo's three sessions are listed, and each shows how its launch ended"""
    ledger = collector.demo()
    assert [launch["lost"] for launch in ledger["launches"]] == [0, 0, 0], ledger
    page.goto(collector.url)
    sessions = session_rows(page)
    expect(sessions.first).to_contain_text("mira@example.com")
    all = sessions.count()
    page.locator(".facets [data-key='has crash']").check()
    expect(sessions).not_to_have_count(all)
    page.locator(".facets [data-key='has crash']").uncheck()
    expect(sessions).to_have_count(all)

    # What came before the app was opened is listed under its launch.
    last, crashed, killed = [session["sessionId"] for session in collector.get("api/sessions")["sessions"]
                             if not session["sessionId"].startswith("launch:")]
    # The launch after tells how one ended; that is found a little after it was stored.
    for session in (killed, crashed):
        collector.until(f"api/sessions/{session}", lambda found: any(launch.get("end") for launch in found["launchLedgers"]))
    page.goto(f"{collector.url}#/sessions/{killed}?t=0")
    expect(page.locator(".verdict")).to_contain_text("recorded events received")
    expect(rows(page).filter(has_text="Application Opened").first).to_be_visible()
    loaded(page)
    page.keyboard.press("G")
    expect(page.locator(".boundary.killed")).to_contain_text("Closed by user")
    page.keyboard.press("3")
    expect(rows(page).filter(has_text="/v1/stock/changes")).to_contain_text("unfinished")

    page.goto(f"{collector.url}#/sessions/{crashed}")
    expect(rows(page).first).to_be_visible()
    page.keyboard.press("4")
    expect(page.locator(".row.type-hang")).to_contain_text(re.compile(r"blocked for 2\.\d s"))
    expect(page.locator(".boundary.crashed")).to_contain_text("SIGSEGV")
    page.get_by_role("button", name="Show the report").click()
    expect(title(page)).to_have_text("Crash: SIGSEGV")
    expect(page.get_by_role("link", name="Open the report")).to_be_visible()

    page.get_by_role("link", name="Network").click()
    page.locator(".request", has_text="/v1/checkout").and_(page.locator("[aria-label^='503 ']")).click()
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
    open_at_start(collector, page, launch)
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
    open_at_start(collector, page, launch)
    loaded(page)
    page.keyboard.press("e")
    expect(title(page)).to_contain_text("POST /v1/checkout")
    page.wait_for_url(re.compile("event="))
    url = page.url
    page.keyboard.press("Escape")
    expect(page.locator(".kind")).to_have_text("At this moment")
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
    open_at_start(collector, page, launch)
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
    expect(page.locator(".led-here li").last).to_contain_text("POST /v1/checkout")
    expect(page.locator(".led-here")).to_contain_text("Pay now")
    page.get_by_role("tab", name="JSON").click()
    expect(panel.locator(".json")).to_contain_text('"message": "the card was declined"')
    page.get_by_role("tab", name="Before").click()
    page.locator(".led-here button", has_text="Pay now").click()
    expect(title(page)).to_contain_text("Pay now")


@check
def session_by_keys(collector, page):
    """j and k walk, e finds errors, Escape closes and goes back, and Tab reaches everything in the order of reading"""
    launch = a_session(collector)
    open_at_start(collector, page, launch)
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
