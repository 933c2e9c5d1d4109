"""Three collectors are one: what one was told, each knows."""

import contextlib
import http.client
import json
import random
import socket
import threading
import time
import urllib.parse
import uuid

from asking import APP, ask, difference, steady
from launches import Launches, deliver
from programs import PATIENCE, until


def the_same_everywhere(company):
    """what is delivered to any collector is answered by each, in the same way"""
    launches = Launches(company.url)
    with launches.running():
        launches.more(1500)
    said = launches.check(company.urls)
    session = launches.sessions[0][1]
    now = int(time.time() * 1000)
    paths = [
        "api/sessions?limit=50", f"api/sessions/{session}", f"api/sessions/{session}/outline", "api/sessions?q=message&limit=50",
        f"api/events?limit=100&session={session}", "api/network?failed=true&limit=50", "api/network/stats", "api/launches?limit=50",
        "api/issues?limit=50", f"api/health?app={APP}&from={now - 86_400_000}&to={now}", f"api/users/user-of-{session}"]
    for path in paths:
        def isSame():
            """Reports come into issues some seconds later."""
            nonlocal what
            answers = [ask(url + path) for url in company.urls]
            assert all(status == 200 for status, _ in answers), (path, answers)
            contents = [steady(content) for _, content in answers]
            assert len(json.dumps(contents[0])) > 100, (path, contents[0])
            what = difference(contents[0], contents[1]) or difference(contents[0], contents[2])
            return what is None
        what = None
        try:
            until(f"{path} is the same everywhere", isSame)
        except AssertionError as error:
            raise AssertionError(f"{path}: {what}") from error
    return said


class Tail:
    """Somebody who looks on, and what was shown."""

    def __init__(self, url):
        place = urllib.parse.urlsplit(url)
        self.connection = http.client.HTTPConnection(place.hostname, place.port, timeout=PATIENCE)
        self.connection.request("GET", f"/api/tail?app={APP}")
        # The answer has the connection's socket from then on.
        self.socket = self.connection.sock
        self.stream = self.connection.getresponse()
        assert self.stream.readline().startswith(b"retry")
        self.lines = []
        self.thread = threading.Thread(target=self.read)
        self.thread.start()

    def read(self):
        with contextlib.suppress(OSError, http.client.HTTPException):
            for line in self.stream:
                self.lines.append(line.decode())

    def end(self):
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.thread.join()

    def has(self, text):
        return sum(line.startswith("data:") and text in line for line in list(self.lines))


def tailed(company):
    """who looks on, at any collector and through the balancer, sees what comes to another one, once"""
    tails = [Tail(url) for url in [company.url, *company.urls]]
    try:
        texts = []
        for url in company.urls:
            texts.append(f"shown {uuid.uuid4()}")
            deliver(url, message=texts[-1])
        for tail in tails:
            for text in texts:
                until("it is shown", lambda: tail.has(text))
        for tail in tails:
            assert all(tail.has(text) == 1 for text in texts), [tail.has(text) for text in texts]
    finally:
        for tail in tails:
            tail.end()


def decided(company):
    """an issue that is resolved at one collector is resolved at the others; a report of a newer version opens it everywhere"""
    # Issues are called by what was said, without numbers.
    name = "".join(random.choices("abcdefgh", k=12))

    def report(url, version):
        deliver(url, "handled_exception", version=version, customMessage=f"{name} broke",
                timestamp=int(time.time() * 1000))

    def issue(url):
        status, answer = ask(url + "api/issues?limit=200&status=all")
        assert status == 200, (status, answer)
        return next((each for each in answer["issues"] if name in json.dumps(each)), None)

    first, second, third = company.urls
    report(first, "1.0")
    for url in company.urls:
        until(f"the issue is there at {url}", lambda: issue(url))
    id = issue(first)["id"]
    status, answer = ask(second + f"api/issues/{id}/status", "PUT", {"status": "resolved", "version": "2.0"})
    assert status == 200, (status, answer)
    for url in company.urls:
        until(f"it is resolved at {url}", lambda: issue(url)["status"] == "resolved")
    report(third, "2.0")
    for url in company.urls:
        until(f"it is open again at {url}", lambda: issue(url)["status"] != "resolved")


def commanded(company):
    """a command that is given to any collector reaches an app that asks through the balancer, and so does its answer"""
    launch, answers, over = str(uuid.uuid4()).upper(), [], threading.Event()

    def app():
        """A debug build: it asks, does what it is told, and answers; each of it at whichever collector."""
        while not over.is_set():
            status, content = ask(company.url + f"sdk-commands?launchId={launch}&bundleId={APP}&commands=sql&wait=5")
            for command in content["commands"] if status == 200 else ():
                result = {"ok": True, "result": command["arguments"]["n"] + 1}
                path = f"sdk-commands/{command['id']}/result?launchId={launch}&bundleId={APP}"
                answers.append(ask(company.url + path, "POST", result)[0])

    thread = threading.Thread(target=app)
    thread.start()
    doors = company.urls + [company.url] * 3
    try:
        for url in company.urls:
            until(f"it is listed by {url}", lambda: launch in str(ask(url + "api/commands")[1]["listeners"]))
        for n, url in enumerate(doors):
            body = {"launchId": launch, "command": "sql", "arguments": {"n": n}, "timeoutSeconds": 30}
            status, answer = ask(url + "api/commands", "POST", body)
            assert status == 200 and answer["launchId"] == launch and answer["answer"]["result"] == n + 1, (url, status, answer)
        status, answer = ask(company.url + "api/commands", "POST", {"launchId": "nobody", "command": "sql"})
        assert status == 404 and answer["error"]["code"] == "no_listener", (status, answer)
    finally:
        over.set()
        thread.join()
    assert answers == [200] * len(doors), answers
    for url in company.urls:
        until("it has left", lambda: launch in ask(url + "api/commands")[1]["left"])
