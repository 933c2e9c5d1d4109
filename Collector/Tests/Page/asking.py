"""How long it takes from asking to watching, with the app in the foreground.

    asking.py --tool Collector/.build/release/automobile --app .build/standins/debug/automobile-demo-app [--times 10] [--json]
    asking.py --tool Collector/.build/debug/automobile --app .build/standins/debug/automobile-demo-app --short

A real collector, the demo's app with all of its recording, and the viewer in a browser. The app keeps everything; the page of its session is
open. Then the session is asked for (`POST /api/asks`), and a clock runs until all that the device had told of is answered by the API, and
until the page shows events. Each time it is another installation of the app. The exit code is 1 when something does not come, when the page
shows none of it, and when the slowest is over the target; in short, a missed target is only said.
"""

import argparse
import http.server
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

from playwright.sync_api import sync_playwright

from collector import Collector
from run import browser_path

APP = "com.example.coffeeshop"
TARGET = 10.0
# What has not come by then does not come, however busy the machine is.
LIMIT = 120.0
# The app has opened its question by then, and nothing of its beginning is under way.
LISTENING = 2.0


MENU = {"currency": "EUR", "drinks": [{"name": "flat-white", "title": "Flat white", "section": "espresso", "price": 4.2,
                                     "milk": ["none"], "sizes": ["small"]}]}


class Shop(http.server.BaseHTTPRequestHandler):
    """The shop's API as far as an app needs it that is opened: where it fails, the app's rules name what is around."""

    def do_GET(self):
        body = json.dumps(MENU).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class ForegroundApp:
    """The demo's app, opened and left alone; what it records stays with it."""

    def __init__(self, collector, shop, directory):
        directory.mkdir()
        self.process = subprocess.Popen(
            [collector.app, "--endpoint", collector.url.rstrip("/"), "--shop", shop, "--directory", str(directory),
             "--launch", "idle", "--pace", "0", "--upload", "triggered"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def __enter__(self):
        assert self.process.stdout.readline().strip() == "done", "the app did not open"
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def ask(collector, session):
    body = json.dumps({"session": session, "reason": "How long does it take?"}).encode()
    request = urllib.request.Request(collector.url + "api/asks", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)["id"]


def told(collector, known):
    """The session that nobody has seen before, once its device has told of it; its summary goes when somebody wants it to."""
    deadline = time.monotonic() + LIMIT
    while time.monotonic() < deadline:
        try:
            collector.tell(APP, "flush")
        except urllib.error.HTTPError as error:
            # It went to the app before, which has been killed.
            if error.code != 504:
                raise
        for session in collector.get("api/sessions?limit=100")["sessions"]:
            summary = session.get("summary")
            if session["sessionId"] not in known and summary and summary["place"] == "device":
                known.add(session["sessionId"])
                return session["sessionId"], summary["events"]
        time.sleep(0.05)
    sys.exit("no summary came")


def here(collector, session):
    return collector.get(f"api/sessions/{session}")["events"]


def measure(collector, shop, page, directory, known):
    """Seconds until the API answers everything that the device had told of, and until the page shows some of it."""
    with ForegroundApp(collector, shop, directory):
        session, events = told(collector, known)
        assert events > 0 and here(collector, session) == 0, (session, events, here(collector, session))
        page.goto(f"{collector.url}#/sessions/{session}")
        page.locator("button.ask").wait_for()
        assert page.locator(".row.event").count() == 0, "the page shows what has not come"
        time.sleep(LISTENING)
        assert here(collector, session) == 0, "something came that nobody had asked for"
        answered = []
        begun = time.monotonic()
        number = ask(collector, session)

        def poll():
            while time.monotonic() - begun < LIMIT:
                if here(collector, session) >= events:
                    return answered.append(time.monotonic() - begun)
                time.sleep(0.02)

        polling = threading.Thread(target=poll)
        polling.start()
        page.locator(".row.event:not(.pending)").first.wait_for(timeout=LIMIT * 1000)
        shown = time.monotonic() - begun
        polling.join()
        if not answered:
            sys.exit(f"of {events} events {here(collector, session)} came")
        collector.until(f"api/asks/{number}", lambda found: found["state"] == "came" and found["events"] >= events)
        return answered[0], shown


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tool", required=True, help="the program automobile")
    arguments.add_argument("--app", required=True, help="the demo's app")
    arguments.add_argument("--times", type=int, default=10)
    arguments.add_argument("--json", action="store_true")
    arguments.add_argument("--short", action="store_true", help="twice; a missed target is only said")
    options = arguments.parse_args()
    times = 2 if options.short else options.times
    with tempfile.TemporaryDirectory(prefix="automobile-asking-") as place, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        page.set_default_timeout(LIMIT * 1000)
        with Collector(options.tool, options.app, Path(place)) as collector:
            collector.start()
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Shop)
            server.daemon_threads = True
            threading.Thread(target=server.serve_forever, daemon=True).start()
            shop, known = f"http://127.0.0.1:{server.server_port}", set()
            found = [measure(collector, shop, page, Path(place) / f"phone-{number}", known) for number in range(times)]
            server.shutdown()
        browser.close()
    figures = {"answered by the API": [api for api, _ in found], "on the page": [shown for _, shown in found]}
    if options.json:
        print(json.dumps(figures))
    missed = False
    for name, seconds in figures.items():
        isMissed = max(seconds) > TARGET
        missed = missed or isMissed
        print(f"{name:<22} median {statistics.median(seconds):5.2f} s, slowest of {len(seconds)} {max(seconds):5.2f} s, "
              f"target {TARGET:.0f} s{'  MISSED' if isMissed else ''}", file=sys.stderr if options.json else sys.stdout)
    if missed and not options.short:
        sys.exit(1)


if __name__ == "__main__":
    main()
