"""What the page App health must do."""

import re

from playwright.sync_api import expect

import health_story as story
from accessibility import accessible_everywhere
from checks import check
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


@check
def health_is_honest(collector, page):
    """what was not recorded is said to be so, and what would record it"""
    collector.start()
    page.goto(f"{collector.url}#/health")
    expect(page.locator(".health")).to_contain_text("No data yet")
    launch = Launch()
    collector.send(launch, [launch.log("only a line")])
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
