"""What people decide about issues, on the pages."""

import re

from playwright.sync_api import expect

import health_story as story
from accessibility import accessible_everywhere
from checks import check, fits


def issues(page):
    return page.locator("a.issue")


@check
def issues_are_decided_about(collector, page):
    """issues are resolved and ignored by keys and buttons, listed by what was decided, and marked when they come back"""
    collector.start()
    told = story.launches()
    story.send(collector, told)
    page.goto(f"{collector.url}#/issues")
    expect(issues(page)).to_have_count(2)
    page.locator("#issues-sort").select_option("count")
    expect(issues(page).first).to_contain_text("Basket.layout()")
    page.keyboard.press("Escape")
    issues(page).first.focus()
    page.keyboard.press("r")
    expect(issues(page)).to_have_count(1)
    page.locator("#issues-status").select_option("resolved")
    expect(issues(page)).to_have_count(1)
    expect(issues(page).first).to_contain_text("Resolved")
    assert "status=resolved" in page.url, page.url
    issues(page).first.click()
    expect(page.locator(".status-bar")).to_contain_text("Resolved")

    # It happens again.
    late = story.AppLaunch("2.1", None, "late@example.com")
    late.now += 60_000
    collector.send(late, [late.hang([(5, ["Basket.layout()", "!UIApplicationMain"])])])
    page.goto(f"{collector.url}#/issues?status=regressed")
    expect(issues(page).first).to_contain_text("Regressed")
    issues(page).first.click()
    bar = page.locator(".status-bar")
    expect(bar).to_contain_text("Regressed")
    bar.get_by_role("button", name="Resolve after 2.1").click()
    expect(bar).to_contain_text("Resolved after 2.1")
    bar.get_by_role("button", name="Reopen").click()
    bar.get_by_role("button", name="Ignore").click()
    expect(bar).to_contain_text("Ignored")
    page.locator(".affected summary").click()
    expect(page.locator(".affected")).to_contain_text("iOS 18.1")
    page.locator(".affected tbody tr").first.locator("a").last.click()
    expect(page).to_have_url(re.compile("#/sessions/"))

    page.goto(f"{collector.url}#/issues")
    expect(issues(page)).to_have_count(1)
    page.locator("#issues-version").select_option("2.1")
    expect(page.get_by_text("No issue matches the filter")).to_be_visible()
    page.get_by_role("button", name="Clear the filter").click()
    expect(issues(page)).to_have_count(1)


@check
def what_people_say_of_an_issue(collector, page):
    """an issue is assigned and commented on by keys, has a link to the tracker, and its history says who did it"""
    collector.start()
    story.send(collector, story.launches())
    page.goto(f"{collector.url}#/issues")
    issues(page).first.click()
    expect(page.locator(".history summary")).to_have_text("History and comments")
    page.keyboard.press("m")
    expect(page.locator(".history textarea")).to_be_focused()
    page.keyboard.type("Seen in the shop <b>again</b>")
    page.get_by_placeholder("Your name").fill("Nora")
    page.locator(".history form").get_by_role("button", name="Comment").click()
    entries = page.locator(".history ol > li")
    expect(entries).to_have_count(1)
    expect(entries.first).to_contain_text("Nora commented")
    expect(entries.first.locator("blockquote")).to_have_text("Seen in the shop <b>again</b>")

    page.locator("h1").focus()
    page.keyboard.press("a")
    field = page.get_by_label("Assignee", exact=True)
    # Whoever takes it is at hand.
    expect(field).to_have_value("Nora")
    field.fill("Tom")
    page.keyboard.press("Enter")
    expect(page.locator(".owners")).to_contain_text("Tom")
    page.get_by_role("button", name="Add a link to the tracker").click()
    link = page.get_by_label("Link to the tracker")
    link.fill("javascript:alert(1)")
    page.keyboard.press("Enter")
    expect(page.locator(".owners .error")).to_be_visible()
    link.fill("https://tracker.example/7")
    page.keyboard.press("Enter")
    expect(page.locator(".owners").get_by_role("link", name="tracker.example/7")).to_have_attribute("href", "https://tracker.example/7")
    expect(entries).to_have_count(3)
    expect(entries.nth(0)).to_contain_text("Nora linked tracker.example/7")
    expect(entries.nth(1)).to_contain_text("Nora assigned it to Tom")
    page.reload()
    expect(page.locator(".owners")).to_contain_text("Tom")
    expect(page.locator(".history summary")).to_contain_text("History (3), 1 comment")
    page.locator(".history summary").click()
    page.set_viewport_size({"width": 390, "height": 844})
    fits(page, 390)


