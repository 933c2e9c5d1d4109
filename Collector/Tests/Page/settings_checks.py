"""What the page Settings must do."""

import json
import re
import urllib.error
import urllib.request

from playwright.sync_api import expect

from accessibility import accessible_everywhere
from checks import check, give_key, open_with_keys, operator_key, viewer_key
from collector import Launch


def part(page, name):
    return page.locator(f"#settings-{name}")


def note(page):
    return page.locator(".settings .note")


def status(collector, path, key):
    request = urllib.request.Request(collector.url + path, headers={"X-API-Key": key})
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


@check
def keys_are_made(collector, page):
    """a project is added, its key is shown once, renamed, rotated and revoked"""
    # Asked for when it is needed; an operator's key reads as well.
    open_with_keys(collector, page, "#/settings", operator_key)
    page.get_by_label("New project").fill("Coffee Shop")
    page.get_by_label("Bundle id").fill("com.example.page")
    page.get_by_role("button", name="Add project").click()
    expect(note(page)).to_have_text("The project “Coffee Shop” was added.")
    project = page.get_by_role("article", name="Coffee Shop")
    project.get_by_role("button", name="New key").click()
    dialog = page.get_by_role("dialog")
    key = dialog.locator(".secret").inner_text()
    assert re.fullmatch(r"am_ingest_[A-Za-z0-9]{32}", key), key
    expect(dialog).to_contain_text("apiKey")
    dialog.get_by_role("button", name="Done").click()
    expect(page.locator(".secret")).to_have_count(0)
    assert key not in page.content()
    launch = Launch()
    collector.send(launch, [launch.log("with the new key")], key=key)
    assert status(collector, "api/sessions", key) == 403

    project.locator(".keys-of input").first.fill("App Store")
    project.locator(".keys-of input").first.press("Enter")
    expect(note(page)).to_have_text("The key is now called “App Store”.")
    project.get_by_role("button", name="Rotate the key App Store").click()
    page.get_by_role("dialog").get_by_role("button", name="Create new key").click()
    second = page.get_by_role("dialog").locator(".secret").inner_text()
    assert second != key
    page.get_by_role("dialog").get_by_role("button", name="Done").click()
    expect(project.locator(".keys-of li").first).to_contain_text("valid until")
    project.get_by_role("button", name="Revoke the key App Store").last.click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(project.locator(".keys-of")).to_contain_text("1 revoked or expired")
    try:
        collector.send(launch, [launch.log("too late")], key=second)
        raise AssertionError("a revoked key was taken")
    except urllib.error.HTTPError as error:
        assert error.code == 401
    page.get_by_role("button", name="New viewer key").click()
    viewer = page.get_by_role("dialog").locator(".secret").inner_text()
    page.get_by_role("dialog").get_by_role("button", name="Done").click()
    assert status(collector, "api/sessions", viewer) == 200


@check
def reading_keys_change_nothing(collector, page):
    """who has a key that only reads is told so, and what was typed stays"""
    open_with_keys(collector, page, "#/settings", viewer_key)
    page.get_by_label("New project").fill("Coffee Shop")
    page.get_by_label("Bundle id").fill("com.example.page")
    page.get_by_role("button", name="Add project").click()
    expect(note(page)).to_contain_text("operator key")
    give_key(page, operator_key)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_label("New project")).to_have_value("Coffee Shop")
    page.get_by_role("button", name="Add project").click()
    expect(note(page)).to_have_text("The project “Coffee Shop” was added.")


@check
def retention_is_set(collector, page):
    """how long sessions are kept is set, kept and shown with what is in use"""
    collector.start()
    launch = Launch()
    collector.send(launch, [launch.log("hello")], final=True)
    page.goto(f"{collector.url}#/settings")
    section = part(page, "retention")
    expect(section).to_contain_text("used by 1 session with 1 event")
    section.get_by_label("Keep sessions").fill("30")
    section.get_by_label("Use at most").fill("2.5")
    section.get_by_role("button", name="Save").click()
    expect(note(page)).to_contain_text("Deletion starts now")
    answer = collector.get("api/settings")["retention"]
    assert (answer["days"], answer["bytes"]) == (30, 2_500_000_000), answer
    page.reload()
    expect(section.get_by_label("Keep sessions")).to_have_value("30")
    section.get_by_label("Use at most").fill("")
    section.get_by_label("Keep sessions").fill("")
    section.get_by_role("button", name="Save").click()
    expect(note(page)).to_contain_text("Everything is kept")


