"""What Settings must do about what is sent: rules are written, tried on what is stored, mended and saved."""

import json
import re
import time
import urllib.request

from playwright.sync_api import expect

from accessibility import accessible_everywhere
from checks import check, open_with_keys, viewer_key
from collector import Launch

APP = "com.example.page"


def section(page):
    return page.locator("#settings-upload")


def note(page):
    return page.locator(".settings .note")


def rules(page):
    return section(page).locator(".upload-rule")


def figures(page, index):
    return rules(page).nth(index).locator(".upload-figures")


def saved(collector, app=APP):
    return collector.get(f"api/config/{app}")["document"].get("upload")


def put(collector, document, app=APP):
    request = urllib.request.Request(f"{collector.url}api/config/{app}", json.dumps(document).encode(), {"Content-Type": "application/json"}, method="PUT")
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def record(collector):
    """Two launches, an hour ago: ten minutes each, with an event every ten seconds; in one of them two hangs and a failed request."""
    for hangs in ((100, 400), ()):
        launch = Launch(start=int(time.time() * 1000) - 3_600_000)
        events = []
        for second in range(0, 600, 10):
            if second in hangs:
                events.append(launch.hang([(1, ["Shop.pay()", "main"])], duration=2600.0, after=10_000))
            elif hangs and second == 300:
                events.append(launch.request("/checkout", status=503, duration=4000, after=10_000))
            else:
                events.append(launch.log(f"second {second}", after=10_000))
        collector.send(launch, events, final=True)
        collector.until("api/launches", lambda found: any(one["launchId"] == launch.id and one["stored"] == 60 for one in found["launches"]))


def open_section(collector, page):
    page.goto(f"{collector.url}#/settings")
    page.locator("#upload-app").select_option(APP)
    section(page).scroll_into_view_if_needed()


def add(page, what, name):
    section(page).get_by_role("button", name="Add a rule").click()
    rule = rules(page).last
    expect(rule.get_by_label("What happens")).to_be_focused()
    rule.get_by_label("What happens").select_option(label=what)
    rule.get_by_label("Name", exact=True).fill(name)
    return rule


@check
def tried_again(collector, page):
    """rules that the collector has no time to try are tried again by themselves, and by then it is said that they were not"""
    collector.start()
    record(collector)
    answers = []

    def refuse(route):
        answers.append(route.request.url)
        if len(answers) > 2:
            return route.continue_()
        route.fulfill(status=503, content_type="application/json", body='{"error":{"code":"busy","message":"Too many questions at once."}}')

    page.route("**/api/config/*/try", refuse)
    open_section(collector, page)
    section(page).get_by_label("What rules name").check()
    add(page, "the app hangs", "slow")
    expect(section(page).locator(".upload-total")).to_contain_text("Not tried: Too many questions at once.")
    expect(figures(page, 0)).to_contain_text("2×")
    expect(section(page).locator(".upload-total")).not_to_contain_text("Not tried")
    assert len(answers) >= 3, answers


