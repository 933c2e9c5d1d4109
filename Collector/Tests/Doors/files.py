"""What is written: to a terminal, to the disk, and by whoever sends a file."""

import base64
import gzip
import json
import os
import pty
import subprocess

from house import INGEST, House, envelope, log, places
from strangers import replay


def terminal(tool, place):
    """8. What was recorded gives a terminal no commands"""
    with House(tool, place, locked=False) as house:
        escape = "\x1b]0;owned\x07\x1b[2J"
        request = {"eventType": "network_request", "timestamp": 1_790_000_000_000, "url": f"https://api.example.com/{escape}", "host": "api.example.com",
                   "path": "/", "method": "GET", "statusCode": 500, "durationMs": 1.0, "requestHeaders": {"X-Note": escape},
                   "requestBody": f"a={escape}", "sessionId": "s", "context": {"sessionId": "s"}}
        house.deliver([request], key=None)
        found = house.until("/api/network", lambda found: found["requests"], key=None)
        told = on_terminal([tool, "network", str(found["requests"][0]["id"]), "--curl", "--url", house.url])
        assert b"curl" in told, told
        if b"\x1b]" in told or b"\x1b[2J" in told:
            yield f"network --curl writes {told.count(bytes([27]))} escape characters to the terminal"


def session_file(tool, place):
    """9. A session file changes no session but its own"""
    with House(tool, place, locked=False) as house:
        launch = "6F9619FF-8B86-D011-B42D-00CF4FC964FF"
        house.deliver([log("s-1")], key=None, launch=launch)
        house.until("/api/sessions/s-1", lambda found: found["events"] == 1, key=None)
        replay(house, None, "dev.victim.app", "s-1")
        forged = envelope([log("s-1", "forged", user="forger"), log("s-9", "of another", user="forger")], "dev.victim.app", "6F9619FF-8B86-D011-B42D-00CF4FC964F0")
        wrong_hash = {"sessionId": "r", "segmentId": "a" * 32, "kind": "hierarchy", "startTime": 1, "endTime": 2, "frameCount": 1, "contentHash": "0" * 64}
        body = gzip.compress(b"not what the hash says\n")
        wrong_hash |= {"sizeBytes": len(body), "compression": "gzip", "body": base64.b64encode(body).decode()}
        end = {"sessionId": "forged-replay", "endedAt": 1_790_000_000_005, "totalBackgroundTimeMs": 0, "endReason": "user_stop", "telemetrySessionIds": ["s-1"]}
        for name, line in (("events", {"events": forged}), ("an end", {"end": end}), ("a segment with a wrong hash", {"segment": wrong_hash})):
            head = {"automobile": {"file": "session", "version": 1, "sessionId": "s-1", "events": 1}}
            lines = [json.dumps(each) for each in (head, line, {"complete": {"lines": 2}})]
            file = gzip.compress("".join(each + "\n" for each in lines).encode())
            status, text = house.ask("POST", "/api/import", file, headers={"Content-Type": "application/vnd.automobile.session+gzip"})
            if "hash" in name and status < 300:
                yield f"{name} is taken in: {status}"
        house.deliver([log("s-2")], key=None)
        house.until("/api/sessions/s-2", lambda found: found["events"] == 1, key=None)
        found = house.tell("GET", "/api/sessions/s-1")
        if found["events"] != 1 or found["userId"] != "mira":
            yield f"the session that it claims has {found['events']} events of 1, and is {found['userId']}'s"
        if house.ask("GET", "/api/sessions/s-9")[0] == 200:
            yield "a session that it does not claim is made"
        if house.tell("GET", "/api/replays/forged-replay")["endedAt"] is not None:
            yield "a live replay is ended"


def permissions(tool, place):
    """10. What is recorded is its user's alone, also in a directory that was there before"""
    os.makedirs(place, 0o755)
    os.chmod(place, 0o755)
    for round in ("the first start", "the next one"):
        with House(tool, place, locked=False) as house:
            house.deliver([log(round)], key=None)
            house.until(f"/api/sessions/{round.replace(' ', '%20')}", lambda found: found["events"] == 1, key=None)
            if round == "the first start":
                replay(house, None, "dev.victim.app", round)
            open_to = {}
            for directory, directories, files in os.walk(place):
                for name in [".", *directories, *files]:
                    mode = os.stat(os.path.join(directory, name)).st_mode & 0o777
                    if mode & 0o077 and not shut_above(place, directory):
                        open_to[os.path.normpath(os.path.join(os.path.relpath(directory, place), name))] = oct(mode)[2:]
            if open_to:
                yield f"after {round}: " + ", ".join(f"{name} {mode}" for name, mode in sorted(open_to.items())[:4])


def process_list(tool, place):
    """13. A key need not stand in the process list"""
    with House(tool, place / "first", locked=False):
        pass
    key = place / "key"
    key.write_text("0f0e0d0c0b0a09080706050403020100\n")
    key.chmod(0o600)
    command = [tool, "serve", "--json", "--port", "0", "--data", str(place / "data"), "--ingest-key-file", str(key),
               *places.now().serve(place / "data")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    line = process.stdout.readline()
    process.kill()
    process.wait()
    process.stdout.close()
    if not line:
        yield "serve takes no key out of a file"


# MARK: What they use

def shut_above(place, directory):
    """Nobody else gets there: a directory on the way is its owner's."""
    while True:
        if not os.stat(directory).st_mode & 0o077:
            return True
        if os.path.samefile(directory, place):
            return False
        directory = os.path.dirname(directory)


def on_terminal(command):
    """What a command writes when it writes to a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command, stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL)
    os.close(theirs)
    told = b""
    try:
        while piece := os.read(ours, 65536):
            told += piece
    except OSError:
        # Linux says that nobody writes any more.
        pass
    os.close(ours)
    process.wait()
    return told
