"""Where a session opens, and what the list of sessions says of it before that."""

import re
import time

from playwright.sync_api import expect

from checks import check, loaded, open_session, rows, session_rows, title
from collector import Launch
from replay_page import SUM, a_replay, at, until
from replay_story import Replay, snapshot

PHONE = {"width": 390, "height": 844}


def in_sight(page, selector):
    """All of it, or of what is larger nearly all of what fits."""
    return page.evaluate("""(selector) => {
      const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    }""", selector)


def is_drawn(page):
    until(page, f"({SUM})() !== 7 && document.querySelector('.glass canvas.screen-picture').dataset.time !== ''", True)


def stored(collector, launch, events):
    collector.until("api/sessions", lambda found: any(one["sessionId"] == launch.session and one["events"] == events for one in found["sessions"]))


def quiet(collector, launch):
    """A session in which nothing goes wrong, and of which the first 400 ms are in no picture."""
    other = Launch(user="ben@example.com", start=launch.now)
    start = other.now
    collector.send(other, [other.screen("Menu", after=0), other.tap("Latte", after=300), other.log("done", after=2000)], final=True)
    Replay(collector, other, "replay-2").segment("hierarchy", start + 400, start + 400, snapshot(start + 400))
    return other, start


@check
def opens_on_the_first_error(collector, page):
    """a session opens at its first error, chosen and pictured; on a phone the replay comes first"""
    launch, start = a_replay(collector, trouble=True)
    open_session(collector, page, launch)
    loaded(page)
    expect(page.locator('.row[aria-selected="true"]')).to_contain_text("/v1/basket")
    expect(title(page)).to_have_text("GET /v1/basket")
    expect(page.locator(".transport .moment")).to_have_text("0:10.900")
    expect(page.locator(".glass canvas.screen-picture")).to_have_attribute("data-time", str(start + 9_666))
    is_drawn(page)
    # Nobody has opened the panel: there is nothing to close before one goes back.
    page.keyboard.press("Escape")
    expect(session_rows(page)).to_have_count(1)

    # Its button closes it all the same.
    page.locator(".session-row a").first.click()
    page.locator(".detail").get_by_role("button", name="Close").click()
    expect(page.locator(".at-screen")).to_have_text("Menu")
    page.keyboard.press("Escape")
    expect(session_rows(page)).to_have_count(1)

    page.set_viewport_size(PHONE)
    page.locator(".session-row a").first.click()
    loaded(page)
    expect(page.locator(".transport .moment")).to_have_text("0:10.900")
    expect(page.locator(".row.current")).to_contain_text("503")
    is_drawn(page)
    expect(page.locator(".detail")).to_be_hidden()
    assert in_sight(page, ".glass")


@check
def several_at_one_time(collector, page):
    """on a phone a session opens at its first error, and the number of errors leads there, not to what else happened in that millisecond"""
    collector.start()
    launch = Launch()
    collector.send(launch, [
        launch.screen("Menu"), launch.request("/v1/pay", status=503, after=900), launch.request("/v1/stock", after=0), launch.log("later")], final=True)
    stored(collector, launch, 4)
    page.set_viewport_size(PHONE)
    page.goto(collector.url)
    session_rows(page).click()
    loaded(page)
    expect(page.locator(".row.current")).to_contain_text("503")
    expect(page.locator(".detail")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(session_rows(page)).to_have_count(1)
    session_rows(page).click()
    loaded(page)
    rows(page).filter(has_text="later").click()
    page.locator(".detail").get_by_role("button", name="Close").click()
    page.get_by_role("button", name="1 error").click()
    expect(page.locator(".row.current")).to_contain_text("503")
    # With more room the panel that was not wanted over the replay finds its place.
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(title(page)).to_have_text("GET /v1/pay")


@check
def opens_on_the_first_picture(collector, page):
    """where nothing went wrong a session opens at its first picture, unless somebody was quicker; before that the first one is shown, and said to be later"""
    launch, _ = a_replay(collector)
    other, start = quiet(collector, launch)
    open_session(collector, page, other)
    loaded(page)
    expect(page.locator(".transport .moment")).to_have_text("0:00.400")
    is_drawn(page)
    page.locator(".scrub-plot").focus()
    page.keyboard.press("Home")
    expect(page.locator(".transport .moment")).to_have_text("0:00.000")
    expect(page.locator(".screen-note")).to_have_text("Replay starts at 0:00.400")
    is_drawn(page)
    expect(page.locator(".replay-screen.early")).to_be_visible()

    held = []
    page.route("**/replays", lambda route: held.append(route))
    page.reload()
    loaded(page)
    rows(page).filter(has_text="Latte").click()
    moment = page.locator(".transport .moment")
    expect(moment).to_have_text("0:00.300")
    while not held:
        page.wait_for_timeout(30)
    held.pop().continue_()
    expect(page.locator(".player")).to_be_visible()
    page.wait_for_timeout(300)
    expect(moment).to_have_text("0:00.300")


@check
def errors_lead_somewhere(collector, page):
    """the number of errors goes to the first of them in the list of errors, at any width"""
    launch, start = a_replay(collector, trouble=True)
    for width, height in ((1440, 900), (1000, 800), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        at(page, collector, launch, start + 20_000)
        page.reload()
        loaded(page)
        page.get_by_role("combobox", name="Search this session").fill("typing")
        page.get_by_role("button", name="4 errors").click()
        expect(page.locator(".filters .choices").get_by_role("button", name="Errors")).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".transport .moment")).to_have_text("0:10.900")
        expect(rows(page)).to_have_count(4)
        expect(rows(page).first).to_have_class(re.compile("current"))
        expect(rows(page).first).to_be_in_viewport(ratio=0.9)
        expect(page).to_have_url(re.compile("tab=errors"))


