"""What people come for, with the demo's recording, in as many steps as Documentation/Jobs.md says: no more, and no fewer."""

import re
import subprocess
from pathlib import Path

from playwright.sync_api import expect

from checks import check, rows, session_rows, title
from pictures import sizes

documented = Path(__file__).parent.parent.parent.parent / "Documentation/Jobs.md"


def figures(job):
    """The steps at 1440 and at 390 pixels that the page's table has for a job: “3”, or “3, on a phone 4”."""
    for line in documented.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0] == job:
            wide, *phone = re.findall(r"\d+", cells[3])
            return int(wide), int(phone[0] if phone else wide)
    raise AssertionError(f"Documentation/Jobs.md has no job “{job}”")


# Its upper part is within the window and all that clips it, and no panel lies over it.
in_sight = """(element) => {
  const box = element.getBoundingClientRect();
  const [top, bottom] = [box.top, box.top + Math.min(box.height, 40)];
  let isClipped = top < 0 || bottom > innerHeight;
  for (let outer = element.parentElement; outer; outer = outer.parentElement) {
    const area = outer.getBoundingClientRect();
    if (getComputedStyle(outer).overflowY !== "visible" && (top < area.top - 1 || bottom > area.bottom + 1)) isClipped = true;
  }
  const over = document.elementFromPoint((box.left + box.right) / 2, (top + bottom) / 2)?.closest(".detail, dialog");
  return !isClipped && (!over || over.contains(element));
}"""


class Steps:
    """Does what a person does, and counts: a click or tap, a key, a text that is typed, a scroll to what is not in sight, a command."""

    def __init__(self, page=None):
        self.page, self.done = page, []

    def click(self, what):
        self.sees(what)
        self.done.append("click")
        what.click()

    def press(self, key):
        self.done.append(key)
        self.page.keyboard.press(key)

    def types(self, text):
        self.done.append(f"“{text}”")
        self.page.keyboard.type(text)

    def runs(self, *command):
        self.done.append(" ".join(command[1:]))
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def sees(self, what):
        """Somebody who does not see it scrolls."""
        what = what.first
        expect(what).to_be_visible()
        if not what.evaluate(in_sight):
            self.done.append("scroll")
            what.scroll_into_view_if_needed()


# The jobs in a browser: each from the start page to the answer.


def support(steps, page):
    """Mira writes that her payment failed: what did she see, and what went wrong?"""
    steps.click(page.locator("#filter"))
    steps.types("mira payment")
    expect(session_rows(page)).to_have_count(1)
    steps.click(session_rows(page))
    steps.sees(page.locator(".screen-picture[data-time]:not([data-time=''])"))
    # At the request, or at the failure that came of it: both say with what it was answered.
    wide = page.viewport_size["width"] > 700
    steps.sees(page.locator(".detail" if wide else ".row.current", has_text="503"))


def tester(steps, page):
    """The same payment failed once and went through once: what is the difference?"""
    payment = page.locator(".request", has_text="/v1/checkout")
    steps.click(page.get_by_role("navigation").get_by_role("link", name="Network"))
    if page.viewport_size["width"] < 700:
        # There they lie further down.
        steps.click(page.locator("#filter"))
        steps.types("checkout")
        expect(page.locator(".request")).to_have_count(2)
    steps.click(payment.and_(page.locator("[aria-label^='503 ']")))
    steps.click(page.locator(".detail").get_by_role("button", name="Compare…"))
    steps.click(payment.and_(page.locator("[aria-label^='201 ']")))
    comparison = page.locator(".comparison")
    steps.sees(comparison.locator("tr.differs", has_text="Status").filter(has_text="503"))
    expect(comparison.locator(".diff .come").first).to_be_visible()


def developer(steps, page):
    """In which line is “The payment failed” raised, and how many sessions does it affect?"""
    steps.click(page.get_by_role("navigation").get_by_role("link", name="Issues"))
    steps.click(page.locator("a.issue", has_text="The payment failed"))
    expect(page.locator("h1")).to_contain_text("The payment failed")
    steps.sees(page.get_by_text("Affected sessions: 1"))
    steps.sees(page.locator(".report-body .frame.own", has_text=".swift:"))


