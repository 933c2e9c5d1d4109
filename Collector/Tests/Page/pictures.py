"""Pictures of the pages, for looking at and for the documentation: light and dark, 1440 and 390 pixels wide.

    pictures.py --tool … --app … --into DIR [--only session]

What is on them is recorded by the senders of the checks; on that of a replay, by the demo's app.
"""

import argparse
import io
import tempfile
import time
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import health_story
import network_story
from collector import Collector, Launch
from run import browser_path


def roastery(launch):
    """A morning in the app of a coffee roastery: four minutes, with everything that can be on a timeline."""
    launch.context.update(
        appVersion="2.4.1", tags={"plan": "pro", "store": "Kreuzberg"},
        device={"model": "iPhone16,2", "systemName": "iOS", "osVersion": "18.1"})
    events = [launch.event("lifecycle", state="foreground", details={}), launch.screen("Menu", after=160)]
    drinks = ["Flat white", "Cortado", "Filter Ethiopia", "Oat cappuccino", "Cold brew", "Espresso tonic"]
    for n, drink in enumerate(drinks):
        events += [
            launch.tap(drink, after=2900 + 600 * (n % 3)), launch.screen("Drink", after=140, name=drink),
            launch.request(f"/v1/drinks/{n + 11}", duration=180.0 + 90 * n, after=30), launch.request(f"/v1/drinks/{n + 11}/stock", duration=95.0, after=25),
            launch.log(f"priced {drink}", tag="menu", after=210), launch.log("image decoded", tag="images", level=1, after=40),
            launch.tap("Add to basket", after=1800), launch.request("/v1/basket/items", method="POST", status=201, duration=240.0, after=20),
            launch.event("storage_changed", after=260, key="basket.items", newValue=str(n + 1), previousValue=str(n), suiteName="shop"),
            launch.screen("Menu", after=1100),
        ]
        if n == 3:
            events += [launch.log("stock is low", tag="stock", level=3, after=300), launch.event("custom", after=500, name="offer shown", properties={"offer": "Autumn", "place": "menu"})]
    events += [
        launch.screen("Basket", after=2100), launch.log("the price has changed", tag="basket", level=3, after=400),
        launch.event("custom", after=900, name="voucher entered", properties={"code": "AUTUMN10"}),
        launch.request("/v1/vouchers/AUTUMN10", status=404, duration=140.0, after=60),
        launch.hang([(14, ["!decode", "ReceiptView.layout", "main"])], duration=2380.0, after=2600),
        launch.screen("Checkout", after=4200), launch.tap("Pay now", after=3100),
        launch.request("/v1/checkout", method="POST", duration=1320.0, status=503, after=40),
        launch.log("payment: the service does not answer", tag="payment", level=4, after=1330),
        launch.event("handled_exception", after=12, errorDomain="PaymentError", errorMessage="declined", stackTrace="0 pay", customMessage=None, bundleId="com.example.roastery"),
        launch.tap("Try again", after=4800), launch.request("/v1/checkout", method="POST", duration=860.0, status=201, after=30),
        launch.log("payment accepted", tag="payment", after=880), launch.screen("Receipt", after=300, order="R-2041"),
        launch.event("notification_action", after=5200, notificationTitle="Your coffee is ready", actionId="open"),
        launch.event("lifecycle", after=9000, state="background", details={}),
    ]
    return events


