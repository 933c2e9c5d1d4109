"""What the page says of sessions whose events stay on their devices."""

import re
import time

from playwright.sync_api import expect

from accessibility import accessible_everywhere
from checks import check, fits, session_rows
from collector import Launch

day = 86_400_000


def summary(launch, kept_until, **members):
    """As an SDK tells of a session of 109 events that it keeps."""
    told = {
        "session": launch.session, "revision": 1, "startedAt": launch.now - 60_000, "endedAt": launch.now, "isFinal": False,
        "events": {"log": 90, "navigation": 8, "network_request": 10, "hang": 1}, "screens": ["Menu", "Basket"], "screenVisits": 8,
        "launchMs": 850, "launchKind": "cold", "slowFrames": 3, "frozenFrames": 1, "requests": {"2xx": 7, "4xx": 1, "5xx": 1, "none": 1},
        "errors": 2, "crashes": 0, "memoryPeak": 412_000_000, "memoryLeft": 38_000_000, "memoryWarnings": 2, "keptEvents": 109, "keptBytes": 1 << 20, "keptUntil": kept_until, **members,
    }
    return launch.event("session_summary", **told)


@check
def sessions_on_devices(collector, page):
    """a session of which only a summary came is in the list, marked until when its device keeps it; its page has what the summary says; health counts it"""
    collector.start()
    now = int(time.time() * 1000)
    kept, gone, plain = Launch(user="ada@example.com"), Launch(user="grace@example.com"), Launch(user="lea@example.com")
    collector.send(kept, [summary(kept, now + 7 * day)])
    collector.send(gone, [summary(gone, now - 1000)])
    collector.send(plain, [plain.screen("Menu"), plain.log("hello")], final=True)
    collector.until("api/sessions", lambda found: len(found["sessions"]) == 3)

    page.goto(collector.url)
    rows = session_rows(page)
    expect(rows).to_have_count(3)
    row = lambda launch: page.locator(f'.session-row a[data-id="{launch.session}"]')
    expect(row(kept)).to_contain_text(re.compile("On the device until "))
    expect(row(kept)).to_contain_text("109 events")
    expect(row(gone)).to_contain_text("No longer on the device")
    expect(row(plain).locator(".on-device")).to_have_count(0)
    expect(row(plain)).to_contain_text("2 events")

    row(kept).click()
    expect(page.locator(".head .facts")).to_contain_text("109 events, 0 here")
    notice = page.locator(".notice:visible")
    expect(notice).to_contain_text("On the device until ")
    told = page.locator("details.told")
    # Nothing else is to be seen, and nothing pretends to be: it is open.
    expect(page.locator(".timeline")).to_be_hidden()
    expect(page.get_by_text("At this moment")).to_be_hidden()
    expect(told).to_have_attribute("open", "")
    for words in ("Screens", "Menu, Basket (8 visits)", "Log 90", "2xx 7", "no answer 1", "850 ms, cold", "3, 1 frozen", "412.0 MB at most, 38.0 MB left at least, 2 warnings"):
        expect(told).to_contain_text(words)

    def show():
        page.goto(f"{collector.url}#/sessions/{kept.session}")
        expect(page.locator("details.told")).to_contain_text("109 events on the device")

    accessible_everywhere(page, show)
    fits(page)
    page.set_viewport_size({"width": 1440, "height": 900})

    page.goto(f"{collector.url}#/health")
    expect(page.locator("#health-stability")).to_contain_text("2 by summary")
    expect(page.locator("#health-requests")).to_contain_text("5xx 2")
    expect(page.locator("#health-requests")).to_contain_text("20 of 20 requests by summary")
    expect(page.locator("#health-savings")).to_contain_text("218 events")
    # What has to come to be counted says that it did not.
    for section in ("hangs", "frames", "taps"):
        expect(page.locator(f"#health-{section}")).to_contain_text("2 sessions by summary: of them, only what came is counted here.")
    expect(page.locator("a.tile", has_text="Sessions with a hang")).to_contain_text("of what came")


@check
def aged_out(collector, page):
    """what devices kept until it was too old, as their apps' rules want it, is no loss: neither in health, nor on the page of its session"""
    collector.start()
    quiet, late = Launch(), Launch()
    collector.send(quiet, [quiet.screen("Menu")], dropped={"expired": 900}, kept=40)
    collector.send(late, [late.screen("Menu")], dropped={"expired": 3}, final=True)
    collector.until("api/health", lambda found: found["recorder"]["launches"] == 2)

    page.goto(f"{collector.url}#/health")
    card = page.locator("#health-recorder")
    expect(card).to_contain_text("Aged out")
    expect(card).to_contain_text("900")
    expect(card).to_contain_text("aged out there by its app's rules")
    # Only what could not be delivered is dropped.
    expect(card.locator(".reasons li")).to_have_count(1)
    expect(card.locator(".reasons")).to_contain_text("They could not be delivered within seven days.")
    expect(card.locator(".moments li")).to_have_count(1)
    expect(card.locator(".moments")).to_contain_text(late.id[:8])

    page.goto(f"{collector.url}#/sessions/{quiet.session}")
    ledger = page.locator("details.ledger")
    expect(ledger.locator(".verdict")).to_have_text("1 event received, 40 kept on the device, 900 aged out there")
    page.goto(f"{collector.url}#/sessions/{late.session}")
    expect(ledger.locator(".verdict")).to_have_text("3 of 4 dropped")