@check
def rules_are_written(collector, page):
    """rules for sending are written, with what they would have sent beside them, ordered, and saved as the document that a phone gets"""
    collector.start()
    record(collector)
    open_section(collector, page)
    expect(section(page).get_by_label("As the app says")).to_be_checked()
    expect(section(page).get_by_role("button", name="Save")).to_be_disabled()
    section(page).get_by_label("What rules name").check()
    section(page).get_by_label("Keep the rest for").fill("14")
    section(page).get_by_label("Send a day at most").fill("2.5")
    hang = add(page, "the app hangs", "<b>slow</b>")
    expect(figures(page, 0)).to_contain_text("2×")
    expect(figures(page, 0)).to_contain_text("1 session")
    hang.get_by_label("for at least").fill("2601")
    expect(figures(page, 0)).to_contain_text("never")
    hang.get_by_label("for at least").fill("2600")
    hang.get_by_label("Minutes before").fill("1")
    hang.get_by_label("Times a day").fill("1")
    # Ten seconds apart: six before, the hang, three after; the second one is over the limit.
    expect(figures(page, 0)).to_contain_text("1×")
    expect(figures(page, 0)).to_contain_text("1× over the limit")
    expect(figures(page, 0)).to_contain_text("10 events")
    screen, bodies = hang.get_by_label("with what was on the screen"), hang.get_by_label("with the bodies of requests")
    expect(screen).to_be_checked()
    expect(bodies).to_be_checked()
    screen.uncheck()
    bodies.uncheck()
    expect(hang.locator(".upload-says")).to_contain_text("without the screen, without bodies of requests")
    screen.check()
    expect(hang.locator(".upload-says")).not_to_contain_text("without the screen")
    failed = add(page, "a request is made", "checkout")
    failed.get_by_label("and a path that begins with").fill("/checkout")
    failed.get_by_label("with the status").fill("5xx")
    expect(figures(page, 1)).to_contain_text("1×")
    expect(section(page).locator(".upload-total")).to_contain_text(re.compile(r"of 120 events"))
    expect(section(page).locator(".upload-total")).to_contain_text("What stayed on devices is not in it")
    custom = add(page, "an event is recorded", "pro")
    custom.get_by_label("with the name").fill("purchase")
    custom.get_by_role("button", name="Add a condition").click()
    custom.get_by_label("Member of condition 1").fill("properties.plan")
    custom.get_by_label("Value of condition 1").fill("pro")
    custom.get_by_role("button", name="Add a condition").click()
    custom.get_by_label("Member of condition 2").fill("properties.items")
    custom.get_by_label("Test of condition 2").select_option(label="is at least")
    custom.get_by_label("Value of condition 2").fill("3")
    custom.get_by_role("button", name="Move up pro").click()
    expect(rules(page).nth(1).get_by_role("button", name="Move up pro")).to_be_focused()
    section(page).locator("summary").click()
    shown = json.loads(section(page).locator("pre").last.inner_text())["upload"]
    section(page).get_by_role("button", name="Save").click()
    expect(note(page)).to_have_text(f"What is sent was saved for {APP}.")
    assert saved(collector) == shown == {
        "schema": 1, "mode": "whenTriggered", "keepDays": 14, "bytesPerDay": 2_500_000,
        "rules": [
            {"name": "<b>slow</b>", "when": {"hang": {"atLeastMs": 2600}}, "send": {"minutesBefore": 1, "perDay": 1, "bodies": False}},
            {"name": "pro", "when": {"event": {"type": "custom", "name": "purchase", "where": [
                {"field": "properties.plan", "equals": "pro"}, {"field": "properties.items", "atLeast": 3}]}}},
            {"name": "checkout", "when": {"request": {"failed": True, "path": "/checkout", "status": "5xx"}}},
        ]}, shown
    assert collector.get(f"sdk-config?bundleId={APP}")["upload"] == shown
    page.reload()
    page.locator("#upload-app").select_option(APP)
    expect(rules(page)).to_have_count(3)
    expect(rules(page).nth(1)).to_contain_text("When an event named purchase is recorded with properties.plan is pro and properties.items ≥ 3")
    rules(page).nth(1).get_by_role("button", name="Remove pro").click()
    expect(rules(page)).to_have_count(2)
    section(page).get_by_role("button", name="Discard changes").click()
    expect(rules(page)).to_have_count(3)


@check
def wrong_rules_are_mended(collector, page):
    """what is wrong in a rule is said at its field, while it is typed and when it is saved, and nothing is stored until it is right"""
    collector.start()
    record(collector)
    open_section(collector, page)
    section(page).get_by_label("What rules name").check()
    section(page).get_by_role("button", name="Begin with the usual rules").click()
    expect(rules(page)).to_have_count(6)
    expect(figures(page, 2)).to_contain_text("2×")
    rules(page).nth(2).locator(".upload-toggle").click()
    field = rules(page).nth(2).get_by_label("for at least")
    field.fill("-1")
    expect(rules(page).nth(2).locator(".upload-problem")).to_have_text("expected a number from 0.0 to 86400000.0, found -1.0")
    expect(field).to_have_attribute("aria-invalid", "true")
    assert "expected a number" in field.evaluate("(field) => document.getElementById(field.getAttribute('aria-describedby')).textContent")
    # The other rules are tried all the same.
    expect(figures(page, 3)).to_contain_text("1×")
    rules(page).nth(2).locator(".upload-toggle").click()
    section(page).get_by_label("Keep the rest for").fill("91")
    section(page).get_by_role("button", name="Save").click()
    expect(section(page).get_by_role("alert")).to_have_text("upload.keepDays: expected a whole number from 1 to 90, found 91")
    # Opened again, and there.
    expect(field).to_be_focused()
    assert saved(collector) is None
    field.fill("2000")
    section(page).get_by_label("Keep the rest for").fill("")
    expect(rules(page).nth(2).locator(".upload-problem")).to_have_count(0)
    section(page).get_by_role("button", name="Save").click()
    expect(note(page)).to_have_text(f"What is sent was saved for {APP}.")
    assert len(saved(collector)["rules"]) == 6