def fill(collector):
    now = int(time.time() * 1000)
    people = ["lea@example.com", "jonas@example.com", "aylin@example.com", "sam@example.com", "noor@example.com", "ida@example.com", "theo@example.com"]
    devices = [("iPhone16,2", "18.1"), ("iPhone15,3", "18.0"), ("iPad14,3", "17.5"), ("iPhone14,5", "17.6")]
    for index in range(26):
        launch = Launch(user=people[index % len(people)], start=now - (index + 1) * 47 * 60_000)
        model, system = devices[index % 4]
        events = roastery(launch)[:12 + index * 37 % 60]
        if index % 9 == 7:
            events += [launch.request("/v1/stores/nearby", status=502, duration=900.0, after=300), launch.log("no store answers", level=4, after=910)]
        launch.context.update(appVersion=["2.4.1", "2.4.0", "2.3.2"][index % 3], device={"model": model, "systemName": "iOS", "osVersion": system})
        for _, event in events:
            event["context"] |= {"appVersion": launch.context["appVersion"], "device": launch.context["device"]}
        if index % 9 == 4:
            events.append(launch.crash(["Basket.total(of:)", "submit", "!sendAction", "main"], after=900))
        collector.send(launch, events, final=index > 0)
    for launch, events in network_story.crowd(people=3, each=40):
        collector.send(launch, events, final=True)
    nora = Launch(user="nora@example.com", start=now - 90_000)
    collector.send(nora, network_story.story(nora), final=True)
    health_story.send(collector, health_story.launches())
    mira = Launch(user="mira@example.com", start=now - 4 * 60_000)
    collector.send(mira, roastery(mira), final=True)
    return mira


def pages(page, url, mira):
    """Brings the page to each picture, and says its name."""
    page.goto(f"{url}#/")
    page.locator(".session-row").first.wait_for()
    yield "sessions"
    page.goto(f"{url}#/sessions/{mira.session}")
    page.locator(".row.event:not(.pending)").first.wait_for()
    # The third one is the payment that failed, after a voucher that is not known, and the hang.
    for heading in ("/v1/vouchers", "Main thread", "/v1/checkout"):
        page.keyboard.press("e")
        page.locator(".detail h2", has_text=heading).wait_for()
    if page.viewport_size["width"] < 700:
        page.locator(".detail").get_by_role("button", name="Close").click()
    yield "session"
    page.goto(f"{url}#/network")
    page.locator(".request", has_text="/v1/checkout").filter(has_text="503").first.click()
    page.locator(".detail .exchange-head").wait_for()
    if page.viewport_size["width"] < 700:
        page.locator(".detail").get_by_role("button", name="Close").click()
    yield "network"
    page.goto(f"{url}#/health")
    page.locator("#health-recorder").wait_for()
    yield "health"
    page.goto(f"{url}#/issues")
    page.locator("a.issue").first.wait_for()
    yield "issues"
    page.goto(f"{url}#/settings")
    page.locator("#settings-access p").first.wait_for()
    yield "settings"


def replays(page, url):
    """The demo's launch that ends by SIGKILL, at the moment when the payment failed."""
    page.goto(f"{url}#/")
    page.locator(".session-row").last.click()
    page.locator(".row.event:not(.pending)").first.wait_for()
    for heading in ("/v1/checkout", "The payment failed"):
        page.keyboard.press("e")
        page.locator(".detail h2", has_text=heading).wait_for()
    page.locator(".screen-picture[data-time]:not([data-time=''])").wait_for()
    yield "replay"


def save(png, path):
    """In 256 colours: a third of the size, and nothing that one sees."""
    Image.open(io.BytesIO(png)).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tool", required=True)
    arguments.add_argument("--app", required=True, help="the demo's app")
    arguments.add_argument("--into", type=Path, required=True)
    arguments.add_argument("--only", default="")
    options = arguments.parse_args()
    options.into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="automobile-page-") as directory, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox", "--disable-gpu"])
        def take(url, scenes):
            for width, height in ((1440, 900), (390, 844)):
                for scheme in ("light", "dark"):
                    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
                    for name in scenes(page, url):
                        if options.only not in name:
                            continue
                        page.wait_for_timeout(700)
                        save(page.screenshot(), options.into / f"{name}-{width}-{scheme}.png")
                    page.close()

        if options.only != "replay":
            with Collector(options.tool, None, Path(directory) / "sent") as collector:
                mira = fill(collector.start())
                take(collector.url, lambda page, url: pages(page, url, mira))
        with Collector(options.tool, options.app, Path(directory) / "demo") as collector:
            collector.demo()
            take(collector.url, replays)
        browser.close()


if __name__ == "__main__":
    main()
