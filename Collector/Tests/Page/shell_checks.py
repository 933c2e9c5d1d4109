"""What all pages share: the palette, the keys, light and dark, the key of the collector."""

import re

from playwright.sync_api import expect

from accessibility import accessible
from checks import check, rows, session_rows, title
from session_story import a_session
from collector import Launch


@check
def palette(collector, page):
    """the palette goes to pages and sessions, and does what the page can do, by keys alone"""
    launch = a_session(collector)
    page.goto(collector.url)
    expect(session_rows(page)).to_have_count(1)
    page.keyboard.press("Control+k")
    dialog = page.get_by_role("dialog", name="Command palette")
    field = dialog.get_by_role("combobox")
    expect(field).to_be_focused()
    accessible(page)
    page.keyboard.type("netw")
    page.keyboard.press("Enter")
    expect(page.locator("body")).to_have_attribute("data-view", "network")
    page.keyboard.press("Control+k")
    page.keyboard.type("declined")
    expect(dialog.locator(".palette-item", has_text="mira@example.com")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("mira@example.com")
    expect(rows(page).first).to_be_visible()
    page.get_by_role("button", name="Command palette").click()
    page.keyboard.type("show the log")
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(8)
    page.keyboard.press("Control+k")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.type("qqqqqqq")
    expect(dialog).to_contain_text("Search sessions for")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator(".palette")).to_have_count(0)
    assert launch.session in page.url


@check
def keys(collector, page):
    """the question mark lists the keys of the page that one is on, and each page's key goes there"""
    a_session(collector)
    page.goto(collector.url)
    expect(session_rows(page)).to_have_count(1)
    page.keyboard.press("?")
    help = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(help).to_contain_text("Save this search")
    expect(help).not_to_contain_text("Zoom in")
    accessible(page)
    page.get_by_role("button", name="Close").click()
    expect(help).to_be_hidden()
    session_rows(page).click()
    expect(rows(page).first).to_be_visible()
    page.keyboard.press("?")
    expect(help).to_contain_text("Zoom in")
    page.keyboard.press("Escape")
    for link in page.locator("#topbar nav a").all():
        expect(link).to_have_attribute("href", re.compile("^#/"))
    for key, view in (("i", "issues"), ("n", "network"), ("s", "sessions")):
        page.keyboard.press(key)
        expect(page.locator("body")).to_have_attribute("data-view", view)
    expect(page.locator("#topbar [aria-current=page]")).to_have_text("Sessions")


@check
def themes(collector, page):
    """light and dark follow the system until one is chosen, and the choice stays"""
    collector.start()
    root = page.locator("html")
    page.emulate_media(color_scheme="dark")
    page.goto(collector.url)
    expect(root).to_have_attribute("data-theme", "dark")
    page.emulate_media(color_scheme="light")
    expect(root).to_have_attribute("data-theme", "light")
    page.get_by_role("button", name="Dark theme").click()
    expect(root).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(root).to_have_attribute("data-theme", "dark")
    page.keyboard.press("Control+k")
    page.keyboard.type("system theme")
    page.keyboard.press("Enter")
    expect(root).to_have_attribute("data-theme", "light")


@check
def first_steps(collector, page):
    """an empty collector says how to point an app at it, and the first event replaces that"""
    collector.start()
    page.goto(collector.url)
    expect(page.get_by_role("heading", name="Waiting for the first event")).to_be_visible()
    expect(page.locator(".snippet").first).to_contain_text(collector.url.rstrip("/"))
    launch = Launch()
    collector.send(launch, [launch.log("hello")])
    expect(session_rows(page)).to_have_count(1)
    expect(page.get_by_role("heading", name="Sessions")).to_be_visible()
    expect(page.get_by_role("heading", name="Waiting for the first event")).to_have_count(0)


@check
def the_key(collector, page):
    """a collector with a key asks for it once, and then shows everything"""
    collector.options = ["--key", "correct-horse-battery"]
    collector.start()
    launch = Launch()
    collector.send(launch, [launch.screen("Secret menu")], key="correct-horse-battery")
    page.goto(collector.url)
    field = page.get_by_role("dialog").locator("input")
    field.fill("wrong-key-entirely")
    field.press("Enter")
    expect(field).to_have_value("")
    field.fill("correct-horse-battery")
    field.press("Enter")
    session_rows(page).click()
    expect(rows(page)).to_contain_text(["Secret menu"])
    collector.send(launch, [launch.log("live with a key")], key="correct-horse-battery")
    expect(page.locator(".list").get_by_text("live with a key")).to_be_visible()


@check
def skipping(collector, page):
    """the first stop of the Tab key leads past the bar to the content"""
    launch = a_session(collector)
    page.goto(f"{collector.url}#/sessions/{launch.session}")
    expect(rows(page).first).to_be_visible()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Tab")
    expect(page.locator("#skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#timeline")).to_be_focused()
    page.keyboard.press("j")
    expect(title(page)).to_be_visible()
    assert launch.session in page.url


@check
def choices_on_a_phone(collector, page):
    """on a phone every choice is whole, and what narrows a page says what it narrows"""
    a_session(collector)
    other = Launch(user="ben@example.com")
    collector.send(other, [other.screen("Menu")])
    page.set_viewport_size({"width": 390, "height": 844})
    chosen = "(all) => all.map((one) => one.selectedOptions[0].textContent)"
    for place, ready, wanted in [("network", ".request", []), ("issues", "a.issue", ["Open", "All versions", "Last seen"]),
                                 ("health", ".tile", ["All apps", "All versions", "14 days"])]:
        page.goto(f"{collector.url}#/{place}")
        expect(page.locator(ready).first).to_be_visible()
        expect(page.locator("main select").first if wanted else page.locator(".list-bar .choices").first).to_be_visible()
        assert page.locator("main select").evaluate_all(chosen) == wanted, place
        cut = page.evaluate("""() => [...document.querySelectorAll("main :is(select, .choices)")].filter((element) => {
          const { left, right } = element.getBoundingClientRect();
          return left < 10 || right > innerWidth - 10 || (element.matches(".choices") && element.scrollWidth > element.clientWidth);
        }).map((element) => element.outerHTML.slice(0, 120))""")
        assert not cut, (place, cut)
    # Where the sample is too small for a rate, one line does not say the other again.
    hangs = page.locator(".tile", has_text="Sessions with a hang")
    expect(hangs.locator("b")).to_have_text("1 of 2")
    expect(hangs.locator(".faint")).to_have_text("1 hang, longest 2.6 s")