@check
def rules_of_others_are_not_overwritten(collector, page):
    """rules that somebody else saved meanwhile are not overwritten; another section's change is no obstacle; what is not known stays"""
    collector.start()
    record(collector)
    odd = {"name": "usual", "when": {"crash": True}}
    put(collector, {"upload": {"mode": "whenTriggered", "rules": [odd]}})
    open_section(collector, page)
    expect(rules(page)).to_have_count(1)
    add(page, "somebody taps in anger", "taps")
    page.locator("#settings-app").select_option(APP)
    page.locator("#sampling").fill("25")
    page.locator("#settings-apps").get_by_role("button", name="Save").click()
    expect(note(page)).to_contain_text("25 % of sessions")
    expect(rules(page)).to_have_count(2)
    section(page).get_by_role("button", name="Save").click()
    expect(note(page)).to_have_text(f"What is sent was saved for {APP}.")
    document = collector.get(f"api/config/{APP}")["document"]
    assert document["sampling"] == {"sessionRate": 0.25} and len(document["upload"]["rules"]) == 2, document
    put(collector, {"upload": {"mode": "everything"}})
    add(page, "a tap does nothing", "dead")
    section(page).get_by_role("button", name="Save").click()
    expect(section(page).get_by_role("alert")).to_contain_text("Somebody else has saved other settings meanwhile.")
    assert saved(collector) == {"mode": "everything"}
    section(page).get_by_role("button", name="Discard changes").click()
    expect(section(page).get_by_label("Everything", exact=False)).to_be_checked()


@check
def another_apps_settings_are_not_changed(collector, page):
    """what is chosen is shown when it has been read, and until then nothing can be changed under its name; what is typed stays"""
    collector.start()
    record(collector)
    rules_of_all = {"mode": "whenTriggered", "rules": [{"name": "of all", "when": {"crash": True}}]}
    put(collector, {"sampling": {"sessionRate": 0.5}, "upload": rules_of_all}, app="*")
    put(collector, {"sampling": {"sessionRate": 0.75}})
    held = []
    page.goto(f"{collector.url}#/settings")
    recording = page.locator("#settings-apps")
    expect(page.locator("#sampling")).to_have_value("50")
    expect(rules(page)).to_have_count(1)
    page.route(f"**/config/{APP}", lambda route: held.append(route))
    page.locator("#settings-app").select_option(APP)
    expect(recording.get_by_role("button", name="Save")).to_have_count(0)
    page.locator("#upload-app").select_option(APP)
    expect(section(page).get_by_role("button", name="Save")).to_be_disabled()
    assert section(page).locator(".upload-part").evaluate("(part) => part.inert && part.closest('section').querySelector('.upload-modes').inert")
    while len(held) < 2:
        page.wait_for_timeout(50)
    for route in held:
        route.continue_()
    page.unroute(f"**/config/{APP}")
    expect(page.locator("#sampling")).to_have_value("75")
    expect(rules(page)).to_have_count(0)
    section(page).get_by_label("What rules name").check()
    page.locator("#sampling").fill("40")
    page.get_by_label("Keep sessions").fill("30")
    page.locator("#settings-retention").get_by_role("button", name="Save").click()
    expect(note(page)).to_contain_text("Deletion starts now")
    expect(page.locator("#sampling")).to_have_value("40")
    recording.get_by_role("button", name="Save").click()
    expect(note(page)).to_contain_text("40 % of sessions")
    assert collector.get(f"api/config/{APP}")["document"] == {"sampling": {"sessionRate": 0.4}}
    assert collector.get("api/config/*")["document"] == {"sampling": {"sessionRate": 0.5}, "upload": rules_of_all}


