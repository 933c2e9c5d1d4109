"""What the Trace Event Format demands, read strictly: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU."""

import json
from collections import Counter, defaultdict

LATEST = 9_000_000_000_000_000


def read(data):
    """The trace, once it is what the format says; else an AssertionError."""
    trace = json.loads(data.decode("utf-8"), object_pairs_hook=once, parse_constant=refused)
    assert set(trace) == {"traceEvents", "displayTimeUnit", "otherData"}, set(trace)
    events = trace["traceEvents"]
    named = {(each["name"], each["pid"], each["tid"]) for each in events if each["ph"] == "M"}
    for each in events:
        judge(each)
        assert ("process_name", each["pid"], 0) in named, each
        assert each["ph"] in "MC" or ("thread_name", each["pid"], each["tid"]) in named, each
    # Readers sort by time, and what has one time stays in its order.
    timed = sorted((each for each in events if each["ph"] != "M"), key=lambda each: each["ts"])
    nothing_overlaps(timed)
    everything_ends(timed)
    return trace


def once(pairs):
    names = [name for name, _ in pairs]
    assert len(names) == len(set(names)), f"twice in one object: {names}"
    return dict(pairs)


def refused(word):
    raise AssertionError(f"{word} is no number of JSON's")


def judge(event):
    phase = event["ph"]
    assert phase in "MXibeCP", event
    assert isinstance(event["pid"], int) and isinstance(event["tid"], int), event
    assert isinstance(event["name"], str) and event["name"], event
    assert isinstance(event.get("args", {}), dict) and len(json.dumps(event.get("args", {}))) < 400_000, event["name"]
    if phase == "M":
        return
    assert isinstance(event["ts"], int) and 0 <= event["ts"] <= LATEST, event
    if phase == "X":
        assert isinstance(event["dur"], int) and event["dur"] >= 0 and event["ts"] + event["dur"] <= LATEST, event
    if phase == "i":
        assert event["s"] in "tpg", event
    if phase in "be":
        assert isinstance(event["id2"]["local"], str) and event["cat"], event
    if phase == "C":
        assert event["args"] and all(isinstance(value, (int, float)) for value in event["args"].values()), event


def nothing_overlaps(timed):
    """No two slices of one thread."""
    open_until = defaultdict(int)
    for each in timed:
        if each["ph"] == "X":
            thread = (each["pid"], each["tid"])
            assert each["ts"] >= open_until[thread], f"overlaps: {each}"
            open_until[thread] = each["ts"] + each["dur"]


def everything_ends(timed):
    """Asynchronous events of one id end as they began: the last one first."""
    stacks = defaultdict(list)
    for each in timed:
        if each["ph"] not in "be":
            continue
        stack = stacks[each["pid"], each["id2"]["local"]]
        if each["ph"] == "b":
            stack.append((each["cat"], each["name"]))
        else:
            assert stack and stack.pop() == (each["cat"], each["name"]), f"ends what did not begin last: {each}"
    assert not any(stacks.values()), "not everything ended"


def told(trace):
    """How many events of each type stand in it."""
    return Counter(each["cat"] for each in trace["traceEvents"] if "event" in each.get("args", {}) and each["ph"] in "Xbi")
