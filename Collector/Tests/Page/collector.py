"""A collector of the test's own, and what one sends to it."""

import base64
import contextlib
import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "Cluster"))
import places  # noqa: E402


class Collector:
    """Runs as long as the `with` block. Its port is one that the system picked."""

    def __init__(self, tool, app, directory):
        self.tool, self.app, self.directory = tool, app, directory
        self.data = Path(directory) / "data"
        self.process = None
        self.port = 0
        self.options = []
        self.waits = True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        options = places.now().serve(self.data)
        self._run(["serve", "--json", "--data", str(self.data), *options], places.now().log(self.data))
        self.url = json.loads(self.process.stdout.readline())["url"]
        self.port = int(self.url.rstrip("/").rsplit(":", 1)[1])
        return self

    def demo(self):
        """The real thing: three launches of the demo's app; returns the ledger when they are told."""
        self._run(["demo", "--json", "--data", str(self.directory / "demo"), "--app", self.app])
        ledger = json.loads(self.process.stdout.readline())
        self.url = ledger["viewer"]
        if places.now().isCluster:
            # The demo has a collector of its own.
            self.stop()
            places.now().bring(self.tool, self.directory / "demo" / "collector", self.data)
            self.start()
        return ledger

    def _run(self, arguments, log=subprocess.DEVNULL):
        command = [self.tool, *arguments, "--port", str(self.port), *self.options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)

    def stop(self):
        if not self.process:
            return
        self.process.terminate()
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        finally:
            self.process.stdout.close()
            self.process = None

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=60) as answer:
            return json.load(answer)

    def until(self, path, passes):
        """What was sent is durable at once, and found a little later."""
        deadline = time.time() + 90
        while not passes(found := self.get(path)):
            assert time.time() < deadline, (path, found)
            time.sleep(0.05)

    def tell(self, app, command, **arguments):
        """Has an app that listens do something, as soon as it does."""
        body = json.dumps({"bundleId": app, "command": command, "arguments": arguments}).encode()
        request = urllib.request.Request(self.url + "api/commands", body, {"Content-Type": "application/json"})
        deadline = time.monotonic() + 90
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    told = json.load(answer)["answer"]
                assert told["ok"], told
                return told
            except urllib.error.HTTPError as error:
                if error.code != 404:
                    raise
                time.sleep(0.1)
        raise AssertionError(f"{app} does not listen")

    def send(self, launch, events, final=False, key=None, dropped=None, app="com.example.page", kept=None):
        """Envelopes as an SDK sends them; `events` come from Launch.event."""
        for start in range(0, len(events), 500):
            body = {
                "bundleId": app, "launchId": launch.id, "timestamp": int(time.time() * 1000),
                "ledger": {"recorded": launch.recorded + sum((dropped or {}).values()) + (kept or 0), "dropped": dropped or {}, "torn": 0,
                           "final": final, **({} if kept is None else {"kept": kept})},
                "events": [
                    {"eventType": event["eventType"], "sequence": sequence,
                     "payload": base64.b64encode(json.dumps(event).encode()).decode()}
                    for sequence, event in events[start:start + 500]
                ],
            }
            headers = {"Content-Type": "application/json"}
            if key:
                headers["Authorization"] = f"Bearer {key}"
            request = urllib.request.Request(self.url + "sdk-events", json.dumps(body).encode(), headers)
            with urllib.request.urlopen(request, timeout=30) as answer:
                assert json.load(answer)["ok"]
        if self.waits:
            places.now().settle(self.url, self.data)

    @contextlib.contextmanager
    def together(self):
        """What is sent meanwhile is waited for once, behind it."""
        self.waits = False
        yield
        self.waits = True
        places.now().settle(self.url, self.data)

    def send_crashed(self, launch, functions, *before, **crash):
        """A launch in which this happened, and that died of a crash then."""
        self.send(launch, [*before, launch.crash(functions, **crash)], final=True)
        return launch


class Launch:
    """Makes the events of one launch, in one session."""

    def __init__(self, user="lea@example.com", start=None):
        self.id = str(uuid.uuid4()).upper()
        self.session = str(uuid.uuid4()).upper()
        self.user = user
        self.now = int(time.time() * 1000) if start is None else start
        self.recorded = 0
        self.context = {"sessionId": self.session, "userId": self.user, "appVersion": "1.2.3", "tags": {"plan": "pro"}}

    def event(self, type, after=10, **members):
        self.now += after
        self.recorded += 1
        event = {"eventType": type, "timestamp": self.now, **members, "sessionId": self.session, "context": dict(self.context)}
        return self.recorded * 160, event

    def log(self, message, level=2, tag="test", after=10):
        return self.event("log", after, level=level, tag=tag, message=message, filterName="all")

    def request(self, path, status=200, duration=120.0, method="GET", after=10):
        return self.event("network_request", after, url=f"https://api.example.com{path}", host="api.example.com", path=path, method=method,
                          statusCode=status, durationMs=duration)

    def tap(self, text, after=10):
        return self.event("interaction", after, interactionType="tap", properties={"text": text})

    def screen(self, destination, after=10, **arguments):
        return self.event("navigation", after, destination=destination, source="custom", arguments=arguments, metadata={})

    def crash(self, functions, version="1.2.3", signal="SIGSEGV", after=10, **more):
        """A crash in the first of these functions; names that begin with a bang are the system's."""
        report = {
            "format": 1, "kind": "signal", "architecture": "arm64", "os": "iOS", "process": {"name": "Shop", "pid": 7},
            "signal": {"number": 11, "name": signal, "codeName": "SEGV_MAPERR", "address": "0x10"},
            "threads": [
                {"id": 1, "name": "main", "crashed": True, "main": True, "registers": {"pc": "0x100004000", "sp": "0x16fdff000"},
                 "frames": frames(functions)},
                {"id": 2, "name": "worker", "frames": frames(["!read", "!start_thread"])},
            ],
            "images": images, "notes": [],
        }
        return self.event("crash", after, errorDomain=signal, errorMessage=None, stackTrace="", bundleId="com.example.page",
                          appVersion=version, currentScreen="Checkout", report=report, **more)

    def hang(self, stacks, duration=2600.0, after=10):
        """A hang whose main thread was seen so many times in each stack, innermost function first."""
        report = {
            "format": 1, "kind": "hang", "durationMs": duration, "anr": False, "images": images, "notes": [],
            "threads": [{"id": 1, "name": "main", "main": True, "frames": frames(stacks[0][1])}],
            "samples": [{"atMs": 2010 + 500 * index, "count": count, "frames": frames(stack)}
                        for index, (count, stack) in enumerate(stacks)],
        }
        return self.event("hang", after, durationMs=duration, stackTrace=None, bundleId="com.example.page", report=report)


images = [
    {"name": "Shop", "path": "/var/containers/Shop.app/Shop", "uuid": "0b9fc4b26e9b4b559a611d3e9b6b7c55", "base": "0x100000000",
     "size": 4_000_000, "architecture": "arm64"},
    {"name": "UIKitCore", "path": "/System/Library/UIKitCore", "uuid": "1b9fc4b26e9b4b559a611d3e9b6b7c55", "base": "0x180000000", "size": 9_000_000},
]


def frames(functions):
    result = []
    for index, name in enumerate(functions):
        system = name.startswith("!")
        base = 0x180000000 if system else 0x100000000
        result.append({
            "address": hex(base + 0x4000 + 64 * index), "image": int(system), "offset": hex(0x4000 + 64 * index),
            "symbol": name.lstrip("!"), "symbolOffset": 12, "trust": "context" if index == 0 else "fp",
        })
    return result
