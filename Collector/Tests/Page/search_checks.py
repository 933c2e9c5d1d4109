"""What searching must do, wherever one searches."""

import json
import re
import time
from pathlib import Path

from playwright.sync_api import expect

from accessibility import accessible, accessible_everywhere
from checks import check, fits, loaded, rows, session_rows
from collector import Launch
from session_story import a_session

table = json.loads((Path(__file__).parent.parent / "Search/cases.json").read_text())


def the_table(collector):
    """What the table of the query language says was recorded in its first three sessions, some minutes ago."""
    collector.start()
    start = int(time.time() * 1000) - 600_000
    launches = {}
    for index, session in enumerate(table["sessions"][:3]):
        launch = Launch(user=session["user"], start=start)
        launch.session = session["session"]
        launch.context = {"sessionId": launch.session, "userId": launch.user, "appVersion": session["version"], "tags": session["tags"],
                          "device": session["device"]}
        events = []
        for event in session["events"]:
            members = {name: value for name, value in event.items() if name not in ("eventType", "timestamp")}
            launch.now = start + event["timestamp"]
            events.append(launch.event(event["eventType"], 0, **members))
        collector.send(launch, events, final=True)
        launches[launch.user] = launch
    collector.until("api/issues?q=submit_order", lambda answer: len(answer["issues"]) == 1)
    return launches


def completions(page):
    return page.locator(".completion")


@check
def searching_sessions(collector, page):
    """words anywhere, fields by their beginnings and what is not wanted narrow the sessions while one types, and the address keeps that"""
    the_table(collector)
    page.goto(collector.url)
    expect(session_rows(page)).to_have_count(3)
    page.keyboard.press("/")
    field = page.locator("#filter")
    expect(field).to_be_focused()
    field.press_sequentially("mira payment")
    expect(session_rows(page)).to_have_count(1)
    # Marked where it stands, and with the event that says it.
    expect(page.locator(".session-row .who mark")).to_have_text("mira")
    expect(page.locator(".session-row .found")).to_contain_text("0:03.400")
    expect(page.locator(".session-row .found mark")).to_have_text(["payment"])
    assert "q=mira+payment" in page.url, page.url
    page.reload()
    expect(session_rows(page)).to_have_count(1)
    expect(field).to_have_value("mira payment")
    field.fill("mira")
    expect(page.locator(".session-row .who mark")).to_have_text("mira")
    for text, found in [("version:2.4", 1), ("app:page", 3), ("-has:crash", 2), ("status:>=500", 1), ("\"card was declined\"", 1), ("nobody", 0)]:
        field.fill(text)
        expect(session_rows(page)).to_have_count(found)
    field.fill("verson:2.4")
    expect(page.locator(".query-said")).to_contain_text("did you mean version:?")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("version:2.4")
    expect(page.locator(".query-said")).to_be_hidden()
    expect(session_rows(page)).to_have_count(1)


@check
def sessions_found_by_what_happened(collector, page):
    """a session that is found by a status, a type, a screen or an issue shows that event, and opens there"""
    the_table(collector)
    page.goto(collector.url)
    field = page.locator("#filter")
    found = page.locator(".session-row .found")
    for text, line in [("503", "POST /v1/checkout: 503"), ("status:4xx", "GET /flat-white.png: 404"), ("type:crash", "SIGSEGV"),
                       ("screen:checkout", "Checkout"), ("issue:payment", "The payment failed")]:
        field.fill(text)
        expect(session_rows(page)).to_have_count(1)
        expect(found).to_contain_text(line)
    session_rows(page).first.click()
    expect(page.locator(".detail h2")).to_contain_text("The payment failed")


@check
def into_the_results(collector, page):
    """from a search the arrow down leads to the first of what was found, on every page that has one"""
    the_table(collector)
    first = lambda selector: page.wait_for_function("(selector) => document.activeElement?.matches(selector)", arg=selector)
    field = page.locator("#filter")
    for place, text, there in [("#/", "mira ", ".session-row a"), ("#/issues", "", "a.issue")]:
        page.goto("about:blank")
        page.goto(f"{collector.url}{place}")
        expect(page.locator(there).first).to_be_visible()
        page.keyboard.press("/")
        if text:
            field.press_sequentially(text)
        field.press("ArrowDown")
        first(there)
    # What is typed counts at once, and Alt opens what there is to choose from.
    page.goto(f"{collector.url}#/network")
    expect(page.locator(".request").first).to_be_visible()
    page.keyboard.press("/")
    field.press("Alt+ArrowDown")
    expect(completions(page).first).to_be_visible()
    field.press("Escape")
    field.press_sequentially("status:503 ")
    field.press("ArrowDown")
    expect(page.locator(".request[aria-selected=true]")).to_contain_text("503")


