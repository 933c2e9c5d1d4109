"""Each kind of rule against what it is about, as it is told and as it is over."""

import json
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Page"))

from collector import Launch  # noqa: E402
from receivers import add  # noqa: E402


def told(receiver, name, count, seconds=60):
    """What came: of each message its type and what it says."""
    found = receiver.until(f"/{name}", count, seconds)
    assert len(found) == count, [request[3] for request in found]
    return [(request[3]["type"].removeprefix("alert."), request[3]["data"]) for request in found]


def make(collector, post, receiver, name, kind, **more):
    channel = add(collector, post, receiver, name)
    return post(collector, "api/alerts/rules", {"kind": kind, "name": name, "channels": [channel], **more})["id"]


def check_silence_begins(collector, post, receiver):
    make(collector, post, receiver, "silence", "silence", bundleId="com.example.silent", minutes=1)


def check_silence(collector, post, receiver):
    """An app of which nothing comes for a minute is told of, once, and told of again when something comes."""
    word, data = told(receiver, "silence", 1, seconds=120)[0]
    assert word == "triggered" and "com.example.silent" in data["title"] and data["text"] == "Nothing has ever arrived.", data
    launch = Launch()
    collector.send(launch, [launch.log("here")], app="com.example.silent")
    word, data = told(receiver, "silence", 2)[1]
    assert word == "resolved" and data["title"].startswith("Receiving again"), data


def check_regression(collector, post, receiver, crash):
    """What somebody resolved and comes back in a later version is told of; that it came the first time is not."""
    make(collector, post, receiver, "regression", "regression")
    crash("Rules.regress()", version="1.0.0")
    collector.until("api/issues?limit=100", lambda page: any("Rules.regress" in issue["title"] for issue in page["issues"]))
    issue = next(issue["id"] for issue in collector.get("api/issues?limit=100")["issues"] if "Rules.regress" in issue["title"])
    collector.put(f"api/issues/{issue}/status", {"status": "resolved"})
    time.sleep(0.1)
    crash("Rules.regress()", version="2.0.0")
    word, data = told(receiver, "regression", 1)[0]
    assert word == "triggered" and data["title"].startswith("Back again: ") and "version 2.0.0" in data["text"], data


def check_issue_rate(collector, post, receiver, crash):
    """The threshold itself is fine; one more is told, with how many; more of the same burst is not."""
    make(collector, post, receiver, "rate", "issue_rate", threshold=2, minutes=5)
    crash("Rules.rate()")
    crash("Rules.rate()")
    time.sleep(3)
    assert not receiver.at("/rate")
    crash("Rules.rate()")
    word, data = told(receiver, "rate", 1)[0]
    assert word == "triggered" and data["title"].startswith("3 reports within "), data
    crash("Rules.rate()")
    time.sleep(3)
    told(receiver, "rate", 1)


def check_request_errors(collector, post, receiver):
    """A route of which too many requests fail is told of by its name, and told of again when most go well."""
    app = "com.example.requests"
    make(collector, post, receiver, "errors", "request_errors", bundleId=app, threshold=50, minimum=10, minutes=5)
    launch = Launch()
    collector.send(launch, [launch.request(f"/v1/orders/{number}", status=500 if number < 8 else 200) for number in range(10)], app=app)
    word, data = told(receiver, "errors", 1)[0]
    assert word == "triggered" and data["title"].startswith("80 % of requests fail: GET api.example.com/v1/orders/"), data
    collector.send(launch, [launch.request(f"/v1/orders/{number}") for number in range(100, 130)], app=app)
    word, data = told(receiver, "errors", 2)[1]
    assert word == "resolved" and data["subject"] == told(receiver, "errors", 2)[0][1]["subject"], data


