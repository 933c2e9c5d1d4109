"""How people sign in, who they are then, and how they go."""

import json
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

from playwright.sync_api import expect

from accessibility import accessible_everywhere
from checks import check, operator_key, viewer_key
from collector import Launch

sys.path.append(str(Path(__file__).parent.parent / "Doors"))
from provider import Provider  # noqa: E402


def start(collector, *options):
    collector.options = ["--key", viewer_key, "--operator-key", operator_key, *options]
    collector.start()
    launch = Launch()
    collector.send(launch, [launch.log("hello")], key=viewer_key)
    return launch


def judged(page):
    """As it is, in light and dark, wide and narrow."""
    accessible_everywhere(page, lambda: None)
    page.set_viewport_size({"width": 1440, "height": 900})


def link(collector, *options):
    command = [collector.tool, "sign-in", "--url", collector.url.rstrip("/"), *options]
    made = subprocess.run(command, env={"AUTOMOBILE_OPERATOR_KEY": operator_key, "HOME": str(collector.directory)}, capture_output=True, text=True, check=True)
    return made.stdout.strip()


@check
def links_sign_in(collector, page):
    """a link signs in with one button, once, and its token stands nowhere afterwards"""
    start(collector)
    address = link(collector, "--name", "Mira Falk")
    page.goto(address)
    expect(page.get_by_role("heading", name="Sign in to AutoMobile")).to_be_visible()
    assert "token" not in page.url, page.url
    judged(page)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(".session-row")).to_have_count(1)
    assert page.url == collector.url, page.url
    # No script reads the cookie, and there is no key.
    assert page.evaluate("document.cookie + sessionStorage.length") == "0"
    page.get_by_role("button", name="Mira Falk").click()
    dialog = page.get_by_role("dialog", name="Account")
    expect(dialog).to_contain_text("May do everything")
    expect(dialog).to_contain_text("this browser")
    judged(page)
    dialog.get_by_role("button", name="Close").click()
    # What is changed is noted down under the name.
    page.goto(collector.url + "#/settings")
    page.get_by_label("New project").fill("Coffee Shop")
    page.get_by_label("Bundle id").fill("com.example.page")
    page.get_by_role("button", name="Add project").click()
    expect(page.locator(".settings-head .note")).to_have_text("The project “Coffee Shop” was added.")
    expect(page.locator("#settings-audit tbody")).to_contain_text("com.example.page")
    expect(page.locator("#settings-audit tbody")).to_contain_text("signed in")
    page.get_by_role("button", name="Mira Falk").click()
    page.get_by_role("dialog", name="Account").get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("dialog", name="Sign in")).to_be_visible()
    # Used up.
    page.goto("about:blank")
    page.goto(address)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("status")).to_contain_text("used already, or has expired")


@check
def viewers_change_nothing(collector, page):
    """who may only read is told so, and is still signed in"""
    start(collector)
    page.goto(link(collector, "--role", "viewer", "--name", "Lea"))
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(".session-row")).to_have_count(1)
    page.goto(collector.url + "#/settings")
    page.get_by_role("button", name="New viewer key").click()
    expect(page.locator(".settings-head .note")).to_contain_text(re.compile("requires an (admin|operator)"))
    expect(page.locator("#settings-audit")).to_contain_text("Read by admins")


@check
def projects_have_settings(collector, page):
    """who decides in one project sees that one in the settings, changes it, and is shown nothing of the whole collector"""
    start(collector)
    for name, bundle in (("Coffee Shop", "com.example.page"), ("Tea House", "com.example.tea")):
        request = urllib.request.Request(
            collector.url + "api/projects", json.dumps({"name": name, "bundleId": bundle}).encode(),
            {"Authorization": f"Bearer {operator_key}", "Content-Type": "application/json"})
        urllib.request.urlopen(request, timeout=20).close()
    page.goto(link(collector, "--role", "operator", "--project", "com.example.page", "--name", "Lea"))
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(".session-row")).to_have_count(1)
    page.goto(collector.url + "#/settings")
    expect(page.locator(".settings-head .note")).to_contain_text("you see some projects")
    expect(page.locator("#banner")).to_be_hidden()
    expect(page.get_by_role("article", name="Coffee Shop")).to_be_visible()
    expect(page.get_by_role("article", name="Tea House")).to_have_count(0)
    expect(page.get_by_role("heading", name="Alerts")).to_be_hidden()
    retention = page.locator("#settings-retention")
    expect(retention.get_by_label("Keep sessions")).to_be_hidden()
    retention.get_by_label("Coffee Shop").first.fill("7")
    retention.get_by_role("button", name="Save the days of Coffee Shop").click()
    expect(page.locator(".settings-head .note")).to_contain_text("kept for 7 days at most")
    expect(retention.get_by_label("Tea House")).to_have_count(0)
    page.get_by_role("textbox", name="Name of the project Coffee Shop").fill("Espresso Bar")
    page.keyboard.press("Tab")
    expect(page.locator(".settings-head .note")).to_contain_text(re.compile("Espresso Bar|requires"))


@check
def providers_sign_in(collector, page):
    """an identity provider of another site signs in, and leads back to the page that one was on"""
    with Provider("localhost") as provider:
        launch = start(collector, *provider.options, "--oidc-grant", "groups=support:viewer")
        provider.claims["sub"] = "mira"
        page.goto(f"{collector.url}#/sessions/{launch.session}?t=0")
        page.get_by_role("button", name=re.compile("Sign in with localhost")).click()
        expect(page.locator(".surface .row").first).to_be_visible()
        assert f"#/sessions/{launch.session}" in page.url, page.url
        expect(page.get_by_role("button", name="Mira Falk")).to_be_visible()
        page.get_by_role("button", name="Mira Falk").click()
        page.get_by_role("dialog", name="Account").get_by_role("button", name="Sign out", exact=True).click()
        provider.lies = {"nonce": "wrong"}
        page.get_by_role("button", name=re.compile("Sign in with localhost")).click()
        # The page that asks has a place for words, too; what the provider said comes with the page that it leads to.
        page.wait_for_url(re.compile("/sign-in$"))
        expect(page.get_by_role("status")).to_contain_text("could not be verified")
        expect(page.get_by_role("button", name="Mira Falk")).to_have_count(0)
        provider.server.shutdown()
        provider.server.server_close()
    # Without it, a key still opens the page.
    page.get_by_role("textbox", name="Key").fill(viewer_key)
    page.get_by_role("button", name="Open").click()
    expect(page.locator(".session-row")).to_have_count(1)
