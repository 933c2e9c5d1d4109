"""Receivers that refuse, redirect, hang or never end; and a collector that is killed before it has sent."""

import collections
import http.server
import json
import threading
import time

# As it came: `id` is the message's; `raw` is what was signed.
Request = collections.namedtuple("Request", "path at id body headers raw")


class Receiver:
    """Answers each path as `answers` says: a function of how often it was asked already, which is given the handler."""

    def __init__(self):
        self.requests = []
        self.answers = {}
        self.lock = threading.Lock()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                raw = self.rfile.read(int(self.headers["content-length"]))
                with outer.lock:
                    count = len([one for one in outer.requests if one.path == self.path])
                    headers = {name.lower(): value for name, value in self.headers.items()}
                    outer.requests.append(Request(self.path, time.time(), headers.get("webhook-id"), json.loads(raw), headers, raw))
                outer.answers.get(self.path, no_content)(self, count)

            def do_GET(self):
                with outer.lock:
                    outer.requests.append(Request(self.path, time.time(), None, None, {}, b""))
                no_content(self, 0)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, path):
        return f"http://127.0.0.1:{self.port}{path}"

    def at(self, path):
        with self.lock:
            return [request for request in self.requests if request.path == path]

    def until(self, path, count, seconds=60):
        deadline = time.time() + seconds
        while len(found := self.at(path)) < count:
            assert time.time() < deadline, (path, count, len(found))
            time.sleep(0.05)
        return found

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def no_content(handler, _count):
    status(handler, 204)


def status(handler, code, **headers):
    try:
        handler.send_response(code)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", "0")
        handler.end_headers()
    except OSError:
        pass


def once(code, **headers):
    """Refuses the first time."""
    return lambda handler, count: status(handler, *((code,) if count == 0 else (204,)), **(headers if count == 0 else {}))


def hang(handler, count):
    """Says nothing the first time, for longer than anybody waits."""
    if count == 0:
        time.sleep(40)
    no_content(handler, count)


def endless(handler, _count):
    """Takes it, and never ends saying so."""
    try:
        handler.send_response(200)
        handler.end_headers()
        for _ in range(200_000):
            handler.wfile.write(b"x" * 65_536)
    except OSError:
        pass


def messages(collector, channel):
    """What the log says of a channel's messages, the newest first."""
    log = collector.get("api/alerts/log?limit=200")["log"]
    return [message for entry in log for message in entry["messages"] if message["channel"] == channel]


def add(collector, post, receiver, name, kind="webhook", **more):
    return post(collector, "api/alerts/channels", {"kind": kind, "name": name, "url": receiver.url(f"/{name}"), **more})["id"]


def check_receivers(collector, post, receiver, crash):
    """What is refused for now comes again under the same id, not before it was asked to; what is refused for good does not."""
    inside = Receiver()
    asked = {"429": 9}
    receiver.answers = {
        "/429": once(429, Retry_After=str(asked["429"])), "/503": once(503), "/hang": hang, "/endless": endless,
        "/redirect": lambda handler, _: status(handler, 302, Location=inside.url("/inside")),
        "/metadata": lambda handler, _: status(handler, 307, Location="http://169.254.169.254/latest/meta-data/"),
    }
    channels = {name: add(collector, post, receiver, name) for name in ("429", "503", "redirect", "metadata", "hang", "endless")}
    rule = post(collector, "api/alerts/rules", {"kind": "new_issue", "name": "Refused", "channels": list(channels.values())})["id"]
    crash("Receivers.refuse()")
    for name, shortest in (("429", asked["429"]), ("503", 5), ("hang", 5)):
        first, second = receiver.until(f"/{name}", 2)[:2]
        assert first[2] == second[2] and first[3]["id"] == second[3]["id"] == first[2], (name, first, second)
        assert second[1] - first[1] >= shortest - 0.1, (name, second[1] - first[1])
    deadline = time.time() + 30
    while any(messages(collector, channel)[0]["state"] == "waiting" for channel in channels.values()):
        assert time.time() < deadline, {name: messages(collector, channel) for name, channel in channels.items()}
        time.sleep(0.2)
    for name, channel in channels.items():
        said = messages(collector, channel)
        assert len(said) == 1, (name, said)
        is_final = name in ("redirect", "metadata")
        assert said[0]["state"] == ("failed" if is_final else "sent"), (name, said)
        assert len(receiver.at(f"/{name}")) == said[0]["attempts"] == (1 if is_final or name == "endless" else 2), (name, said)
        if is_final:
            assert "redirect" in said[0]["reason"], said
    assert not inside.requests, inside.requests
    inside.stop()
    collector.delete(f"api/alerts/rules/{rule}")


def check_killed(collector, post, receiver, crash):
    """Killed while a receiver says nothing yet, it has lost nothing: the next run sends the same, under the same id."""
    receiver.answers = {"/killed": hang}
    channel = add(collector, post, receiver, "killed")
    rule = post(collector, "api/alerts/rules", {"kind": "new_issue", "name": "Killed", "channels": [channel]})["id"]
    crash("Receivers.die()")
    first = receiver.until("/killed", 1)[0]
    collector.kill()
    collector.start()
    second = receiver.until("/killed", 2)[1]
    assert first[2] == second[2] and first[3] == second[3], (first, second)
    time.sleep(2)
    assert len(receiver.at("/killed")) == 2
    assert [message["state"] for message in messages(collector, channel)] == ["sent"]
    collector.delete(f"api/alerts/rules/{rule}")
