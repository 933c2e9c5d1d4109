"""The SDK's recorder of replays against a real collector: killed at random moments, refused in every way, it leaves whole replays.

    run.py --tool Collector/.build/debug/automobile --victim .build/debug/replay-victim [--only NAME]
"""

import argparse
import contextlib
import gzip
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.error
import urllib.request
from pathlib import Path

APP = "dev.test"
PATIENCE = 90


class Collector:
    """`automobile serve` with a project for the app."""

    def __init__(self, tool, directory, options):
        command = [tool, "serve", "--json", "--port", "0", "--data", str(directory / "data"), *options]
        self.operator = options[options.index("--operator-key") + 1] if "--operator-key" in options else None
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = json.loads(self.process.stdout.readline())["url"]
        project = self.send("POST", "api/projects", {"bundleId": APP, "name": "Victim"})["id"]
        key = self.send("POST", "api/keys", {"project": project})
        self.key_id, self.key = key["id"], key["key"]

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=20)
        self.process.stdout.close()

    def send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        return self.ask(method, path, data, "application/json")

    def ask(self, method, path, data, type):
        headers = {"Content-Type": type, "X-Bundle-Id": APP} | ({"Authorization": f"Bearer {self.operator}"} if self.operator else {})
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read() or b"null")

    def configure(self, **members):
        self.send("PUT", f"api/config/{APP}", {"replay": members})

    def replay(self, name):
        try:
            return self.send("GET", f"api/replays/{name}")
        except urllib.error.HTTPError as error:
            assert error.code == 404, error
            return None

    def frames(self, replay):
        """The times of all frames, in the order of segments; each segment has to play by itself."""
        times = []
        for segment in replay["segments"]:
            if segment["kind"] != "screenshots":
                continue
            path = f"{self.url}api/replays/{replay['replayId']}/segments/{segment['id']}?parts={segment['parts']}"
            headers = {"Authorization": f"Bearer {self.operator}"} if self.operator else {}
            with urllib.request.urlopen(urllib.request.Request(path, headers=headers), timeout=30) as answer:
                body = answer.read()
                if answer.headers["Content-Encoding"] == "gzip":
                    body = gzip.decompress(body)
            at, first = 0, True
            while at < len(body):
                assert body[at:at + 4] == b"AMF1", f"no frame at {at}"
                length, taken, flags = struct.unpack_from("<IqB", body, at + 4)
                assert flags & 1 or not first, "a segment begins without a key frame"
                times.append(taken)
                at, first = at + 8 + length, False
        return times


class Victim:
    """A program that records, and what it says of itself: frames, the time, for how long, and whether it still records."""

    def __init__(self, program, collector, directory, mode):
        self.directory = directory / "replays"
        self.witness = directory / "witness"
        self.witness.write_bytes(bytes(32))
        known = set(self.sessions)
        self.process = subprocess.Popen(
            [program, str(self.directory), str(self.witness), mode, collector.url.rstrip("/"), collector.key],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "SWIFT_BACKTRACE": "enable=no"})
        until("it records", lambda: self.now[2] > 0 and self.process.poll() is None)
        self.session = (set(self.sessions) - known).pop()

    @property
    def sessions(self):
        return [path.name for path in self.directory.iterdir()] if self.directory.exists() else []

    @property
    def now(self):
        return struct.unpack("<4Q", self.witness.read_bytes())

    def stop(self):
        """Ends the recording, as an app does; returns how many frames there were."""
        self.process.terminate()
        until("it ends", lambda: (first := self.now[0]) and (time.sleep(0.2), self.now[0] == first)[1])
        return self.now[0]

    def kill(self):
        """Returns how many frames it recorded, and when it ended."""
        self.process.kill()
        self.process.wait()
        return self.now[:2]


def until(what, condition):
    deadline = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < deadline, f"not in time: {what}"
        time.sleep(0.05)
    return found


@contextlib.contextmanager
def recording(program, collector, directory, mode="still"):
    victim = Victim(program, collector, directory, mode)
    try:
        yield victim
    finally:
        if victim.process.poll() is None:
            victim.kill()


def ended(collector, session):
    return until(f"the end of {session}", lambda: (replay := collector.replay(session)) and replay["endedAt"] and replay)


