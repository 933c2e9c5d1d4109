"""What the page App health must do."""

import re

from playwright.sync_api import expect

import health_story as story
from accessibility import accessible_everywhere
from checks import check, fits
from collector import Launch


def card(page, name):
    return page.locator(f"#health-{name}")


@check
def health_answers(collector, page):
    """the app's health is seen at a glance, by version and over time, and leads on to sessions and issues"""
    collector.start()
    story.send(collector, story.launches())
    page.goto(collector.url)
    page.keyboard.press("h")
    expect(page.locator(".tile")).to_have_count(6)
    expect(page.locator(".tile").first).to_contain_text("88 %")
    # One unit for shares.
    expect(page.locator("#health-frames")).to_contain_text("%")
    assert "‰" not in page.locator("main").inner_text()
    expect(card(page, "stability")).to_contain_text("Crash-free sessions")
    expect(card(page, "ends")).to_contain_text("Out of memory")
    expect(card(page, "memory")).to_contain_text("MB")
    expect(card(page, "recorder")).to_contain_text("Removed by an event processor in the app.")
    # The newest version first, and 1.10 after 1.9.
    expect(card(page, "launch").locator("tbody").last.locator("th")).to_have_text(["2.0", "1.10", "1.9"])
    # A chart is read out by keys, and is a table as well.
    plot = card(page, "stability").locator(".chart-plot")
    plot.focus()
    page.keyboard.press("ArrowLeft")
    expect(card(page, "stability").locator(".readout")).to_contain_text(re.compile(r"With a crash \d"))
    card(page, "stability").locator("summary").click()
    expect(card(page, "stability").locator("details tbody tr").first).to_be_visible()

    page.locator("#health-version").select_option("1.9")
    expect(card(page, "stability").locator("dd").nth(1)).to_have_text("14")
    assert "version=1.9" in page.url, page.url
    page.reload()
    expect(page.locator("#health-version")).to_have_value("1.9")
    page.locator("#health-days").select_option("1")
    expect(card(page, "stability")).to_contain_text("No sessions in this period")
    page.locator("#health-days").select_option("30")
    page.locator("#health-version").select_option("")

    card(page, "launch").locator(".moments a").first.click()
    expect(page).to_have_url(re.compile(r"#/sessions/.*event="))
    page.go_back()
    card(page, "hangs").locator(".moments a").first.click()
    expect(page.locator(".issue-title")).to_contain_text("Basket.layout()")
    page.go_back()
    card(page, "ends").locator(".moments a").first.click()
    expect(page).to_have_url(re.compile(r"#/sessions/"))


def crashed(told, version):
    """Sessions of a version, and of these such with a crash: counted here."""
    sessions = [any(event["eventType"] == "crash" for _, event in events) for launch, events in told if launch.version == version]
    return len(sessions), sum(sessions)


def percent(part, whole):
    value = part / whole * 100
    return f"{value:.{0 if 10 < value < 90 else 1}f} %"


@check
def versions_compared(collector, page):
    """each version stands beside the one before it, rates with their sample, and fewer than 20 sessions are told as n of m"""
    collector.start()
    told = story.launches(count=66)
    fresh = [story.AppLaunch("3.0", told[-1][0].now + 1000 * n, f"fresh{n}@example.com") for n in range(3)]
    told += [(launch, [launch.log("started")] + ([launch.crash(["Menu.show()"], version="3.0")] if launch is fresh[0] else []))
             for launch in fresh]
    story.send(collector, told)
    page.goto(f"{collector.url}#/health")
    rows = card(page, "versions").locator("tbody tr")
    expect(rows.locator("th")).to_have_text(["3.0", "2.0", "1.10", "1.9"])
    newest, before = rows.nth(0).locator("td"), rows.nth(1).locator("td")
    expect(newest.nth(1)).to_contain_text("2 of 3")
    # Of so few, nothing is said to be better or worse.
    assert "%" not in newest.nth(1).inner_text() and newest.locator(".change").count() == 0, newest.all_inner_texts()
    whole, bad = crashed(told, "2.0")
    assert whole >= 20, whole
    expect(before.nth(0)).to_have_text(str(whole))
    expect(before.nth(1).locator(".value")).to_have_text(percent(whole - bad, whole))
    expect(before.nth(1).locator(".sample")).to_have_text(f"of {whole}")
    whole_before, bad_before = crashed(told, "1.10")
    difference = (whole - bad) / whole - (whole_before - bad_before) / whole_before
    expect(before.nth(1).locator(".change")).to_contain_text("▲" if difference > 0 else "▼" if difference < 0 else "=")
    # Nine users.
    expect(before.nth(2)).to_contain_text("of 9")
    assert "%" not in before.nth(2).inner_text()
    users = {launch.user for launch, _ in told}
    unlucky = {launch.user for launch, events in told if any(event["eventType"] == "crash" for _, event in events)}
    shown = card(page, "stability").locator(".fact").filter(has_text="Crash-free users")
    expect(shown.locator("dd")).to_have_text(f"{len(users) - len(unlucky)} of {len(users)}")


