"""What traces have to show."""

import json
import re
import subprocess
import unicodedata
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter

import trace_format
from collector import Launch, frames, images


class Reader:
    """Exports a session as people do, and has it read twice."""

    def __init__(self, perfetto, screenshots):
        self.perfetto, self.screenshots = perfetto, screenshots

    def export(self, collector, session):
        file = collector.directory / f"{abs(hash(session))}.json"
        done = subprocess.run(
            [collector.tool, "export", "trace", session, "--output", str(file), "--url", collector.url], capture_output=True, timeout=60)
        assert done.returncode == 0, done.stderr.decode()
        return file.read_bytes(), done.stderr.decode()

    def judge(self, collector, session, name):
        """Both readers take it, and find each event of the session in it; returns the trace, and it opened."""
        data, said = self.export(collector, session)
        trace = trace_format.read(data)
        events = everything(collector, session)
        # Names have no control characters.
        expected = Counter("".join(" " if unicodedata.category(letter) == "Cc" else letter for letter in each["eventType"]) for each in events)
        expected["span"] = spans([each for each in events if each["eventType"] == "span"])
        expected = +expected
        assert trace_format.told(trace) == expected, (trace_format.told(trace), expected)
        saved = re.match(r"Saved ([\d\s,.]+) events? to ", said)
        assert saved and int(re.sub(r"\D", "", saved[1])) == sum(expected.values()), said
        opened = self.perfetto.open(data)
        assert not opened.complaints(), opened.complaints()
        found = {category: count for category, count in opened.rows(
            "SELECT category, COUNT(*) FROM slice WHERE EXTRACT_ARG(arg_set_id, 'args.event') IS NOT NULL GROUP BY category")}
        assert found == dict(expected), (found, expected)
        assert opened.value("SELECT COUNT(*) FROM slice WHERE dur < 0") == 0
        # On the rows of threads nothing lies above something else.
        assert opened.value("SELECT COUNT(*) FROM slice JOIN thread_track ON track_id = thread_track.id WHERE depth > 0 AND dur > 0") == 0
        if self.screenshots:
            self.screenshots.mkdir(parents=True, exist_ok=True)
            opened.picture(self.screenshots / f"trace-{name}.png")
        return trace, opened


def everything(collector, session):
    events, after = [], ""
    while True:
        page = collector.get(f"api/sessions/{urllib.parse.quote(session, safe='')}/events?limit=500{after}")
        events += page["events"]
        if not page.get("next"):
            return events
        after = f"&after={urllib.parse.quote(page['next'])}"


def arrived(collector, session, count):
    collector.until("api/sessions", lambda found: (session, count) in [(each["sessionId"], each["events"]) for each in found["sessions"]])


def spans(events):
    """How many they tell of: a begin and its end are one."""
    ended = [each for each in events if isinstance(lasts := each["payload"].get("durationMs"), (int, float)) and 0 <= lasts <= 1e12]
    begun = [each for each in events if each not in ended]
    return len(ended) + len({name(each) for each in begun} - {name(each) for each in ended})


def name(event):
    return event["payload"].get("traceId"), event["payload"].get("spanId", event["id"])


def demo(collector, reader):
    """the demo's sessions open in Perfetto without an error, and hold each event"""
    collector.demo()
    sessions = [each["sessionId"] for each in collector.get("api/sessions")["sessions"]]
    assert sessions
    told = Counter()
    for index, session in enumerate(sessions):
        trace, opened = reader.judge(collector, session, f"demo-{index}")
        with opened:
            told += trace_format.told(trace)
            launches = len({each["pid"] for each in trace["traceEvents"]})
            assert opened.value("SELECT COUNT(*) FROM process WHERE name IS NOT NULL") == launches
    for type in ("navigation", "network_request", "log", "interaction", "span"):
        assert told[type], told
    return f"{len(sessions)} sessions, {sum(told.values())} events"


