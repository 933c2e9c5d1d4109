"""A collector with its own port and directory, and questions to it."""

import contextlib
import json
import random
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path


def free_port():
    """One that nobody has now, of those that the kernel gives to nobody: who goes away for a while finds it free."""
    while True:
        port = random.randrange(10_000, 30_000)
        with contextlib.suppress(OSError), socket.socket() as one:
            one.bind(("127.0.0.1", port))
            return port


class Place:
    def __init__(self, tool, directory, screenshots):
        self.tool, self.directory, self.screenshots = tool, Path(directory), screenshots
        self.more = []
        self.port = free_port()
        self.start()

    def start(self):
        command = [self.tool, "serve", "--json", "--port", str(self.port), "--data", str(self.directory / "data"), *self.more]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = json.loads(self.process.stdout.readline())["url"].rstrip("/")
        self.port = int(self.url.rsplit(":", 1)[1])

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=20)
            finally:
                self.process.kill()
                self.process.stdout.close()

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=20) as answer:
            return json.load(answer)

    def again(self, *more):
        """Another collector in the same place, started with these arguments too."""
        self.process.terminate()
        self.process.wait(timeout=20)
        self.process.stdout.close()
        self.more = list(more)
        self.start()

    def post(self, path, body, kind):
        request = urllib.request.Request(self.url + path, body, {"Content-Type": kind})
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.read()

    def send(self, method, path, tree=None):
        """The answer's status, and its JSON."""
        body = None if tree is None else json.dumps(tree).encode()
        request = urllib.request.Request(self.url + path, body, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=40) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def events(self, session, count):
        """A session's events, once there are so many; and never more."""
        path = f"/api/sessions/{urllib.parse.quote(session, safe='')}/events?limit=500"
        deadline = time.monotonic() + 30
        events = []
        while time.monotonic() < deadline:
            try:
                events = self.get(path)["events"]
            except urllib.error.HTTPError as error:
                assert error.code == 404, error
            if len(events) >= count:
                break
            time.sleep(0.1)
        assert len(events) == count, f"{len(events)} events instead of {count}: {[each['payload'] for each in events]}"
        return events

    def command(self, *arguments):
        """What the command line says, with this collector."""
        done = subprocess.run([self.tool, *arguments, "--url", self.url], capture_output=True, timeout=60)
        assert done.returncode == 0, done.stderr.decode()
        return done
