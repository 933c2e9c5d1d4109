"""What the page of a user must do."""

import re
import time

from playwright.sync_api import expect

from accessibility import accessible_everywhere
from checks import check, fits, open_session, session_rows
from collector import Launch

minute = 60_000


def sessions_of_two(collector):
    """Three sessions of Mira, a crash in the one in the middle, and one of somebody whose name begins like hers."""
    collector.start()
    now = int(time.time() * 1000)
    mira = []
    for index in range(3):
        launch = Launch(user="mira@example.com", start=now - (30 - 10 * index) * minute)
        launch.context["appVersion"] = f"2.{index}"
        launch.context["device"] = {"model": "iPhone16,2", "systemName": "iOS", "osVersion": "18.1"}
        events = [launch.screen("Menu"), launch.log("hello")]
        if index == 1:
            events.append(launch.crash(["Cart.total(of:)"], version="2.1"))
        collector.send(launch, events, final=True)
        mira.append(launch)
    other = Launch(user="mira@example.community", start=now - minute)
    collector.send(other, [other.screen("Menu"), other.crash(["Menu.show()"])], final=True)
    collector.until("api/sessions", lambda found: len(found["sessions"]) == 4)
    collector.until("api/issues", lambda found: len(found["issues"]) == 2)
    return mira


def on_page_of_mira(page):
    expect(page).to_have_url(re.compile(r"#/users/mira%40example.com\?app=com.example.page$"))
    expect(page.locator("h1")).to_have_text("mira@example.com")


@check
def a_user(collector, page):
    """a user's page has all of their sessions and no others, the newest first, what they use, and what went wrong for them"""
    mira = sessions_of_two(collector)
    page.goto(f"{collector.url}#/users/mira%40example.com?app=com.example.page")
    on_page_of_mira(page)
    rows = session_rows(page)
    expect(rows).to_have_count(3)
    assert [row.get_attribute("data-id") for row in rows.all()] == [launch.session for launch in reversed(mira)]
    figures = page.locator(".user-figures .fact dd")
    expect(figures.nth(0)).to_have_text("3")
    expect(figures.nth(1)).to_have_text("2 of 3")
    # Whose they are stands above all of them: a row begins with its time.
    # It began ten minutes ago: soon after midnight that was yesterday.
    expect(rows.first.locator(".who > b")).to_have_text(re.compile(r"^(Today|Yesterday) \d\d:\d\d$"))
    expect(page.locator(".user-page").get_by_text("mira@example.com")).to_have_count(1)
    spread = page.locator(".spread")
    expect(spread).to_contain_text("iPhone16,2")
    expect(spread.locator("dl").filter(has_text="Versions").locator("dd span:first-child")).to_have_text(["2.2", "2.1", "2.0"])
    issues = page.locator(".user-head .moments li")
    expect(issues).to_have_count(1)
    expect(issues).to_contain_text("Cart.total(of:)")
    # By keys to a session and back, and by mouse to the issue.
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"#/sessions/{mira[1].session}"))
    page.go_back()
    on_page_of_mira(page)
    issues.locator("a").click()
    expect(page.locator("h1")).to_contain_text("Cart.total(of:)")


@check
def ways_to_a_user(collector, page):
    """a user's name leads to their page from the list, by click and by key, from a session and an event of it, from an issue, its report and the
    users that it affects, from requests, and from unexpected exits"""
    mira = sessions_of_two(collector)
    page.goto(collector.url)
    expect(session_rows(page)).to_have_count(4)
    row = page.locator(f"a[data-id='{mira[2].session}']")
    row.locator("b.user").click()
    on_page_of_mira(page)
    page.keyboard.press("Escape")
    expect(session_rows(page)).to_have_count(4)
    row.focus()
    page.keyboard.press("u")
    on_page_of_mira(page)

    open_session(collector, page, mira[0])
    page.locator("h1 a.user").click()
    on_page_of_mira(page)

    page.goto(f"{collector.url}#/issues")
    page.locator("a.issue").filter(has_text="Cart.total(of:)").click()
    page.locator(".report-bar a.user").click()
    on_page_of_mira(page)
    page.go_back()
    page.locator(".report .around dd a.user").click()
    on_page_of_mira(page)
    page.go_back()
    page.locator("details.affected summary").click()
    page.locator(".affected td a.user").click()
    on_page_of_mira(page)

    request = mira[2].request("/v1/menu")
    # How the next launch tells that the system killed this one.
    end = mira[2].event("lifecycle", state="previous_launch_ended", details={"launchId": mira[1].id, "verdict": "crash", "evidence": "there is a report", "appVersion": "2.1"})
    collector.send(mira[2], [request, end])
    page.goto(f"{collector.url}#/network")
    row = page.locator(".request").first
    row.locator("b.user").click()
    on_page_of_mira(page)
    page.go_back()
    row.locator(".path").click()
    page.get_by_role("tab", name="Context").click()
    page.locator(".detail dd a.user").click()
    on_page_of_mira(page)

    page.goto(f"{collector.url}#/health")
    page.locator("#health-ends .moments b.user").first.click()
    on_page_of_mira(page)


