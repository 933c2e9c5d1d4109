"""Numbers that are the same wherever they stand: added up here from the raw events, and compared with page, command line and API."""

import json
import re
import subprocess
from pathlib import Path

from playwright.sync_api import expect

from checks import check, loaded, open_at_start, rows, session_rows
from collector import Launch

OUTCOMES = json.loads((Path(__file__).parent.parent / "Requests/outcomes.json").read_text())["outcomes"]


def said(collector, *arguments):
    """What the tool prints, line by line; it is not a terminal, so nothing is cut."""
    found = subprocess.run([collector.tool, *arguments, "--url", collector.url], capture_output=True, text=True, check=True)
    return [line for line in found.stdout.splitlines() if line]


def table(lines):
    """Its rows, by heading."""
    cells = [re.split(r" {2,}", line.strip()) for line in lines]
    return [dict(zip(cells[0], row)) for row in cells[1:]]


def exported(collector, session):
    """Every event of a session as the tool exports it, one JSON object a line."""
    return [json.loads(line) for line in said(collector, "export", "ndjson", session)]


def payload(event):
    return event.get("payload") or event


def is_cancelled(body):
    return body.get("errorDomain") == "NSURLErrorDomain" and body.get("errorCode") == -999


def has_failed(body):
    return not body.get("unfinished") and not is_cancelled(body) and (isinstance(body.get("error"), str) or body.get("statusCode", 600) >= 400)


def is_error(event):
    body, kind = payload(event), event["eventType"]
    if kind in ("crash", "hang", "handled_exception"):
        return True
    if kind == "log":
        return body.get("level", 0) >= 4
    return kind == "network_request" and has_failed(body)


def digits(text):
    return int(re.sub(r"\D", "", text))


def grouped(n):
    return f"{n:,}".replace(",", "\u202f")


def plural(n, one, many=None):
    return f"{grouped(n)} {one if n == 1 else many or one + 's'}"


def rate(part, whole):
    """A share of twenty at least, with as many digits as it takes; of fewer, both numbers."""
    if whole < 20:
        return f"{part} of {whole}" if whole else "–"
    value = part / whole * 100
    if part in (0, whole):
        return f"{value:.0f} %"
    if not 0.01 <= value <= 99.99:
        return "> 99.99 %" if value > 50 else "< 0.01 %"
    return f"{value:.{2 if not 0.1 <= value <= 99.9 else 0 if 10 < value < 90 else 1}f} %"


def frames_of(events):
    """Of the screens: a second is part of its screen's sums, when those came."""
    found = [payload(event)["properties"] | {"sessionId": event.get("sessionId")} for event in events
             if event["eventType"] == "custom" and payload(event).get("name") == "Frames"]
    told = {(f["sessionId"], f.get("screen")) for f in found if f["scope"] == "screen"}
    return [f for f in found if f["scope"] == "screen" or (f["sessionId"], f.get("screen")) not in told]


def one_session(collector, page, session, events):
    """A session's own numbers: API, the page's header and footer, `show` and `show --errors`."""
    name, errors = session["sessionId"], sum(map(is_error, events))
    assert session["events"] == len(events), (session, len(events))
    assert session["errors"] == errors, (session, errors)
    for kind, n in session["counts"].items():
        if kind != "breadcrumb":
            assert n == sum(event["eventType"] == kind for event in events), (kind, n)
    page.goto(f"{collector.url}#/sessions/{name}")
    expect(page.locator(".head .facts")).to_contain_text(plural(len(events), "event"))
    button = page.locator(".head .errors")
    expect(button).to_have_text(plural(errors, "error")) if errors else expect(button).to_have_count(0)
    expect(page.locator(".verdict")).to_contain_text(re.compile(rf"{grouped(len(events))} (recorded )?events?"))

    shown = said(collector, "show", name)
    assert f"{plural(len(events), 'event')} · {plural(errors, 'error')}" in shown[1], shown[1]
    told = [json.loads(line) for line in said(collector, "show", name, "--errors", "--json")]
    assert len(told) == errors and all(map(is_error, told)), (errors, [one["eventType"] for one in told])
    lines = [line for line in said(collector, "show", name, "--errors") if re.match(r" *-?\d+:\d\d\.\d{3} +\d+ ", line)]
    assert len(lines) == errors, lines


