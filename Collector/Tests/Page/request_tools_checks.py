"""What one does with requests: choosing columns, copying, comparing, sending one again."""

import http.server
import json
import threading

from playwright.sync_api import expect

import network_story as story
from checks import check, fits
from collector import Launch
from network_checks import first, panel, requests, some_requests


@check
def request_columns(collector, page):
    """columns have headings, those that are chosen stay, and a bar is as long for a duration whatever else is listed"""
    some_requests(collector)
    page.goto(f"{collector.url}#/network")
    expect(requests(page).first).to_be_visible()
    heads = page.locator(".request-head > div")
    expect(heads).to_have_text(["Status", "Method", "URL", "Tracer ID", "Received", "10 ms1 sDuration", "User", "Time ↓"])
    # A heading stands over its column.
    for name, cell in (("of-tracer", ".tracer"), ("of-took", ".took"), ("of-target", ".target")):
        head, of = page.locator(f".request-head .{name}").bounding_box(), first(page).locator(cell).bounding_box()
        assert abs(head["x"] - of["x"]) < 2 and abs(head["width"] - of["width"]) < 2, (name, head, of)
    bar = requests(page).filter(has_text="/v1/receipt.xml").locator(".bar i")
    before = bar.bounding_box()["width"]
    page.locator("#filter").fill("receipt")
    expect(requests(page)).to_have_count(1)
    assert abs(bar.bounding_box()["width"] - before) < 1
    page.locator("#filter").fill("")
    page.locator(".request-head").get_by_role("button", name="Duration").click()
    expect(first(page)).to_contain_text("1 min")
    expect(page.locator(".list-bar").get_by_role("button", name="Slowest")).to_have_attribute("aria-pressed", "true")

    page.locator(".column-menu summary").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Tracer ID").uncheck()
    page.get_by_label("App", exact=True).check()
    page.keyboard.press("Escape")
    expect(page.locator(".column-menu .menu")).to_be_hidden()
    expect(page.locator(".column-menu summary")).to_be_focused()
    page.reload()
    expect(heads).to_have_text(["Status", "Method", "URL", "Received", "10 ms1 sDuration ↓", "User", "App", "Time"])
    expect(first(page).locator(".tracer")).to_have_count(0)
    page.evaluate("localStorage.setItem('automobile.network.columns', '{\"a\":1}')")
    page.reload()
    expect(heads).to_have_count(8)


@check
def request_body_first(collector, page):
    """the body is seen without scrolling, the request's and the answer's, and the tracer id has a heading"""
    some_requests(collector)
    page.goto(f"{collector.url}#/network?status=503&path=/v1/checkout&q=incident")
    requests(page).first.click()
    body = panel(page).locator(".body-text pre")
    expect(body).to_contain_text("the payment service does not answer")
    box = body.bounding_box()
    assert box["y"] + box["height"] <= 900, box
    panel(page).get_by_role("button", name="Request", exact=True).click()
    expect(body).to_contain_text("flat-white")
    box = body.bounding_box()
    assert box["y"] + box["height"] <= 900, box
    expect(panel(page).locator("section", has=page.get_by_role("heading", name="Trace"))).to_contain_text("c0ffee-2041")


@check
def request_as_fetch(collector, page):
    """a request is copied as a call of fetch that runs"""
    some_requests(collector)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{collector.url}#/network?q=incident")
    requests(page).click()
    panel(page).get_by_role("button", name="Copy as fetch").click()
    expect(panel(page).get_by_role("button", name="Copied")).to_be_visible()
    text = page.evaluate("navigator.clipboard.readText()")
    # Where it would go, something else notes what is asked for.
    asked = page.context.browser.new_page()
    call = asked.evaluate(f"async () => {{ const asked = []; const fetch = (...all) => asked.push(all); {text} return asked[0]; }}")
    asked.close()
    url, options = call
    assert url == "https://api.roastery.example/v1/checkout" and options["method"] == "POST", call
    assert json.loads(options["body"])["payment"] == "card" and options["headers"]["Accept"] == "application/json", call


