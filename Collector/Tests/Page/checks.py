"""What the viewer must do. Each check gets a collector of its own and a fresh page."""

import json
import re
import time

from playwright.sync_api import expect

from collector import Launch

_checks = []


def check(function):
    _checks.append(function)
    return function


def all_checks():
    return _checks


def open_session(collector, page, launch):
    page.goto(f"{collector.url}#/sessions/{launch.session}")


def loaded(page):
    """Waits until all events of the session are there: before, the last one is just the last so far."""
    expect(page.locator(".stage progress")).to_be_hidden()
    expect(page.locator(".surface .row").first).to_be_visible()


def rows(page):
    return page.locator(".row.event")


@check
def the_demo_is_seen(collector, page):
    """the demo's three sessions are listed, and each shows how its launch ended"""
    ledger = collector.demo()
    assert [launch["lost"] for launch in ledger["launches"]] == [0, 0, 0], ledger
    page.goto(collector.url)
    cards = page.locator(".card")
    expect(cards).to_have_count(3)
    expect(cards.first).to_contain_text("mira@example.com")

    cards.nth(2).click()
    expect(page.locator(".verdict")).to_contain_text("recorded events here")
    expect(rows(page).first).to_contain_text("Foreground")
    loaded(page)
    page.locator("#timeline").focus()
    page.keyboard.press("G")
    expect(page.locator(".boundary.killed")).to_contain_text("killed")

    cards.nth(1).click()
    expect(page.locator(".row.type-hang")).to_contain_text(re.compile(r"blocked for 2\.\d s"))
    expect(page.locator(".boundary.crashed")).to_contain_text("SIGSEGV")
    page.get_by_role("button", name="Show the report").click()
    expect(page.locator(".detail h2")).to_have_text("Crash: SIGSEGV")
    expect(page.get_by_role("link", name="Open the report")).to_be_visible()

    page.get_by_role("link", name="Network").click()
    page.locator(".request", has_text="/v1/checkout").filter(has_text="503").click()
    panel = page.locator(".detail")
    expect(panel.locator(".exchange-head")).to_contain_text("503 Service Unavailable")
    expect(panel).to_contain_text("the payment service does not answer")
    expect(panel.locator(".headers").first).to_contain_text("AuthorizationREDACTED")
    page.locator(".request", has_text="/graphql").click()
    expect(panel).to_contain_text("Loyalty")
    page.locator(".request", has_text="/orders/R-2041").filter(has_not_text="/v1/").click()
    expect(panel.locator(".hops")).to_contain_text("301")


@check
def first_steps(collector, page):
    """an empty collector says how to point an app at it, and the first event replaces that"""
    collector.start()
    page.goto(collector.url)
    expect(page.get_by_role("heading", name="Waiting for the first event")).to_be_visible()
    expect(page.locator(".snippet").first).to_contain_text(collector.url.rstrip("/"))
    launch = Launch()
    collector.send(launch, [launch.log("hello")])
    expect(page.locator(".card")).to_have_count(1)
    expect(page.get_by_role("heading", name="Choose a session")).to_be_visible()


@check
def live(collector, page):
    """a live session grows while one looks, follows its end, and stops following when one scrolls up"""
    collector.start()
    launch = Launch()
    collector.send(launch, [launch.log(f"line {n}", tag=f"tag {n}") for n in range(100)])
    open_session(collector, page, launch)
    expect(page.get_by_role("button", name="Following")).to_be_visible()
    expect(page.get_by_text("line 99", exact=True)).to_be_visible()
    collector.send(launch, [launch.log("and one more")])
    expect(page.get_by_text("and one more")).to_be_visible()

    page.locator("#timeline").hover()
    page.mouse.wheel(0, -3000)
    expect(page.get_by_role("button", name="Jump to live")).to_be_visible()
    expect(page.get_by_text("line 0", exact=True)).to_be_visible()
    collector.send(launch, [launch.log("unseen")])
    fresh = page.locator(".fresh")
    expect(fresh).to_contain_text("1 new event")
    expect(page.get_by_text("line 0", exact=True)).to_be_visible()
    fresh.click()
    expect(page.get_by_text("unseen", exact=True)).to_be_visible()


