"""What the viewer must do with requests."""

import json
import re
import time

from playwright.sync_api import expect

import network_story as story
from checks import check, open_session, rows
from collector import Launch


def requests(page):
    return page.locator(".request")


def first(page):
    """The one at the top: rows stand in the page in the order in which they were drawn."""
    return page.locator('.request[aria-posinset="1"]')


def panel(page):
    return page.locator(".detail")


def some_requests(collector):
    """The usual crowd, and one session with one request of each kind."""
    collector.start()
    for launch, events in story.crowd(people=3, each=40):
        collector.send(launch, events, final=True)
    launch = Launch(user="mira@example.com", start=int(time.time() * 1000) - 60_000)
    collector.send(launch, story.story(launch))
    # Of the newest page, so that nothing waits behind a button.
    collector.until("api/network/stats", lambda stats: stats["count"] == 133)
    return launch


@check
def the_inspector(collector, page):
    """a request in a session shows its address, phases, headers and bodies, and leads to its tracer id"""
    launch = some_requests(collector)
    open_session(collector, page, launch)
    page.get_by_text("GET /v1/menu").click()
    expect(panel(page).locator(".exchange-head")).to_contain_text("200 OK")
    expect(panel(page).locator(".exchange-head")).to_contain_text("184 ms")
    expect(panel(page).locator(".pairs").first).to_contain_text("?sectionseasonal")
    expect(panel(page).locator(".phases li")).to_have_count(7)
    expect(panel(page).locator(".phases")).to_contain_text("TLS handshake")
    expect(panel(page).locator(".headers").first).to_contain_text("[redacted]")
    body = panel(page).locator(".body-text pre")
    expect(body).to_contain_text('"title": "Flat white"')
    # Digits that no number in JavaScript can hold.
    expect(body).to_contain_text("12345678901234567890")
    panel(page).get_by_role("button", name="Raw").click()
    expect(body).to_contain_text('"title":"Flat white"')
    panel(page).get_by_placeholder("Find in body").fill("latte")
    expect(panel(page).locator(".found")).to_have_text("1 of 2")
    panel(page).get_by_placeholder("Find in body").press("Enter")
    expect(panel(page).locator(".found")).to_have_text("2 of 2")

    page.locator(".row.event", has_text="/receipt.xml").click()
    expect(panel(page).locator(".body-text")).to_contain_text(re.compile(r'\n  <item price="4.20">Flat white</item>\n'))
    page.locator(".row.event", has_text="/v1/session").click()
    expect(panel(page).locator(".form")).to_contain_text("orders points")
    page.locator(".row.event", has_text="flat-white.png").click()
    expect(panel(page).locator(".picture figcaption")).to_have_text("image/png · 2 × 2")
    page.locator(".row.event", has_text="/orders/R-2041").click()
    expect(panel(page).locator(".hops")).to_contain_text("301")
    page.locator(".row.event", has_text="/v1/basket").click()
    expect(panel(page).locator(".exchange-head")).to_contain_text("mocked by empty basket")
    page.locator(".row.event", has_text="pickup-times").click()
    expect(panel(page).locator(".failure")).to_contain_text("The request timed out.")
    page.locator(".row.event", has_text="live.roastery.example").click()
    expect(panel(page).locator(".frames li")).to_have_count(3)
    expect(panel(page).locator(".frames li").nth(1)).to_contain_text('"state":"brewing"')

    page.locator(".row.event", has_text="/graphql").click()
    expect(panel(page)).to_contain_text("LoyaltyPoints")
    panel(page).get_by_role("link", name="c0ffee-2041").click()
    expect(requests(page)).to_have_count(6)
    expect(page.locator(".chip.chosen")).to_contain_text("c0ffee-2041")


