"""The list of checks, and what they share. Each gets a collector of its own and a fresh page."""

from playwright.sync_api import expect

_checks = []
# Of a collector that asks for keys: one reads and delivers, one may do everything.
viewer_key, operator_key = "correct-horse", "operator-secret"


def check(function):
    _checks.append(function)
    return function


def all_checks():
    return _checks


def open_session(collector, page, launch):
    page.goto(f"{collector.url}#/sessions/{launch.session}")


def open_at_start(collector, page, launch):
    """At its beginning, and not where something went wrong."""
    page.goto(f"{collector.url}#/sessions/{launch.session}?t=0")


def open_with_keys(collector, page, place, key):
    """Starts a collector that asks for keys, and gives this one when the page asks for it."""
    collector.options = ["--key", viewer_key, "--operator-key", operator_key]
    collector.start()
    page.goto(f"{collector.url}{place}")
    give_key(page, key)


def give_key(page, key):
    page.get_by_role("dialog").locator("input").fill(key)
    page.get_by_role("button", name="Open").click()


def loaded(page):
    """Waits until the session is there."""
    expect(page.locator(".stage .notice")).to_be_hidden()
    expect(page.locator(".surface .row").first).to_be_visible()


def rows(page):
    return page.locator(".row.event")


def session_rows(page):
    return page.locator(".session-row a")


def title(page):
    """Of the event in the panel."""
    return page.locator(".detail h2")


def fits(page, width=360):
    """Nothing is wider than the screen."""
    wide = page.evaluate("""(width) => document.documentElement.scrollWidth <= width ? [] : [...document.querySelectorAll('body *')]
        .filter((element) => element.getBoundingClientRect().right > width).slice(0, 6).map((element) => element.outerHTML.slice(0, 120))""", width)
    assert not wide, wide
