"""Who has no key, or one that is good for something else."""

import gzip
import hashlib
import json
import socket
import threading
import time

from house import INGEST, MINE, OPERATOR, THEIRS, House, log


def doubled_slash(tool, place):
    """1. A target that is not in normal form passes no key"""
    with House(tool, place) as house:
        for target in ("//api/keys", "///api/keys", "//api//keys", "http://h//api/keys"):
            status, text = house.ask("POST", target, {"role": "operator"})
            if status < 300:
                key = json.loads(text)["key"]
                yield f"POST {target} without a key gives out an operator's, which {house.ask('GET', '/api/projects', key=key)[0]} answers"
        for method, target in (("GET", "//api/sessions"), ("GET", "/api//sessions"), ("DELETE", "//api/projects/1"), ("GET", "//metrics"),
                               ("PUT", "//api/config/%2A"), ("POST", "//sdk-events")):
            status, _ = house.ask(method, target, {} if method in ("PUT", "POST") else None)
            if status not in (400, 401, 403):
                yield f"{method} {target} without a key: {status}"


def batches(tool, place):
    """2. A project's key reads and empties nobody's batches"""
    with House(tool, place) as house:
        house.deliver([log("s", "their secret")])
        status, text = house.ask("GET", "/sdk-events", key=house.app_key)
        if status == 200 and THEIRS.encode() in text:
            left = house.ask("GET", "/sdk-events", key=INGEST)[1]
            yield f"GET /sdk-events: {len(text)} bytes with the other app's batch; {'it is gone' if THEIRS.encode() not in left else 'it stays'}"


def upload_token(tool, place):
    """3. An upload token is good for uploads of its app"""
    with House(tool, place) as house:
        secret = configure(house)
        token = house.tell("POST", "/api/ingest/auth/device", {"deviceId": "d"}, house.app_key, {"x-bundle-id": MINE})["uploadToken"]
        status, _ = house.deliver([log("s")], key=token)
        if status < 300:
            yield f"delivers for {THEIRS}: {status}"
        status, text = house.ask("GET", f"/sdk-config?bundleId={THEIRS}", key=token)
        if secret in text:
            yield f"reads the configuration of {THEIRS}"
        status, _ = house.ask("GET", f"/sdk-commands?bundleId={THEIRS}&launchId=x&wait=0", key=token)
        if status < 300:
            yield f"asks for the commands of {THEIRS}: {status}"


def commands(tool, place):
    """4. A project's key gets no other app's commands and configuration"""
    with House(tool, place) as house:
        if configure(house) in house.ask("GET", f"/sdk-config?bundleId={THEIRS}", key=house.app_key)[1]:
            yield f"reads the configuration of {THEIRS}"
        shown = []

        def operate():
            for _ in range(20):
                command = {"bundleId": THEIRS, "command": "sql", "arguments": {"sql": "select secret"}, "timeoutSeconds": 5}
                status, text = house.ask("POST", "/api/commands", command, OPERATOR)
                if status != 404:
                    return shown.append(text)
                time.sleep(0.1)

        thread = threading.Thread(target=operate)
        thread.start()
        target = f"/sdk-commands?bundleId={THEIRS}&launchId=L&commands=sql&wait=2"
        status, text = house.ask("GET", target, key=house.app_key)
        if b"select secret" in text:
            yield "the operator's SQL goes to the attacker"
            id = json.loads(text)["commands"][0]["id"]
            house.ask("POST", f"/sdk-commands/{id}/result?launchId=L", {"ok": True, "result": {"rows": ["forged"]}}, house.app_key)
        thread.join()
        if any(b"forged" in text for text in shown):
            yield "and its forged answer is shown"


def sessions(tool, place):
    """5. A project's key writes into no other app's session"""
    with House(tool, place) as house:
        house.deliver([log("s-1", "theirs")], key=house.their_key)
        house.until("/api/sessions/s-1", lambda found: found["events"] == 1)
        for app, how in ((MINE, "naming it"), (None, "naming no app")):
            house.deliver([log("s-1", f"forged by {how}", user="forger")], app, house.app_key)
        replay(house, house.app_key, MINE, "s-1")
        # Whatever comes last has come: what came before is there, too.
        house.deliver([log("s-2")], key=house.their_key)
        house.until("/api/sessions/s-2", lambda found: found["events"] == 1)
        found = house.tell("GET", "/api/sessions/s-1", key=INGEST)
        if found["events"] != 1 or found["userId"] != "mira":
            yield f"the session has {found['events']} events of 1, and is {found['userId']}'s"
        if house.tell("GET", "/api/sessions/s-1/replays", key=INGEST)["replays"]:
            yield "a replay is attached to it"


def foreign_page(tool, place):
    """12. A page of another origin empties no batches"""
    with House(tool, place, locked=False) as house:
        house.deliver([log("s")], key=None)
        framed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
        status, _ = house.ask("GET", "/sdk-events", headers=framed)
        left = house.ask("GET", "/sdk-events")[1]
        if THEIRS.encode() not in left:
            yield f"an iframe's GET /sdk-events answers {status}, and the batches are gone"


def host(tool, place):
    """13. A host name is one, and is checked whole; too many header fields are 431"""
    with House(tool, place, locked=False) as house:
        def status(head):
            with house.socket(b"GET /api/sessions HTTP/1.1\r\n" + head + b"Connection: close\r\n\r\n") as connection:
                return int(connection.makefile("rb").readline().split()[1])

        for name, head in (("Host: localhost:evil.com", b"Host: localhost:evil.com\r\n"),
                           ("two Hosts", f"Host: 127.0.0.1:{house.port}\r\nHost: evil.com\r\n".encode())):
            if (found := status(head)) == 200:
                yield f"{name}: {found}"
        if (found := status(b"Host: 127.0.0.1\r\n" + b"".join(b"x-%d: 1\r\n" % n for n in range(101)))) != 431:
            yield f"101 header fields: {found}"


def head(tool, place):
    """11. HEAD has no body, so that the next answer on the connection is the next answer"""
    with House(tool, place, locked=False) as house:
        with house.socket(b"HEAD / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") as connection:
            connection.settimeout(1)
            text = b""
            try:
                while piece := connection.recv(65536):
                    text += piece
            except socket.timeout:
                pass
        body = text.partition(b"\r\n\r\n")[2]
        if body:
            yield f"HEAD / sends {len(body)} bytes after its head"


# MARK: What they use

def configure(house):
    """Something in the other app's configuration that only it should see."""
    house.tell("PUT", f"/api/config/{THEIRS}", {"shop": {"campaign": "not-for-you"}}, OPERATOR)
    return b"not-for-you"


def replay(house, key, app, session):
    """A segment that says to which session it belongs."""
    content = b'{"t":1790000000000,"screen":"Forged","w":10,"h":10,"nodes":[]}\n'
    packed, digest = gzip.compress(content), hashlib.sha256(content).hexdigest()
    id = digest[:32]
    headers = {"x-bundle-id": app}
    announced = {"sessionId": "forged-replay", "segmentId": id, "kind": "hierarchy", "startTime": 1_790_000_000_000, "endTime": 1_790_000_000_001,
                 "frameCount": 1, "sizeBytes": len(packed), "compression": "gzip", "contentHash": digest, "telemetrySessionIds": [session]}
    told = house.tell("POST", "/api/ingest/segment/presign", announced, key, headers)
    house.ask("PUT", told["uploadUrl"], packed, key, {**headers, "Content-Type": "application/gzip"})
    house.tell("POST", "/api/ingest/segment/complete", {"segmentId": id, "frameCount": 1, "actualSizeBytes": len(packed)}, key, headers)