def killed(collector, program, directory):
    """killed at random moments, each replay is recovered whole, and ends when it did"""
    told = []
    for mode, longest in (("moving", 2), ("moving", 6), ("long", 3), ("long", 12)):
        with recording(program, collector, directory, mode) as victim:
            time.sleep(random.uniform(0.1, longest))
            told.append((victim.session, *victim.kill()))
    # The next one recovers while it records.
    with recording(program, collector, directory) as victim:
        for session, frames, end in told:
            replay = ended(collector, session)
            assert replay["endReason"] == "recovery_finalize", replay["endReason"]
            assert abs(replay["endedAt"] - end) <= 5000, (replay["endedAt"], end)
            times = collector.frames(replay)
            assert frames <= len(times) <= frames + 1, (frames, len(times))
            assert len(times) == replay["frames"], (len(times), replay["frames"])
            assert times == sorted(times)
        until("nothing is left", lambda: victim.sessions == [victim.session])


def live(collector, program, directory):
    """while it is recorded, the collector has what was on the screen some seconds ago, without another key frame"""
    with recording(program, collector, directory, "long") as victim:
        def age():
            replay = collector.replay(victim.session)
            return replay and replay["last"] and time.time() * 1000 - replay["last"]
        until("there is something", age)
        worst = 0
        for _ in range(60):
            worst = max(worst, age())
            time.sleep(0.2)
        replay = collector.replay(victim.session)
        screens = [segment for segment in replay["segments"] if segment["kind"] == "screenshots"]
        assert len(screens) == 1 and screens[0]["parts"] >= 2, screens
        assert len(collector.frames(replay)) == replay["frames"]
        assert worst < 15_000, worst
        return f"at most {worst / 1000:.1f} s old"


def over_quota(collector, program, directory):
    """402: no frames any more, and the session goes on and is concluded"""
    with recording(program, collector, directory, "moving") as victim:
        until("it has frames", lambda: (collector.replay(victim.session) or {}).get("frames"))
        collector.configure(quotaBytes=1)
        had = lambda: collector.replay(victim.session)["frames"]
        before = until("no more frames", lambda: (first := had()) and (time.sleep(3), had() == first)[1] and first)
        assert victim.now[3] == 1, "it goes on"
        victim.kill()
    with recording(program, collector, directory):
        replay = ended(collector, victim.session)
        assert replay["frames"] == before, (replay["frames"], before)


def switched_off(collector, program, directory):
    """403: the session ends, and nothing is sent any more"""
    with recording(program, collector, directory, "moving") as victim:
        until("it has frames", lambda: (collector.replay(victim.session) or {}).get("frames"))
        collector.configure(recordingEnabled=False)
        until("it ends", lambda: victim.now[3] == 0)
        until("nothing is left", lambda: victim.sessions == [])
        frames = collector.replay(victim.session)["frames"]
        time.sleep(1)
        assert collector.replay(victim.session)["frames"] == frames


def closed(collector, program, directory):
    """409: somebody else ended the session, so it ends"""
    with recording(program, collector, directory, "moving") as victim:
        until("it has frames", lambda: (collector.replay(victim.session) or {}).get("frames"))
        request = {"sessionId": victim.session, "endedAt": int(time.time() * 1000), "endReason": "user_stop"}
        collector.send("POST", "api/ingest/session/end", request)
        until("it ends", lambda: victim.now[3] == 0)
        assert collector.replay(victim.session)["endReason"] == "user_stop"


def renewed(collector, program, directory):
    """401: the key's end takes the token with it; with a new token everything arrives"""
    with recording(program, collector, directory, "moving") as victim:
        until("it has frames", lambda: (collector.replay(victim.session) or {}).get("frames"))
        collector.send("DELETE", f"api/keys/{collector.key_id}")
        had = collector.replay(victim.session)["frames"]
        until("more frames", lambda: collector.replay(victim.session)["frames"] > had + 100)
        frames, _ = victim.kill()
    with recording(program, collector, directory):
        replay = ended(collector, victim.session)
        assert frames <= len(collector.frames(replay)) <= frames + 1