@check
def searching_a_session(collector, page):
    """a session is searched as the lists are: fields are completed, words marked where they stand or were found, and mistakes said"""
    launch = a_session(collector)
    page.goto(f"{collector.url}#/sessions/{launch.session}?t=0")
    loaded(page)
    page.keyboard.press("/")
    field = page.locator("#filter")
    field.press_sequentially("lev")
    expect(completions(page)).to_contain_text(["level:warning"])
    field.press("Tab")
    field.press_sequentially("err")
    expect(completions(page)).to_have_count(1)
    field.press("Tab")
    expect(field).to_have_value("level:error ")
    expect(rows(page)).to_have_count(3)
    field.press_sequentially("declined")
    expect(rows(page)).to_have_count(1)
    expect(rows(page).locator("mark")).to_have_text(["declined"])
    expect(page).to_have_url(re.compile(r"q=level%3Aerror\+declined"))
    # Enter leads to it, and the panel is its.
    field.press("Enter")
    expect(page.locator(".detail h2")).to_contain_text("the card was declined")

    # What no row shows is shown where it was found, and no mark stays behind.
    field.fill("sho basket")
    expect(rows(page)).to_have_count(1)
    expect(rows(page).locator("mark").first).to_be_visible()
    field.fill("custom")
    expect(rows(page).locator(".more mark").first).to_have_text("custom")
    field.fill("levl:error")
    expect(page.locator(".query-said")).to_contain_text("level:")
    field.fill("")
    expect(page.locator(".query-said")).to_be_hidden()
    expect(rows(page).first).to_contain_text("Foreground")
    expect(page.locator(".row mark")).to_have_count(0)


@check
def a_found_moment(collector, page):
    """a session that was found by an event opens at that event"""
    the_table(collector)
    page.goto(f"{collector.url}#/?q=declined%20was")
    expect(page.locator(".session-row .found")).to_contain_text("the card was declined")
    session_rows(page).first.click()
    expect(page.locator(".detail h2")).to_contain_text("the card was declined")


@check
def completing(collector, page):
    """fields and values are completed by keys: arrows choose, Tab and Enter take, Escape closes and keeps what was typed"""
    the_table(collector)
    page.goto(collector.url)
    expect(session_rows(page)).to_have_count(3)
    page.keyboard.press("/")
    field = page.locator("#filter")
    field.press_sequentially("ver")
    expect(completions(page)).to_have_count(1)
    expect(completions(page)).to_contain_text("version:2.4")
    expect(field).to_have_attribute("aria-expanded", "true")
    field.press("Tab")
    expect(field).to_have_value("version:")
    expect(field).to_be_focused()
    expect(completions(page)).to_have_count(3)
    field.press("ArrowDown")
    field.press("ArrowDown")
    field.press("ArrowUp")
    expect(completions(page).first).to_have_attribute("aria-selected", "true")
    assert field.get_attribute("aria-activedescendant") == completions(page).first.get_attribute("id")
    field.press("ArrowUp")
    expect(completions(page).last).to_have_attribute("aria-selected", "true")
    field.press("Enter")
    expect(field).to_have_value("version:2.4.1 ")
    expect(session_rows(page)).to_have_count(1)
    expect(completions(page)).to_have_count(0)
    # A field that waits for its value narrows nothing, and is no mistake yet; with Enter it is.
    field.press_sequentially("has:")
    expect(completions(page)).to_have_count(8)
    field.press("Escape")
    expect(page.locator(".query-said")).to_be_hidden()
    field.press("Enter")
    expect(page.locator(".query-said")).to_contain_text("needs a value, like has:crash")
    field.fill("version:2.4.1 ")
    expect(session_rows(page)).to_have_count(1)
    field.press_sequentially("-has:cr")
    expect(completions(page)).to_have_text("crash")
    field.press("Escape")
    expect(completions(page)).to_have_count(0)
    expect(field).to_have_value("version:2.4.1 -has:cr")
    expect(field).to_be_focused()
    field.press("Escape")
    expect(field).not_to_be_focused()
    # What has blanks is quoted, and the mouse takes as well.
    page.keyboard.press("/")
    field.fill("")
    field.press_sequentially("os:iOS")
    expect(completions(page)).to_have_count(2)
    completions(page).filter(has_text="18.1").click()
    expect(field).to_have_value("os:\"iOS 18.1\" ")
    expect(session_rows(page)).to_have_count(1)
    # Without anything typed, Alt and the arrow show what there is.
    field.fill("")
    field.press("Alt+ArrowDown")
    expect(completions(page).first).to_contain_text("user:")
    field.press("Escape")
    expect(session_rows(page)).to_have_count(3)


@check
def searching_requests(collector, page):
    """requests are found by status, user and body while one types, without Enter, and a search that cannot be read says so"""
    the_table(collector)
    page.goto(f"{collector.url}#/network")
    requests = page.locator(".request")
    expect(requests).to_have_count(4)
    field = page.locator("#filter")
    field.press_sequentially("503")
    expect(requests).to_have_count(1)
    expect(requests.locator(".status mark")).to_have_text("503")
    for text, found in [("status:503", 1), ("status:4", 1), ("mira", 2), ("user:mira autumn10", 1), (">1s", 2), ("host:cdn", 1)]:
        field.fill("")
        field.press_sequentially(text)
        expect(requests).to_have_count(found)
    field.fill("autumn10")
    expect(requests.locator(".found mark")).to_have_text("AUTUMN10")
    field.fill("stauts:503")
    expect(page.locator(".query-said")).to_contain_text("did you mean status:?")
    field.fill("")
    expect(requests).to_have_count(4)


