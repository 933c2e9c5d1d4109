"""The viewer in a real browser, against the real collector, filled by the real demo app and by hostile senders.

    run.py --tool Collector/.build/debug/automobile --app .build/standins/debug/automobile-demo-app [--screenshots DIR]
"""

import argparse
import shutil
import sys
import tempfile
import traceback
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import expect, sync_playwright

import checks
from collector import Collector, places

# Each file of checks adds its own.
for file in sorted(Path(__file__).parent.glob("*_checks.py")):
    __import__(file.stem)

# Something of each page, for a test that others run beside.
SHORT = [
    "live", "searching_sessions", "health_answers", "issues_merged_and_taken_apart", "requests_live", "the_replay_plays", "a_session_as_a_file",
]


def browser_path():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    sys.exit("page test: chromium is needed and not on the PATH (Debian: apt-get install chromium)")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--tool", required=True, help="the program automobile")
    arguments.add_argument("--app", required=True, help="the demo's app")
    arguments.add_argument("--screenshots", type=Path, help="where to put pictures of each check's end")
    arguments.add_argument("--only", default="", help="only checks whose name holds this")
    arguments.add_argument("--short", action="store_true", help="something of each page")
    places.add_option(arguments)
    options = arguments.parse_args()
    with places.chosen(options):
        failed = tried(options)
    if failed:
        sys.exit(f"{len(failed)} of the page's checks failed")


def tried(options):
    """The checks that failed."""
    # Debug builds on a busy machine are slow; what does not come in this time never comes.
    expect.set_options(timeout=30_000)
    failed = []
    with tempfile.TemporaryDirectory(prefix="automobile-page-") as directory, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path(), args=["--no-sandbox", "--disable-gpu"])
        for check in checks.all_checks():
            name = check.__doc__.strip()
            if options.only not in check.__name__ or (options.short and check.__name__ not in SHORT):
                continue
            if reason := places.now().reason("Page", check.__name__):
                print(f"skipped {name}: {reason}", flush=True)
                continue
            place = Path(directory) / check.__name__
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            page = context.new_page()
            page.set_default_timeout(30_000)
            complaints = []
            page.on("pageerror", lambda error: complaints.append(str(error)))
            # Requests that fail are told on the page; the browser's own word on them is no complaint.
            page.on("console", lambda message: complaints.append(message.text)
                    if message.type == "error" and "Failed to load resource" not in message.text else None)
            page.on("request", lambda request: complaints.append(f"asked another host: {request.url}")
                    if urlsplit(request.url).hostname not in (None, "127.0.0.1", "localhost") else None)
            try:
                with Collector(options.tool, options.app, place) as collector:
                    check(collector, page)
                assert not complaints, f"the page complained: {complaints}"
                print(f"ok      {name}", flush=True)
            except Exception:
                failed.append(name)
                print(f"FAILED  {name}", flush=True)
                traceback.print_exc()
                page.screenshot(path=f"{tempfile.gettempdir()}/page-{check.__name__}.png")
            said = places.now().leave(place)
            if failed and failed[-1] == name:
                print(said, file=sys.stderr, flush=True)
            if options.screenshots:
                options.screenshots.mkdir(parents=True, exist_ok=True)
                page.screenshot(path=options.screenshots / f"{check.__name__}.png")
            context.close()
        browser.close()
    return failed


if __name__ == "__main__":
    main()