@check
def hostile(collector, page):
    """nothing that an app recorded becomes markup, code or a page that breaks"""
    collector.start()
    bomb = "<img src=x onerror=\"window.hit=1\"><script>window.hit=1</script>"
    launch = Launch(user=bomb)
    events = [
        launch.screen(bomb, **{"__proto__": bomb, "constructor": "x"}),
        launch.log(bomb + "\u001b[31m\u202e reversed", tag=bomb),
        launch.event("network_request", url="javascript:window.hit=1", method=bomb, statusCode=200, durationMs=1e300),
        launch.event("__proto__", constructor=bomb), launch.event("toString"), launch.event("a" * 60, deep=[[[[bomb]]]]),
        launch.event("interaction", interactionType="tap", properties=None),
        launch.event("view_body_snapshot", snapshots="none"),
        launch.event("storage_changed", key=None, newValue={"a": 1}, valueType=3),
        launch.event("log", level="high", message=["a"], tag=None), launch.event("hang", durationMs="long"),
    ]
    for _, event in events[4:7]:
        event["timestamp"] = 9_000_000_000_000_000
    collector.send(launch, events)
    open_session(collector, page, launch)
    expect(rows(page)).to_have_count(len(events))
    for index in range(len(events)):
        rows(page).nth(index).click()
        expect(page.locator(".detail h2")).to_be_visible()
    assert page.evaluate("window.hit") is None
    assert page.locator("img[src=x], .session script, .detail script").count() == 0
    expect(page.locator(".session h1")).to_contain_text("<img src=x")


@check
def long_sessions(collector, page):
    """ten thousand events are all there, with only the visible ones in the page"""
    collector.start()
    launch = Launch(start=int(time.time() * 1000) - 600_000)
    collector.send(launch, [
        launch.screen(f"Screen {n}") if n % 50 == 0 else launch.log(f"entry {n} of many", after=20)
        for n in range(10_000)
    ], final=True)
    open_session(collector, page, launch)
    expect(page.locator(".verdict")).to_contain_text("All 10\u202f000 recorded events here")
    expect(page.locator(".chip[data-type=log] .number")).to_have_text("9\u202f800")
    loaded(page)
    assert rows(page).count() < 120
    page.locator("#timeline").focus()
    page.keyboard.press("G")
    expect(page.locator(".detail h2")).to_have_text("entry 9999 of many")
    page.keyboard.press("g")
    expect(page.locator(".detail h2")).to_have_text("Screen 0")
    assert rows(page).count() < 120


@check
def filters(collector, page):
    """chips and text narrow the timeline, the address keeps them, and a reload shows the same"""
    collector.start()
    launch = Launch()
    collector.send(launch, [
        launch.screen("Menu"), launch.log("all is well"), launch.log("the card was declined", level=4),
        launch.event("network_request", url="http://shop/v1/pay", method="POST", statusCode=503, durationMs=12, path="/v1/pay"),
    ])
    open_session(collector, page, launch)
    expect(rows(page)).to_have_count(4)
    page.locator(".chip[data-type=log]").click()
    expect(rows(page)).to_have_count(2)
    page.keyboard.press("/")
    page.keyboard.type("declined")
    expect(rows(page)).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator(".detail h2")).to_have_text("the card was declined")
    assert "types=log" in page.url and "q=declined" in page.url and "event=" in page.url, page.url

    page.reload()
    expect(rows(page)).to_have_count(1)
    expect(page.locator(".detail h2")).to_have_text("the card was declined")
    page.locator(".filters input").fill("nothing like it")
    expect(page.get_by_text("No event matches the filter")).to_be_visible()
    page.get_by_role("button", name="Clear the filter").click()
    expect(rows(page)).to_have_count(4)