@check
def one_name_in_two_apps(collector, page):
    """two apps may call two people the same: where the app is known a user's page is of that one, and leads to the page of both"""
    mira = sessions_of_two(collector)
    other = Launch(user="mira@example.com", start=int(time.time() * 1000) - minute)
    collector.send(other, [other.screen("Desk")], final=True, app="com.example.desk")
    collector.until("api/sessions", lambda found: len(found["sessions"]) == 5)
    assert collector.get("api/health")["sessions"]["users"]["count"] == 3, "crash-free users are counted in the same way"
    page.goto(collector.url)
    page.locator(f"a[data-id='{mira[0].session}'] b.user").click()
    on_page_of_mira(page)
    expect(session_rows(page)).to_have_count(3)
    expect(page.locator(".user-title p")).to_contain_text("page")
    page.get_by_role("link", name="All apps").click()
    expect(page).to_have_url(re.compile("#/users/mira%40example.com$"))
    expect(session_rows(page)).to_have_count(4)
    page.goto(f"{collector.url}#/users/mira%40example.com?app=com.example.desk")
    expect(session_rows(page)).to_have_count(1)
    expect(session_rows(page)).to_have_attribute("data-id", other.session)



@check
def small_user(collector, page):
    """a user's page is no wider than a phone, says when nobody has the name, and takes hostile names as text"""
    collector.start()
    bomb = "<img src=x onerror=window.hit=1>/../?#%" + "w" * 90
    launch = Launch(user=bomb)
    launch.context["tags"] = {bomb: bomb}
    collector.send(launch, [launch.screen(bomb), launch.crash([bomb], version=bomb)], final=True)
    collector.until("api/issues", lambda found: found["issues"])
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(collector.url)
    session_rows(page).locator("b.user").first.click()
    expect(page.locator("h1")).to_have_text(bomb)
    expect(session_rows(page)).to_have_count(1)
    expect(page.locator(".user-head .moments li")).to_have_count(1)
    fits(page, 390)
    page.goto(f"{collector.url}#/users/nobody")
    expect(page.get_by_text("No sessions of this user")).to_be_visible()
    assert page.evaluate("window.hit") is None


@check
def a_user_for_everybody(collector, page):
    """a user's page is accessible, in light and dark, wide and narrow"""
    sessions_of_two(collector)

    def show():
        page.goto(f"{collector.url}#/users/mira%40example.com")
        expect(session_rows(page)).to_have_count(3)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.viewport_size

    accessible_everywhere(page, show)


@check
def older_sessions_of_a_user(collector, page):
    """when older sessions were loaded, those that newer ones push off the first page stay in the list"""
    collector.start()
    now = int(time.time() * 1000)
    launches = [Launch(user="mira", start=now - (100 - index) * 60_000) for index in range(58)]
    with collector.together():
        for launch in launches[:55]:
            collector.send(launch, [launch.log("seen")])
    page.goto(f"{collector.url}#/users/mira")
    listed = page.locator(".user-sessions a[data-id]")
    expect(listed).to_have_count(50)
    page.get_by_role("button", name="Older sessions").click()
    expect(listed).to_have_count(55)
    for launch in launches[55:]:
        collector.send(launch, [launch.log("seen")])
    expect(listed.first).to_have_attribute("data-id", launches[57].session, timeout=20_000)
    ids = listed.evaluate_all("(all) => all.map((one) => one.dataset.id)")
    assert ids == [launch.session for launch in reversed(launches)], len(ids)