@check
def values_stay_what_they_are(collector, page):
    """what is not changed in a condition is saved as it came, and what is typed is what is meant"""
    collector.start()
    record(collector)
    where = [{"field": "message", "contains": "404"}, {"field": "tag", "equals": "true"}, {"field": "text", "contains": " of "}, {"field": "level", "atLeast": 3}]
    put(collector, {"upload": {"mode": "whenTriggered", "rules": [{"name": "kept", "when": {"event": {"type": "log", "where": where}}}]}})
    open_section(collector, page)
    rules(page).first.locator(".upload-toggle").click()
    rule = rules(page).first
    values = [rule.get_by_label(f"Value of condition {number}") for number in range(1, 5)]
    assert [value.input_value() for value in values] == ["404", '"true"', " of ", "3"]
    for number in range(1, 5):
        field = rule.get_by_label(f"Member of condition {number}")
        field.fill(field.input_value() + "X")
    section(page).get_by_role("button", name="Save").click()
    expect(note(page)).to_have_text(f"What is sent was saved for {APP}.")
    assert saved(collector)["rules"][0]["when"]["event"]["where"] == [one | {"field": one["field"] + "X"} for one in where], saved(collector)
    # Saved, it is drawn again.
    rule.locator(".upload-toggle").click()
    rule.get_by_label("Value of condition 1").fill("405 ")
    rule.get_by_label("Test of condition 2").select_option(label="contains")
    rule.get_by_label("Value of condition 2").fill('"true"')
    section(page).get_by_role("button", name="Save").click()
    expect(section(page).get_by_role("button", name="Save")).to_be_disabled()
    assert saved(collector)["rules"][0]["when"]["event"]["where"][:2] == [{"field": "messageX", "contains": "405 "}, {"field": "tagX", "contains": '"true"'}], saved(collector)


@check
def readers_may_try(collector, page):
    """who only reads sees the rules and their figures, and is told that saving takes an operator"""
    open_with_keys(collector, page, "#/settings", viewer_key)
    section(page).get_by_label("What rules name").check()
    section(page).get_by_role("button", name="Begin with the usual rules").click()
    section(page).scroll_into_view_if_needed()
    expect(section(page).locator(".upload-total")).to_contain_text("Nothing to try the rules on.")
    section(page).get_by_role("button", name="Save").click()
    expect(note(page)).to_contain_text("operator key")
    expect(rules(page)).to_have_count(6)


@check
def sending_by_the_keyboard(collector, page):
    """a rule is written, moved and removed with the keyboard alone"""
    collector.start()
    record(collector)
    open_section(collector, page)
    section(page).get_by_label("As the app says").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(section(page).get_by_label("What rules name")).to_be_checked()
    for name in ("first", "second"):
        section(page).get_by_role("button", name="Add a rule").focus()
        page.keyboard.press("Enter")
        expect(rules(page).last.get_by_label("What happens")).to_be_focused()
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Control+a")
        page.keyboard.type(name)
    expect(rules(page).locator(".upload-name")).to_have_text(["first", "second"])
    rules(page).nth(1).get_by_role("button", name="Move up second").focus()
    page.keyboard.press("Enter")
    expect(rules(page).locator(".upload-name")).to_have_text(["second", "first"])
    # It is first now, and cannot go further: the rule itself has the focus.
    expect(rules(page).nth(0).locator(".upload-toggle")).to_be_focused()
    page.keyboard.press("Enter")
    expect(rules(page).nth(0).locator(".upload-toggle")).to_have_attribute("aria-expanded", "false")
    for left in (1, 0):
        rules(page).nth(0).get_by_role("button", name="Remove").first.focus()
        page.keyboard.press("Enter")
        expect(rules(page)).to_have_count(left)
    expect(section(page).get_by_role("button", name="Begin with the usual rules")).to_be_focused()


@check
def sending_for_everybody(collector, page):
    """the rules for sending are accessible, in light and dark, wide and narrow, open and with something wrong"""
    collector.start()
    record(collector)
    put(collector, {"upload": {"mode": "whenTriggered", "rules": [
        {"name": "hang", "when": {"hang": {"atLeastMs": 2000}}}, {"name": "pro", "when": {"event": {"name": "purchase", "where": [{"field": "properties.plan", "equals": "pro"}]}}},
        {"name": "x" * 80, "when": {"request": {"path": "/" + "y" * 200}}}]}})

    def show():
        page.goto("about:blank")
        open_section(collector, page)
        expect(rules(page)).to_have_count(3)
        expect(figures(page, 0)).to_contain_text("2×")
        for index in range(3):
            rules(page).nth(index).locator(".upload-toggle").click()
        rules(page).nth(0).get_by_label("for at least").fill("-1")
        expect(rules(page).nth(0).locator(".upload-problem")).to_be_visible()
        section(page).locator("summary").click()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.viewport_size

    accessible_everywhere(page, show)
