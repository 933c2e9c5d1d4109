"""What the viewer must do with issues and their reports."""

import json
import time

from playwright.sync_api import expect

from checks import check, fits
from collector import Launch


def issue_rows(page):
    return page.locator("a.issue")


def some_issues(collector):
    """Three crashes in one function, a hang and a failure, in four sessions."""
    collector.start()
    run = ["!sendAction", "!sendEvent", "!handleEvent", "!runLoop", "!UIApplicationMain", "main"]
    for version in ("1.9", "1.10", "1.10"):
        launch = Launch(start=int(time.time() * 1000) - 60_000)
        collector.send_crashed(launch, ["$s4Shop4CartV5total2ofS2i_tF", "submit"] + run, launch.screen("Menu"), launch.tap("Pay now"), version=version)
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


def failures(collector):
    """Two kinds of failure that are told apart by their messages alone, the first of them twice with another number."""
    collector.start()
    for user, message in [("lea@example.com", "The payment of 12.50 failed"), ("mira@example.com", "The payment of 7 failed"),
                          ("mira@example.com", "No points were added")]:
        launch = Launch(user=user)
        collector.send(launch, [launch.event("handled_exception", errorDomain="Shop.Failure", customMessage=message, stackTrace="0 pay",
                                             bundleId="com.example.page")], final=True)


@check
def issues_by_message(collector, page):
    """a failure is called by what the developer wrote, without what varies, and two messages are two issues"""
    failures(collector)
    page.goto(f"{collector.url}#/issues")
    expect(issue_rows(page)).to_have_count(2)
    payment = issue_rows(page).filter(has_text="The payment of … failed")
    expect(payment.locator(".reports")).to_contain_text("2")
    expect(payment).to_contain_text("Shop.Failure")
    expect(issue_rows(page).filter(has_text="No points were added").locator(".reports")).to_contain_text("1")
    payment.click()
    expect(page.locator("h1")).to_have_text("The payment of … failed")
    expect(page.locator(".issue-title")).to_contain_text("Shop.Failure")
    # The newest one's own words.
    expect(page.locator(".issue-title")).to_contain_text("The payment of 7 failed")


@check
def issues_merged_and_taken_apart(collector, page):
    """issues are merged into one that counts them all, and unmerged again, by mouse"""
    failures(collector)
    page.goto(f"{collector.url}#/issues")
    issue_rows(page).filter(has_text="The payment").click()
    page.get_by_role("button", name="Merge…").click()
    dialog = page.get_by_role("dialog")
    merge = dialog.get_by_role("button", name="Merge")
    expect(merge).to_be_disabled()
    dialog.get_by_text("No points were added").click()
    merge.click()
    expect(dialog).to_be_hidden()
    expect(page.locator(".numbers .fact").first).to_contain_text("3")
    expect(page.locator(".report-bar h2")).to_contain_text("Report 1 of 3")
    expect(page.locator(".merged li")).to_contain_text("No points were added")
    page.set_viewport_size({"width": 390, "height": 844})
    fits(page, 390)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.keyboard.press("Escape")
    expect(issue_rows(page)).to_have_count(1)
    # Found by what the other one said, too.
    page.locator(".filters input").fill("points")
    expect(issue_rows(page)).to_contain_text("The payment of … failed")
    issue_rows(page).click()
    page.get_by_role("button", name="Unmerge No points were added").click()
    expect(page.locator(".merged")).to_have_count(0)
    expect(page.locator(".numbers .fact").first).to_contain_text("2")
    page.goto(f"{collector.url}#/issues")
    expect(issue_rows(page)).to_have_count(2)
    expect(issue_rows(page).filter(has_text="No points").locator(".reports")).to_contain_text("1")
