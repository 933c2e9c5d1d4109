"""What the list of sessions must do."""

import time

from playwright.sync_api import expect

from accessibility import accessible, accessible_everywhere
from checks import check, fits, rows, session_rows
from collector import Launch

hour = 3_600_000


def some_sessions(collector):
    """Five, of different people, versions, devices and ends."""
    collector.start()
    now = int(time.time() * 1000)
    devices = [("iPhone16,2", "18.1"), ("iPhone16,2", "18.1"), ("iPad14,3", "17.5"), ("Pixel 9", "15"), ("iPhone15,2", "17.5")]
    made = []
    for index, (user, version) in enumerate([
        ("ada@example.com", "2.0"), ("bea@example.com", "2.0"), ("cleo@example.org", "2.1"), ("dora@example.org", "1.9"), ("eve@example.net", "2.1"),
    ]):
        launch = Launch(user=user, start=now - (index + 1) * hour - 300_000)
        launch.context.update(
            appVersion=version, tags={"plan": "pro" if index % 2 else "free"},
            device={"model": devices[index][0], "systemName": "iOS", "osVersion": devices[index][1]})
        made.append(launch)
    ada, bea, cleo, dora, eve = made
    collector.send(ada, [ada.screen("Checkout"), ada.log("the card was declined", level=4)], final=True)
    collector.send_crashed(bea, ["pay", "main"], bea.screen("Feed"))
    collector.send(cleo, [cleo.screen("Menu"), cleo.request("/v1/receipts/R-77", status=503)], final=True)
    collector.send(dora, [dora.screen("Feed"), dora.hang([(3, ["decode", "main"])])], final=True)
    collector.send(eve, [eve.screen("Menu")] + [eve.log(f"line {n}") for n in range(40)], final=True)
    return made


@check
def search(collector, page):
    """typing finds sessions by user, tag, screen, URL, message, version and device, and by terms with a colon"""
    some_sessions(collector)
    page.goto(collector.url)
    expect(session_rows(page)).to_have_count(5)
    field = page.locator("#filter")
    page.keyboard.press("/")
    expect(field).to_be_focused()
    for text, found in [
        ("example.org", 2), ("ada@", 1), ("plan", 5), ("Checkout", 2), ("receipts", 1), ("declined", 1), ("iPad14", 1), ("R-77", 1), ("zzzz", 0),
    ]:
        field.fill(text)
        expect(session_rows(page)).to_have_count(found)
    expect(page.get_by_text("No session matches")).to_be_visible()
    for terms, found in [
        ("user:cleo", 1), ("screen:Feed", 2), ("message:declined", 1), ("url:receipts", 1), ("tag:plan=pro", 2), ("version:2.1", 2),
        ("version:2.1 url:receipts", 1), ("device:iPad14,3", 1), ("cleo receipts", 1), ("-version:2.1 -user:ada", 2),
    ]:
        field.fill("")
        expect(session_rows(page)).to_have_count(5)
        field.press_sequentially(terms)
        expect(session_rows(page)).to_have_count(found)
        expect(field).to_have_value(terms)
    # Links from before the query language.
    field.fill("")
    page.goto(f"{collector.url}#/?user=cleo")
    expect(session_rows(page)).to_have_count(1)
    page.locator(".chip.chosen").click()
    expect(session_rows(page)).to_have_count(5)


@check
def narrowed(collector, page):
    """what there is to narrow by has numbers, the address keeps what was chosen, and back undoes nothing unasked"""
    some_sessions(collector)
    page.goto(collector.url)
    facets = page.locator(".facets")
    expect(facets).to_contain_text("Crash")
    facets.get_by_label("Failed request").check()
    expect(session_rows(page)).to_have_count(1)
    expect(session_rows(page)).to_contain_text("cleo@example.org")
    facets.get_by_label("Failed request").uncheck()
    expect(session_rows(page)).to_have_count(5)
    facets.get_by_label("2.1").check()
    expect(session_rows(page)).to_have_count(2)
    # The other versions are still there to be added.
    facets.get_by_label("2.0").check()
    expect(session_rows(page)).to_have_count(4)
    facets.get_by_label("iPhone16,2").check()
    expect(session_rows(page)).to_have_count(2)
    assert "version=2.1" in page.url and "device=iPhone16%2C2" in page.url, page.url
    page.reload()
    expect(session_rows(page)).to_have_count(2)
    expect(facets.get_by_label("2.1")).to_be_checked()
    page.get_by_role("button", name="Clear", exact=True).click()
    expect(session_rows(page)).to_have_count(5)
    facets.get_by_label("Time", exact=True).select_option("1h")
    expect(session_rows(page)).to_have_count(0)
    facets.get_by_label("Time", exact=True).select_option("24h")
    expect(session_rows(page)).to_have_count(5)
    page.get_by_label("Order").select_option("events")
    expect(session_rows(page).first).to_contain_text("eve@example.net")
    assert "sort=events" in page.url, page.url


