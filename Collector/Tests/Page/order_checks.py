"""What stands before what, what counts as an error, and what rows say of what the SDK recorded by itself."""

import re

from playwright.sync_api import expect

from checks import check, loaded, open_at_start, open_session, rows, title
from collector import Launch


def a_crash(collector):
    """A tap that takes the app away in its millisecond: the next launch tells of the crash before it delivers that tap."""
    collector.start()
    launch, after = Launch(), Launch()
    after.session = after.context["sessionId"] = launch.session
    tap = lambda x, y, after=10: launch.event("interaction", after, interactionType="tap",
                                             properties={"x": str(x), "y": str(y), "viewType": "_UIHostingView"})
    collector.send(launch, [launch.screen("Menu"), tap(120, 339.6, 50), launch.request("/v1/menu", after=200), launch.screen("Trouble", after=100)])
    last = tap(54.7, 456.2, 300)
    after.now = launch.now
    crash = after.crash(["pay", "main"], after=0)
    crash[1]["report"]["reportId"] = launch.id
    # Both are over: in a session that is live one follows what comes.
    collector.send(after, [crash], final=True)
    collector.until("api/sessions", lambda found: any(one["errors"] == 1 for one in found["sessions"]))
    collector.send(launch, [last], final=True)
    collector.until("api/sessions", lambda found: found["sessions"][0]["events"] == 6)
    return launch


before = ["Menu", "Tap at 120, 340 in Menu", "GET /v1/menu", "Trouble", "Tap at 55, 456 in Trouble"]


@check
def one_order_of_time(collector, page):
    """a crash stands after the tap that caused it, and what led to it is in one order in the list, the panel and its issue; a tap says where"""
    launch = a_crash(collector)
    open_session(collector, page, launch)
    loaded(page)
    expect(title(page)).to_have_text("Crash: SIGSEGV")
    expect(rows(page).locator(".title")).to_have_text([*before, "Crash: SIGSEGV"])
    expect(rows(page).last).to_contain_text("in pay")
    page.get_by_role("tab", name="Before").click()
    expect(page.locator(".led-here .title")).to_have_text(before)
    page.locator(".led-here button").last.click()
    expect(title(page)).to_have_text("Tap at 55, 456 in Trouble")
    # Before that tap there is no crash.
    expect(page.locator(".led-here .title")).to_have_text(before[:-1])
    page.get_by_role("tab", name="Details").click()
    page.keyboard.press("j")
    expect(title(page)).to_have_text("Crash: SIGSEGV")
    page.get_by_role("link", name="Open the report").click()
    expect(page.locator(".before a .title")).to_have_text(before)
    expect(page.locator(".before li").last).to_have_text("The process ended")


@check
def errors_agree(collector, page):
    """the number of errors, their track, their list, the steps from one to the next and where a session opens are of the same events"""
    collector.start()
    launch = Launch()
    events = [launch.screen("Menu"), launch.request("/v1/menu", status=404, after=100), launch.request("/v1/pay", status=503, after=100),
              launch.log("low on beans", level=3), launch.log("the card was declined", level=4, after=100),
              launch.event("handled_exception", 100, errorDomain="Shop.Failure", errorMessage="no points", stackTrace="0  Shop  0x1010 attempt + 4"),
              launch.hang([(14, ["decode", "main"])], after=100), launch.log("fatal", level=5, after=3000), launch.crash(["pay", "main"], after=100)]
    collector.send(launch, events, final=True)
    collector.until("api/sessions", lambda found: found["sessions"] and found["sessions"][0]["events"] == len(events))
    wanted = ["GET /v1/menu", "GET /v1/pay", "the card was declined", "no points", "Main thread blocked for 2.6 s", "fatal", "Crash: SIGSEGV"]
    assert collector.get("api/sessions")["sessions"][0]["errors"] == len(wanted)
    open_session(collector, page, launch)
    loaded(page)
    expect(title(page)).to_have_text(wanted[0])
    expect(page.locator(".head .errors")).to_have_text("7 errors")
    expect(page.locator(".track-plot canvas")).to_have_attribute("aria-label", re.compile(r"Errors 7, Hangs, frames 1, .*Network 2, Log 3"))
    tab = page.locator(".filters .choices").get_by_role("button", name="Errors")
    expect(tab).to_have_text("Errors 7")
    for name in wanted[1:]:
        page.keyboard.press("e")
        expect(title(page)).to_have_text(name)
    tab.click()
    expect(rows(page).locator(".title")).to_have_text(wanted)


@check
def rows_in_words(collector, page):
    """what the SDK measures and the system tells is said in words, and no row shows addresses"""
    collector.start()
    launch = Launch()
    custom = lambda name, **properties: launch.event("custom", name=name, properties=properties)
    trace = "0  [vdso]  0x7f776c979b48 clock_gettime + 88\n1  Shop  0x1010 layout + 4"
    hang = launch.hang([(14, ["!clock_gettime", "layout", "main"])], after=10)
    hang[1]["stackTrace"] = trace
    events = [launch.event("lifecycle", state="connectivity", details={"status": "satisfied", "transport": "cellular", "isExpensive": "true"}),
              launch.event("lifecycle", state="connectivity", details={"status": "unsatisfied"}),
              launch.event("lifecycle", state="battery", details={"level": "62", "charging": "unplugged"}),
              launch.event("lifecycle", state="previous_launch_ended", details={"verdict": "user_kill", "evidence": "nothing else"}),
              custom("App Launch", totalMs=860, preMainMs="80", mainToInitializeMs=8, initializeToFirstFrameMs=772, kind="cold"),
              custom("Frames", frames=52, frozen=1, slow=1, fps=15.4, worstMs=2523, durationMs=3373, screen="Menu", scope="screen"),
              custom("Frames", frames=60, frozen=0, slow=0, scope="second"), custom("App Launch", odd=True), hang,
              launch.event("crash", errorDomain="SIGSEGV", stackTrace=trace)]
    collector.send(launch, events, final=True)
    open_at_start(collector, page, launch)
    loaded(page)
    # What lasts stands where it began.
    expect(rows(page).locator(".title")).to_have_text([
        "Main thread blocked for 2.6 s", "Network: Cellular", "No network", "Battery: 62 %", "Previous launch: closed by user",
        "Cold launch in 860 ms", "1 frozen frame on Menu", "No slow frames", "App Launch", "Crash: SIGSEGV"])
    more = rows(page).locator(".more")
    expect(more.nth(1)).to_have_text("expensive")
    expect(more.nth(5)).to_have_text("80 ms before main · 8 ms to the SDK’s start · 772 ms to the first frame")
    expect(more.nth(6)).to_have_text("52 frames in 3.4 s · 15.4 fps · worst 2.5 s")
    # Its issue's function, when that is known.
    expect(more.nth(0)).to_have_text("in layout")
    expect(more.nth(9)).to_have_text("in layout")
    assert "0x" not in page.locator("#timeline").inner_text()
