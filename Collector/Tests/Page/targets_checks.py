"""What is pressed with a finger, on every page."""

import time

from playwright.sync_api import expect

import health_story
from checks import check, fits, loaded, rows, session_rows
from collector import Launch
from source_checks import LINES
from storage_checks import APP, RunningApp, defaults, grid

# Smaller than 40 px: by its text, and how large it is. A link in a sentence is as high as its line, and what is not shown, or is for
# the mouse alone, is not pressed. A box to tick is pressed by its label.
SMALL = """() => [...document.querySelectorAll('a[href], button, summary, select, textarea, input:not([type=hidden]), [role=tab], [role=option]')]
  .map((element) => element.matches('[type=checkbox], [type=radio]') ? element.closest('label') ?? element : element.matches('.field input') ? element.closest('.field') : element)
  .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest('[aria-hidden=true], .visually-hidden, [inert]'))
  .filter((element) => !element.matches('p a:not(.user-title *), p button.link, .skip'))
  .map((element) => [element, element.getBoundingClientRect()])
  .filter(([, { width, height }]) => width > 1 && height > 1)
  .filter(([element, { width, height }]) => height < 39.5 || width < (element.matches('.choices button') ? 24 : 39.5))
  .map(([element, { width, height }]) => `${element.tagName}.${element.className} “${(element.ariaLabel || element.textContent).trim().slice(0, 40)}” ${Math.round(width)}×${Math.round(height)}`)"""


def none_small(page, where):
    for width in (360, 390):
        page.set_viewport_size({"width": width, "height": 844})
        small = page.evaluate(SMALL)
        assert not small, f"{where}, {width} px:\n  " + "\n  ".join(small[:20])
        fits(page, width)


def story(collector):
    """Something on each page: a crash with sources, requests, a live session, health of some versions."""
    collector.start()
    launch = Launch(user="mira@example.com", start=int(time.time() * 1000) - 60_000)
    launch.context["device"] = {"model": "iPhone16,2", "systemName": "iOS", "osVersion": "18.1"}
    events = [launch.screen("Menu"), launch.log("hello"), launch.request("/v1/menu"), launch.tap("Pay"),
              launch.request("/v1/checkout", status=503, method="POST"),
              launch.event("handled_exception", errorDomain="PaymentError", errorMessage="declined", stackTrace="0 pay", customMessage=None),
              launch.hang([(14, ["decode", "layout", "main"])])]
    collector.send_crashed(launch, ["Cart.total()", "submit", "!run", "!loop", "!start", "!begin", "main"], *events)
    live = Launch(user="lea@example.com")
    collector.send(live, [live.screen("Menu"), live.log("still here", level=4)])
    health_story.send(collector, health_story.launches(12))
    collector.until("api/issues", lambda found: len(found["issues"]) >= 3)
    return launch, live


def with_sources(page):
    """The first frame of each report has a file that opens, and its lines."""
    def answer(route):
        reply = route.fetch()
        report = reply.json()
        frame = report["report"]["threads"][0]["frames"][0]
        frame |= {"file": "/build/Cart.swift", "line": 41, "link": "vscode://file/Cart.swift:41", "source": {"path": "Cart.swift", "first": 36, "lines": LINES}}
        route.fulfill(response=reply, json=report)

    page.route("**/api/events/*/report", answer)


@check
def targets_of_sessions(collector, page):
    """on a phone what is pressed is 40 px high and wide in lists, sessions, their events, and on the page of a user"""
    launch, live = story(collector)
    with_sources(page)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(collector.url)
    expect(session_rows(page).first).to_be_visible()
    none_small(page, "sessions")
    page.locator(".filter-button").click()
    expect(page.locator(".facets label").first).to_be_visible()
    none_small(page, "filters of sessions")
    for one in (launch, live):
        page.goto(f"{collector.url}#/sessions/{one.session}")
        loaded(page)
        none_small(page, "a session")
    page.goto(f"{collector.url}#/sessions/{launch.session}?t=0")
    loaded(page)
    for kind in ("network_request", "crash", "hang", "log"):
        rows(page).and_(page.locator(f".type-{kind}")).first.click()
        expect(page.locator(".detail h2")).to_be_visible()
        for tab in page.locator(".detail [role=tab]").all():
            tab.click()
            none_small(page, f"the panel of a {kind}, {tab.inner_text()}")
        page.locator(".detail").get_by_role("button", name="Close").click()
    page.goto(f"{collector.url}#/users/mira%40example.com?app=com.example.page")
    expect(page.locator(".user-figures")).to_be_visible()
    none_small(page, "a user")


@check
def targets_of_issues(collector, page):
    """on a phone what is pressed is 40 px high and wide in the list of issues, and in issues with all that folds open"""
    story(collector)
    with_sources(page)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{collector.url}#/issues")
    expect(page.locator("a.issue").first).to_be_visible()
    none_small(page, "issues")
    for kind in ("crash", "hang", "failure"):
        page.goto(f"{collector.url}#/issues?kinds={kind}")
        page.locator("a.issue").first.click()
        expect(page.locator(".report .before")).to_be_visible()
        for summary in page.locator(".issue-page summary").all():
            summary.click()
        none_small(page, f"a {kind}")


@check
def targets_of_network_and_health(collector, page):
    """on a phone what is pressed is 40 px high and wide among requests, in endpoints and hosts, and in health"""
    story(collector)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{collector.url}#/network")
    expect(page.locator(".request").first).to_be_visible()
    none_small(page, "requests")
    page.locator(".request").first.click()
    expect(page.locator(".detail .exchange-head")).to_be_visible()
    none_small(page, "a request")
    for by in ("endpoints", "hosts"):
        page.goto(f"{collector.url}#/network?by={by}")
        expect(page.locator(".endpoints .pick").first).to_be_visible()
        none_small(page, by)
    page.goto(f"{collector.url}#/health")
    expect(page.locator("#health-recorder")).to_be_visible()
    for summary in page.locator(".health summary, .sections summary").all():
        summary.click()
    none_small(page, "health")


@check
def targets_of_settings_and_storage(collector, page):
    """on a phone what is pressed is 40 px high and wide in settings, in storage, and in the palette"""
    story(collector)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{collector.url}#/settings")
    expect(page.locator("#settings-access p").first).to_be_visible()
    for summary in page.locator(".settings summary").all():
        summary.click()
    none_small(page, "settings")
    page.goto(f"{collector.url}#/storage")
    expect(page.locator("h1")).to_be_visible()
    none_small(page, "storage without an app")
    with RunningApp(collector) as app:
        app.set_defaults()
        page.goto(f"{collector.url}#/storage?app={APP}")
        expect(grid(page)).to_be_visible()
        none_small(page, "databases")
        defaults(page, collector)
        none_small(page, "defaults")
    page.goto(f"{collector.url}#/")
    page.keyboard.press("Control+k")
    expect(page.locator(".palette-item").first).to_be_visible()
    none_small(page, "the palette")