@check
def routes_and_taps(collector, page):
    """the slowest and the failing routes, and rage and dead taps by screen and element, are listed and lead on, also on a phone"""
    collector.start()
    launch = Launch()
    menu = [launch.screen("Basket"), launch.request("/v1/menu", duration=950.0)]
    orders = [launch.request(f"/v1/orders/{4711 + n}", status=503 if n == 0 else 200, duration=90.0) for n in range(4)]
    taps = [launch.event("interaction", interactionType=kind, properties={"text": "Pay now", "viewType": "UIButton"})
            for kind in ("tap", "rage_tap", "dead_tap", "dead_tap")]
    collector.send(launch, [*menu, *orders, *taps], final=True)
    collector.until("api/health", lambda health: health["taps"]["dead"] == 2)
    page.goto(f"{collector.url}#/health")
    requests = card(page, "requests")
    failing = requests.get_by_role("region", name="most failures first").locator("tbody tr")
    expect(failing).to_have_count(1)
    expect(failing).to_contain_text("/v1/orders/:id")
    expect(failing.locator("td").first).to_have_text("1 of 4")
    slowest = requests.get_by_role("region", name="the slowest first").locator("tbody tr")
    expect(slowest.first).to_contain_text("GET api.example.com/v1/menu")
    expect(slowest.first).to_contain_text("950 ms")
    expect(requests.locator(".fact").first).to_contain_text("1 of 5")
    place = card(page, "taps").locator("tbody tr")
    expect(place).to_have_count(1)
    expect(place.locator("td")).to_have_text(["Basket", "1", "2", "1"])
    page.set_viewport_size({"width": 390, "height": 844})
    fits(page, 390)
    place.get_by_role("link", name="Pay now").click()
    expect(page).to_have_url(re.compile(r"#/sessions/.*event="))
    page.go_back()
    slowest.first.locator("a").click()
    expect(page).to_have_url(re.compile(r"#/network.*menu"))


@check
def health_is_honest(collector, page):
    """what was not recorded is said to be so, and what would record it"""
    collector.start()
    page.goto(f"{collector.url}#/health")
    expect(page.locator(".health")).to_contain_text("No data yet")
    launch = Launch()
    collector.send(launch, [launch.log("only a line")])
    # The page that is read once does not wait for what is acknowledged and not yet indexed.
    collector.until("api/sessions", lambda found: len(found["sessions"]) == 1)
    page.reload()
    expect(card(page, "launch")).to_contain_text("No launch times")
    expect(card(page, "frames")).to_contain_text("No frames measured")
    expect(card(page, "hangs")).to_contain_text("No hangs")
    expect(card(page, "memory")).to_contain_text("No memory data")
    expect(card(page, "ends")).to_contain_text("No launch has ended yet")
    expect(page.locator(".tile").nth(2)).to_contain_text("not recorded")


@check
def hostile_health(collector, page):
    """script in names of screens, versions, verdicts and kinds is text"""
    collector.start()
    bomb = "<img src=x onerror=\"window.hit=1\"><script>window.hit=1</script>"
    before = story.AppLaunch(bomb, None, bomb, {bomb: 3})
    collector.send(before, [
        before.measured("App Launch", kind=bomb, totalMs="700"), before.measured("Frames", screen=bomb, frames="100", slow="2"),
        before.hang([(3, [bomb])]), before.crash([bomb], version=bomb),
    ], final=True, dropped=before.dropped)
    after = story.AppLaunch(bomb, None, bomb)
    collector.send(after, [after.ended(before, "crash", bomb, bomb)])
    page.goto(f"{collector.url}#/health")
    expect(card(page, "frames")).to_contain_text("<script>window.hit=1</script>")
    expect(card(page, "recorder")).to_contain_text("<img src=x")
    page.wait_for_timeout(200)
    assert page.evaluate("window.hit") is None


@check
def health_for_everybody(collector, page):
    """App health is accessible, in light and dark, wide and narrow, full and empty"""
    collector.start()
    page.goto(f"{collector.url}#/health")
    accessible_everywhere(page, lambda: expect(page.locator(".health")).to_contain_text("No data yet"))
    story.send(collector, story.launches())

    def show():
        page.reload()
        expect(card(page, "recorder")).to_be_visible()
        card(page, "launch").locator("summary").click()
        # Nothing sticks out of the page.
        wide = page.evaluate("""() => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("body *")]
          .filter((element) => element.getBoundingClientRect().right > innerWidth && !element.closest(".wide-table"))
          .map((element) => `${element.tagName} ${element.className} ${Math.round(element.getBoundingClientRect().right)}`)""")
        assert not wide, (page.viewport_size, wide[:12])

    accessible_everywhere(page, show)
