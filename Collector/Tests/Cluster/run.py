"""A collector whose blobs are in a real S3 store: killed, cut off, its disk full. Nothing that it acknowledged is lost or doubled.

    run.py --tool Collector/.build/debug/automobile --victim .build/debug/replay-victim [--only NAME]
"""

import argparse
import base64
import contextlib
import gzip
import http.client
import importlib.util
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.error
import urllib.request
from pathlib import Path

import s3
from recorder import Recorder

APP = "dev.test"
PATIENCE = 300

# The checks of the recorder, which here run against a collector with another store.
spec = importlib.util.spec_from_file_location("replays", Path(__file__).resolve().parent.parent / "Replays/run.py")
replays = importlib.util.module_from_spec(spec)
spec.loader.exec_module(replays)


def until(what, condition):
    deadline = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < deadline, f"not in time: {what}"
        time.sleep(0.1)
    return found


class Collector:
    """`automobile serve --blobs s3://…`, which can be killed and started again on the same data."""

    def __init__(self, tool, data, place, *options):
        self.command = [tool, "serve", "--json", "--data", str(data), "--blobs", place, "--log-level", "critical", *options]
        self.data = Path(data)
        self.port = s3.free_ports(1)[0]
        self.start()

    def start(self):
        self.process = subprocess.Popen([*self.command, "--port", str(self.port)], stdout=subprocess.PIPE, text=True)
        self.url = json.loads(self.process.stdout.readline())["url"]

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def ask(self, method, path, body=None, type="application/json"):
        """The status and the body; 0 when nobody answers."""
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": type, "X-Bundle-Id": APP}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                content = answer.read()
                return answer.status, gzip.decompress(content) if answer.headers["Content-Encoding"] == "gzip" else content
        except urllib.error.HTTPError as error:
            return error.code, error.read()
        except (OSError, http.client.HTTPException):
            return 0, b""

    @property
    def packs(self):
        """Packs on the collector's disk."""
        return [path.name for path in (self.data / "packs").glob("*.pack")]


def drained(collector):
    """All but the pack that is written to is in the store."""
    until("the backlog drains", lambda: len(collector.packs) <= 1)


class Place:
    """A store, a way to it, and collectors on it."""

    def __init__(self, tool, directory):
        self.tool, self.directory = tool, Path(directory)
        self.store = s3.Server(self.directory / "s3")
        self.way = s3.Way(self.store.port)
        self.collectors = []

    def address(self, prefix="all"):
        return f"s3://bucket/{prefix}?endpoint=http://127.0.0.1:{self.way.port}"

    def collector(self, name="data", prefix="all", *options):
        self.collectors.append(Collector(self.tool, self.directory / name, self.address(prefix), *options))
        return self.collectors[-1]

    def end(self):
        for collector in self.collectors:
            with contextlib.suppress(Exception):
                collector.kill()
        self.store.kill()


def killed_collector(place, options):
    """the collector is killed while packs are written and put"""
    collector = place.collector()
    with Recorder(collector, "killed").running() as recorder:
        for _ in range(8):
            had = len(recorder.acknowledged)
            until("more came", lambda: len(recorder.acknowledged) > had + 12)
            time.sleep(random.uniform(0, 0.5))
            collector.kill()
            collector.start()
    said = recorder.check()
    drained(collector)
    collector.kill()
    collector.start()
    recorder.check()
    return said


def killed_store(place, options):
    """the store is killed: recording goes on, reads say what is missing, and the backlog drains by itself"""
    collector = place.collector()
    with Recorder(collector, "store").running() as recorder:
        until("something is there", lambda: len(recorder.acknowledged) > 40)
        drained(collector)
        early = next(iter(recorder.acknowledged))
        place.store.kill()
        had = len(recorder.acknowledged)
        until("more is taken meanwhile", lambda: len(recorder.acknowledged) > had + 40)
        status, body = recorder.read(early)
        assert status == 503 and json.loads(body)["error"]["code"] == "blobs_unavailable", (status, body)
        late = list(recorder.acknowledged)[-1]
        assert recorder.read(late)[0] == 200, "what is on this machine can be read"
        assert len(collector.packs) > 1
        # The collector may be killed as well meanwhile, and starts without the store.
        collector.kill()
        collector.start()
        place.store.start()
    drained(collector)
    return recorder.check()


def cut(place, options):
    """the network is cut, so that nothing is answered at all: the same"""
    collector = place.collector()
    with Recorder(collector, "cut").running() as recorder:
        for _ in range(2):
            had = len(recorder.acknowledged)
            until("something came", lambda: len(recorder.acknowledged) > had + 30)
            place.way.cut()
            had = len(recorder.acknowledged)
            until("more is taken meanwhile", lambda: len(recorder.acknowledged) > had + 30)
            place.way.mend()
    drained(collector)
    return recorder.check()


