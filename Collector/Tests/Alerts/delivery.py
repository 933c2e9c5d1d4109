"""Channels that do not wait for each other, what cannot be read, a collector that dies between a decision and the first attempt, and
clocks that jump."""

import json
import sqlite3
import time
from contextlib import closing

from receivers import add, hang, messages, no_content, status


def database(collector, sql, *arguments):
    """Changes the index beside the collector, as nothing from outside could."""
    with closing(sqlite3.connect(collector.directory / "data" / "index.sqlite", timeout=20)) as connection, connection:
        return connection.execute(sql, arguments).fetchall()


def rule_for(collector, post, name, *channels, kind="new_issue", **more):
    return post(collector, "api/alerts/rules", {"kind": kind, "name": name, "channels": list(channels), **more})["id"]


def wait_for(found, what, seconds=40):
    deadline = time.time() + seconds
    while not (result := found()):
        assert time.time() < deadline, what
        time.sleep(0.1)
    return result


def check_independent(collector, post, receiver, crash):
    """Receivers that hang keep nobody else waiting: another channel is tried again when it is due, and a new alert goes out at once."""
    def refuse_then_hang(handler, count):
        if count == 0:
            return status(handler, 503)
        if count == 1:
            time.sleep(30)
        return no_content(handler, count)

    stuck = [f"stuck{number}" for number in range(4)]
    receiver.answers = {f"/{name}": refuse_then_hang for name in stuck}
    receiver.answers["/waits"] = lambda handler, count: status(handler, 503, Retry_After="8") if count == 0 else no_content(handler, count)
    channels = [add(collector, post, receiver, name) for name in (*stuck, "waits", "free")]
    rule = rule_for(collector, post, "Independent", *channels)
    crash("Delivery.independent()")
    for name in stuck:
        receiver.until(f"/{name}", 2)
    # Now all of them hang, for fifteen seconds.
    begun = time.time()
    crash("Delivery.meanwhile()")
    first, again = receiver.until("/waits", 2)[:2]
    assert first[2] == again[2] and 7.9 <= again[1] - first[1] < 11, again[1] - first[1]
    second = receiver.until("/free", 2)[1]
    assert second[1] - begun < 6, second[1] - begun
    collector.delete(f"api/alerts/rules/{rule}")
    for channel in channels:
        collector.delete(f"api/alerts/channels/{channel}")


def check_order(collector, post, receiver, crash):
    """What a receiver refuses keeps no other alert waiting, and none about the same is told before it; when something is taken again, it is
    tried again soon."""
    def refuse_first(handler, _):
        """The first issue's alert, twice."""
        told = [request for request in receiver.at("/order") if "orderA" in json.dumps(request[3])]
        this = receiver.at("/order")[-1]
        status(handler, 503) if "orderA" in json.dumps(this[3]) and len(told) <= 2 else no_content(handler, 0)

    receiver.answers = {"/order": refuse_first}
    channel = add(collector, post, receiver, "order")
    rule = rule_for(collector, post, "Order", channel)
    crash("Delivery.orderA()")
    receiver.until("/order", 2)
    issue = receiver.at("/order")[0][3]["data"]["subject"]
    collector.put(f"api/issues/{issue}/status", {"status": "resolved"})
    crash("Delivery.orderB()")
    came = receiver.until("/order", 5)
    kinds = [("A" if request[3]["data"]["subject"] == issue else "B", request[3]["type"].removeprefix("alert.")) for request in came]
    assert kinds == [("A", "triggered")] * 2 + [("B", "triggered"), ("A", "triggered"), ("A", "resolved")], kinds
    # Not after the half a minute that it would have had to wait.
    assert came[3][1] - came[2][1] < 5, came[3][1] - came[2][1]
    collector.delete(f"api/alerts/rules/{rule}")


def check_unreadable(collector, post, receiver, crash):
    """An alert that cannot be read is set aside, counted and noted down; its channel goes on."""
    receiver.answers = {"/unreadable": lambda handler, count: status(handler, 503) if count == 0 else no_content(handler, count)}
    channel = add(collector, post, receiver, "unreadable")
    rule = rule_for(collector, post, "Unreadable", channel)
    before = collector.get("api/alerts")["sending"]["unreadable"]
    crash("Delivery.unreadable()")
    receiver.until("/unreadable", 1)
    wait_for(lambda: messages(collector, channel)[0]["attempts"] == 1, "it was refused")
    database(collector, """UPDATE alert_log SET alert = '{"kind":"weather"}' WHERE id IN (SELECT log FROM alert_message WHERE channel = ?)""", channel)
    crash("Delivery.readable()")
    assert "readable()" in receiver.until("/unreadable", 2)[1][3]["data"]["title"]
    wait_for(lambda: collector.get("api/alerts")["sending"]["unreadable"] == before + 1, "it is counted")
    wait_for(lambda: messages(collector, channel)[0]["state"] == "sent", "the other one is sent")
    said = messages(collector, channel)[1]
    assert said["state"] == "failed" and "cannot be read" in said["reason"], said
    assert collector.get("api/alerts")["waiting"].get(str(channel)) is None
    collector.delete(f"api/alerts/rules/{rule}")