@check
def keys(collector, page):
    """j and k walk, e finds errors, Escape closes, ? lists the keys"""
    collector.start()
    launch = Launch()
    collector.send(launch, [
        launch.screen("Menu"), launch.log("one"), launch.log("broken", level=4), launch.log("two"),
        launch.event("crash", errorDomain="SIGABRT", errorMessage="abort", stackTrace="0 main", bundleId="b"),
    ], final=True)
    open_session(collector, page, launch)
    expect(rows(page)).to_have_count(5)
    title = page.locator(".detail h2")
    for key, expected in [("j", "Menu"), ("j", "one"), ("k", "Menu"), ("e", "broken"), ("e", "Crash: SIGABRT"), ("e", "broken")]:
        page.keyboard.press(key)
        expect(title).to_have_text(expected)
    page.keyboard.press("Escape")
    expect(page.locator(".detail")).to_be_hidden()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Next, previous event")
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("dialog")).to_be_hidden()


@check
def search(collector, page):
    """searching narrows the sessions as one types"""
    collector.start()
    for user in ("ada@example.com", "bea@example.com", "cleo@example.org"):
        launch = Launch(user=user)
        collector.send(launch, [launch.screen("Menu")])
    page.goto(collector.url)
    expect(page.locator(".card")).to_have_count(3)
    page.keyboard.press("s")
    page.keyboard.type("example.com")
    expect(page.locator(".card")).to_have_count(2)
    page.keyboard.type("zzz")
    expect(page.get_by_text("No session matches")).to_be_visible()


@check
def missing_and_away(collector, page):
    """a session that does not exist, and a collector that goes away and comes back, are told apart"""
    collector.start()
    page.goto(f"{collector.url}#/sessions/nobody%2F%3Cb%3E")
    expect(page.get_by_text("This session is not here")).to_be_visible()
    launch = Launch()
    collector.send(launch, [launch.log("before")])
    open_session(collector, page, launch)
    expect(rows(page)).to_have_count(1)
    collector.stop()
    expect(page.locator("#banner")).to_contain_text("does not answer")
    collector.start()
    collector.send(launch, [launch.log("after")])
    expect(page.locator("#banner")).to_be_hidden()
    expect(page.get_by_text("after", exact=True)).to_be_visible()


@check
def the_key(collector, page):
    """a collector with a key asks for it once, and then shows everything"""
    collector.options = ["--key", "correct-horse-battery"]
    collector.start()
    launch = Launch()
    collector.send(launch, [launch.screen("Secret menu")], key="correct-horse-battery")
    page.goto(collector.url)
    field = page.get_by_role("dialog").locator("input")
    field.fill("wrong-key-entirely")
    field.press("Enter")
    expect(field).to_have_value("")
    field.fill("correct-horse-battery")
    field.press("Enter")
    page.locator(".card").click()
    expect(rows(page)).to_contain_text(["Secret menu"])
    collector.send(launch, [launch.log("live with a key")], key="correct-horse-battery")
    expect(page.get_by_text("live with a key")).to_be_visible()


@check
def small_screens(collector, page):
    """nothing is wider than a small phone, in light and dark, from the list to an event and back"""
    collector.start()
    launch = Launch(user="a.very.long.address.indeed@some.company.example.com")
    collector.send(launch, [
        launch.screen("A destination with a rather long name", argument="and an argument that is longer still"),
        launch.log("x" * 400, tag="unbroken"), launch.event("network_request", url="http://h/" + "p" * 200, method="GET", statusCode=200, durationMs=3),
    ])

    def fits():
        assert page.evaluate("document.documentElement.scrollWidth") <= 360

    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": 360, "height": 740})
        page.goto(collector.url)
        page.locator(".card").click()
        expect(rows(page)).to_have_count(3)
        fits()
        box = page.locator(".filters input").bounding_box()
        assert box["x"] + box["width"] <= 360, box
        rows(page).nth(1).click()
        expect(page.locator(".detail h2")).to_be_visible()
        fits()
        page.locator(".detail").get_by_role("button", name="Close").click()
        page.get_by_role("link", name="All sessions").click()
        expect(page.locator(".card")).to_be_visible()
        fits()


