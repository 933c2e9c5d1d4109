"""How the page comes: few files, kept as long as they are the same."""

import re
from urllib.parse import urlsplit

from playwright.sync_api import expect

from checks import check, session_rows
from collector import Launch


@check
def loads_few_files(collector, page):
    """the list needs four files besides the page, and a second visit none of them"""
    collector.start()
    launch = Launch()
    collector.send(launch, [launch.log("hello")])
    asked = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    page.goto(collector.url)
    expect(session_rows(page)).to_have_count(1)
    files = [path for path in asked if not path.startswith("/api/")]
    assert files[0] == "/" and len(files) <= 5, files
    assert all(re.fullmatch(r"/[a-z]+-[0-9a-f]{16}\.(js|css|svg)", path) for path in files[1:]), files

    page.goto("about:blank")
    page.goto(collector.url)
    expect(session_rows(page)).to_have_count(1)
    sent = page.evaluate("""performance.getEntriesByType('resource').filter(({ name, transferSize }) => !name.includes('/api/') && transferSize > 0)
        .map(({ name }) => name)""")
    assert sent == [], sent


@check
def opens_after_upgrade(collector, page):
    """a page of another version, at the moment of an upgrade, works with the files of this one"""
    collector.start()
    launch = Launch()
    collector.send(launch, [launch.log("hello")])

    def older(route):
        answer = route.fetch()
        route.fulfill(response=answer, body=re.sub(r"-[0-9a-f]{16}\.", "-0123456789abcdef.", answer.text()))

    page.route(collector.url, older)
    page.goto(collector.url)
    expect(session_rows(page)).to_have_count(1)
    assert page.locator("script[type=module]").get_attribute("src") == "viewer-0123456789abcdef.js"
    expect(page.locator(".topbar")).to_have_css("display", "flex")


@check
def whole_when_loaded(collector, page):
    """what is loaded is the whole viewer: a page that stands open while its collector is upgraded asks for no more files"""
    collector.start()
    launch = Launch()
    collector.send(launch, [launch.log("hello")])
    page.goto(collector.url)
    expect(session_rows(page)).to_have_count(1)
    page.wait_for_timeout(300)
    # A browser looks at the icon anew with each title; it has kept it.
    icon = page.locator("link[rel=icon]").get_attribute("href")
    asked = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    for key, place in (("i", "issues"), ("n", "network"), ("d", "storage"), ("h", "health"), (",", "settings"), ("s", "sessions")):
        page.keyboard.press(key)
        expect(page.locator("body")).to_have_attribute("data-view", place)
    session_rows(page).click()
    expect(page.locator(".row.event").first).to_be_visible()
    assert all(path.startswith("/api/") or path == f"/{icon}" for path in asked), asked