@check
def searching_issues(collector, page):
    """issues are found by message, function and user, with what was found marked"""
    the_table(collector)
    page.goto(f"{collector.url}#/issues")
    issues = page.locator("a.issue")
    expect(issues).to_have_count(2)
    field = page.locator("#filter")
    for text, title, mark in [("failed", "PaymentError", "failed"), ("submit_order", "SIGSEGV", "submit_order"), ("jonas", "SIGSEGV", "jonas")]:
        field.fill(text)
        expect(issues).to_have_count(1)
        expect(issues).to_contain_text(title)
        expect(issues.locator("mark").first).to_have_text(mark)


@check
def searching_issues_by_status(collector, page):
    """a search that names a status finds resolved issues too, the list says so, and what was found is opened"""
    the_table(collector)
    page.goto(f"{collector.url}#/issues")
    issues = page.locator("a.issue")
    status = page.locator("#issues-status option:checked")
    expect(issues).to_have_count(2)
    issues.filter(has_text="SIGSEGV").focus()
    page.keyboard.press("r")
    expect(issues).to_have_count(1)
    field = page.locator("#filter")
    field.fill("status:resolved")
    expect(issues).to_contain_text(["SIGSEGV"])
    expect(status).to_have_text("As searched")
    field.fill("status:open,resolved")
    expect(issues).to_have_count(2)
    field.fill("jonas")
    expect(issues).to_have_count(0)
    expect(status).to_have_text("Open")
    field.fill("status:resolved user:jonas")
    expect(issues.locator(".found")).to_contain_text("user jonas@example.com")
    issues.first.click()
    expect(page.locator("h1")).to_contain_text("total_of_cart")
    assert "event=" in page.url, page.url


@check
def completing_in_the_palette(collector, page):
    """the palette completes fields and values by Tab and by the mouse, and says what of an issue was found, and when"""
    the_table(collector)
    page.goto(collector.url)
    expect(session_rows(page)).to_have_count(3)
    page.keyboard.press("Control+k")
    field = page.locator(".palette-field input")
    offers = page.locator(".palette-completions button")
    items = page.locator(".palette-item")
    field.press_sequentially("vers")
    expect(offers).to_have_count(1)
    field.press("Tab")
    expect(field).to_have_value("version:")
    expect(field).to_be_focused()
    expect(offers).to_have_count(3)
    expect(items.filter(has_text="needs a value")).to_have_count(0)
    accessible(page)
    field.press("Tab")
    expect(field).to_have_value("version:2.1 ")
    expect(items.filter(has_text="ida@example.org")).to_have_count(1)
    expect(offers).to_have_count(0)
    field.fill("")
    field.press_sequentially("user:jo")
    offers.filter(has_text="jonas@example.com").click()
    expect(field).to_have_value("user:jonas@example.com ")
    expect(field).to_be_focused()
    expect(items.first).to_contain_text("user jonas@example.com")
    expect(items.first.locator("mark").first).to_have_text("jonas@example.com")
    # Fields of issues alone, too.
    field.fill("")
    field.press_sequentially("func")
    expect(offers).to_contain_text(["function:"])
    page.set_viewport_size({"width": 390, "height": 844})
    fits(page, 390)
    accessible(page)


@check
def searching_in_the_palette(collector, page):
    """the palette finds issues and sessions, the ones with the crash before the one that only speaks of it"""
    launches = the_table(collector)
    page.goto(collector.url)
    expect(session_rows(page)).to_have_count(3)
    page.keyboard.press("Control+k")
    page.keyboard.type("SIGSEGV")
    items = page.locator(".palette-item")
    expect(items.nth(0)).to_contain_text("SIGSEGV in total_of_cart")
    expect(items.nth(1)).to_contain_text("jonas@example.com")
    expect(items.nth(2)).to_contain_text("ida@example.org")
    expect(items.nth(2).locator("mark")).to_have_text("SIGSEGV")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("jonas@example.com")
    assert launches["jonas@example.com"].session in page.url and "event=" in page.url, page.url


@check
def search_accessible(collector, page):
    """the field with its completions and with what it cannot read passes axe in light and dark, wide and narrow, and fits a small phone"""
    the_table(collector)
    page.goto(f"{collector.url}#/?q=mira%20payment")
    accessible_everywhere(page, lambda: expect(session_rows(page)).to_have_count(1))
    fits(page)
    page.locator("#filter").fill("verson:2 ")
    expect(page.locator(".query-said")).to_be_visible()
    fits(page)
    page.locator("#filter").press_sequentially("de")
    expect(completions(page).first).to_be_visible()
    fits(page)
