"""Phones that send events, and know what was acknowledged."""

import base64
import contextlib
import json
import random
import threading
import time
import uuid

from asking import APP, ask
from programs import until


def event(session, sequence, type="log", version="1.0", **fields):
    context = {"sessionId": session, "userId": f"user-of-{session}", "appVersion": version}
    payload = json.dumps({"eventType": type, "timestamp": 1_700_000_000_000 + sequence, **fields, "sessionId": session, "context": context})
    return {"eventType": type, "sequence": sequence, "payload": base64.b64encode(payload.encode()).decode()}


def envelope(launch, session, first, count, begun=1_700_000_000_000):
    def one(sequence):
        return sent(sequence, timestamp=begun + sequence)

    def sent(sequence, **fields):
        if sequence % 10 == 3:
            return event(session, sequence, "network_request", url=f"https://api.test/items/{sequence}", method="GET",
                         statusCode=503 if sequence % 100 == 3 else 200, durationMs=12.5, **fields)
        if sequence % 50 == 7:
            return event(session, sequence, "handled_exception", exceptionClass="TestError", customMessage="it went wrong", **fields)
        return event(session, sequence, level=4, tag="cluster", message=f"message {sequence}", **fields)

    return {"launchId": launch, "bundleId": APP, "events": [one(first + index) for index in range(count)]}


def deliver(url, type="log", launch=None, session=None, **fields):
    """One event of a launch of its own; its session."""
    session = session or f"s-{uuid.uuid4()}"
    body = {"launchId": launch or str(uuid.uuid4()).upper(), "bundleId": APP, "events": [event(session, 1, type, **fields)]}
    until("it is acknowledged", lambda: ask(url + "sdk-events", "POST", body)[0] == 200)
    return session


class Launches:
    """Phones that send envelopes through the balancer, each until it is acknowledged, and know what was."""

    def __init__(self, url, sessions=6):
        self.url = url
        self.sessions = [(str(uuid.uuid4()).upper(), f"s-{uuid.uuid4()}") for _ in range(sessions)]
        self.acknowledged = {session: set() for _, session in self.sessions}
        self.refused = {}
        self.isOver = threading.Event()

    @property
    def count(self):
        return sum(len(each) for each in self.acknowledged.values())

    def run(self, launch, session):
        sequence = 1
        while not self.isOver.is_set():
            count = random.randint(1, 12)
            body = envelope(launch, session, sequence, count)
            while not self.isOver.is_set():
                status, _ = ask(self.url + "sdk-events", "POST", body)
                if status == 200:
                    self.acknowledged[session].update(range(sequence, sequence + count))
                    sequence += count
                    # What is read again and compared at each collector is to stay little.
                    time.sleep(0.3)
                    break
                # An answer that did not come may have been a yes: it is sent again, as a phone does it.
                self.refused[status] = self.refused.get(status, 0) + 1
                time.sleep(0.1)

    @contextlib.contextmanager
    def running(self):
        threads = [threading.Thread(target=self.run, args=pair) for pair in self.sessions]
        for thread in threads:
            thread.start()
        try:
            yield self
        finally:
            self.isOver.set()
            for thread in threads:
                thread.join()

    def more(self, count):
        """Waits until so many more were acknowledged."""
        had = self.count
        until(f"{count} more are acknowledged; refused: {self.refused}", lambda: self.count >= had + count)

    # What is there

    def there(self, url, session):
        """The numbers of a session's events, as they are read; None as long as not everything can be read."""
        found, after = [], None
        while True:
            status, page = ask(url + f"api/sessions/{session}/events?limit=1000" + (f"&after={after}" if after else ""))
            if status != 200:
                return None
            found += [row["sequence"] for row in page["events"]]
            after = page["next"]
            if not after:
                return found

    def check(self, urls):
        """All that was acknowledged is there, once, whoever is asked."""
        for _, session in self.sessions:
            for url in urls:
                def isWhole():
                    found = self.there(url, session)
                    return found is not None and self.acknowledged[session] <= set(found) and found
                found = until(f"{session} is whole at {url}", isWhole)
                assert len(found) == len(set(found)), f"doubled in {session}: {len(found) - len(set(found))}"
        return f"{self.count} events of {len(self.sessions)} sessions"
