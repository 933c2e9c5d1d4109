"""What the viewer must do with frames: readable names, files that open, lines around them."""

import time

from playwright.sync_api import expect

from checks import check, fits, open_session
from collector import Launch

LINES = [f"line {n} <b>of</b> the file" for n in range(36, 47)]


def report_with(collector, page, **members):
    """A crash in a frame of which the collector says these things, as it does where symbols and sources are."""
    collector.start()
    launch = Launch(start=int(time.time() * 1000) - 60_000)
    collector.send_crashed(launch, ["$s4Shop4CartV5total2ofS2i_tF", "submit", "!run", "main"], launch.screen("Menu"))
    collector.until("api/events?type=crash", lambda found: found["events"])

    def answer(route):
        reply = route.fetch()
        report = reply.json()
        frame = report["report"]["threads"][0]["frames"][0]
        frame |= {"file": "/build/Sources/Shop/Cart.swift", "line": 41, "column": 7, **members}
        route.fulfill(response=reply, json=report)

    page.route("**/api/events/*/report", answer)
    return launch


def crash_page(collector, page):
    page.goto(f"{collector.url}#/issues")
    page.locator("a.issue").click()


@check
def source_of_a_frame(collector, page):
    """a frame has its function in words, a file that opens the source, and the lines around it, in issue and panel, by keys too"""
    launch = report_with(collector, page, link="vscode://file/Users/lea/shop/Sources/Shop/Cart.swift:41",
                         source={"path": "Sources/Shop/Cart.swift", "first": 36, "lines": LINES})
    crash_page(collector, page)
    frame = page.locator(".frame").first
    expect(frame.locator(".function")).to_contain_text("Cart.total(of:)")
    place = frame.get_by_role("link", name="Cart.swift:41")
    expect(place).to_have_attribute("href", "vscode://file/Users/lea/shop/Sources/Shop/Cart.swift:41")
    expect(frame.locator(".source tr")).to_have_count(11)
    expect(frame.locator(".source .here")).to_have_text("41line 41 <b>of</b> the file")
    toggle = frame.get_by_role("button", name="Source of frame 0")
    toggle.focus()
    page.keyboard.press("Enter")
    expect(frame.locator(".source")).to_be_hidden()
    expect(toggle).to_have_attribute("aria-expanded", "false")
    page.set_viewport_size({"width": 360, "height": 740})
    page.keyboard.press("Enter")
    expect(frame.locator(".source")).to_be_visible()
    fits(page)

    page.set_viewport_size({"width": 1440, "height": 900})
    open_session(collector, page, launch)
    page.locator(".row.event.error, .row.event.type-crash").first.click()
    shown = page.locator(".detail .panel-stack")
    expect(shown.locator(".frame").first).to_contain_text("Cart.total(of:)")
    expect(shown.get_by_role("link", name="Cart.swift:41")).to_be_visible()
    expect(shown.locator(".source .here")).to_contain_text("line 41")


@check
def hostile_source_link(collector, page):
    """a link that would run something is text, whatever the collector says"""
    report_with(collector, page, link="javascript:window.hit=1")
    crash_page(collector, page)
    place = page.locator(".frame .place").first
    expect(place).to_have_text("Cart.swift:41")
    assert page.locator(".frame a.place").count() == 0
    place.click()
    assert page.evaluate("window.hit") is None


@check
def source_link_settings(collector, page):
    """a link for an app's sources is set, changed and removed, and one that opens no source is refused"""
    collector.start()
    page.goto(f"{collector.url}#/settings")
    card = page.locator("#settings-sources")
    card.get_by_label("App", exact=True).fill("com.example.page")
    card.get_by_label("Link", exact=True).fill("javascript:alert(1)//{path}")
    card.get_by_role("button", name="Save link").click()
    expect(page.locator(".note.error")).to_contain_text("the link begins with one of https://")
    card.get_by_label("Editor or Git host").select_option(label="GitHub")
    expect(card.get_by_label("Link", exact=True)).to_have_value("https://github.com/OWNER/REPOSITORY/blob/{commit}/{path}#L{line}")
    card.get_by_label("Build directory to leave out").fill("/build")
    card.get_by_role("button", name="Save link").click()
    expect(card.locator(".source-links li")).to_contain_text("com.example.page")
    assert collector.get("api/settings/sources")["sources"][0]["root"] == "/build"
    card.get_by_role("button", name="Edit the link of com.example.page").click()
    card.get_by_label("Link", exact=True).fill("zed://file/{path}:{line}")
    card.get_by_role("button", name="Save link").click()
    expect(card.locator(".source-links code").first).to_have_text("zed://file/{path}:{line}")
    page.set_viewport_size({"width": 360, "height": 740})
    fits(page)
    card.get_by_role("button", name="Remove the link of com.example.page").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(card).to_contain_text("None yet.")