def check_undecided(collector, post, receiver, crash):
    """Killed after it decided and before it tried, and then again and again while it starts, it tells once what it had decided."""
    receiver.answers = {"/first": hang}
    channel = add(collector, post, receiver, "first")
    rule = rule_for(collector, post, "First", channel)
    crash("Delivery.underWay()")
    under_way = receiver.until("/first", 1)[0]
    crash("Delivery.decided()")
    decided = wait_for(lambda: [each for each in messages(collector, channel) if each["attempts"] == 0 and each["id"] != under_way[2]], "it decides")[0]
    assert len(receiver.at("/first")) == 1
    for pause in (0, 0.2, 0.5, 1):
        collector.kill()
        collector.start()
        time.sleep(pause)
    wait_for(lambda: [each["state"] for each in messages(collector, channel)] == ["sent", "sent"], "both are sent")
    time.sleep(2)
    names = [request[2] for request in receiver.at("/first")]
    # One that was under way can come again, under its name; nothing is told under two.
    assert set(names) == {under_way[2], decided["id"]} and names.index(decided["id"]) > 0, names
    titles = {request[2]: request[3]["data"]["title"] for request in receiver.at("/first")}
    assert "decided" in titles[decided["id"]] and "underWay" in titles[under_way[2]], titles
    collector.delete(f"api/alerts/rules/{rule}")


def check_once_after_kill(collector, post, receiver, crash):
    """A decision that was never tried is sent by the next run, exactly once."""
    slow = lambda handler, count: (time.sleep(40) if count == 0 else None, no_content(handler, count))  # noqa: E731
    receiver.answers = {"/once": slow}
    channel = add(collector, post, receiver, "once")
    rule = rule_for(collector, post, "Once", channel)
    crash("Delivery.blocks()")
    receiver.until("/once", 1)
    crash("Delivery.once()")
    decided = wait_for(lambda: [each for each in messages(collector, channel) if each["attempts"] == 0][:1] if len(messages(collector, channel)) == 2 else None, "it decides")[0]
    collector.kill()
    assert [request for request in receiver.at("/once") if request[2] == decided["id"]] == []
    collector.start()
    receiver.until("/once", 3)
    time.sleep(3)
    assert [request[2] for request in receiver.at("/once")].count(decided["id"]) == 1, receiver.at("/once")
    assert len(receiver.at("/once")) == 3
    collector.delete(f"api/alerts/rules/{rule}")


def check_removed(collector, post, receiver, crash):
    """A channel that is removed while its message is under way: the log says that this one was sent, and nothing else is."""
    def slow(handler, count):
        time.sleep(3)
        no_content(handler, count)

    receiver.answers = {"/removed": slow}
    channel = add(collector, post, receiver, "removed")
    rule = rule_for(collector, post, "Removed", channel)
    crash("Delivery.removed()")
    receiver.until("/removed", 1)
    crash("Delivery.dropped()")
    wait_for(lambda: len(messages(collector, channel)) == 2, "it decides")
    collector.delete(f"api/alerts/channels/{channel}")
    wait_for(lambda: [each["state"] for each in messages(collector, channel)] == ["failed", "sent"], messages(collector, channel))
    crash("Delivery.later()")
    time.sleep(2)
    assert len(receiver.at("/removed")) == 1
    assert "removed" in messages(collector, channel)[0]["reason"]
    collector.delete(f"api/alerts/rules/{rule}")


def check_clock(collector, post, receiver, crash):
    """A clock that was a day ahead and is set right makes no message wait, and leaves a rule its room."""
    day = 86_400_000
    receiver.answers = {"/clock": lambda handler, count: status(handler, 503) if count == 0 else no_content(handler, count)}
    channel = add(collector, post, receiver, "clock")
    rule = rule_for(collector, post, "Clock", channel)
    crash("Delivery.clock()")
    wait_for(lambda: [each["attempts"] for each in messages(collector, channel)] == [1], "it was refused")
    database(collector, "UPDATE alert_message SET due = due + ?, changedAt = changedAt + ? WHERE channel = ?", day, day, channel)
    for _ in range(25):
        database(collector, "INSERT INTO alert_log(rule, at, event, subject, alert) SELECT rule, at + ?, event, subject, alert FROM alert_log WHERE rule = ? LIMIT 1", day, rule)
    receiver.until("/clock", 2, seconds=10)
    crash("Delivery.afterwards()")
    assert "afterwards" in receiver.until("/clock", 3, seconds=10)[2][3]["data"]["title"]
    collector.delete(f"api/alerts/rules/{rule}")


def check_mended(collector, post, receiver, crash):
    """What waits for a channel is sent as soon as somebody mends it."""
    receiver.answers = {"/broken": lambda handler, _: status(handler, 503)}
    channel = add(collector, post, receiver, "broken")
    rule = rule_for(collector, post, "Mended", channel)
    crash("Delivery.mended()")
    receiver.until("/broken", 2)
    collector.put(f"api/alerts/channels/{channel}", {"url": receiver.url("/mended")})
    receiver.until("/mended", 1, seconds=5)
    collector.delete(f"api/alerts/rules/{rule}")


def check_outage(collector, post, receiver, crash):
    """When a receiver is back and takes one alert, it soon has all that waited for it, each once."""
    is_down = [True]
    receiver.answers = {"/outage": lambda handler, count: status(handler, 503) if is_down[0] else no_content(handler, count)}
    channel = add(collector, post, receiver, "outage")
    rule = rule_for(collector, post, "Outage", channel)
    for name in "abc":
        crash(f"Delivery.outage{name}()")
    receiver.until("/outage", 6)
    wait_for(lambda: [each["attempts"] for each in messages(collector, channel)] == [2, 2, 2], "each is refused twice")
    is_down[0] = False
    begun = time.time()
    crash("Delivery.back()")
    came = receiver.until("/outage", 10, seconds=20)[6:]
    assert "back()" in came[0][3]["data"]["title"] and len({request[2] for request in came}) == 4, came
    assert came[-1][1] - begun < 15, came[-1][1] - begun
    collector.delete(f"api/alerts/rules/{rule}")


CHECKS = [check_independent, check_order, check_unreadable, check_undecided, check_once_after_kill, check_removed, check_clock, check_mended,
          check_outage]
