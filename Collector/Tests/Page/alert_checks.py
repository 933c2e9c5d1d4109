"""What Settings must do about alerts: channels, rules, tests of them, and the log of what was told."""

import http.server
import json
import threading
import urllib.request

from playwright.sync_api import expect

from accessibility import accessible_everywhere
from checks import check, fits
from collector import Launch


class Catcher:
    """A receiver that takes what it gets; the path /refuse does not."""

    def __init__(self):
        self.bodies = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                outer.bodies.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
                self.send_response(404 if self.path == "/refuse" else 204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    @property
    def place(self):
        return f"127.0.0.1:{self.server.server_port}"


def start(collector, catcher):
    collector.options = ["--allow-egress", catcher.place, "--public-url", "https://viewer.example.com"]
    collector.start()


def post(collector, path, body):
    request = urllib.request.Request(collector.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def section(page):
    return page.locator("#settings-alerts")


def note(page):
    return page.locator(".settings .note")


def add_channel(page, name, url, kind="Webhook"):
    section(page).get_by_role("button", name="New channel").click()
    dialog = page.get_by_role("dialog", name="New channel")
    dialog.get_by_label("Kind").select_option(label=kind)
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_label("URL").fill(url)
    dialog.get_by_role("button", name="Add channel").click()


@check
def alerts_are_set(collector, page):
    """a channel is added and tested, a rule tells it of a crash, and the log says so, with a link to the issue"""
    with Catcher() as catcher:
        start(collector, catcher)
        page.goto(f"{collector.url}#/settings")
        expect(section(page)).to_contain_text("No rules yet.")
        add_channel(page, "Team", f"http://{catcher.place}/take")
        secret = page.get_by_role("dialog", name="The signing secret")
        assert secret.locator(".secret").inner_text().startswith("whsec_")
        secret.get_by_role("button", name="Done").click()
        expect(section(page).locator(".alert-channels li")).to_have_count(1)
        section(page).get_by_role("button", name="Send a test to Team").click()
        expect(note(page)).to_have_text("A test was sent to “Team”.")
        assert catcher.bodies[-1]["type"] == "alert.test"
        expect(section(page).locator(".alert-log li li")).to_have_text("✓ Team")

        section(page).get_by_role("button", name="New rule").click()
        dialog = page.get_by_role("dialog", name="New rule")
        dialog.get_by_label("What happens").select_option(label="too many requests fail")
        dialog.get_by_label("Host").fill("api.example.com")
        dialog.get_by_label("What happens").select_option(label="a new issue appears")
        dialog.get_by_label("hangs").uncheck()
        dialog.get_by_label("Name").fill("<b>New ones</b>")
        dialog.get_by_role("button", name="Add rule").click()
        expect(section(page).locator(".alert-rules li")).to_have_count(1)
        expect(section(page).locator(".alert-rules li")).to_contain_text("<b>New ones</b>")
        expect(section(page).locator(".alert-rules li")).to_contain_text("To Team")
        rule = collector.get("api/alerts")["rules"][0]
        assert rule["issueKinds"] == ["crash", "failure"] and rule["kind"] == "new_issue" and len(rule["channels"]) == 1, rule
        collector.send_crashed(Launch(), ["Alerts.<script>window.hit=1</script>()", "main"])
        collector.until("api/alerts/log", lambda page: any(entry["event"] == "triggered" and entry["messages"][0]["state"] == "sent" for entry in page["log"]))
        page.reload()
        told = section(page).locator(".alert-log > li").first
        expect(told).to_contain_text("New crash")
        expect(told.locator("li")).to_have_text("✓ Team")
        assert page.evaluate("window.hit") is None
        told.get_by_role("link").click()
        expect(page.locator("h1, h2").first).to_contain_text("window.hit")


@check
def alerts_about_asks(collector, page):
    """a rule about what is asked for says whether it tells that it comes or is gone, and keeps it when it is edited"""
    collector.start()
    page.goto(f"{collector.url}#/settings")
    section(page).get_by_role("button", name="New rule").click()
    dialog = page.get_by_role("dialog", name="New rule")
    dialog.get_by_label("What happens").select_option(label="what was asked for of devices")
    expect(dialog.get_by_label("Version")).to_have_count(0)
    dialog.get_by_label("is gone").uncheck()
    dialog.get_by_label("App", exact=True).fill("com.example.page")
    dialog.get_by_role("button", name="Add rule").click()
    rule = section(page).locator(".alert-rules li")
    expect(rule).to_contain_text("When what was asked for of devices comes in com.example.page: tell")
    known = collector.get("api/alerts")["rules"][0]
    assert known["kind"] == "ask" and known["states"] == ["came"] and known["bundleId"] == "com.example.page", known
    rule.get_by_role("checkbox").uncheck()
    expect(note(page)).to_contain_text("is off")
    assert collector.get("api/alerts")["rules"][0]["states"] == ["came"]
    rule.get_by_role("button", name="Edit").click()
    dialog = page.get_by_role("dialog", name="Edit the rule")
    expect(dialog.get_by_label("comes")).to_be_checked()
    expect(dialog.get_by_label("is gone")).not_to_be_checked()
    dialog.get_by_label("is gone").check()
    dialog.get_by_role("button", name="Save rule").click()
    expect(rule).to_contain_text("comes or is gone")
    assert "states" not in collector.get("api/alerts")["rules"][0]


@check
def alerts_say_what_went_wrong(collector, page):
    """a form that the collector refuses stays open and says why; a test that is refused says so and is in the log; older entries are one click away"""
    with Catcher() as catcher:
        start(collector, catcher)
        page.goto(f"{collector.url}#/settings")
        add_channel(page, "Team", "https://bücher.example/x", kind="Slack")
        dialog = page.get_by_role("dialog", name="New channel")
        expect(dialog.get_by_role("alert")).to_contain_text("xn--bcher-kva.example")
        expect(dialog.get_by_label("Name")).to_have_value("Team")
        dialog.get_by_label("URL").fill("http://169.254.169.254/x")
        dialog.get_by_role("button", name="Add channel").click()
        expect(dialog).to_have_count(0)
        section(page).get_by_role("button", name="Send a test to Team").click()
        expect(note(page)).to_contain_text("metadata")
        add_channel(page, "Gone", f"http://{catcher.place}/refuse", kind="Discord")
        section(page).get_by_role("button", name="Send a test to Gone").click()
        expect(note(page)).to_contain_text("answered 404")
        expect(section(page).locator(".alert-log > li").first).to_contain_text("✗ Gone: the receiver answered 404")
        for _ in range(21):
            post(collector, "api/alerts/channels/2/test", {})
        page.reload()
        expect(section(page).locator(".alert-log > li")).to_have_count(20)
        section(page).get_by_role("button", name="Older alerts").click()
        expect(section(page).locator(".alert-log > li")).to_have_count(23)
        expect(section(page).get_by_role("button", name="Older alerts")).to_be_hidden()
        section(page).get_by_role("button", name="Remove the channel Gone").click()
        page.get_by_role("dialog").get_by_role("button", name="Remove").click()
        expect(section(page).locator(".alert-channels li")).to_have_count(1)


@check
def alerts_for_everybody(collector, page):
    """alerts are accessible in light and dark, wide and narrow, with a form of each kind open"""
    with Catcher() as catcher:
        start(collector, catcher)
        channel = post(collector, "api/alerts/channels", {"kind": "webhook", "name": "Team", "url": f"http://{catcher.place}/take"})["id"]
        post(collector, "api/alerts/channels", {"kind": "mail", "name": "On call, at night and on holidays", "host": "smtp.example.com", "from": "alerts@example.com", "to": ["lea@example.com", "kim@example.com"]})
        refusing = post(collector, "api/alerts/channels", {"kind": "discord", "name": "Gone", "url": f"http://{catcher.place}/refuse"})["id"]
        for kind in ({"kind": "new_issue"}, {"kind": "crash_free", "threshold": 99.5}, {"kind": "request_errors", "threshold": 5, "host": "api.example.com", "route": "/v1/" + "long" * 40}, {"kind": "ask", "states": ["gone"]}):
            post(collector, "api/alerts/rules", {**kind, "channels": [channel, refusing]})
        post(collector, "api/alerts/rules/1/test", {})
        collector.send_crashed(Launch(), ["Alerts.long" + "Name" * 60 + "()", "main"])
        collector.until("api/alerts/log", lambda page: any(entry["event"] == "triggered" for entry in page["log"]))

        def opened(button, kind=None, label=None):
            def show():
                page.goto(f"{collector.url}#/settings")
                page.reload()
                expect(section(page).locator(".alert-rules li")).to_have_count(4)
                if button:
                    section(page).get_by_role("button", name=button).click()
                if kind:
                    page.get_by_role("dialog").get_by_label(label).select_option(label=kind)
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.viewport_size
            return show

        accessible_everywhere(page, opened(None))
        accessible_everywhere(page, opened("New channel", "E-mail", "Kind"))
        accessible_everywhere(page, opened("New rule", "too many requests fail", "What happens"))
        page.set_viewport_size({"width": 360, "height": 740})
        opened(None)()
        fits(page)