@check
def bursts(collector, page):
    """a burst of like entries is folded, opens by a click or a link into it, and never hides an error"""
    collector.start()
    launch = Launch()
    events = [launch.screen("Menu")]
    events += [launch.log(f"article {n}", tag="sync", level=4 if n == 150 else 1, after=0) for n in range(300)]
    events += [launch.screen("Basket")]
    collector.send(launch, events, final=True)
    open_session(collector, page, launch)
    # Two screens, the error, and of each half the first three and the last.
    expect(rows(page)).to_have_count(11)
    expect(page.get_by_text("article 150", exact=True)).to_be_visible()
    folds = page.locator(".fold button")
    expect(folds).to_have_count(2)
    expect(folds.first).to_contain_text("146 more like these")
    folds.first.click()
    expect(page.get_by_text("article 20", exact=True)).to_be_visible()
    expect(page.get_by_text("146 more like these")).to_have_count(0)

    inside = collector.get(f"api/sessions/{launch.session}/events?limit=1000")["events"][200]
    page.goto("about:blank")
    page.goto(f"{collector.url}#/sessions/{launch.session}?event={inside['id']}")
    expect(page.locator(".detail h2")).to_have_text(inside["payload"]["message"])
    expect(page.locator(".row[aria-selected=true]")).to_be_visible()


def issue_rows(page):
    return page.locator("a.issue")


def some_issues(collector):
    """Three crashes in one function, a hang and a failure, in four sessions."""
    collector.start()
    run = ["!sendAction", "!sendEvent", "!handleEvent", "!runLoop", "!UIApplicationMain", "main"]
    for version in ("1.9", "1.10", "1.10"):
        launch = Launch(start=int(time.time() * 1000) - 60_000)
        collector.send(launch, [
            launch.screen("Menu"), launch.event("interaction", interactionType="tap", properties={"text": "Pay now"}),
            launch.crash(["$s4Shop4CartV5total2ofS2i_tF", "submit"] + run, version=version)], final=True)
    launch = Launch(user="hannes@example.com")
    collector.send(launch, [
        launch.screen("Feed"),
        launch.hang([(14, ["!decode", "loadImages", "layout"] + run), (6, ["measure", "layout"] + run)], duration=6120.0),
        launch.event("handled_exception", errorDomain="PaymentError", errorMessage="declined", stackTrace="0 pay", customMessage=None,
                     bundleId="com.example.page"),
    ], final=True)
    return launch


@check
def issues(collector, page):
    """issues are listed with their numbers, filtered by kind and text, and the address keeps the filter"""
    some_issues(collector)
    page.goto(collector.url)
    page.get_by_role("link", name="Issues").click()
    expect(issue_rows(page)).to_have_count(3)
    crash = page.locator("a.issue.type-crash")
    expect(crash).to_contain_text("SIGSEGV in Cart.total(of:)")
    expect(crash.locator(".reports")).to_contain_text("3")
    expect(crash.locator(".tag")).to_have_text(["1.10", "1.9"])
    expect(page.locator("a.issue.type-hang")).to_contain_text("App not responding in loadImages")
    page.locator(".chip[data-kind=crash]").click()
    page.locator(".chip[data-kind=hang]").click()
    expect(issue_rows(page)).to_have_count(2)
    page.keyboard.press("/")
    page.keyboard.type("cart.total")
    expect(issue_rows(page)).to_have_count(1)
    assert "kinds=crash%2Chang" in page.url and "q=cart.total" in page.url, page.url
    page.reload()
    expect(issue_rows(page)).to_have_count(1)
    expect(page.locator(".filters input")).to_have_value("cart.total")
    page.locator(".filters input").fill("nothing like it")
    page.get_by_role("button", name="Clear the filter").click()
    expect(issue_rows(page)).to_have_count(3)


