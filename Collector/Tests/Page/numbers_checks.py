"""Numbers that are the same wherever they stand: added up here from the raw events of the demo, and compared with page, CLI and API."""

import json
import re
import subprocess

from playwright.sync_api import expect

from checks import check


def exported(collector, session):
    """Every event of a session as the tool exports it, one JSON object a line."""
    found = subprocess.run(
        [collector.tool, "export", "ndjson", session, "--url", collector.url], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in found.stdout.splitlines() if line]


def payload(event):
    return event.get("payload") or event


def is_error(event):
    body, kind = payload(event), event["eventType"]
    if kind in ("crash", "hang", "handled_exception"):
        return True
    if kind == "log":
        return body.get("level", 0) >= 4
    return kind == "network_request" and (body.get("statusCode", 0) >= 500 or bool(body.get("error")))


def digits(text):
    return int(re.sub(r"\D", "", text))


@check
def numbers_agree(collector, page):
    """the demo's events, added up by the test, are the same number in list, header, footer, health, issues, requests, CLI and API"""
    collector.demo()
    sessions = collector.get("api/sessions")["sessions"]
    assert len(sessions) == 3, sessions
    everything = []
    for session in sessions:
        events = [event for event in exported(collector, session["sessionId"]) if event["eventType"] != "breadcrumb"]
        everything += events
        assert session["events"] == len(events), (session, len(events))
        assert session["errors"] == sum(map(is_error, events)), session
        for kind, n in session["counts"].items():
            if kind != "breadcrumb":
                assert n == sum(event["eventType"] == kind for event in events), (kind, n)
        page.goto(f"{collector.url}#/sessions/{session['sessionId']}")
        expect(page.locator(".head .facts")).to_contain_text(re.compile(r"[\d\u202f]+ events"))
        header = re.search(r"([\d\u202f]+) events", page.locator(".head .facts").inner_text()).group(1)
        assert digits(header) == len(events), header
        expect(page.locator(".verdict")).to_contain_text(re.compile(r"\d"))
        footer = re.search(r"([\d\u202f]+) (recorded )?events?", page.locator(".verdict").inner_text()).group(1)
        assert digits(footer) == len(events), (header, footer)

    health = collector.get("api/health")
    count = lambda kind: sum(event["eventType"] == kind for event in everything)
    assert health["hangs"]["count"] == count("hang")
    assert sum(issue["count"] for issue in collector.get("api/issues?status=all")["issues"]) \
        == count("crash") + count("hang") + count("handled_exception")
    requests = [payload(event) for event in everything if event["eventType"] == "network_request"]
    assert health["requests"]["count"] == len(requests) == collector.get("api/network/stats")["count"]
    failed = sum(not r.get("unfinished") and (bool(r.get("error")) or r.get("statusCode", 600) >= 400) for r in requests)
    assert health["requests"]["failed"] == failed, (health["requests"], failed)

    # Frames: a second is part of its screen's sums, when those came.
    frames = [payload(event)["properties"] | {"sessionId": event.get("sessionId")} for event in everything
              if event["eventType"] == "custom" and payload(event).get("name") == "Frames"]
    told = {(f["sessionId"], f.get("screen")) for f in frames if f["scope"] == "screen"}
    counted = [f for f in frames if f["scope"] == "screen" or (f["sessionId"], f.get("screen")) not in told]
    for name in ("frames", "slow", "frozen"):
        assert health["frames"][name] == sum(int(f[name]) for f in counted), (name, health["frames"])
    assert health["frames"]["worstMs"] == max(float(f["worstMs"]) for f in counted) > 2000
    crash = next(payload(event) for event in everything if event["eventType"] == "crash")
    assert crash["currentScreen"] in [screen["screen"] for screen in health["frames"]["screens"]]
    tool = subprocess.run([collector.tool, "health", "--json", "--url", collector.url], capture_output=True, text=True, check=True)
    told = json.loads(tool.stdout)
    for part in ("frames", "hangs", "requests"):
        assert {k: v for k, v in told[part].items() if k != "trend"} == {k: v for k, v in health[part].items() if k != "trend"}, part
    page.goto(f"{collector.url}#/health")
    expect(page.locator("#health-frames")).to_contain_text(crash["currentScreen"])
    expect(page.locator("#health-frames")).to_contain_text("1 frame")
