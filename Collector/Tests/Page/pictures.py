"""Pictures of the pages, for looking at and for the documentation: light and dark, 1440 and 390 pixels wide.

    pictures.py --tool … --app … --into DIR [--only replay]

What is on them is the demo's recording. `pictures_checks.py` takes one with the other checks, so that this goes on to work.
"""

import argparse
import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from collector import Collector

# Wide, and a phone.
sizes = ((1440, 900), (390, 844))


def scenes(page, url):
    """Brings the page to each picture, and says its name."""
    is_small = page.viewport_size["width"] < 700
    panel = page.locator(".detail")
    failed = page.locator(".session-row a", has_text="The payment failed")

    def opens(path, there):
        page.goto("about:blank")
        page.goto(f"{url}#{path}")
        page.locator(there).first.wait_for()

    opens("/", ".session-row a")
    yield "sessions"
    page.locator("#filter").fill("mira payment")
    page.locator(".session-row .found mark").first.wait_for()
    yield "search"
    page.get_by_role("button", name="Command palette").click()
    page.keyboard.type("payment failed")
    page.locator(".palette-item mark").first.wait_for()
    yield "palette"
    # Killed by SIGKILL; it opens at the moment when the payment failed.
    opens("/", ".session-row a")
    failed.click()
    page.locator(".row.current").wait_for()
    page.locator(".screen-picture[data-time]:not([data-time=''])").wait_for()
    if not is_small:
        panel.locator("h2", has_text="/v1/checkout").wait_for()
    yield "replay"
    opens("/", ".session-row a")
    failed.locator("b.user").click()
    page.locator(".user-figures").wait_for()
    yield "user"
    opens("/issues", "a.issue")
    yield "issues"
    page.locator("a.issue", has_text="The payment failed").click()
    page.locator(".report-body .frame").first.wait_for()
    yield "issue"
    opens("/network", ".request")
    if is_small:
        page.locator("#filter").fill("checkout")
    page.locator(".request", has_text="/v1/checkout").and_(page.locator("[aria-label^='503 ']")).click()
    panel.locator(".exchange-head").wait_for()
    yield "network"
    panel.get_by_role("button", name="Compare…").click()
    page.locator(".request", has_text="/v1/checkout").and_(page.locator("[aria-label^='201 ']")).click()
    panel.locator(".comparison .diff").first.wait_for()
    yield "compare"
    opens("/health", "#health-recorder")
    yield "health"
    opens("/settings", "#settings-access p")
    yield "settings"


def save(png, path):
    """In 256 colours: a third of the size, and nothing that one sees."""
    Image.open(io.BytesIO(png)).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


def main():
    from run import browser_path  # which imports the checks, and they this

    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tool", required=True)
    arguments.add_argument("--app", required=True, help="the demo's app")
    arguments.add_argument("--into", type=Path, required=True)
    arguments.add_argument("--only", default="", help="only pictures whose name holds this")
    options = arguments.parse_args()
    options.into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="automobile-page-") as directory, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox", "--disable-gpu"])
        with Collector(options.tool, options.app, Path(directory) / "demo") as collector:
            collector.demo()
            for width, height in sizes:
                for scheme in ("light", "dark"):
                    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
                    for name in scenes(page, collector.url):
                        if options.only not in name:
                            continue
                        page.mouse.move(0, 0)
                        page.wait_for_timeout(700)
                        save(page.screenshot(), options.into / f"{name}-{width}-{scheme}.png")
                    page.close()
        browser.close()


if __name__ == "__main__":
    main()
