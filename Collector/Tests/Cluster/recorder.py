"""Phones that send replays, and know what was acknowledged."""

import contextlib
import gzip
import hashlib
import json
import random
import threading
import time


class Recorder:
    """Sends segments as the SDK does, each until it is acknowledged, and knows what was."""

    def __init__(self, collector, replay, size=300_000, session="s-1", pause=0):
        self.collector, self.replay, self.size, self.session, self.pause = collector, replay, size, session, pause
        self.acknowledged = {}
        self.refused = {}
        self.number = 0
        self.isStopped = threading.Event()
        self.lock = threading.Lock()

    def segment(self):
        with self.lock:
            self.number += 1
            number = self.number
        content = f"{self.replay} {number} ".encode() + random.randbytes(self.size)
        return number, content

    def send(self, number, content):
        """One try; true when it was acknowledged."""
        name = hashlib.sha256(content).hexdigest()[:32]
        body = gzip.compress(content, 1)
        start = 1_700_000_000_000 + number * 1000
        told = self.step("POST", "api/ingest/segment/presign", {
            "sessionId": self.replay, "segmentId": name, "kind": "screenshots", "startTime": start, "endTime": start + 999,
            "frameCount": 1, "sizeBytes": len(body), "telemetrySessionIds": [self.session],
            "contentHash": hashlib.sha256(content).hexdigest()}, "application/json")
        if told is None:
            return False
        told = json.loads(told)
        if not told.get("skipUpload"):
            if self.step("PUT", told["uploadUrl"].lstrip("/"), body, "application/gzip") is None:
                return False
            end = {"segmentId": name, "actualSizeBytes": len(body)}
            if self.step("POST", "api/ingest/segment/complete", end, "application/json") is None:
                return False
        self.acknowledged[name] = hashlib.sha256(content).digest()
        return True

    def step(self, method, path, data, type):
        """What is answered; None when it is refused."""
        status, answer = self.collector.ask(method, path, data, type)
        if status in (200, 204):
            return answer or b""
        self.refused[status] = self.refused.get(status, 0) + 1
        return None

    def run(self):
        while not self.isStopped.is_set():
            number, content = self.segment()
            while not self.isStopped.is_set() and not self.send(number, content):
                time.sleep(0.05)
            time.sleep(self.pause)

    @contextlib.contextmanager
    def running(self, threads=3):
        workers = [threading.Thread(target=self.run) for _ in range(threads)]
        for worker in workers:
            worker.start()
        try:
            yield self
        finally:
            self.isStopped.set()
            for worker in workers:
                worker.join()

    def read(self, name):
        return self.collector.ask("GET", f"api/replays/{self.replay}/segments/{name}")

    def check(self):
        """All that was acknowledged is there, once and as it was sent."""
        status, body = self.collector.ask("GET", f"api/replays/{self.replay}")
        assert status == 200, status
        there = [segment["id"] for segment in json.loads(body)["segments"]]
        assert len(there) == len(set(there)), "doubled"
        assert set(self.acknowledged) <= set(there), f"{len(set(self.acknowledged) - set(there))} are lost"
        # At most what each thread had under way was kept without anybody having been told.
        for name, hash in self.acknowledged.items():
            status, content = self.read(name)
            assert status == 200 and hashlib.sha256(content).digest() == hash, (name, status, content[:200])
        return f"{len(self.acknowledged)} segments"
