"""What a forwarder does, one thing after another; ledger.py has it all at once."""

import subprocess
import time

import receiver as moods

from receiver import Receiver
from source import add, lane, logs, spans, until


def opened(place):
    """A receiver to which the collector may send."""
    receiver = Receiver()
    place.again("--allow-egress", f"127.0.0.1:{receiver.port}")
    return receiver


def names(receiver, path="/v1/logs"):
    return [name for request in receiver.at(path) if request.acknowledged for name in request.names]


def settled(place, forwarder, count, signal="logs"):
    def ask():
        found = lane(place, forwarder, signal)
        return found if found["sent"] + found["rejected"] >= count else None
    return until(ask)


def conventions(place):
    """what is forwarded has the words of the export, in protobuf and in JSON; and nothing from before"""
    receiver = opened(place)
    logs(place, [0])
    until(lambda: place.get("/api/settings")["storage"]["events"] == 1)
    for count, form in enumerate(("protobuf", "json"), 1):
        forwarder = add(place, receiver, name=form, format=form, headers={"X-Token": "blue-sky"})
        expected = logs(place, [count], severity=17) + spans(place, [count])
        settled(place, forwarder, 1), settled(place, forwarder, 1, "traces")
        request = receiver.at("/v1/logs")[-1]
        assert request.names == expected[:1], request.names
        assert request.headers["x-token"] == "blue-sky" and request.headers["user-agent"].startswith("automobile/"), request.headers
        resource = {each.key: each.value.string_value for each in request.message.resource_logs[0].resource.attributes}
        assert resource["service.name"] == "com.example.coffee", resource
        record = request.records[0]
        attributes = {each.key: each.value for each in record.attributes}
        assert record.severity_number == 17 and attributes["session.id"].string_value == "forwarded", record
        assert attributes["log.record.uid"].string_value and attributes["number"].int_value == count, record
        span = receiver.at("/v1/traces")[-1].records[0]
        assert (span.name, span.trace_id) == (expected[1], (count + 1).to_bytes(16, "big")), span
        place.send("PUT", f"/api/forwarders/{forwarder}", {"paused": True})
    earlier = add(place, receiver, name="all", fromBeginning=True)
    settled(place, earlier, 3)
    assert receiver.at("/v1/logs")[-1].names == ["log 0", "log 1", "log 2"], receiver.at("/v1/logs")[-1].names
    receiver.stop()


def asked_to_wait(place):
    """a receiver that says when to come again is left alone until then, and the other signal goes on"""
    receiver = opened(place)
    receiver.answer = moods.in_turn(moods.refuse(429, Retry_After="3"))
    forwarder = add(place, receiver)
    logs(place, range(5))
    first = receiver.until("/v1/logs", 1)[0]
    waiting = until(lambda: (found := lane(place, forwarder))["state"] == "waiting" and found)
    assert "429" in waiting["reason"] and waiting["attempts"] == 1, waiting
    receiver.answer = moods.accept
    spans(place, [1])
    settled(place, forwarder, 1, "traces")
    second = receiver.until("/v1/logs", 2)[1]
    assert second.at - first.at >= 3, second.at - first.at
    assert second.names == first.names
    assert settled(place, forwarder, 5)["sent"] == 5
    receiver.stop()


def part(place):
    """of a partial success nothing is sent again, and what the receiver said of it stands there"""
    receiver = opened(place)
    receiver.answer = moods.in_turn(moods.partial(2, "two are too long"), moods.partial(10**9, "all"), moods.partial(-5, "less than nothing"))
    forwarder = add(place, receiver)
    for count, (sent, rejected, words) in enumerate([(3, 2, "two are too long"), (3, 7, "all"), (8, 7, "less than nothing")], 1):
        logs(place, range(count * 5, count * 5 + 5))
        found = settled(place, forwarder, count * 5)
        assert (found["sent"], found["rejected"]) == (sent, rejected), found
        assert words in found["refusal"], found
    time.sleep(1)
    assert len(receiver.at("/v1/logs")) == 3
    receiver.stop()


