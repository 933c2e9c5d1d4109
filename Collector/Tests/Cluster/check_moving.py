"""What one machine has kept becomes a company's."""

import json
import os
import random
import subprocess
import time
import uuid

import programs
import s3
from asking import APP, ask, difference, steady
from company import Collector
from launches import deliver, envelope
from programs import until

# Of each session: a piece of a move is 20 000 at most.
EVENTS = 10_000
BEGUN = int(time.time() * 1000) - 3_600_000


def recorded(laptop, count):
    """Sessions of a collector on one machine, and how many events they have."""
    sessions = {f"s-{uuid.uuid4()}": str(uuid.uuid4()).upper() for _ in range(count)}
    for number, (session, launch) in enumerate(sessions.items()):
        for first in range(1, EVENTS, 1000):
            status, answer = ask(laptop.url + "sdk-events", "POST", envelope(launch, session, first, 1000, BEGUN + 60_000 * number))
            assert status == 200, (status, answer)
    until("it is in the index", lambda: ask(laptop.url + f"api/sessions/{session}")[1].get("events") == EVENTS)
    return list(sessions)


def unnumbered(answer):
    """Without the numbers of events, and places in lists, which are others there; and where a session was found, which is told of other events."""
    if isinstance(answer, dict):
        gone = {"event", "next", "newest", "ids", "sample", "mark", "match"} | ({"id"} if {"sequence", "statusCode"} & answer.keys() else set())
        return {name: unnumbered(value) for name, value in answer.items() if name not in gone}
    return [unnumbered(each) for each in answer] if isinstance(answer, list) else answer


def paths(session):
    """What is asked of the laptop before, and of the company's collector after."""
    return [
        "api/sessions?limit=50", f"api/sessions/{session}", f"api/sessions/{session}/outline", "api/sessions?q=wrong&limit=50",
        f"api/events?limit=100&session={session}", "api/network?failed=true&limit=50", "api/network/stats", "api/launches?limit=50",
        "api/issues?limit=50&status=all", f"api/health?app={APP}&from={BEGUN - 82_800_000}&to={BEGUN + 3_600_000}", f"api/users/user-of-{session}",
        "api/projects"]


def answered(url, path):
    status, content = ask(url + path)
    assert status == 200, (path, status, content)
    return unnumbered(steady(content))


class Move:
    def __init__(self, company, laptop):
        assert company.postgres.sql("CREATE DATABASE moved", "postgres") is not None
        self.places = [
            ("--store", company.pair.address("moved")), ("--state", company.postgres.address("moved"))]
        self.tool, self.data = laptop.tool, laptop.data

    def start(self, what, **environment):
        command = [self.tool, "store", what, "--data", str(self.data), "--json", *(word for pair in self.places for word in pair)]
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=programs.end_with_this,
            env=os.environ | environment)

    def run(self, what, **environment):
        """Its status, and what it printed."""
        process = self.start(what, **environment)
        out, err = process.communicate(timeout=programs.PATIENCE)
        lines = [json.loads(line) for line in out.splitlines()]
        return process.returncode, lines, err

    def killed(self, times):
        """Ended in the middle, so often; how far it was then."""
        places = []
        while len(places) < times:
            process = self.start("move")
            if len(places) % 2:
                until("it is further", lambda: self.moved() > places[-1])
            time.sleep(random.uniform(0, 0.5))
            assert process.poll() is None, f"it ended before it was killed: {process.communicate()}"
            process.kill()
            process.communicate()
            places.append(self.moved())
        return places

    def moved(self):
        """How much of it is there, as the directory knows it."""
        try:
            return json.loads((self.data / "moved.json").read_text())["events"]
        except FileNotFoundError:
            return 0


def moved(company):
    """what a laptop has is moved to a company, killed again and again: compared event by event, and answered as before"""
    tool, (port,) = company.tool, s3.free_ports(1)
    laptop = Collector(tool, company.directory / "laptop", port, [])
    sessions = recorded(laptop, 4 * company.rounds)
    all = len(sessions) * EVENTS
    issue = until("there is an issue", lambda: ask(laptop.url + "api/issues?limit=10")[1]["issues"])[0]["id"]
    status, answer = ask(laptop.url + f"api/issues/{issue}/status", "PUT", {"status": "ignored"})
    assert status == 200, (status, answer)
    move = Move(company, laptop)
    status, _, said = move.run("move")
    assert status != 0 and "is using" in said, (status, said)
    before = {path: answered(laptop.url, path) for path in paths(sessions[0])}
    laptop.stop()
    # What cannot be moved changes nothing: the laptop's collector starts as before.
    status, _, said = move.run("move", CLICKHOUSE_PASSWORD="not this one")
    assert status != 0 and "password" in said.lower(), (status, said)
    laptop.start()
    laptop.stop()

    places = move.killed(1 + 2 * company.rounds)
    status, lines, said = move.run("move")
    assert status == 0 and lines[-1]["events"] == all, (status, lines, said)
    # Once more, it finds that all is there.
    status, lines, said = move.run("move")
    assert status == 0 and lines[-1]["events"] == all, (status, lines, said)
    status, lines, said = move.run("check")
    assert status == 0 and lines[-1] == {"events": all, "erased": 0, "unreadable": 0, "differences": []}, (status, lines, said)

    (port,) = s3.free_ports(1)
    after = Collector(tool, company.directory / "collector-moved", port, move.places)
    try:
        for path, wanted in before.items():
            what = None

            def isSame():
                nonlocal what
                status, content = ask(after.url + path)
                # On a busy machine a question may be told to come again.
                what = (status, content) if status in (429, 503) else difference(wanted, answered(after.url, path))
                return what is None
            try:
                until(f"{path} is as before", isSame)
            except AssertionError as error:
                raise AssertionError(f"{path}: {what}") from error
        # It goes on, where the laptop's was.
        new = deliver(after.url, message="after the move")
        until("what comes after it is there", lambda: ask(after.url + f"api/sessions/{new}")[1].get("events") == 1)
    finally:
        after.kill()
    for shard in company.pair.shards:
        assert shard.ask("SELECT count() FROM moved.events_local")[0][0] != "0"
    return f"{all} events, killed when {places} were there"