@check
def a_decision_is_taken_back(collector, page):
    """what one key resolves another one brings back, in the list and on the issue's page, and both are in the history"""
    collector.start()
    story.send(collector, story.launches())
    page.goto(f"{collector.url}#/issues")
    expect(issues(page)).to_have_count(2)
    first = issues(page).first
    name = first.get_attribute("data-id")
    first.focus()
    page.keyboard.press("r")
    expect(issues(page)).to_have_count(1)
    expect(page.locator(".undo")).to_contain_text("Resolved")
    page.keyboard.press("z")
    expect(issues(page)).to_have_count(2)
    expect(page.locator(f"a.issue[data-id='{name}']")).to_be_focused()
    expect(page.locator(".undo")).to_be_hidden()
    assert collector.get(f"api/issues/{name}")["status"] == "open"
    page.keyboard.press("Enter")
    bar = page.locator(".status-bar")
    expect(bar.get_by_role("button", name="Resolve", exact=True)).to_be_visible()
    expect(bar.get_by_role("button", name="Undo")).to_have_count(0)
    page.keyboard.press("r")
    expect(bar).to_contain_text("Reopen")
    page.keyboard.press("z")
    expect(bar.get_by_role("button", name="Resolve", exact=True)).to_be_visible()
    # Once.
    expect(bar.get_by_role("button", name="Undo")).to_have_count(0)
    page.locator(".history summary").click()
    entries = page.locator(".history ol > li")
    expect(entries).to_have_count(4)
    expect(entries.nth(0)).to_contain_text("undid resolving it")
    expect(entries.nth(1)).to_contain_text("resolved it")


@check
def the_outside_tracker(collector, page):
    """a project's tracker is set in the settings, refused when it is no address, and filled in on the pages of its issues"""
    collector.start()
    story.send(collector, story.launches())
    page.goto(f"{collector.url}#/settings")
    page.locator("#project-name").fill("Shop")
    page.get_by_label("Bundle id").fill("com.example.page")
    page.get_by_role("button", name="Add project").click()
    expect(page.locator(".note")).to_contain_text("was added")
    field = page.get_by_label("Tracker of Shop")
    field.fill("javascript:alert({title})")
    field.press("Enter")
    expect(page.locator(".note.error")).to_contain_text("begins with https://")
    field.fill("https://tracker.example/new?title={title}&body={url}")
    field.press("Enter")
    expect(page.locator(".note")).to_contain_text("Issues of “Shop” are created there.")
    page.set_viewport_size({"width": 390, "height": 844})
    fits(page, 390)
    page.reload()
    expect(field).to_have_value("https://tracker.example/new?title={title}&body={url}")
    page.goto(f"{collector.url}#/issues?kinds=hang")
    issues(page).first.click()
    create = page.get_by_role("link", name="Create there")
    expect(create).to_have_attribute("href", re.compile(
        r"^https://tracker\.example/new\?title=Hang%20in%20Basket[^&]*&body=http[^&]*%23%2Fissues%2F"))


@check
def decided_issues_for_everybody(collector, page):
    """the list of issues and an issue are accessible with all that is decided"""
    collector.start()
    story.send(collector, story.launches())
    page.goto(f"{collector.url}#/issues")
    issues(page).first.focus()
    page.keyboard.press("x")
    expect(issues(page)).to_have_count(1)

    def lists():
        page.goto(f"{collector.url}#/issues?status=all")
        expect(issues(page)).to_have_count(2)

    accessible_everywhere(page, lists)

    def one():
        lists()
        issues(page).first.click()
        page.locator(".affected summary").click()
        expect(page.locator(".affected table")).to_be_visible()

    accessible_everywhere(page, one)
