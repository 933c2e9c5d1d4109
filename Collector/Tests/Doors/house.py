"""A collector with two apps that have keys of their own, and what an attacker has: sockets, and a key out of somebody's app."""

import base64
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "Cluster"))
import places  # noqa: E402

MINE, THEIRS = "dev.attacker.app", "dev.victim.app"
INGEST, OPERATOR = "ingest-5f1d0c3a77", "operator-91be40c2d8"


class House:
    """Runs as long as the `with` block, on a port that the system picked. `app_key` is the one of the attacker's own app."""

    def __init__(self, tool, directory, locked=True, umask=0o022, arguments=()):
        self.tool, self.directory = tool, Path(directory)
        command = [tool, "serve", "--json", "--port", "0", "--data", str(self.directory), *places.now().serve(self.directory)]
        command += arguments
        command += ["--key", INGEST, "--operator-key", OPERATOR] if locked else []
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=places.now().log(self.directory), text=True, umask=umask)
        self.url = json.loads(self.process.stdout.readline())["url"].rstrip("/")
        self.port = int(self.url.rsplit(":", 1)[1])
        self.app_key = None
        if locked:
            self.app_key, self.their_key = (self._key(app) for app in (MINE, THEIRS))

    def _key(self, app):
        project = self.tell("POST", "/api/projects", {"bundleId": app, "name": app}, OPERATOR)["id"]
        return self.tell("POST", "/api/keys", {"project": project}, OPERATOR)["key"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    # MARK: Requests

    def ask(self, method, target, body=None, key=None, headers=None, timeout=30):
        """(status, body), of a target that goes as it is written."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        told = {"Authorization": f"Bearer {key}"} if key else {}
        if isinstance(body, (dict, list)):
            body, told["Content-Type"] = json.dumps(body).encode(), "application/json"
        try:
            connection.request(method, target, body, {**told, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def tell(self, method, target, body=None, key=None, headers=None):
        """What is answered to somebody who may."""
        status, text = self.ask(method, target, body, key, headers)
        assert 200 <= status < 300, (method, target, status, text[:300])
        return json.loads(text) if text else {}

    def until(self, target, passes, key=INGEST):
        """What is delivered is found a little later. When this is, so is everything that was delivered before."""
        deadline = time.monotonic() + 60
        while True:
            status, text = self.ask("GET", target, key=key)
            if status == 200 and passes(found := json.loads(text)):
                # Shards of a cluster have no order among them.
                places.now().settle(self.url, self.directory)
                return found
            assert time.monotonic() < deadline, (target, status, text[:300])
            time.sleep(0.05)

    def deliver(self, events, app=THEIRS, key=INGEST, launch=None):
        return self.ask("POST", "/sdk-events", envelope(events, app, launch), key)

    def socket(self, text=b""):
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        connection.sendall(text)
        return connection

    def get(self, target, key=INGEST):
        """A question whose answer nobody reads."""
        return self.socket(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n\r\n".encode())

    # MARK: What it costs

    def memory(self):
        """In bytes."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def work(self):
        """Seconds of processors so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self, patience):
        """Seconds from SIGTERM to the end, or None after so many."""
        start = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=patience)
        except subprocess.TimeoutExpired:
            return None
        return time.monotonic() - start


def envelope(events, app, launch=None):
    body = {"launchId": launch or str(uuid.uuid4()).upper(), "timestamp": 1_790_000_000_000, "events": [
        {"eventType": event["eventType"], "sequence": 160 * (number + 1), "payload": base64.b64encode(json.dumps(event).encode()).decode()}
        for number, event in enumerate(events)]}
    return {"bundleId": app, **body} if app else body


def log(session, message="hello", version="1.0", user="mira", **more):
    return {"eventType": "log", "timestamp": 1_790_000_000_000, "level": 2, "tag": "t", "message": message, "filterName": "all",
            "sessionId": session, "context": {"sessionId": session, "userId": user, "appVersion": version}, **more}
