"""What erasing and redaction must do on the page."""

import hashlib
import json
import re

from playwright.sync_api import expect

from accessibility import accessible_everywhere
from checks import check
from collector import Launch


def send_two(collector):
    collector.start()
    mira, bob = Launch(user="mira@example.com"), Launch(user="bob@example.com")
    for launch in (mira, bob):
        collector.send(launch, [launch.screen("Menu"), launch.log("hello")], final=True)
    collector.until("api/sessions", lambda found: len(found["sessions"]) == 2)
    return mira, bob


@check
def a_user_is_erased(collector, page):
    """everything of a user is erased from their page, once their name was typed, and the receipt is saved from Settings"""
    send_two(collector)
    page.goto(f"{collector.url}#/users/mira%40example.com")
    expect(page.locator("h1")).to_have_text("mira@example.com")
    page.get_by_role("button", name="Erase everything of this user…").click()
    form = page.locator("form.erase")
    expect(form).to_contain_text("1 session with 2 events and 0 replays will be erased")
    erase = form.get_by_role("button", name="Erase everything")
    expect(erase).to_be_disabled()
    form.get_by_label("Type the name to confirm").fill("mira@example.co")
    expect(erase).to_be_disabled()
    form.get_by_label("Type the name to confirm").fill("mira@example.com")
    form.get_by_label("Reason").fill("mira@example.com asked")
    erase.click()
    expect(form).to_contain_text("leave out the user's name")
    form.get_by_label("Reason").fill("Request 4711")
    erase.click()
    expect(page.locator(".user-page")).to_contain_text("is being erased")
    collector.until("api/sessions", lambda found: [session["userId"] for session in found["sessions"]] == ["bob@example.com"])
    page.goto(f"{collector.url}#/settings")
    section = page.locator("#settings-erasures")
    expect(section.locator("tbody tr")).to_have_count(1)
    expect(section.locator("tbody")).to_contain_text("1 session, 2 events erased", timeout=30_000)
    assert "mira" not in section.inner_text()
    with page.expect_download() as saved:
        section.get_by_role("button", name="Save").click()
    text = open(saved.value.path(), "rb").read()
    erasure = collector.get("api/erasures/1")
    assert hashlib.sha256(text).hexdigest() == erasure["sha256"] and json.loads(text)["reason"] == "Request 4711", text


@check
def a_session_is_erased_in_settings(collector, page):
    """Settings erases a session by its id, and nothing when it was cancelled"""
    mira, bob = send_two(collector)
    page.goto(f"{collector.url}#/settings")
    section = page.locator("#settings-erasures")
    section.get_by_label("What to erase").select_option("session")
    section.get_by_label("Id", exact=True).fill(mira.session)
    section.get_by_role("button", name="Erase everything…").click()
    section.get_by_role("button", name="Cancel").click()
    expect(section.locator("form.erase")).to_have_count(0)
    section.get_by_role("button", name="Erase everything…").click()
    section.get_by_label("Type the name to confirm").fill(mira.session)
    section.get_by_role("button", name="Erase everything", exact=True).click()
    expect(section.locator("tbody")).to_contain_text("1 session, 2 events erased", timeout=30_000)
    assert [session["sessionId"] for session in collector.get("api/sessions")["sessions"]] == [bob.session]


@check
def rules_of_redaction(collector, page):
    """rules are added, tried and removed in Settings, and what they name does not arrive"""
    collector.start()
    page.goto(f"{collector.url}#/settings")
    section = page.locator("#settings-redaction")
    expect(section).to_contain_text("Nothing is redacted.")
    section.get_by_label("Text to test").fill("mail to mira@example.com")
    section.get_by_role("button", name="Test").click()
    expect(section).to_contain_text("mail to [redacted:email] (1 redacted)")
    section.get_by_role("button", name="Redact it").click()
    expect(section.locator(".setting-row")).to_have_count(1)
    section.get_by_label("What to redact").select_option("field")
    section.get_by_label("Field name").fill("password")
    section.get_by_role("button", name="Redact it").click()
    expect(section.locator(".setting-row")).to_have_count(2)
    launch = Launch(user="ada")
    collector.send(launch, [launch.log("mail to mira@example.com, password=secret")], final=True)
    collector.until("api/events?type=log", lambda found: len(found["events"]) == 1)
    found = collector.get("api/events?type=log")
    assert found["events"][0]["payload"]["message"] == "mail to [redacted:email], password=[redacted]", found
    page.reload()
    expect(section.locator(".setting-row").filter(has_text=re.compile("E-mail"))).to_contain_text("1 redacted")
    section.get_by_role("button", name="Remove E-mail addresses").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(section.locator(".setting-row")).to_have_count(1)


@check
def erasing_for_everybody(collector, page):
    """the forms of erasing and redaction are accessible, in light and dark, wide and narrow"""
    mira, _ = send_two(collector)

    def show():
        page.goto(f"{collector.url}#/users/mira%40example.com")
        page.reload()
        page.get_by_role("button", name="Erase everything of this user…").click()
        expect(page.locator("form.erase")).to_contain_text("will be erased")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.viewport_size

    accessible_everywhere(page, show)