@check
def sessions_live(collector, page):
    """sessions that come meanwhile wait behind a button, and those that are there change in place"""
    first = some_sessions(collector)[0]
    page.goto(collector.url)
    expect(session_rows(page)).to_have_count(5)
    launch = Launch(user="new@example.com")
    collector.send(launch, [launch.screen("Menu")])
    fresh = page.locator(".fresh")
    expect(fresh).to_have_text("1 new session — show")
    expect(session_rows(page)).to_have_count(5)
    row = session_rows(page).filter(has_text="ada@example.com")
    expect(row).to_contain_text("2 events")
    collector.send(first, [first.log("one more")])
    expect(row).to_contain_text("3 events")
    fresh.click()
    expect(session_rows(page)).to_have_count(6)
    expect(session_rows(page).first).to_contain_text("new@example.com")
    expect(session_rows(page).first).to_contain_text("Live")


@check
def saved_searches(collector, page):
    """a search gets a name, everyone finds it in the menu and the palette, it gets another name and is deleted"""
    some_sessions(collector)
    page.goto(collector.url)
    page.locator(".facets").get_by_label("2.1").check()
    expect(session_rows(page)).to_have_count(2)
    page.keyboard.press("Escape")
    page.locator("#session").focus()
    page.keyboard.press("Shift+S")
    # What others saved has come by then, and takes nothing from under the hand.
    page.wait_for_timeout(400)
    expect(page.get_by_label("Name of this search")).to_be_focused()
    page.keyboard.type("Release <b>2.1</b>")
    page.get_by_label("Name of this search").press("Enter")
    expect(page.locator(".saved .number")).to_have_text("1")
    page.get_by_role("button", name="Clear", exact=True).click()
    expect(session_rows(page)).to_have_count(5)
    # Somebody else.
    context = page.context.browser.new_context()
    other = context.new_page()
    held = []
    other.route("**/searches", lambda route: held.append(route))
    other.goto(f"{collector.url}#/settings")
    expect(other.locator("h1")).to_have_text("Settings")
    for_palette(other, "release 2.1")
    found = other.locator(".palette-item", has_text="Release <b>2.1</b>")
    expect(other.locator(".palette-item").first).to_be_visible()
    other.wait_for_timeout(400)
    expect(found).to_have_count(0)
    # What was saved comes after the palette was opened, and shows without another key.
    chosen = other.locator(".palette-item[aria-selected=true]").inner_text()
    held.pop().continue_()
    expect(found).to_be_visible()
    expect(other.locator(".palette-item[aria-selected=true]")).to_have_text(chosen)
    other.unroute("**/searches")
    found.click()
    expect(session_rows(other)).to_have_count(2)
    other.locator(".saved summary").click()
    other.get_by_role("button", name="Rename the search").click()
    other.get_by_label("New name of the search").fill("The second one")
    other.get_by_label("New name of the search").press("Enter")
    expect(other.locator(".saved summary")).to_be_focused()
    context.close()
    page.locator(".saved summary").click()
    expect(page.locator(".menu li a")).to_have_text("The second one")
    page.locator(".menu li a").click()
    expect(session_rows(page)).to_have_count(2)
    page.locator(".saved summary").click()
    page.get_by_role("button", name="Delete the search").click()
    expect(page.locator(".saved .number")).to_have_count(0)
    for_palette(page, "second one")
    expect(page.locator(".palette-item", has_text="second one")).to_have_count(0)


def for_palette(page, words):
    page.keyboard.press("Control+k")
    page.keyboard.type(words)