def story(collector, reader):
    """screens, requests that overlap, spans within each other, a hang's stacks, late frames and measurements are what they were"""
    collector.start()
    app = Launch()
    start = app.now
    events = [app.screen("Menu"), app.event("custom", name="App Launch", properties={"kind": "cold", "totalMs": 15})]
    events += [app.request(f"/v1/drinks/{1000 + number}", duration=500 + 100 * number) for number in range(5)]
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    events.append(app.screen("Checkout", after=1000))
    spans = [("order", 0, 900, None), ("pay", 100, 200, "order"), ("mail", 150, 700, "order"), ("card", 150, 50, "pay")]
    begun = app.now
    ids = {name: f"{index + 1:016x}" for index, (name, *_) in enumerate(spans)}
    for name, after, lasts, parent in spans:
        for more in ({}, {"durationMs": lasts, "status": "ok"}):
            app.now = begun + after
            events.append(app.event("span", 0, name=name, traceId=trace, spanId=ids[name], **more,
                                    **({"parentSpanId": ids[parent]} if parent else {})))
    app.now = begun + 2000
    events.append(app.hang([(3, ["draw", "layout", "!run", "main"]), (1, ["read", "layout", "!run", "main"])], duration=2600.0))
    app.now += 3000
    frames = {"screen": "Checkout", "durationMs": 1000, "frames": 50, "slow": 4, "frozen": 1, "worstMs": 800, "fps": 50.0}
    events.append(app.event("custom", name="Frames", properties={**frames, "scope": "second"}))
    events.append(app.event("custom", name="Frames", properties={**frames, "scope": "screen", "durationMs": 3000}))
    events.append(app.event("custom", name="Metrics", properties={"gauges": {"memory": 120}, "timers": {"db": {"count": 2, "sum": 6}}}))
    events.append(app.event("lifecycle", state="battery", details={"level": "81", "charging": "unplugged", "thermalState": "fair"}))
    events.append(app.event("broadcast", action="UIApplicationDidReceiveMemoryWarningNotification"))
    events += [app.log("card declined", level=4), app.tap("Pay")]
    collector.send(app, events, final=True)
    arrived(collector, app.session, len(events))
    trace, opened = reader.judge(collector, app.session, "story")
    with opened:
        # In milliseconds from the session's begin.
        screens = opened.rows("SELECT name, (ts - (SELECT start_ts FROM trace_bounds)) / 1e6, dur / 1e6 FROM slice "
                              "WHERE category = 'navigation' ORDER BY ts")
        assert [each[:2] for each in screens] == [["Menu", 0], ["Checkout", screens[0][2]]], screens
        assert screens[1][1] + screens[1][2] == max(event["timestamp"] for _, event in events) - start - 10, screens
        requests = opened.rows("SELECT name, dur / 1e6, EXTRACT_ARG(arg_set_id, 'args.url'), EXTRACT_ARG(arg_set_id, 'args.statusCode') "
                               "FROM slice WHERE category = 'network_request' ORDER BY ts")
        assert requests == [["GET /v1/drinks/:id", 500 + 100 * n, f"https://api.example.com/v1/drinks/{1000 + n}", 200] for n in range(5)]
        nested = {name: (dur, parent) for name, dur, parent in opened.rows(
            "SELECT s.name, s.dur / 1e6, p.name FROM slice s LEFT JOIN slice p ON p.id = s.parent_id WHERE s.category = 'span'")}
        # Mail overlaps with pay, so it cannot stand in the same row.
        assert nested == {"order": (900, None), "pay": (200, "order"), "mail": (700, None), "card": (50, "pay")}, nested
        assert opened.rows("SELECT name, dur / 1e6 FROM slice WHERE category = 'hang'") == [["Hang", 2600]]
        stacks = opened.rows("SELECT f.name, COUNT(*) FROM cpu_profile_stack_sample s JOIN stack_profile_callsite c ON c.id = s.callsite_id "
                             "JOIN stack_profile_frame f ON f.id = c.frame_id GROUP BY f.name ORDER BY f.name")
        assert stacks == [["draw", 3], ["read", 1]], stacks
        assert opened.value("SELECT MAX(depth) FROM stack_profile_callsite") == 3
        counters = {name: value for name, value in opened.rows(
            "SELECT t.name, MAX(c.value) FROM counter c JOIN counter_track t ON t.id = c.track_id GROUP BY t.name")}
        assert counters == {"Frames per second fps": 50, "Late frames slow": 4, "Late frames frozen": 1, "memory value": 120,
                            "db mean": 3, "Battery %": 81, "Thermal state 0 to 3": 1}, counters
        names = {each for each, in opened.rows("SELECT name FROM slice")}
        assert {"App launch (cold)", "1 frozen", "Memory warning", "card declined", "tap: Pay"} <= names, names
        rows = {each for each, in opened.rows("SELECT thread.name FROM thread_track JOIN thread USING (utid)")}
        assert {"Screens", "Hangs", "Late frames", "Logs", "Interactions", "System"} <= rows, rows


