"""What the page shows of spans and of traces."""

import re
import time

from playwright.sync_api import expect

from accessibility import accessible_everywhere
from checks import check, fits, loaded, open_session, rows, title
from span_story import TRACE, checkout, crowd

SPANS = ".track-labels span:text-is('Spans')"


def track(page):
    """Where the track of spans is, on the page."""
    plot = page.locator(".track-plot canvas").bounding_box()
    label = page.locator(SPANS).bounding_box()
    return plot["x"], plot["width"], label["y"], label["height"]


def ready(collector, page, launch, spans):
    collector.until(f"api/traces/{TRACE}", lambda found: len(found["spans"]) == spans)
    open_session(collector, page, launch)
    loaded(page)
    expect(page.locator(SPANS)).to_be_visible()


@check
def spans_are_a_track(collector, page):
    """spans are a track, nested by their parents; a begin stands in the list only as long as nothing ended it"""
    app, _ = checkout(collector.start(), int(time.time() * 1000) - 60_000)
    ready(collector, page, app, 9)
    listed = rows(page).filter(has=page.locator(".title", has_text=re.compile("^checkout$")))
    expect(listed).to_have_count(1)
    expect(listed).to_contain_text("2.6 s")
    expect(rows(page).filter(has_text="upload log")).to_contain_text("not ended")
    expect(page.locator(".chip", has_text="Spans").locator(".number")).to_have_text("6")
    left, width, top, height = track(page)
    assert height > 40, f"nested spans have lanes: {height}"
    page.mouse.move(left + width * .3, top + 10)
    expect(page.locator(".track-tip b")).to_have_text("checkout")
    page.mouse.click(left + width * .3, top + 10)
    expect(title(page)).to_have_text("checkout")
    panel = page.locator(".detail")
    expect(panel).to_contain_text("AUTUMN10")
    steps = panel.locator("section", has_text="Consists of").locator("button")
    expect(steps).to_have_count(4)
    steps.filter(has_text="pay").first.click()
    expect(title(page)).to_have_text("pay")
    expect(panel.locator(".exchange-head .status.error")).to_have_text("failed")
    expect(panel.locator(".failure")).to_have_text("Declined")
    panel.locator("section", has_text="Part of").locator("button").click()
    expect(title(page)).to_have_text("checkout")
    page.set_viewport_size({"width": 360, "height": 740})
    fits(page)


@check
def what_did_the_server_do(collector, page):
    """beside a request stand the backend's spans of its trace, and lead there"""
    app, _ = checkout(collector.start(), int(time.time() * 1000) - 60_000)
    ready(collector, page, app, 9)
    rows(page).filter(has_text="POST /v1/pay").first.click()
    steps = page.locator(".steps-of-trace li")
    expect(steps).to_have_count(10)
    texts = [" ".join(step.inner_text().split()) for step in steps.all()]
    at = next(index for index, text in enumerate(texts) if text.startswith("POST /v1/pay") and "payments" in text)
    assert texts[at - 1].startswith("POST /v1/pay") and "payments" not in texts[at - 1], texts
    assert texts[at + 1].startswith("SELECT basket") and texts[at + 2].startswith("charge card"), texts
    expect(page.locator(".steps-of-trace .itself")).to_have_count(1)
    steps.filter(has_text="charge card").locator("a").click()
    expect(title(page)).to_have_text("charge card")
    expect(page.locator(".detail")).to_contain_text("insufficient funds")
    accessible_everywhere(page, lambda: expect(page.locator(".steps-of-trace li")).to_have_count(10))
    fits(page)


@check
def ten_thousand_spans(collector, page):
    """a session of 10 000 spans is moved smoothly"""
    launch = crowd(collector.start(), int(time.time() * 1000) - 4_000_000)
    collector.until("api/sessions", lambda found: found["sessions"] and found["sessions"][0]["events"] > 10_000)
    open_session(collector, page, launch)
    loaded(page)
    expect(page.locator(SPANS)).to_be_visible()
    frames = page.evaluate("""async () => {
        const plot = document.querySelector('.track-plot');
        const box = plot.getBoundingClientRect();
        const times = [];
        for (let turn = 0; turn < 60; turn++) {
            plot.dispatchEvent(new WheelEvent('wheel', { deltaY: turn < 30 ? -60 : 60, clientX: box.left + box.width / 2, clientY: box.top + 40, cancelable: true }));
            const before = performance.now();
            await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
            times.push(performance.now() - before);
        }
        return times.sort((a, b) => a - b);
    }""")
    print(f"        frames while zooming 10 000 spans: median {frames[30]:.1f} ms, worst {frames[-1]:.1f} ms", flush=True)
    # A machine that is busy is slow; one that draws ten thousand spans one by one is slower.
    assert frames[30] < 60, frames