def full_disk(place, options):
    """the disk that packs wait on is full: senders are told, and go on when there is room"""
    if os.geteuid() != 0:
        return "not run: only root can mount a small file system"
    packs = place.directory / "data/packs"
    packs.mkdir(parents=True, mode=0o700)
    for path in (packs.parent, packs):
        path.chmod(0o700)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m,mode=700", "tmpfs", str(packs)], check=True)
    try:
        collector = place.collector()
        with Recorder(collector, "full").running() as recorder:
            until("something came", lambda: len(recorder.acknowledged) > 20)
            place.way.cut()
            until("it is full", lambda: recorder.refused.get(503, 0) > 5)
            # A disk that is full can still be read.
            assert recorder.read(list(recorder.acknowledged)[-1])[0] == 200
            place.way.mend()
            had = len(recorder.acknowledged)
            until("there is room again", lambda: len(recorder.acknowledged) > had + 40)
        drained(collector)
        return recorder.check()
    finally:
        for collector in place.collectors:
            collector.kill()
        place.collectors.clear()
        subprocess.run(["umount", str(packs)], check=True)


def shared(place, options):
    """two collectors with one prefix: neither's packs are in the other's way; a session goes from one to the other as a file"""
    one, other = place.collector("one"), place.collector("other")
    recorders = [Recorder(one, "first"), Recorder(other, "second", session="s-2")]
    with recorders[0].running(2), recorders[1].running(2):
        until("both have something", lambda: all(len(each.acknowledged) > 40 for each in recorders))
    for each in recorders:
        each.check()
        drained(each.collector)
        each.check()
    event = json.dumps({"eventType": "log", "timestamp": 1_700_000_000_000, "sessionId": "s-1", "level": 4, "message": "here"})
    envelope = {"launchId": "4F1C0000-0000-4000-8000-000000000001", "bundleId": APP, "events": [
        {"eventType": "log", "sequence": 1, "payload": base64.b64encode(event.encode()).decode()}]}
    status, body = one.ask("POST", "sdk-events", envelope)
    assert status == 200, (status, body)
    until("the session is known", lambda: one.ask("GET", "api/sessions/s-1")[0] == 200)
    status, file = one.ask("GET", "api/sessions/s-1/file")
    assert status == 200, status
    status, body = other.ask("POST", "api/import", file, "application/vnd.automobile.session+gzip")
    assert status == 200 and json.loads(body)["segments"] == len(recorders[0].acknowledged), (status, body)
    place.way.cut()
    status, body = one.ask("GET", "api/sessions/s-1/file")
    assert status == 503 and json.loads(body)["error"]["code"] == "blobs_unavailable", (status, body[:200])
    place.way.mend()
    return f"{len(recorders[0].acknowledged)} segments exported and imported"


def moved(place, options):
    """what a laptop kept is moved to the store and back, ended in between; each time it is whole"""
    data = place.directory / "moved"
    away = place.address("moved")

    def tool(*arguments):
        return subprocess.run([options.tool, "store", *arguments, "--data", str(data), "--json"], capture_output=True, text=True)

    def serve(where):
        collector = Collector(options.tool, data, where)
        place.collectors.append(collector)
        return collector

    collector = serve("folder")
    with Recorder(collector, "moved").running() as recorder:
        until("something is there", lambda: len(recorder.acknowledged) > 60)
    collector.kill()
    for start, end in (("folder", away), (away, "folder")):
        for _ in range(3):
            moving = subprocess.Popen(
                [options.tool, "store", "move", "--blobs", start, end, "--data", str(data)], stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
            time.sleep(random.uniform(0.1, 1))
            moving.kill()
            moving.wait()
        done = tool("move", "--blobs", start, end)
        assert done.returncode == 0, done.stderr
        checked = tool("check", "--blobs", end)
        report = json.loads(checked.stdout)
        assert checked.returncode == 0 and not report["problems"] and not report["unreferenced"], report
        assert report["bodies"] >= len(recorder.acknowledged), report
        assert subprocess.run([options.tool, "store", "check", "--blobs", start, "--data", str(data)], capture_output=True).returncode == 2
        recorder.collector = serve(end)
        said = recorder.check()
        recorder.collector.kill()
    return said


def recorded(place, options):
    """a real recorder, killed at random moments: its replays are whole"""
    directory = place.directory / "recorded"
    directory.mkdir()
    collector = replays.Collector(options.tool, directory, ["--blobs", place.address("recorded")])
    try:
        return replays.killed(collector, options.victim, directory)
    finally:
        collector.stop()


CHECKS = [recorded, killed_collector, killed_store, cut, full_disk, shared, moved]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--victim", required=True)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    os.environ.update(AWS_ACCESS_KEY_ID=s3.ACCESS, AWS_SECRET_ACCESS_KEY=s3.SECRET)
    failed = []
    for check in CHECKS:
        if options.only not in check.__name__:
            continue
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="automobile-cluster-") as directory:
            place = None
            try:
                place = Place(options.tool, directory)
                said = check(place, options)
                print(f"ok      {check.__doc__}" + (f": {said}" if said else "") + f" ({time.monotonic() - begun:.0f} s)", flush=True)
            except Exception:
                failed.append(check.__name__)
                print(f"FAILED  {check.__doc__}", flush=True)
                traceback.print_exc()
            finally:
                if place:
                    place.end()
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