def check_crash_free(collector, post, receiver):
    """Too many sessions that crash are told of with how many, and told of again when enough go well; few sessions say nothing."""
    app = "com.example.crashfree"
    make(collector, post, receiver, "crashfree", "crash_free", bundleId=app, threshold=90, minimum=10, minutes=60)

    def sessions(count, crashed=0):
        for number in range(count):
            launch = Launch()
            launch.context["bundleId"] = app
            events = [launch.log("here")] + ([launch.crash(["CrashFree.share()", "main"])] if number < crashed else [])
            collector.send(launch, events, final=True, app=app)

    sessions(9, crashed=2)
    time.sleep(25)
    assert not receiver.at("/crashfree"), receiver.at("/crashfree")
    sessions(1)
    word, data = told(receiver, "crashfree", 1)[0]
    assert word == "triggered" and data["title"] == f"80 % crash-free sessions in {app}", data
    assert data["text"] == "2 of 10 sessions of the last hour crashed: fewer than 90 % were without a crash.", data
    sessions(10)
    word, data = told(receiver, "crashfree", 2)[1]
    assert word == "resolved" and data["text"] == "Back above 90 %.", data


def check_two_rules(collector, post, receiver, crash):
    """Two rules that the same crash fires tell each their own, under names of their own, also by one channel."""
    channel = add(collector, post, receiver, "both")
    rules = [post(collector, "api/alerts/rules", {"kind": kind, "name": name, "channels": [channel], **more})["id"]
             for kind, name, more in (("new_issue", "Both new", {}), ("issue_rate", "Both rate", {"threshold": 1, "minutes": 5}))]
    launch = Launch()
    collector.send(launch, [launch.crash(["Rules.both()", "main"]), launch.crash(["Rules.both()", "main"])])
    crash("Rules.both()")
    came = told(receiver, "both", 2)
    assert {data["rule"]["id"] for _, data in came} == set(rules) and len({data["thread"] for _, data in came}) == 2, came
    for rule in rules:
        collector.delete(f"api/alerts/rules/{rule}")


def check_watch(collector, crash):
    """“alerts watch” prints what is told as it comes, in lines and as JSON, also what was told while the collector was away and came back."""
    def watch(*arguments):
        command = [collector.tool, "alerts", "watch", *arguments, "--url", collector.url]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert "Waiting for alerts" in process.stderr.readline()
        return process

    for other in collector.get("api/alerts")["rules"]:
        collector.delete(f"api/alerts/rules/{other['id']}")
    rule = collector.change("POST", "api/alerts/rules", {"kind": "new_issue", "name": "Watched", "channels": []})["id"]
    lines, data = watch("--count", "2"), watch("--count", "2", "--json")
    try:
        crash("Watch.one()")
        first = json.loads(data.stdout.readline())
        assert first["event"] == "triggered" and first["ruleName"] == "Watched" and "Watch.one()" in first["title"], first
        collector.kill()
        time.sleep(2)
        collector.start()
        crash("Watch.two()")
        assert "Watch.two()" in json.loads(data.stdout.readline())["title"]
        said, more = lines.communicate(timeout=30)
        assert said.index("Watch.one()") < said.index("Watch.two()") and "alert" in said and "Watched" in said, said
        assert lines.returncode == 0 and "trying again" in more, more
        assert data.wait(timeout=30) == 0
    finally:
        for process in (lines, data):
            process.kill()
            process.communicate()
    collector.delete(f"api/alerts/rules/{rule}")


def check_pages(collector):
    """The log comes in pages that leave nothing out, and “after” gives what came since, the oldest first."""
    whole = [entry["id"] for entry in collector.get("api/alerts/log?limit=1000")["log"]]
    assert len(whole) > 10 and whole == sorted(whole, reverse=True)
    found, place = [], ""
    while True:
        page = collector.get(f"api/alerts/log?limit=7{place}")
        found += [entry["id"] for entry in page["log"]]
        if page["next"] is None:
            break
        place = f"&before={page['next']}"
    assert found == whole, (found, whole)
    since, newest = [], "0.0"
    while (page := collector.get(f"api/alerts/log?limit=7&after={newest}"))["log"]:
        since += [entry["id"] for entry in page["log"]]
        newest = page["newest"]
    assert since == whole[::-1] and page["newest"] == newest and page["next"] is None, (since, page)


