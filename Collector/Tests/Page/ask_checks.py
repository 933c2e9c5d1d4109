"""Asking for what devices keep, on the page."""

from playwright.sync_api import expect

from accessibility import accessible_everywhere
from checks import check, loaded, open_session
from collector import Launch

APP = "com.example.page"


def send_one(collector, user="mira@example.com"):
    collector.start()
    launch = Launch(user=user)
    collector.send(launch, [launch.screen("Menu"), launch.log("hello")])
    collector.until("api/sessions", lambda found: len(found["sessions"]) == 1)
    return launch


@check
def a_session_is_asked_for(collector, page):
    """a session is asked for with a reason, the button says how that stands, and it is withdrawn in Settings"""
    launch = send_one(collector)
    open_session(collector, page, launch)
    loaded(page)
    button = page.locator("button.ask")
    expect(button).to_have_text("Ask for it")
    button.click()
    dialog = page.locator("dialog.ask")
    ask = dialog.get_by_role("button", name="Ask for it")
    ask.click()
    # Without a reason the browser does not send it.
    assert collector.get("api/asks")["asks"] == []
    dialog.get_by_label("Reason").fill("Ticket <b>88</b>")
    ask.click()
    expect(dialog.locator(".asks li")).to_have_count(1)
    expect(dialog.locator(".asks")).to_contain_text("Ticket <b>88</b>")
    expect(button).to_have_text("Asked")
    ask.click()
    expect(dialog.locator(".note.error")).to_contain_text("has asked for this already")
    dialog.get_by_role("button", name="Close").click()
    asked = collector.get("api/asks")["asks"][0]
    assert asked["subject"] == launch.session and asked["bundleId"] == APP, asked
    page.goto(f"{collector.url}#/settings")
    section = page.locator("#settings-asks")
    expect(section.locator("tbody tr")).to_have_count(1)
    expect(section.locator("tbody")).to_contain_text("Ticket <b>88</b>")
    section.get_by_role("button", name="Withdraw ask 1").click()
    expect(section.locator("tbody")).to_contain_text("Withdrawn")
    assert collector.get("api/asks/1")["gone"] == "withdrawn"
    section.get_by_role("link", name=launch.session).click()
    loaded(page)
    expect(page.locator("button.ask")).to_have_text("Ask for it")


@check
def a_user_is_asked_for(collector, page):
    """all of a user is asked for from their page, and taken back there"""
    send_one(collector)
    page.goto(f"{collector.url}#/users/mira%40example.com")
    section = page.get_by_role("region", name="On their devices")
    expect(section.get_by_label("App")).to_have_value(APP)
    section.get_by_label("Reason").fill("Ticket 89")
    section.get_by_role("button", name="Ask for it").click()
    expect(section.locator(".asks li")).to_have_count(1)
    expect(section.locator(".asks")).to_contain_text("Asked")
    section.get_by_role("button", name="Withdraw").click()
    expect(section.locator(".asks")).to_contain_text("Withdrawn")


@check
def asking_for_everybody(collector, page):
    """the dialog in which a session is asked for is accessible, in light and dark, wide and narrow"""
    launch = send_one(collector)

    def show():
        open_session(collector, page, launch)
        page.reload()
        loaded(page)
        page.locator("button.ask").click()
        expect(page.locator("dialog.ask")).to_be_visible()

    accessible_everywhere(page, show)