def lists(collector, page, by_session):
    """The list of sessions, on the page and from the tool."""
    page.goto(f"{collector.url}#/")
    expect(session_rows(page)).to_have_count(len(by_session))
    listed = {row["SESSION"]: row for row in table(said(collector, "sessions"))}
    assert len(listed) == len(by_session), listed
    for name, events in by_session.items():
        errors = sum(map(is_error, events))
        row = page.locator(f".session-row a[data-id='{name}']")
        expect(row.locator(".activity .more")).to_have_text(plural(len(events), "event"))
        expect(row.locator(".errors")).to_have_text(plural(errors, "error") if errors else "")
        line = next(row for short, row in listed.items() if name.startswith(short))
        assert digits(line["EVENTS"]) == len(events) and digits(line["ERRORS"]) == errors, line


def issues(collector, page, everything):
    """Reports, counted by issues: API, page and tool."""
    reports = sum(event["eventType"] in ("crash", "hang", "handled_exception") for event in everything)
    assert sum(issue["count"] for issue in collector.get("api/issues?status=all")["issues"]) == reports
    page.goto(f"{collector.url}#/issues")
    expect(page.locator("a.issue").first).to_be_visible()
    on_page = page.locator("a.issue .reports").all_inner_texts()
    assert sum(map(digits, on_page)) == reports, on_page
    listed = table(said(collector, "issues", "--status", "all"))
    assert len(listed) == len(on_page) and sum(digits(row["REPORTS"]) for row in listed) == reports, listed
    assert len(table(said(collector, "crashes", "--kind", "crash,hang,failure", "--limit", "1000"))) == reports


def requests(collector, page, everything):
    """Requests and those that failed: API, page and tool."""
    found = [payload(event) for event in everything if event["eventType"] == "network_request"]
    failed = sum(map(has_failed, found))
    stats = collector.get("api/network/stats")
    assert (stats["count"], stats["failed"]) == (len(found), failed), (stats["count"], stats["failed"], failed)
    page.goto(f"{collector.url}#/network")
    expect(page.locator(".summary .fact").first).to_be_visible()
    facts = {fact.locator("dt").inner_text(): fact.locator("dd").inner_text() for fact in page.locator(".summary .fact").all()}
    assert facts["Requests"] == grouped(len(found)), facts
    assert facts["Failed"].startswith(rate(failed, len(found))), (facts, failed, len(found))
    page.goto(f"{collector.url}#/network?failed=true")
    expect(page.locator(".summary .fact dd").first).to_have_text(grouped(failed))
    expect(page.locator(".request")).to_have_count(failed)
    for options, n in (([], len(found)), (["--errors"], failed)):
        assert len(said(collector, "network", "--limit", "10000", "--json", *options)) == n, options
        assert len(table(said(collector, "network", "--limit", "10000", *options))) == n, options
    endpoints = table(said(collector, "network", "--stats"))
    assert sum(digits(row["REQUESTS"]) for row in endpoints) == len(found), endpoints
    by_endpoint = {f"{one['method']} {one['host']}{one['route']}": one for one in stats["endpoints"]}
    for row in endpoints:
        one = by_endpoint[f"{row['METHOD']} {row['ENDPOINT']}"]
        assert row["FAILED"] == (rate(one["failed"], one["count"]) if one["failed"] else "–"), (row, one)
    return len(found), failed