def check_digest(collector, post, receiver, crash):
    """Many at once are at most twenty messages; with what is told together and what is still held, none is missing."""
    rule = make(collector, post, receiver, "digest", "new_issue")
    for number in range(30):
        crash(f"Digest.lot{chr(97 + number // 10)}{chr(97 + number % 10)}()")

    def counted():
        found = [request[3]["data"] for request in receiver.at("/digest")]
        more = [int(data["title"].split(" ")[0]) for data in found if data["subject"] == "more"]
        known = next(each for each in collector.get("api/alerts")["rules"] if each["id"] == rule)
        return len(found), len(found) - len(more), sum(more), known["held"]

    deadline = time.time() + 40
    while sum(counted()[1:]) < 30:
        assert time.time() < deadline, counted()
        time.sleep(0.2)
    messages, alone, together, held = counted()
    assert messages <= 20 and together and alone + together + held == 30, (messages, alone, together, held)
    collector.delete(f"api/alerts/rules/{rule}")


def check_quiet(collector, post, receiver, crash):
    """In the quiet time the same is written down and not sent, also by who started again meanwhile; with a quiet time of none, it is."""
    def triggered(name):
        return sum(request[3]["type"] == "alert.triggered" for request in receiver.at(f"/{name}"))

    for name, minutes in (("quiet", 60), ("loud", 0)):
        make(collector, post, receiver, name, "regression", quietMinutes=minutes, bundleId="com.example.page")
    crash("Rules.quiet()", version="1.0.0")
    collector.until("api/issues?limit=100", lambda page: any("Rules.quiet" in issue["title"] for issue in page["issues"]))
    issue = next(issue["id"] for issue in collector.get("api/issues?limit=100")["issues"] if "Rules.quiet" in issue["title"])
    for number in (2, 3):
        collector.put(f"api/issues/{issue}/status", {"status": "resolved"})
        time.sleep(0.1)
        crash("Rules.quiet()", version=f"{number}.0.0")
        deadline = time.time() + 30
        while triggered("loud") < number - 1:
            assert time.time() < deadline, receiver.at("/loud")
            time.sleep(0.05)
        time.sleep(1)
        # Neither is the quiet time forgotten by who starts again, nor does it tell again.
        collector.kill()
        collector.start()
    counts = {name: triggered(name) for name in ("quiet", "loud")}
    assert counts == {"quiet": 1, "loud": 2}, counts
    held = [entry for entry in collector.get("api/alerts/log?limit=200")["log"] if entry["ruleName"] == "quiet" and entry["held"]]
    assert len(held) == 1 and not held[0]["messages"] and "quiet time" in held[0]["held"], held


def check_commands(collector, receiver):
    """The command line adds, tests, lists, tells what was sent, and removes."""
    def run(*arguments):
        done = subprocess.run(
            [collector.tool, "alerts", *arguments, "--url", collector.url], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
        return done.stdout + done.stderr

    secret = run("channels", "add", "webhook", "Terminal", "--post-to", receiver.url("/terminal"))
    assert "whsec_" in secret
    rule = str(json.loads(run("add", "new_issue", "--name", "By hand", "--channel", "Terminal", "--json"))["id"])
    assert "By hand" in run("list") and "Terminal" in run("channels")
    run("test", rule)
    run("channels", "test", "Terminal")
    assert len(receiver.until("/terminal", 2)) == 2
    assert "Terminal" in run("log") and secret.strip().splitlines()[-1] not in run("log") + run("channels")
    run("remove", rule)
    run("channels", "remove", "Terminal")
    assert "By hand" not in run("list")