def refused(place):
    """what is refused for good is counted and not repeated; what only somebody can mend is waited for"""
    receiver = opened(place)
    receiver.answer = moods.in_turn(moods.refuse(400, "no timestamps from the future"), moods.refuse(500, "oops"))
    forwarder = add(place, receiver, headers={"Authorization": "Bearer sesame-1234"})
    for count in (1, 2):
        logs(place, [count])
        found = settled(place, forwarder, count)
        assert (found["sent"], found["rejected"]) == (0, count), found
    assert "oops" in found["refusal"] and len(receiver.at("/v1/logs")) == 2, found
    # A token that has expired, repeated by the receiver where everybody can read it.
    receiver.answer = moods.refuse(401, "token Bearer sesame-1234 (sesame-1234) is not known")
    missed = logs(place, range(10, 15))
    blocked = until(lambda: (found := lane(place, forwarder))["state"] == "blocked" and found)
    assert "401" in blocked["reason"] and "sesame" not in str(place.get("/api/forwarders")), blocked
    time.sleep(2)
    assert len(receiver.at("/v1/logs")) == 3
    receiver.answer = moods.accept
    status, _ = place.send("PUT", f"/api/forwarders/{forwarder}", {"headers": {"Authorization": "Bearer open"}})
    assert status == 200
    settled(place, forwarder, 7)
    assert names(receiver) == missed and receiver.at("/v1/logs")[-1].headers["authorization"] == "Bearer open"
    # No traces here: logs go on.
    receiver.answer = lambda handler, request: (moods.refuse(404) if request.path == "/v1/traces" else moods.accept)(handler, request)
    spans(place, [1])
    until(lambda: lane(place, forwarder, "traces")["state"] == "blocked")
    logs(place, [20])
    settled(place, forwarder, 8)
    # Who says nothing else is asked once more by whoever resumes.
    receiver.answer = moods.accept
    place.send("PUT", f"/api/forwarders/{forwarder}", {"paused": False})
    settled(place, forwarder, 1, "traces")
    receiver.stop()


def too_much(place):
    """a receiver that takes little at once is sent little at once"""
    receiver = opened(place)
    receiver.answer = lambda handler, request: (moods.accept if len(request.records) <= 30 else moods.refuse(413))(handler, request)
    forwarder = add(place, receiver)
    expected = logs(place, range(500))
    found = settled(place, forwarder, 500)
    assert (found["sent"], found["rejected"]) == (500, 0) and names(receiver) == expected, found
    receiver.answer = moods.refuse(413)
    logs(place, range(500, 503))
    assert settled(place, forwarder, 503)["rejected"] == 3
    receiver.stop()


def filters(place):
    """several forwarders, each with what it wants: types, level, app"""
    receiver, other = Receiver(), Receiver()
    place.again("--allow-egress", f"127.0.0.1:{receiver.port}", "--allow-egress", f"127.0.0.1:{other.port}")
    errors = add(place, receiver, name="errors", level="error")
    tea = add(place, other, name="tea", bundleId="com.example.tea", types=["log"], gzip=False)
    slow = add(place, other, name="same place", types=["span"])
    logs(place, [1, 2])
    loud = logs(place, [3, 4], severity=17)
    ours = logs(place, [5, 6], service="com.example.tea", session="tea")
    timed = spans(place, [7], service="com.example.tea", session="tea")
    settled(place, errors, 2), settled(place, tea, 2), settled(place, slow, 1, "traces")
    assert names(receiver) == loud and names(other) == ours, (names(receiver), names(other))
    assert names(receiver, "/v1/traces") == [] and names(other, "/v1/traces") == timed
    assert lane(place, tea, "traces")["state"] == "unused" and lane(place, slow)["state"] == "unused"
    assert "content-encoding" not in other.at("/v1/logs")[0].headers
    receiver.stop(), other.stop()


def doors(place):
    """this machine is refused unless it is allowed, redirects are not followed, and what is wrong with a forwarder is said"""
    receiver = Receiver()
    forwarder = add(place, receiver)
    logs(place, [1])
    blocked = until(lambda: (found := lane(place, forwarder))["state"] == "blocked" and found)
    assert "--allow-egress" in blocked["reason"], blocked
    assert not receiver.requests
    # Who allows it has what waited sent.
    place.again("--allow-egress", f"127.0.0.1:{receiver.port}")
    settled(place, forwarder, 1)
    receiver.answer = moods.refuse(302, Location="http://169.254.169.254/latest/meta-data")
    logs(place, [2])
    blocked = until(lambda: (found := lane(place, forwarder))["state"] == "blocked" and found)
    assert "redirect" in blocked["reason"], blocked
    for members, code in [
            ({"url": "http://127.1:4318"}, "invalid_url"), ({"url": "ftp://example.com"}, "invalid_url"), ({}, "invalid_url"),
            ({"url": "https://a:b@example.com"}, "invalid_url"), ({"url": "https://example.com/v1/logs"}, "invalid_url"),
            ({"url": "https://example.com", "level": "loud"}, "invalid_level"), ({"url": "https://example.com", "format": "xml"}, "invalid_format"),
            ({"url": "https://example.com", "headers": {"Host": "x"}}, "invalid_headers"),
            ({"url": "https://example.com", "headers": {"X-A": "b\r\nX-B: c"}}, "invalid_headers"),
            ({"url": "https://example.com", "headers": {"A b": "c"}}, "invalid_headers"),
            ({"url": "https://example.com", "colour": "red"}, "unknown_member"), ({"url": receiver.url}, "name_taken")]:
        status, answer = place.send("POST", "/api/forwarders", members)
        assert status in (400, 409) and answer["error"]["code"] == code, (members, answer)
    # Credentials don't go along to another place.
    place.send("PUT", f"/api/forwarders/{forwarder}", {"headers": {"Authorization": "Bearer sesame"}})
    status, answer = place.send("PUT", f"/api/forwarders/{forwarder}", {"url": "https://elsewhere.example.com"})
    assert status == 400 and answer["error"]["code"] == "invalid_headers", answer
    receiver.stop()