@check
def a_shared_moment_on_a_phone(collector, page):
    """a link to a moment or an event shows the replay first on a phone; where there is none, the event's panel"""
    launch, start = a_replay(collector)
    stored(collector, launch, 13)
    failed = next(event for event in collector.get(f"api/sessions/{launch.session}/events")["events"] if event["eventType"] == "network_request")
    page.set_viewport_size(PHONE)
    for place in (f"t={start + 5_000}", f"event={failed['id']}"):
        page.goto("about:blank")
        page.goto(f"{collector.url}#/sessions/{launch.session}?{place}")
        loaded(page)
        is_drawn(page)
        assert in_sight(page, ".glass"), place
        expect(page.locator(".detail")).to_be_hidden()
        expect(page).to_have_url(re.compile(re.escape(place)))
    rows(page).filter(has_text="/v1/checkout").click()
    expect(title(page)).to_have_text("GET /v1/checkout")

    bare = Launch(start=launch.now)
    collector.send(bare, [bare.screen("Menu"), bare.log("here it is")], final=True)
    stored(collector, bare, 2)
    last = collector.get(f"api/sessions/{bare.session}/events")["events"][-1]
    page.goto(f"{collector.url}#/sessions/{bare.session}?event={last['id']}")
    expect(title(page)).to_have_text("here it is")


@check
def rows_say_what_failed(collector, page):
    """a row of the list says what failed, to a screen reader as well, and fits on a phone"""
    collector.start()
    now = int(time.time() * 1000) - 60_000
    bad, fine, logged = Launch(start=now), Launch(user="fine@example.com", start=now - 5000), Launch(user="logs@example.com", start=now - 9000)
    told = bad.event("handled_exception", errorDomain="CoffeeShop.ShopClient.Failure", errorMessage=None, customMessage="The payment failed",
                     stackTrace="", bundleId="com.example.page", currentScreen="Checkout")
    collector.send(bad, [bad.request("/v1/payments", status=503), told, bad.hang([(3, ["Trouble.hang()", "main"])]), bad.crash(["Trouble.crash()", "main"])], final=True)
    collector.send(fine, [fine.screen("Menu")], final=True)
    collector.send(logged, [logged.log("the basket <b>is</b> gone", level=4)], final=True)
    page.goto(collector.url)
    row = session_rows(page).filter(has_text="lea@example.com")
    expect(row.locator(".failed > span")).to_have_text(["The payment failed", "Crash in Trouble.crash()"])
    assert "The payment failed, Crash in Trouble.crash()" in row.get_attribute("aria-label")
    expect(session_rows(page).filter(has_text="logs@example.com").locator(".failed")).to_have_text("the basket <b>is</b> gone")
    expect(session_rows(page).filter(has_text="fine@example.com").locator(".failed")).to_have_count(0)
    page.set_viewport_size(PHONE)
    expect(row.locator(".failed")).to_be_in_viewport(ratio=0.9)
    row.focus()
    page.keyboard.press("Enter")
    loaded(page)
    expect(page.locator(".row.current")).to_contain_text("The payment failed")


def whole_chips(page):
    strip, chip = [page.locator(one).first.bounding_box() for one in (".chips", ".chip")]
    assert strip["height"] >= chip["height"] and strip["y"] <= chip["y"], (strip, chip)


@check
def phones_can_be_used(collector, page):
    """on a phone what is pressed is 40 px high, chips are whole, names are not cut beside free space, and every page is in the bar"""
    launch, start = a_replay(collector, trouble=True)
    page.set_viewport_size(PHONE)
    at(page, collector, launch, start + 5_000)
    small = page.evaluate("""() => [...document.querySelectorAll('.topbar :is(a, button), .head :is(a, button), .player :is(button, select, label), .transport button, .filters :is(button, select)')]
      .filter((element) => element.checkVisibility() && !element.matches('.brand'))
      .map((element) => [element.textContent.trim() || element.ariaLabel, element.getBoundingClientRect()])
      .filter(([, { width, height }]) => height < 39.5 || width < 30).map(([name, { width, height }]) => `${name} ${width}×${height}`)""")
    assert not small, small
    # Without a replay, and with little room, too.
    bare = Launch(start=launch.now)
    collector.send(bare, [bare.screen("Menu"), bare.tap("Pay"), *[bare.log(f"line {n}") for n in range(60)]], final=True)
    page.set_viewport_size({"width": 390, "height": 500})
    open_session(collector, page, bare)
    loaded(page)
    expect(page.locator("h1")).to_contain_text("lea@example.com")
    whole_chips(page)
    page.goto(f"{collector.url}#/issues")
    expect(page.locator(".issue")).to_have_count(1)
    whole_chips(page)
    open_session(collector, page, bare)
    loaded(page)
    assert page.evaluate("(() => { const { scrollWidth, clientWidth } = document.querySelector('.head h1 > :first-child'); return scrollWidth <= clientWidth; })()")
    settings = page.get_by_role("navigation").get_by_role("link", name="Settings")
    expect(settings).to_be_in_viewport(ratio=0.99)
    settings.click()
    expect(page.locator("h1")).to_contain_text("Settings")
