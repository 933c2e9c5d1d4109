"""What people decide about issues, on the pages."""

import re

from playwright.sync_api import expect

import health_story as story
from accessibility import accessible_everywhere
from checks import check


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