def bounded(place):
    """when more waits than the operator wants, the oldest is left out and counted"""
    receiver = opened(place)
    receiver.answer = moods.refuse(503)
    forwarder = add(place, receiver, mostBehind=100)
    for start in range(0, 1000, 50):
        logs(place, range(start, start + 50))
    until(lambda: lane(place, forwarder)["passedOver"] >= 800)
    receiver.answer = moods.accept
    until(lambda: lane(place, forwarder)["behind"] == 0, 90)
    found = lane(place, forwarder)
    assert found["sent"] + found["passedOver"] == 1000 and found["sent"] >= 100, found
    assert names(receiver)[-1] == "log 999" and len(set(names(receiver))) == found["sent"], found
    receiver.stop()


def stopped(place):
    """a collector that is stopped in order, or paused, sends nothing twice, however slow the receiver is"""
    receiver = opened(place)
    receiver.answer = moods.after(0.8)
    forwarder = add(place, receiver)
    expected = []
    for number in range(4):
        expected += logs(place, range(number * 10, number * 10 + 10))
        receiver.until("/v1/logs", number + 1)
        if number % 2:
            place.send("PUT", f"/api/forwarders/{forwarder}", {"paused": True})
            place.send("PUT", f"/api/forwarders/{forwarder}", {"paused": False})
        else:
            place.again(*place.more)
    settled(place, forwarder, 40)
    assert names(receiver) == expected, names(receiver)
    receiver.stop()


def commands(place):
    """the command line adds, lists, shows, tries, pauses, resumes and removes; and shows no secret"""
    receiver = opened(place)
    token = place.directory / "token"
    token.write_text("Authorization: Bearer sesame-1234\n")
    place.command("forward", "add", receiver.url + "/very-secret-path", "--name", "Lab", "--header-file", str(token), "--type", "log,span",
                  "--level", "info", "--app", "com.example.coffee", "--most-behind", "5000", "--from-beginning", "--format", "json", "--no-gzip")
    done = place.command("forward", "test", "Lab")
    assert done.stdout.decode().count("taken") == 2, done.stdout
    tried = receiver.at("/very-secret-path/v1/logs")[0]
    assert tried.records[0].event_name == "automobile.forwarder.test" and tried.headers["authorization"] == "Bearer sesame-1234"
    place.command("forward", "pause", "Lab")
    logs(place, [1])
    shown = place.command("forward", "show", "Lab").stdout.decode()
    listed = place.command("forward", "list").stdout.decode() + place.command("forward", "--json").stdout.decode() + shown
    assert "paused" in shown and "sesame" not in listed and "very-secret" not in listed and "Authorization" in shown, listed
    time.sleep(0.5)
    assert len(receiver.at("/very-secret-path/v1/logs")) == 1
    place.command("forward", "resume", "1")
    until(lambda: len(receiver.at("/very-secret-path/v1/logs")) == 2)
    receiver.answer = moods.refuse(503)
    failed = subprocess.run([place.tool, "forward", "test", "Lab", "--url", place.url], capture_output=True, timeout=60)
    assert failed.returncode == 1 and b"503" in failed.stdout, failed
    token.write_text("X-Token: blue-sky")
    place.command("forward", "set", "Lab", "--level", "error", "--type", "", "--header-file", str(token), "--gzip")
    changed = place.get("/api/forwarders")["forwarders"][0]
    assert (changed["level"], changed["types"], changed["headers"], changed["gzip"]) == ("error", [], ["X-Token"], True), changed
    place.command("forward", "remove", "Lab")
    assert place.get("/api/forwarders")["forwarders"] == []
    receiver.stop()


CHECKS = [conventions, asked_to_wait, part, refused, too_much, filters, doors, bounded, stopped, commands]