@check
def exports(collector, page):
    """a request is copied as a command line, and saved as an archive, alone and with all that the filter leaves"""
    some_requests(collector)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{collector.url}#/network?q=pickup&of=&status=none")
    requests(page).click()
    panel(page).get_by_role("button", name="Copy as cURL").click()
    expect(panel(page).get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").startswith("curl 'https://api.roastery.example/v1/pickup-times'")
    with page.expect_download() as download:
        panel(page).get_by_role("button", name="Save HAR").click()
    assert len(json.load(open(download.value.path()))["log"]["entries"]) == 1
    page.goto(f"{collector.url}#/network?tracer=c0ffee-2041")
    expect(requests(page)).to_have_count(6)
    with page.expect_download() as download:
        page.locator(".list-bar").get_by_role("button", name="Save HAR").click()
    # One of the six was redirected.
    assert len(json.load(open(download.value.path()))["log"]["entries"]) == 7


@check
def network(collector, page):
    """the requests of all sessions are listed, searched and narrowed, and the address keeps that"""
    some_requests(collector)
    page.goto(collector.url)
    page.get_by_role("link", name="Network").click()
    expect(page.locator(".summary")).to_contain_text("133")
    expect(first(page)).to_contain_text("live.roastery.example")
    page.get_by_role("button", name="Slowest").click()
    expect(first(page)).to_contain_text("1 min")
    page.get_by_role("button", name="5xx").click()
    expect(first(page).locator(".status")).to_have_text(re.compile("50[03]"))
    page.get_by_role("button", name="5xx").click()
    page.keyboard.press("/")
    page.keyboard.type("brew host:live.roastery.example ")
    # Frames are no requests, and the word stands in a frame.
    expect(page.get_by_text("No request matches the filter")).to_be_visible()
    expect(page.locator("#filter")).to_have_value("brew host:live.roastery.example ")
    page.get_by_role("button", name="Clear the filter").click()
    page.locator("#filter").fill("incident 8f14")
    expect(requests(page)).to_have_count(1)
    expect(requests(page)).to_contain_text("/v1/checkout")
    assert "q=incident+8f14" in page.url and "sort=slowest" in page.url, page.url
    page.reload()
    expect(requests(page)).to_have_count(1)
    expect(page.locator("#filter")).to_have_value("incident 8f14")
    page.locator("#filter").fill(">40s ")
    expect(requests(page)).to_have_count(2)
    page.locator("#filter").press("Escape")
    page.keyboard.press("j")
    expect(panel(page).locator("h2")).to_have_text("GET /v1/pickup-times")
    page.keyboard.press("j")
    expect(panel(page).locator("h2")).to_have_text("GET /orders")
    page.reload()
    expect(panel(page).locator("h2")).to_have_text("GET /orders")
    expect(panel(page).locator(".frames li")).to_have_count(3)
    panel(page).get_by_role("link", name="Show in session").click()
    expect(rows(page).first).to_be_visible()
    expect(page.locator(".row[aria-selected=true]")).to_contain_text("/orders")
    page.keyboard.press("n")
    expect(panel(page).locator("h2")).to_have_text("GET /orders")
    page.keyboard.press("Escape")
    expect(panel(page)).to_be_hidden()
    expect(requests(page)).to_have_count(2)


@check
def endpoints(collector, page):
    """endpoints and hosts are counted, ordered by a click, and lead to their requests and back"""
    some_requests(collector)
    page.goto(f"{collector.url}#/network?by=endpoints")
    body = page.locator(".endpoints tbody tr")
    expect(body.first).to_be_visible()
    page.locator(".endpoints thead").get_by_role("button", name="Slowest").click()
    expect(body.first).to_contain_text("/v1/pickup-times")
    page.locator(".endpoints thead").get_by_role("button", name="Endpoint").click()
    expect(body.first).to_contain_text("/graphql")
    row = body.filter(has_text="/v1/drinks/:id")
    count = int(row.locator(".count").inner_text())
    row.get_by_role("button").click()
    expect(requests(page)).to_have_count(min(count, 40))
    expect(page.locator(".summary dd").first).to_have_text(str(count))
    expect(page.locator(".chip.chosen")).to_have_count(3)
    page.go_back()
    expect(body.first).to_contain_text("/graphql")
    page.get_by_role("button", name="Hosts").click()
    expect(body).to_have_count(3)


@check
def requests_live(collector, page):
    """requests appear as they arrive, and wait behind a button when one has scrolled away"""
    collector.start()
    page.goto(f"{collector.url}#/network")
    expect(page.get_by_text("No requests yet")).to_be_visible()
    launch = Launch()
    collector.send(launch, [story.request(launch, "GET", f"http://h.example/item/{n}") for n in range(300)])
    expect(first(page)).to_contain_text("/item/299")
    assert requests(page).count() < 100
    page.locator("#timeline").hover()
    page.mouse.wheel(0, 6000)
    expect(page.get_by_text("/item/130", exact=True)).to_be_visible()
    collector.send(launch, [story.request(launch, "GET", "http://h.example/new")])
    expect(page.locator(".fresh")).to_contain_text("1 new request")
    page.locator(".fresh").click()
    expect(first(page)).to_contain_text("/new")
    page.keyboard.press("G")
    expect(panel(page).locator("h2")).to_have_text("GET /item/0")


@check
def hostile_requests(collector, page):
    """script in every string of a request is text, and what is of the wrong type breaks nothing"""
    collector.start()
    bomb = "<img src=x onerror=\"window.hit=1\"><script>window.hit=1</script>"
    launch = Launch(user=bomb)
    headers = {bomb: bomb, "__proto__": bomb, "Content-Type": "text/html"}
    everything = {
        "method": bomb, "url": "javascript:window.hit=1//" + bomb, "host": bomb, "path": bomb, "error": bomb, "errorDomain": bomb, "errorCode": 1,
        "requestHeaders": headers, "responseHeaders": headers, "requestBody": bomb, "responseBody": bomb, "contentType": bomb,
        "tracerId": bomb, "traceparent": bomb, "mockRule": bomb, "graphQLOperation": bomb, "source": bomb, "requestId": bomb,
        "redirects": [{"statusCode": bomb, "url": bomb, "location": "javascript:window.hit=1", "atMs": bomb}, None, 7],
        "transport": {"protocolName": bomb, "tlsVersion": bomb, "remoteAddress": bomb, "bytesSent": bomb}, "timings": {"requestStart": bomb},
    }
    wrong = {name: [{"a": bomb}] for name in everything}
    svg = "<svg xmlns='http://www.w3.org/2000/svg' onload='parent.hit=1'><script>parent.hit=1</script></svg>"
    events = [
        launch.event("network_request", **everything),
        launch.event("network_request", **wrong),
        launch.event("network_request", url="http://h/" + "%ff" * 3000 + "?" + "&a" * 2000, method="GET", statusCode=200, durationMs=1e300,
                     timings={"requestStart": -1e308, "requestEnd": 1e308, "responseStart": 1, "responseEnd": 1e300}),
        launch.event("network_request", url="http://h/html", method="GET", statusCode=200, contentType="text/html", responseBody=bomb * 50),
        launch.event("network_request", url="http://h/xml", method="GET", statusCode=200, contentType="text/xml", responseBody="<a>" * 5000 + "<!--" * 900),
        launch.event("network_request", url="http://h/json", method="GET", statusCode=200, responseBody="[{\"a\":" * 3000 + "\"\\"),
        launch.event("network_request", url="http://h/svg", method="GET", statusCode=200, contentType="image/svg+xml", responseBody=svg),
        launch.event("network_request", url="http://h/b", method="GET", statusCode=200, responseBody="###", responseBodyEncoding="base64", responseBodySize=9),
        launch.event("network_request", url="wss://h/s", method="GET", statusCode=101, requestId=bomb),
        launch.event("websocket_frame", url=bomb, direction=bomb, frameType=bomb, payload=bomb, requestId=bomb, payloadSize=bomb),
        launch.event("websocket_frame", url="wss://h/s", direction="sent", frameType=bomb, payload=bomb, payloadEncoding=bomb, requestId=bomb),
    ]
    collector.send(launch, events)
    count = len(events) - 2
    page.goto(f"{collector.url}#/network")
    expect(requests(page)).to_have_count(count)
    for index in range(count):
        requests(page).nth(index).click()
        expect(page.locator(".request[aria-selected=true]")).to_have_count(1)
        expect(panel(page).locator(".exchange-head")).to_be_visible()
    for by in ("Endpoints", "Hosts"):
        page.get_by_role("button", name=by).click()
        expect(page.locator(".endpoints tbody tr").first).to_be_visible()
    open_session(collector, page, launch)
    expect(rows(page)).to_have_count(len(events))
    for index in range(len(events)):
        rows(page).nth(index).click()
        expect(panel(page).locator("h2")).to_be_visible()
    page.goto(f"{collector.url}#/network?q={'%3Cscript%3E'}&host=%3Cimg&status=5xx%3Cb%3E&sort=%3Cb%3E&min=%3Cb%3E&from=%3Cb%3E")
    expect(page.get_by_text("The requests could not be loaded")).to_be_visible()
    page.get_by_role("button", name="Clear the filter").click()
    assert page.evaluate("window.hit") is None
    assert page.locator("img[src=x], main script, .detail script").count() == 0


@check
def small_network(collector, page):
    """requests fit a small phone, in light and dark, from the list to one of them and back"""
    some_requests(collector)

    def fits():
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        for name in (".list-bar", ".summary", ".filters input"):
            box = page.locator(name).bounding_box()
            assert box["x"] + box["width"] <= 360, (name, box)

    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": 360, "height": 740})
        page.goto("about:blank")
        page.goto(f"{collector.url}#/network")
        expect(requests(page).first).to_be_visible()
        fits()
        box = page.get_by_role("button", name="Slowest").bounding_box()
        assert box["x"] + box["width"] <= 360, box
        # Only rows near those that are seen are in the page.
        page.locator("#timeline").evaluate("""async (list) => {
          while (!list.textContent.includes('/v1/menu?section') && list.scrollTop + list.clientHeight < list.scrollHeight) {
            list.scrollTop += 200;
            await new Promise(requestAnimationFrame);
          }
        }""")
        requests(page).filter(has_text="/v1/menu?section").click()
        expect(panel(page).locator(".phases")).to_be_visible()
        wide = page.evaluate("[...document.querySelectorAll('.detail .scroll > *')].filter((e) => e.getBoundingClientRect().right > 361).length")
        assert wide == 0, wide
        panel(page).get_by_role("button", name="Close").click()
        page.get_by_role("button", name="Endpoints").click()
        expect(page.locator(".endpoints tbody tr").first).to_be_visible()
        fits()


@check
def unfinished_requests(collector, page):
    """a request that outlived its app says so in lists and in the panel, and is found among those without an answer"""
    collector.start()
    launch = Launch(start=int(time.time() * 1000) - 60_000)
    unfinished = launch.event("network_request", url="https://api.example.com/v1/pay", host="api.example.com", path="/v1/pay",
                              method="POST", unfinished=True)
    collector.send(launch, [launch.screen("Checkout"), unfinished, launch.request("/v1/menu")], final=True)
    page.goto(f"{collector.url}#/network")
    expect(requests(page)).to_have_count(2)
    page.get_by_role("button", name="No response").click()
    expect(requests(page)).to_have_count(1)
    expect(requests(page)).to_contain_text("the app ended before a response arrived")
    expect(requests(page).locator(".status")).to_have_text("unfinished")
    requests(page).click()
    expect(panel(page)).to_contain_text("The app ended before a response arrived")
    expect(panel(page).get_by_text("Timing")).to_have_count(0)
    panel(page).get_by_role("link", name="Show in session").click()
    expect(rows(page).filter(has_text="/v1/pay")).to_contain_text("unfinished")
    expect(page.locator(".row.event.error")).to_have_count(0)