@check
def searches_of_this_browser(collector, page):
    """searches that only this browser kept go to the collector, once, and those of the same name there stay"""
    some_sessions(collector)
    page.goto(collector.url)
    page.evaluate("""fetch('api/searches', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ name: 'Both', address: '#/?q=shared' }) })""")
    page.evaluate("""localStorage.setItem('automobile.searches', JSON.stringify([
      { name: 'Mine', address: '#/?q=mine' }, { name: 'Both', address: '#/?q=old' }, { name: 'x', address: 'javascript:alert(1)' }, 7]))""")
    page.reload()
    expect(page.locator(".saved .number")).to_have_text("2")
    page.locator(".saved summary").click()
    expect(page.locator(".menu li a")).to_have_text(["Both", "Mine"])
    expect(page.locator(".menu li a").first).to_have_attribute("href", "#/?q=shared")
    assert page.evaluate("localStorage.getItem('automobile.searches')") is None


@check
def whole_words_are_said(collector, page):
    """a search that the collector narrowed to whole words says so, and only then"""
    some_sessions(collector)

    def narrow(route):
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "wholeWords": "q=feed" in route.request.url})

    page.route("**/api/sessions?*", narrow)
    page.goto(f"{collector.url}#/?q=feed")
    expect(page.locator(".narrowed")).to_be_visible()
    expect(page.locator(".narrowed")).to_have_text("Whole words only")
    page.locator("#filter").fill("menu")
    expect(page.locator(".narrowed")).to_be_hidden()


@check
def sessions_by_keys(collector, page):
    """by keys alone: into the list, to a session, and back to where one was"""
    some_sessions(collector)
    page.goto(collector.url)
    expect(session_rows(page)).to_have_count(5)
    page.keyboard.press("j")
    expect(session_rows(page).nth(0)).to_be_focused()
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(session_rows(page).nth(2)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("cleo@example.org")
    expect(rows(page)).to_have_count(2)
    page.keyboard.press("]")
    expect(page.locator("h1")).to_contain_text("dora@example.org")
    page.keyboard.press("[")
    expect(page.locator("h1")).to_contain_text("cleo@example.org")
    page.keyboard.press("Escape")
    expect(session_rows(page)).to_have_count(5)
    expect(session_rows(page).nth(2)).to_be_focused()
    page.keyboard.press("G")
    expect(session_rows(page).nth(4)).to_be_focused()


@check
def many_sessions(collector, page):
    """hundreds of sessions scroll, with only the visible ones in the page"""
    collector.start()
    now = int(time.time() * 1000)
    with collector.together():
        for n in range(250):
            launch = Launch(user=f"person {n}", start=now - n * 60_000)
            collector.send(launch, [launch.screen("Menu")], final=True)
    page.goto(collector.url)
    expect(page.locator(".page-head")).to_contain_text("250")
    assert session_rows(page).count() < 60
    last = page.get_by_text("person 249", exact=True)
    # Each page comes when one nears the end of the one before, and what one has gone to stays in sight.
    surface = page.locator(".surface")
    expect(surface).to_have_css("height", f"{100 * 54}px")
    for person, come in ((99, 200), (199, 250), (249, 250)):
        page.keyboard.press("G")
        expect(page.get_by_text(f"person {person}", exact=True)).to_be_visible()
        expect(surface).to_have_css("height", f"{come * 54}px")
        expect(page.get_by_text(f"person {person}", exact=True)).to_be_visible()
    expect(last).to_be_visible()
    assert session_rows(page).count() < 60


@check
def sessions_accessible(collector, page):
    """the list and the first steps pass axe in light and dark, wide and narrow, and fit a small phone"""
    collector.start()
    page.goto(collector.url)
    expect(page.get_by_role("heading", name="Waiting for the first event")).to_be_visible()
    accessible_everywhere(page, lambda: expect(page.get_by_role("heading", name="Waiting for the first event")).to_be_visible())
    collector.stop()
    some_sessions(collector)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto("about:blank")
    page.goto(f"{collector.url}#/?q=example&version=2.1&version=2.0")
    accessible_everywhere(page, lambda: expect(session_rows(page)).to_have_count(4))
    fits(page)
    page.get_by_role("button", name="Filters").click()
    expect(page.locator(".facets")).to_be_visible()
    accessible(page)
    fits(page)