@check
def a_crash(collector, page):
    """a crash shows its stack with the app's own frames, threads, registers, what was before, and goes to the session and back"""
    some_issues(collector)
    page.goto(f"{collector.url}#/issues")
    # Arrived, and with its readable name.
    expect(page.locator("a.issue.type-crash")).to_contain_text("Cart.total(of:)")
    page.keyboard.press("G")
    page.keyboard.press("g")
    page.locator("a.issue.type-crash").focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("SIGSEGV in Cart.total(of:)")
    expect(page.locator(".cause")).to_contain_text("SEGV_MAPERR at 0x10")
    own = page.locator(".first .frame.own")
    expect(own).to_have_count(3)
    expect(own.first).to_contain_text("Cart.total(of:)")
    expect(page.locator(".first .folded")).to_contain_text("5 frames of UIKitCore")
    page.locator(".first .folded button").click()
    expect(page.locator(".first .frame")).to_have_count(8)
    page.get_by_text("Registers").click()
    expect(page.locator(".registers")).to_contain_text("0x16fdff000")
    page.get_by_text("worker").click()
    expect(page.locator(".thread .frame").first).to_contain_text("read")
    expect(page.locator(".advice")).to_contain_text("automobile symbols add")
    expect(page.locator(".before a")).to_contain_text(["Menu", "Tap “Pay now”"])

    expect(page.locator(".report-bar h2")).to_contain_text("Report 1 of 3")
    first = page.url
    page.keyboard.press("j")
    expect(page.locator(".report-bar h2")).to_contain_text("Report 2 of 3")
    assert page.url != first
    page.reload()
    expect(page.locator(".report-bar h2")).to_contain_text("Report 2 of 3")

    with page.expect_download() as download:
        page.get_by_role("button", name="Download .ips").click()
    lines = open(download.value.path()).read().split("\n", 1)
    assert json.loads(lines[0])["bug_type"] == "309" and json.loads(lines[1])["threads"][0]["frames"], lines

    page.get_by_role("link", name="Show in session").click()
    expect(page.locator(".detail h2")).to_have_text("Crash: SIGSEGV")
    page.get_by_role("link", name="Open the report").click()
    expect(page.locator(".report-bar h2")).to_contain_text("Report 2 of 3")
    page.keyboard.press("Escape")
    expect(issue_rows(page)).to_have_count(3)
    expect(page.locator("a.issue.type-crash")).to_be_focused()


@check
def a_hang(collector, page):
    """a hang shows where the time went, heaviest first, with what merely calls on left out"""
    some_issues(collector)
    page.goto(f"{collector.url}#/issues?kinds=hang")
    issue_rows(page).click()
    expect(page.locator(".cause")).to_contain_text("6.1 s")
    tree = page.locator(".weights li")
    expect(tree).to_have_count(5)
    expect(tree.nth(0)).to_contain_text("main")
    expect(tree.nth(1)).to_contain_text("layout")
    expect(tree.nth(2)).to_contain_text("70 %")
    expect(tree.nth(2)).to_contain_text("loadImages")
    expect(tree.nth(4)).to_contain_text("30 %")
    expect(tree.nth(4)).to_contain_text("measure")


@check
def small_issues(collector, page):
    """issues and reports are no wider than a small phone, in light and dark, and hostile reports are only text"""
    bomb = "<img src=x onerror=window.hit=1>"
    some_issues(collector)
    launch = Launch()
    collector.send(launch, [
        launch.crash([bomb + "f" * 300, "!" + "g" * 300, bomb] * 3, signal=bomb),
        launch.event("crash", errorDomain=bomb * 8, errorMessage=bomb, stackTrace=f"0  {bomb}  0x10 {bomb} + 1", report={"threads": "none"}),
        launch.event("crash", errorDomain=None, errorMessage=7, stackTrace=[], report={"threads": [{}, {"frames": [{}]}], "images": [{}]}),
    ], final=True)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": 360, "height": 740})
        page.goto("about:blank")
        page.goto(f"{collector.url}#/issues")
        expect(issue_rows(page)).to_have_count(6)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        for index in range(6):
            issue_rows(page).nth(index).click()
            expect(page.locator(".report")).to_be_visible()
            box = page.locator(".report").bounding_box()
            assert box["x"] + box["width"] <= 360, box
            assert page.evaluate("document.documentElement.scrollWidth") <= 360
            page.get_by_role("link", name="All issues").click()
            expect(issue_rows(page)).to_have_count(6)
    assert page.evaluate("window.hit") is None and page.locator("img[src=x]").count() == 0