@check
def retention_of_a_project(collector, page):
    """where there are several projects, each has days of its own, and the shorter ones hold"""
    collector.start()
    page.goto(f"{collector.url}#/settings")
    section = part(page, "retention")
    for name, bundle in (("Coffee Shop", "com.example.page"), ("<b>Tea</b>", "com.example.tea")):
        expect(section.get_by_label("Coffee Shop")).to_have_count(0)
        page.get_by_label("New project").fill(name)
        page.get_by_label("Bundle id").fill(bundle)
        page.get_by_role("button", name="Add project").click()
        expect(note(page)).to_have_text(f"The project “{name}” was added.")
    shop, tea = section.get_by_label("Coffee Shop", exact=False).first, section.get_by_label("<b>Tea</b>", exact=False).first
    expect(section).to_contain_text("the shorter ones hold")
    tea.fill("90")
    shop.fill("7")
    section.get_by_role("button", name="Save the days of Coffee Shop").click()
    expect(note(page)).to_have_text("Saved. Sessions of “Coffee Shop” are kept for 7 days at most.")
    # What is being typed stays.
    expect(tea).to_have_value("90")
    section.get_by_role("button", name="Save the days of <b>Tea</b>").click()
    expect(note(page)).to_have_text("Saved. Sessions of “<b>Tea</b>” are kept for 90 days at most.")
    section.get_by_label("Keep sessions").fill("30")
    section.get_by_role("button", name="Save", exact=True).click()
    expect(section).to_contain_text("The collector's 30 days are shorter, and hold.")
    projects = {each["bundleId"]: each for each in collector.get("api/projects")["projects"]}
    assert (projects["com.example.page"]["days"], projects["com.example.page"]["keptDays"]) == (7, 7), projects
    assert (projects["com.example.tea"]["days"], projects["com.example.tea"]["keptDays"]) == (90, 30), projects
    shop.fill("")
    section.get_by_role("button", name="Save the days of Coffee Shop").click()
    expect(note(page)).to_have_text("Saved. Sessions of “Coffee Shop” are kept as the collector's.")
    page.reload()
    expect(shop).to_have_value("")
    expect(tea).to_have_value("90")
    accessible_everywhere(page, lambda: expect(tea).to_be_visible())


@check
def apps_are_told(collector, page):
    """recording is switched off and on, sampled, and mock rules are added, ordered and removed"""
    collector.start()
    launch = Launch()
    collector.send(launch, [launch.log("hello")])
    page.goto(f"{collector.url}#/settings")
    section = part(page, "apps")
    page.locator("#settings-app").select_option("com.example.page")
    section.get_by_role("button", name="Switch recording off").click()
    page.get_by_role("dialog").get_by_role("button", name="Switch recording off").click()
    expect(section).to_contain_text("Switched off by this setting")
    assert collector.get("sdk-config?bundleId=com.example.page")["recording"]["enabled"] is False
    section.get_by_role("button", name="Switch recording on").click()
    expect(section).not_to_contain_text("Switched off")
    section.locator("#sampling").fill("25")
    section.get_by_role("button", name="Save").click()
    expect(note(page)).to_contain_text("25 % of sessions")
    assert collector.get("sdk-config?bundleId=com.example.page")["sampling"]["sessionRate"] == 0.25

    for name, code in (("sold out", "409"), ("<script>window.hit=1</script>", "500")):
        section.locator("summary").click()
        section.get_by_label("Name", exact=True).fill(name)
        section.get_by_label("Path").fill("/v1/orders/*")
        section.get_by_label("Status", exact=True).fill(code)
        section.get_by_role("button", name="Add rule").click()
        expect(note(page)).to_contain_text("was added")
    expect(section.locator(".rules li")).to_have_count(2)
    expect(section.locator(".rules li").first).to_contain_text(re.compile(r"any \*/v1/orders/\*\s*→\s*409"))
    section.locator(".rules li").nth(1).get_by_role("button", name="Up").click()
    expect(section.locator(".rules li").first).to_contain_text("<script>")
    section.locator(".rules li").first.get_by_role("button", name="Remove").click()
    expect(section.locator(".rules li")).to_have_count(1)
    rules = collector.get("sdk-config?bundleId=com.example.page")["mocks"]
    assert json.dumps(rules[0]["match"]) == '{"path": "/v1/orders/*"}', rules
    assert page.evaluate("window.hit") is None


@check
def settings_for_everybody(collector, page):
    """Settings is accessible, in light and dark, wide and narrow, with everything open"""
    collector.start()
    launch = Launch()
    collector.send(launch, [launch.log("hello")])
    page.goto(f"{collector.url}#/settings")
    page.get_by_label("New project").fill("Coffee Shop")
    page.get_by_label("Bundle id").fill("com.example.page")
    page.get_by_role("button", name="Add project").click()
    page.get_by_role("article").get_by_role("button", name="New key").click()
    page.get_by_role("dialog").get_by_role("button", name="Done").click()

    def show():
        page.reload()
        expect(page.locator(".keys-of li").first).to_be_visible()
        part(page, "apps").locator("summary").click()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.viewport_size

    accessible_everywhere(page, show)