def health(collector, page, everything, by_session, network):
    """Health: API, page and tool, with rates and the worst."""
    told = collector.get("api/health")
    count = lambda kind: sum(event["eventType"] == kind for event in everything)
    crashed = sum(any(event["eventType"] == "crash" for event in events) for events in by_session.values())
    assert (told["sessions"]["count"], told["sessions"]["crashed"]) == (len(by_session), crashed), told["sessions"]
    assert told["hangs"]["count"] == count("hang")
    longest = max(float(payload(event)["durationMs"]) for event in everything if event["eventType"] == "hang")
    assert told["hangs"]["longestMs"] == longest
    assert (told["requests"]["count"], told["requests"]["failed"]) == network
    frames = frames_of(everything)
    n, slow, frozen = (sum(int(f[name]) for f in frames) for name in ("frames", "slow", "frozen"))
    worst = max(float(f["worstMs"]) for f in frames)
    assert (told["frames"]["frames"], told["frames"]["slow"], told["frames"]["frozen"]) == (n, slow, frozen), told["frames"]
    assert told["frames"]["worstMs"] == worst > 2000
    crash = next(payload(event) for event in everything if event["eventType"] == "crash")
    assert crash["currentScreen"] in [screen["screen"] for screen in told["frames"]["screens"]]
    assert sum(screen["frames"] for screen in told["frames"]["screens"]) == n

    text = said(collector, "health")
    line = lambda name: next(line for line in text if line.startswith(name))
    seconds = lambda ms: f"{ms / 1000:.1f} s"
    sessions, users = len(by_session), told["sessions"]["users"]
    assert f"{rate(sessions - crashed, sessions)} crash-free · {plural(sessions, 'session')} · {crashed} crashed" in line("sessions"), line("sessions")
    assert f"users {rate(users['count'] - users['crashed'], users['count'])} crash-free · {plural(users['count'], 'user')}" in line("sessions"), line("sessions")
    assert f"{plural(count('hang'), 'hang')} in" in line("hangs") and f"longest {seconds(longest)}" in line("hangs"), line("hangs")
    assert f"{rate(slow, n)} slow · {plural(n, 'frame')} · {grouped(frozen)} frozen · worst {seconds(worst)}" in line("frames"), line("frames")
    assert f"{rate(network[1], network[0])} failed · {plural(network[0], 'request')}" in line("requests"), line("requests")
    answer = json.loads(said(collector, "health", "--json")[0])
    for part in ("sessions", "frames", "hangs", "requests"):
        assert {k: v for k, v in answer[part].items() if k != "trend"} == {k: v for k, v in told[part].items() if k != "trend"}, part

    page.goto(f"{collector.url}#/health")
    short = lambda ms: seconds(ms).replace(".0 s", " s")
    section = page.locator("#health-frames")
    expect(section).to_contain_text(crash["currentScreen"])
    for name, value in (("Slow", rate(slow, n)), ("Frozen", rate(frozen, n)), ("Worst", short(worst)), ("Frames", grouped(n))):
        expect(section.locator(".fact").filter(has_text=re.compile(f"^{name}")).first.locator("dd")).to_contain_text(value)
    assert sum(digits(cell) for cell in section.locator("[aria-label^='Frames by screen'] tbody td:nth-child(5)").all_inner_texts()) == n
    expect(page.locator("#health-requests .fact dd").first).to_contain_text(rate(network[1], network[0]))
    expect(page.locator("#health-requests .fact dd").first).to_contain_text(f"of {plural(network[0], 'request')}")
    expect(page.locator("#health-hangs")).to_contain_text(f"Longest{short(longest)}")
    expect(page.locator(".tile[href='#health-frames'] b")).to_have_text(rate(slow, n))
    expect(page.locator(".tile[href='#health-stability'] b")).to_have_text(rate(sessions - crashed, sessions))
    ends = told["ends"]
    expect(page.locator("#health-ends header")).to_contain_text(plural(ends["count"], "launch", "launches"))
    assert sum(digits(n) for n in page.locator("#health-ends .shares .n:not(.faint)").all_inner_texts()) == ends["count"] == sum(ends["verdicts"].values())


@check
def numbers_agree(collector, page):
    """the demo's events, added up by the test, are the same numbers in list, header, footer, issues, requests and health, with rates and the worst,
    on the page, in the texts of the command line, and in the API"""
    collector.demo()
    sessions = collector.get("api/sessions")["sessions"]
    assert len(sessions) == 3, sessions
    by_session = {}
    for session in sessions:
        events = [event for event in exported(collector, session["sessionId"]) if event["eventType"] != "breadcrumb"]
        by_session[session["sessionId"]] = events
        one_session(collector, page, session, events)
    everything = [event for events in by_session.values() for event in events]
    lists(collector, page, by_session)
    issues(collector, page, everything)
    health(collector, page, everything, by_session, requests(collector, page, everything))


@check
def failed_requests_are_errors(collector, page):
    """a request that has failed is an error in the header, in the list of events, among the requests and in the list of sessions, and no other is"""
    collector.start()
    launch = Launch()
    members = lambda one: {"method": "GET", "url": f"https://api.example.com/{one['what']}", "durationMs": 20, **one["members"]}
    collector.send(launch, [launch.event("network_request", **members(one)) for one in OUTCOMES], final=True)
    failed = [f"/{one['what']}" for one in OUTCOMES if one["failed"]]
    assert all(one["failed"] == has_failed(one["members"]) for one in OUTCOMES)
    page.goto(collector.url)
    expect(session_rows(page).locator(".errors")).to_have_text(plural(len(failed), "error"))
    open_at_start(collector, page, launch)
    loaded(page)
    expect(page.locator(".head .errors")).to_have_text(plural(len(failed), "error"))
    expect(rows(page)).to_have_count(len(OUTCOMES))
    red = page.locator(".row.event.error .title").all_inner_texts()
    assert red == [f"GET {path}" for path in failed], red
    page.goto(f"{collector.url}#/network")
    expect(page.locator(".request")).to_have_count(len(OUTCOMES))
    assert sorted(page.locator(".request.error .path").all_inner_texts()) == sorted(failed)
    page.goto(f"{collector.url}#/network?failed=true")
    expect(page.locator(".request")).to_have_count(len(failed))