def manager(steps, page):
    """How many sessions were crash-free, which route fails most, and where do taps have no effect?"""
    steps.click(page.get_by_role("navigation").get_by_role("link", name="App health"))
    steps.sees(page.locator(".tiles", has_text="Crash-free sessions"))
    steps.sees(page.locator("#health-requests"))
    expect(page.locator("#health-requests")).to_contain_text("/v1/checkout")
    steps.sees(page.locator("#health-taps"))


def keys(steps, page):
    """Resolve the issue “The payment failed”, and think better of it."""
    steps.press("Control+k")
    steps.types("payment failed")
    expect(page.locator(".palette-item").first).to_contain_text("The payment failed")
    steps.press("Enter")
    expect(page.locator("h1")).to_contain_text("The payment failed")
    steps.press("r")
    expect(page.locator(".status-bar")).to_contain_text("Resolved")
    steps.press("z")
    expect(page.locator(".status-bar")).to_contain_text("Ignore")


def phone(steps, page):
    """What was on the screen when it went wrong?"""
    steps.click(session_rows(page).filter(has_text="The payment failed"))
    # A machine that stops everything for seconds meanwhile makes a hang of that, which comes first then.
    expect(page.locator(".row.current")).to_contain_text(re.compile("/v1/checkout|Main thread blocked"))
    steps.sees(page.locator(".screen-picture[data-time]:not([data-time=''])"))


jobs = {"Support": support, "Tester": tester, "Developer": developer, "Product manager": manager, "Keys alone": keys, "Phone": phone}


@check
def jobs_in_a_browser(collector, page):
    """support, tester, developer, product manager, keys and phone come to their answer in the steps that the documentation says, light and dark, wide and narrow"""
    collector.demo()
    others = []
    for name, job in jobs.items():
        for index, (width, height) in enumerate(sizes):
            if name == "Phone" and width > 700:
                continue
            page.set_viewport_size({"width": width, "height": height})
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                page.goto("about:blank")
                page.goto(collector.url)
                expect(session_rows(page)).to_have_count(3)
                steps = Steps(page)
                job(steps, page)
                if len(steps.done) != figures(name)[index]:
                    others.append((name, width, scheme, steps.done))
    assert not others, others


@check
def jobs_in_a_terminal(collector, page):
    """in the terminal the failed payment is found, with what failed and a link to the moment, in the steps that the documentation says"""
    collector.demo()
    steps = Steps()
    found = steps.runs(collector.tool, "sessions", "mira payment", "--url", collector.url).splitlines()
    # Its heading, the session, and where it matches.
    assert len(found) <= 3, found
    shown = steps.runs(collector.tool, "show", found[1].split()[0], "--errors", "--link", "--url", collector.url)
    assert "503" in shown and "The payment failed" in shown, shown
    assert len(steps.done) == figures("Terminal alone")[0], steps.done
    link = next(word for word in shown.split() if word.startswith("http") and "event=" in word)
    page.goto(link)
    expect(rows(page).first).to_be_visible()
    expect(title(page)).to_contain_text("/v1/checkout")


@check
def first_job(collector, page):
    """a newcomer copies what records crashes and requests, in the steps that the documentation says"""
    collector.start()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for index, (width, height) in enumerate(sizes):
        page.set_viewport_size({"width": width, "height": height})
        page.goto("about:blank")
        page.goto(collector.url)
        steps = Steps(page)
        steps.click(page.locator(".snippet").first.get_by_role("button", name="Copy"))
        expect(page.get_by_role("button", name="Copied")).to_be_visible()
        assert len(steps.done) == figures("Newcomer")[index], (width, steps.done)
        copied = page.evaluate("navigator.clipboard.readText()")
        for line in ("enableSignalHandlers", "startInterception()", collector.url.rstrip("/")):
            assert line in copied, copied