@check
def compared_requests(collector, page):
    """two requests are compared by keys: answer, time, headers and bodies; the address keeps both"""
    some_requests(collector)
    page.goto(f"{collector.url}#/network?path=/v1/checkout&tracer=c0ffee-2041")
    expect(requests(page)).to_have_count(2)
    requests(page).nth(1).click()
    expect(panel(page).locator("h2")).to_have_text("POST /v1/checkout")
    page.keyboard.press("v")
    expect(page.locator(".comparing")).to_contain_text("Choose a request to compare with")
    page.keyboard.press("k")
    comparison = panel(page).locator(".comparison")
    expect(comparison.locator("tr.differs", has_text="Status")).to_contain_text("503201")
    expect(comparison.locator("tr.differs", has_text="Duration")).to_contain_text("−930 ms")
    expect(comparison.locator(".diff .gone")).to_have_count(3)
    expect(comparison.locator(".diff .come")).to_have_text(['+  "order": "R-2041",', '+  "ready": "08:32"'])
    expect(comparison).to_contain_text("Identical.")
    page.reload()
    expect(comparison.locator(".diff .gone")).to_have_count(3)
    page.keyboard.press("v")
    expect(panel(page).locator(".exchange-head")).to_contain_text("201")
    assert "against" not in page.url, page.url

    page.set_viewport_size({"width": 360, "height": 740})
    panel(page).get_by_role("button", name="Compare…").click()
    expect(panel(page)).to_be_hidden()
    expect(page.locator(".comparing")).to_be_visible()
    fits(page)
    requests(page).nth(1).click()
    expect(comparison).to_be_visible()
    fits(page)


class Target(http.server.BaseHTTPRequestHandler):
    """Notes what it is asked, and answers."""

    asked = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.asked.append((self.path, dict(self.headers), body))
        answer = b'{"order":"R-1"}'
        self.send_response(201)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


@check
def resent_request(collector, page):
    """a request is sent again after a question, without what was redacted, and the answer stands beside the recorded one"""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Target)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    Target.asked.clear()
    try:
        port = server.server_address[1]
        collector.options = ["--resend-to", f"localhost:{port}"]
        collector.start()
        launch = Launch()
        there = {"requestHeaders": {"Authorization": "REDACTED", "X-Kept": "yes", "Content-Type": "application/json"}, "requestBody": '{"a":1}',
                 "requestBodySize": 7, "responseBody": "AAECAw==", "responseBodyEncoding": "base64", "responseBodySize": 4}
        collector.send(launch, [story.request(launch, "POST", f"http://localhost:{port}/pay?x=1", 503, **there),
                                story.request(launch, "GET", "http://169.254.169.254/latest/meta-data/", 200)])
        page.goto(f"{collector.url}#/network?method=POST")
        requests(page).click()
        panel(page).get_by_role("button", name="Resend…").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text(f"localhost:{port}")
        assert Target.asked == []
        expect(dialog.get_by_role("button", name="Send", exact=True)).to_be_focused()
        page.keyboard.press("Enter")
        expect(dialog.locator(".comparison tr.differs", has_text="Status")).to_contain_text("503201")
        expect(dialog).to_contain_text("Sent without: Authorization")
        expect(dialog.locator("tr.differs", has_text="Authorization")).to_contain_text("REDACTED–")
        # Set out as JSON: the recorded one was bytes, this one is text.
        expect(dialog.locator(".diff .come", has_text='"order": "R-1"')).to_have_count(1)
        (path, headers, body), = Target.asked
        assert path == "/pay?x=1" and body == b'{"a":1}' and headers["X-Kept"] == "yes" and "Authorization" not in headers, (path, headers)
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)

        page.goto(f"{collector.url}#/network?method=GET")
        requests(page).click()
        panel(page).get_by_role("button", name="Resend…").click()
        page.get_by_role("dialog").get_by_role("button", name="Send", exact=True).click()
        expect(page.get_by_role("dialog")).to_contain_text("169.254.169.254:80 is not a host that requests may be resent to")
        assert len(Target.asked) == 1
    finally:
        server.shutdown()


@check
def resend_is_off(collector, page):
    """a collector that was not told where to sends nothing, and says how"""
    some_requests(collector)
    page.goto(f"{collector.url}#/network?q=incident")
    requests(page).click()
    panel(page).get_by_role("button", name="Resend…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("automobile serve --resend-to HOST")
    expect(dialog.get_by_role("button", name="Send", exact=True)).to_be_disabled()