def hostile(collector, reader):
    """a session that lies about everything still is a trace without an error"""
    collector.start()
    app = Launch()
    wild = "\u0000\u0001\u001b[2J\"\\\n\u2028\u202e\ud83d\ude00</script>" * 3
    trace = "0af7651916cd43dd8448eb211c80319c"
    events = [app.screen(wild), app.screen("", after=0), app.screen("x" * 5000, after=0)]
    for duration in (0, -5, 1e300, "soon", None, 1e12):
        events.append(app.event("hang", 0, durationMs=duration, stackTrace=wild))
        events.append(app.event("network_request", 0, url=wild, method=wild, durationMs=duration, unfinished=duration is None))
        events.append(app.event("span", 0, name=wild, durationMs=duration, traceId=trace, spanId=f"{len(events):016x}",
                                parentSpanId=f"{len(events) - 3:016x}"))
        events.append(app.event("custom", 0, name="Frames", properties={"scope": "second", "frames": duration, "durationMs": duration,
                                                                       "slow": duration, "frozen": duration}))
        events.append(app.event("custom", 0, name="Frames", properties={"frames": 1, "fps": duration, "durationMs": duration}))
        events.append(app.event("custom", 0, name="App Launch", properties={"totalMs": duration, "kind": wild}))
    # Its own parent, its parent's parent, twice with one id, and never ended.
    same = {"name": "loop", "traceId": trace, "spanId": "f" * 16, "parentSpanId": "f" * 16, "durationMs": 5}
    events += [app.event("span", 0, **same), app.event("span", 1, **{**same, "durationMs": 50}), app.event("span", 0, name="open", traceId=trace, spanId="e" * 16)]
    events += [app.event("span", 0, name="no ids"), app.event("span", 0, name="no ids", durationMs=3)]
    # Overlapping hangs, with samples outside of them, and frames of no image.
    stack = [{"symbol": wild, "image": 99, "address": "nowhere"}] * 300
    report = {"kind": "hang", "images": images, "samples": [
        {"atMs": -5, "count": 1 << 40, "frames": stack}, {"atMs": 1e300, "count": 3, "frames": stack[:1]}, {"frames": []},
        {"atMs": 10, "count": 0, "frames": frames(["draw", "main"])}]}
    events += [app.event("hang", 1, durationMs=400, report=report, samples=1, clipped=2, event=3) for _ in range(5)]
    events.append(app.event("lifecycle", state="battery", details={"level": "1e999", "thermalState": wild}))
    events.append(app.event("lifecycle", state="battery", details={"level": 55, "thermalState": "critical", "lowPowerMode": "true"}))
    events.append(app.event("custom", name="Metrics", properties={"gauges": {wild: 1e308, "a": "NaN", "b": "-inf", "": 0},
                                                                "timers": {"t": {"count": 1e-300, "sum": 1e300}}}))
    events.append(app.event("custom", name="deep", properties=nested(40), long="y" * 100_000, list=list(range(5000)), big=10 ** 30))
    events.append(app.event("made up", **{f"member {number}": wild for number in range(500)}))
    events.append(app.event(wild.replace("\u0000", "")[:40], message=wild))
    collector.send(app, events)
    arrived(collector, app.session, len(events))
    trace, opened = reader.judge(collector, app.session, "hostile")
    with opened:
        assert opened.value("SELECT COUNT(*) FROM slice WHERE category = 'navigation'") == 3
    return f"{len(events)} events, {len(json.dumps(trace))} bytes"


def clocks(collector, reader):
    """clocks that go back by a year, and ahead by more than there are numbers, make no trace that goes back"""
    collector.start()
    year = 365 * 86_400_000
    for jumps in ((0, -year, 5, 0, year), (0, 100_000 * year), (1, -(1 << 62), 1 << 62)):
        app = Launch()
        now, events = app.now, []
        for jump in jumps:
            app.now = jump if abs(jump) == 1 << 62 else now + jump
            for number in range(3):
                events += [app.screen(f"Screen {number}", after=0), app.request("/late", after=0), app.log("when?", after=0),
                           app.hang([(1, ["f"])], after=0), app.event("span", 1, name="s", durationMs=1e9)]
        collector.send(app, events)
        arrived(collector, app.session, len(events))
        _, opened = reader.judge(collector, app.session, "clocks")
        opened.page.close()