def busy(collector, program, directory):
    """429: it waits as long as it is told to, and loses nothing"""
    with recording(program, collector, directory, "slow") as victim:
        until("it has frames", lambda: (collector.replay(victim.session) or {}).get("frames"))
        now = int(time.time() * 1000)
        # Somebody announces as many segments of this replay as may wait, and sends none.
        for number in range(1100):
            try:
                collector.send("POST", "api/ingest/segment/presign", {
                    "sessionId": victim.session, "segmentId": f"{number:032x}", "kind": "events", "startTime": now, "endTime": now,
                    "frameCount": 1, "sizeBytes": 100})
            except urllib.error.HTTPError as error:
                # One of the victim's own may have been on its way, and have left its place since.
                assert error.code == 429, error
        had = lambda: collector.replay(victim.session)["frames"]
        until("it waits", lambda: (first := had()) and (time.sleep(6), had() == first)[1])
        assert victim.now[3] == 1, "it goes on"
        frames, _ = victim.kill()
    # Some of them come after all, and there is room again: the next launch brings the rest.
    for number in range(20):
        collector.ask("PUT", f"api/ingest/segment/{number:032x}", gzip.compress(b"{}\n"), "application/gzip")
    replay = once(collector, program, directory, victim.session)
    assert replay["endReason"] == "recovery_finalize", replay["endReason"]
    assert frames <= len(collector.frames(replay)) <= frames + 1, (frames, replay["frames"])


def too_large(collector, program, directory):
    """413: what is larger than the collector takes is dropped and counted, the rest arrives, and the session goes on"""
    with recording(program, collector, directory, "large") as victim:
        until("it has frames", lambda: victim.now[0] > 400)
        assert victim.now[3] == 1, "it goes on"
        frames = victim.stop()
        replay = ended(collector, victim.session)
    taken = [number for number in range(frames) if number // 10 % 3 != 2]
    metrics = replay["metrics"]
    assert replay["endReason"] == "user_stop", replay["endReason"]
    # The last segment may be short enough to be taken, though it is of those that are large.
    assert len(taken) <= replay["frames"] <= len(taken) + 4, (replay["frames"], len(taken))
    assert metrics["framesRecorded"] == frames and metrics["framesDropped"] == frames - replay["frames"], (metrics, frames)
    assert len(collector.frames(replay)) == replay["frames"]
    assert once(collector, program, directory, victim.session) == replay


too_large.options = ["--max-body", "12000"]


def key_revoked(collector, program, directory):
    """401, and no new token either: the session ends, nothing is sent any more, and nothing stays behind"""
    with recording(program, collector, directory, "moving") as victim:
        until("it has frames", lambda: (collector.replay(victim.session) or {}).get("frames"))
        collector.send("DELETE", f"api/keys/{collector.key_id}")
        until("it ends", lambda: victim.now[3] == 0)
        until("nothing is left", lambda: victim.sessions == [])
        replay = collector.replay(victim.session)
        assert replay["endedAt"] is None and len(collector.frames(replay)) == replay["frames"], replay
        time.sleep(1)
        assert collector.replay(victim.session) == replay


key_revoked.options = ["--key", "a key to begin with", "--operator-key", "the operator's key"]


def once(collector, program, directory, session):
    """The end of a replay, which the launches after it do not tell again."""
    with recording(program, collector, directory) as victim:
        replay = ended(collector, session)
        until("nothing is left", lambda: victim.sessions == [victim.session])
    with recording(program, collector, directory) as victim:
        until("the one between is recovered", lambda: victim.sessions == [victim.session])
    assert collector.replay(session) == replay, "told again"
    return replay


CHECKS = [killed, live, over_quota, switched_off, closed, renewed, busy, too_large, key_revoked]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--victim", required=True)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    failed = []
    for check in CHECKS:
        if options.only not in check.__name__:
            continue
        with tempfile.TemporaryDirectory(prefix="automobile-replays-") as directory:
            collector = None
            try:
                collector = Collector(options.tool, Path(directory), getattr(check, "options", []))
                said = check(collector, options.victim, Path(directory))
                print(f"ok      {check.__doc__}" + (f": {said}" if said else ""), flush=True)
            except Exception:
                failed.append(check.__name__)
                print(f"FAILED  {check.__doc__}", flush=True)
                traceback.print_exc()
            finally:
                if collector:
                    collector.stop()
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