def nested(depth):
    tree = {}
    for _ in range(depth):
        tree = {"in": tree}
    return tree


def going_on(collector, reader):
    """what is still going on ends where it was last seen; several launches are several processes; nothing at all is a trace, too"""
    collector.start()
    first, second = Launch(), Launch()
    second.session, second.context = first.session, first.context
    events = [first.screen("Menu"), first.event("network_request", url="https://api.example.com/v1/x", method="GET", unfinished=True)]
    events += [first.event("span", name="open", traceId="4bf92f3577b34da6a3ce929d0e0e4736", spanId="00f067aa0ba902b7"), first.log("the last")]
    second.now = first.now + 5000
    later = [second.screen("Menu"), second.event("crash", 10, errorDomain="SIGSEGV", stackTrace="", ofLaunch=first.id)]
    later[1][1]["timestamp"] = first.now + 50
    collector.send(first, events)
    collector.send(second, later)
    arrived(collector, first.session, len(events) + len(later))
    trace, opened = reader.judge(collector, first.session, "going-on")
    assert trace["otherData"]["live"] is True, trace["otherData"]
    with opened:
        rows = {(name, pid): dur for name, pid, dur in opened.rows(
            "SELECT s.name, p.pid, s.dur / 1e6 FROM slice s LEFT JOIN thread_track t ON t.id = s.track_id LEFT JOIN thread USING (utid) "
            "LEFT JOIN process_track q ON q.id = s.track_id LEFT JOIN process p ON p.upid = IFNULL(thread.upid, q.upid)")}
        # The first launch was last seen when it crashed, of which the second one told.
        assert rows["Menu", 1] == first.now + 50 - (first.now - 30), rows
        assert ("Crash: SIGSEGV", 1) in rows and ("Menu", 2) in rows, rows
        assert rows["GET /v1/x", 1] > 0 and rows["open", 1] > 0, rows
        names = [name for name, in opened.rows("SELECT name FROM process WHERE name IS NOT NULL ORDER BY pid")]
        assert names == ["com.example.page 1.2.3, launch 1", "com.example.page 1.2.3, launch 2"], names
    try:
        urllib.request.urlopen(collector.url + "api/sessions/nobody/trace")
        raise AssertionError("a trace of nothing")
    except urllib.error.HTTPError as error:
        assert error.code == 404 and json.load(error)["error"]["code"] == "no_session"


def readers(collector, reader):
    """the readers themselves refuse what is outside of the format: slices that overlap, ends that are missing, numbers that are none"""
    place = {"pid": 1, "tid": 101}
    named = [{"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "app"}},
             {"ph": "M", "name": "thread_name", **place, "args": {"name": "Screens"}}]

    def trace(*events):
        return json.dumps({"displayTimeUnit": "ms", "otherData": {}, "traceEvents": [*named, *events]}).encode()

    def slice(start, lasts):
        return {"ph": "X", "cat": "hang", "name": "Hang", **place, "ts": start, "dur": lasts}

    def row(phase, time, name):
        return {"ph": phase, "cat": "span", "name": name, **place, "ts": time, "id2": {"local": "0x1"}}

    good = trace(slice(0, 10), slice(10, 5), row("b", 0, "a"), row("b", 1, "b"), row("e", 2, "b"), row("e", 2, "a"))
    trace_format.read(good)
    bad = [trace(slice(0, 10), slice(9, 5)), trace(slice(-1, 1)), trace(slice(0, -1)), trace(slice(0.5, 1)), trace(row("b", 0, "a")),
           trace(row("b", 0, "a"), row("b", 1, "b"), row("e", 2, "a"), row("e", 2, "b")), trace(slice(float("nan"), 1)),
           trace({**slice(0, 1), "tid": 7}), good.replace(b'"dur": 5', b'"dur": 5, "dur": 6'), good[:-2], good + b"x"]
    for each in bad:
        try:
            trace_format.read(each)
        except (AssertionError, ValueError):
            continue
        raise AssertionError(f"taken for a trace: {each}")
    with reader.perfetto.open(good) as opened:
        assert not opened.complaints()
    with reader.perfetto.open(trace(slice(0, 10), slice(9, 5), row("e", 2, "b"))) as opened:
        assert opened.complaints()


ALL = [readers, demo, story, hostile, clocks, going_on]
