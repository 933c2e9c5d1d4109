"""Three collectors behind nginx that share two shards of ClickHouse, PostgreSQL and an S3 store: each killed and cut off under load.

    telemetry.py --tool Collector/.build/debug/automobile [--only NAME]

Nothing acknowledged is lost, nothing is doubled, reads say what is missing meanwhile, and whatever waits goes on by itself.
"""

import argparse
import base64
import contextlib
import gzip
import http.client
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.error
import urllib.request
import uuid
from pathlib import Path

import clickhouse
import nginx
import postgres
import programs
import s3

APP = "dev.test.cluster"
until = programs.until


def ask(url, method="GET", body=None, headers=None):
    """The status and the answer; 0 when there is none."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        url, data, {"Content-Type": "application/json", "X-Bundle-Id": APP, **(headers or {})}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=90) as answer:
            status, content, encoding = answer.status, answer.read(), answer.headers["Content-Encoding"]
    except urllib.error.HTTPError as error:
        status, content, encoding = error.code, error.read(), error.headers["Content-Encoding"]
    except (OSError, http.client.HTTPException):
        return 0, None
    if encoding == "gzip":
        content = gzip.decompress(content)
    try:
        return status, json.loads(content) if content else None
    except ValueError:
        return status, content.decode(errors="replace")


class Collector:
    def __init__(self, tool, data, port, places):
        self.command = [
            tool, "serve", "--json", "--data", str(data), "--port", str(port), "--log-level", "warning",
            *(word for pair in places for word in pair)]
        self.data, self.port = Path(data), port
        self.url = f"http://127.0.0.1:{port}/"
        self.data.mkdir(exist_ok=True, mode=0o700)
        self.start()

    def start(self):
        with open(self.data.parent / f"{self.data.name}.log", "ab") as log:
            self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=log, text=True)
        line = self.process.stdout.readline()
        assert line, f"it does not start: {(self.data.parent / f'{self.data.name}.log').read_text()[-2000:]}"

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def stop(self):
        """In order, as a new release is brought in."""
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(timeout=programs.PATIENCE) == 0
        self.process.stdout.close()


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

    @staticmethod
    def envelope(launch, session, first, count):
        def event(type, sequence, **fields):
            payload = json.dumps({
                "eventType": type, "timestamp": 1_700_000_000_000 + sequence, "sessionId": session, "userId": f"user of {session}", **fields})
            return {"eventType": type, "sequence": sequence, "payload": base64.b64encode(payload.encode()).decode()}

        def one(sequence):
            if sequence % 10 == 3:
                return event("network_request", sequence, url=f"https://api.test/items/{sequence}", method="GET",
                             statusCode=503 if sequence % 100 == 3 else 200, durationMs=12.5)
            if sequence % 50 == 7:
                return event("handled_exception", sequence, exceptionType="TestError", message="it went wrong", stackTrace="a\nb")
            return event("log", sequence, level=4, tag="cluster", message=f"message {sequence}")

        return {"launchId": launch, "bundleId": APP, "events": [one(first + index) for index in range(count)]}

    def run(self, launch, session):
        sequence = 1
        while not self.isOver.is_set():
            count = random.randint(1, 20)
            envelope = self.envelope(launch, session, sequence, count)
            while not self.isOver.is_set():
                status, _ = ask(self.url + "sdk-events", "POST", envelope)
                if status == 200:
                    self.acknowledged[session].update(range(sequence, sequence + count))
                    sequence += count
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


class Company:
    def __init__(self, tool, directory):
        self.directory = Path(directory)
        # Servers that do not run as root look into it.
        self.directory.chmod(0o755)
        self.s3 = s3.Server(self.directory / "s3")
        self.s3Way = s3.Way(self.s3.port)
        self.postgres = postgres.Server(self.directory / "postgres")
        self.pair = clickhouse.Pair(self.directory)
        self.collectors = []
        self.postgres.sql("CREATE DATABASE state", "postgres")
        places = [
            ("--store", self.pair.address("telemetry")), ("--state", self.postgres.address("state")),
            ("--blobs", f"s3://bucket/all?endpoint=http://127.0.0.1:{self.s3Way.port}")]
        for number, port in enumerate(s3.free_ports(3), 1):
            self.collectors.append(Collector(tool, self.directory / f"collector-{number}", port, places))
        self.balancer = nginx.Balancer(self.directory / "nginx", [each.port for each in self.collectors])
        self.url = self.balancer.url
        until("the balancer answers", lambda: ask(self.url + "health")[0] == 200)

    @property
    def urls(self):
        return [each.url for each in self.collectors]

    def ask(self, path, *rest):
        return ask(self.url + path, *rest)

    def end(self):
        for each in self.collectors:
            with contextlib.suppress(Exception):
                each.kill()
        for server in (self.balancer, self.pair, self.postgres, self.s3):
            with contextlib.suppress(Exception):
                getattr(server, "end", getattr(server, "kill", None))()


def the_same_everywhere(company):
    """what is delivered to any collector is answered by each, in the same way"""
    launches = Launches(company.url)
    with launches.running():
        launches.more(1500)
    said = launches.check(company.urls)
    session = launches.sessions[0][1]
    paths = [
        "api/sessions?limit=50", f"api/sessions/{session}", f"api/sessions/{session}/outline", "api/sessions?q=message&limit=50",
        f"api/events?limit=100&session={session}", "api/network?failed=true&limit=50", "api/network/stats", "api/launches?limit=50",
        "api/issues?limit=50", f"api/health?app={APP}"]
    for path in paths:
        answers = [ask(url + path) for url in company.urls]
        assert all(status == 200 for status, _ in answers), (path, answers)
        first = json.dumps(steady(answers[0][1]), sort_keys=True)
        for _, answer in answers[1:]:
            assert json.dumps(steady(answer), sort_keys=True) == first, path
        assert len(first) > 100, (path, first)
    return said


def steady(answer):
    """Without what moves with the clock."""
    if isinstance(answer, dict):
        return {name: steady(value) for name, value in answer.items() if name not in ("now", "isLive", "live", "generatedAt")}
    return [steady(each) for each in answer] if isinstance(answer, list) else answer


def killed_collectors(company):
    """collectors are killed under load, each several times"""
    launches = Launches(company.url)
    with launches.running():
        for _ in range(2):
            for collector in company.collectors:
                launches.more(200)
                time.sleep(random.uniform(0, 0.5))
                collector.kill()
                launches.more(100)
                collector.start()
    return launches.check(company.urls)


def rolled(company):
    """collectors are stopped in order and started again one after the other, as a new release is brought in"""
    launches = Launches(company.url)
    with launches.running():
        for collector in company.collectors:
            launches.more(200)
            collector.stop()
            launches.more(100)
            collector.start()
    return launches.check(company.urls)


def without_a_shard(company, end, mend):
    launches = Launches(company.url)
    shard = company.pair.shards[1]
    with launches.running():
        launches.more(300)
        end(shard)
        # What is sent is taken, or said to be too much.
        launches.more(400)
        assert set(launches.refused) <= {0, 429, 503}, launches.refused

        def isSaid():
            status, answer = company.ask("api/sessions?limit=10")
            return status == 503 and answer["error"]["code"] == "telemetry_unavailable" and "shard 2" in answer["error"]["message"]
        until("reading says which shard is away", isSaid)
        mend(shard)
        launches.more(100)
    return launches.check(company.urls[:1])


def killed_shard(company):
    """a shard is killed: recording goes on, reading says which one is away, and what waits goes on by itself"""
    return without_a_shard(company, lambda shard: shard.kill(), lambda shard: shard.start())


def cut_shard(company):
    """the network to a shard is cut, so that nothing is answered at all: the same"""
    return without_a_shard(company, lambda shard: shard.cut(), lambda shard: shard.mend())


def without_the_state(company, end, mend):
    launches = Launches(company.url)
    with launches.running():
        launches.more(300)
        end()
        launches.more(400)
        status, answer = company.ask("api/sessions?limit=10")
        assert status == 200, (status, answer)
        mend()
        launches.more(100)
    return launches.check(company.urls[:1])


def killed_state(company):
    """PostgreSQL is killed: recording and reading go on"""
    return without_the_state(company, company.postgres.kill, company.postgres.start)


def cut_state(company):
    """the network to PostgreSQL is cut: the same"""
    return without_the_state(company, company.postgres.way.cut, company.postgres.way.mend)


CHECKS = [the_same_everywhere, killed_collectors, rolled, killed_shard, cut_shard, killed_state, cut_state]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    os.environ.update(
        AWS_ACCESS_KEY_ID=s3.ACCESS, AWS_SECRET_ACCESS_KEY=s3.SECRET, PGPASSWORD=postgres.PASSWORD,
        CLICKHOUSE_PASSWORD=clickhouse.PASSWORD)
    failed = []
    with tempfile.TemporaryDirectory(prefix="automobile-cluster-") as directory:
        company = Company(options.tool, directory)
        try:
            for check in CHECKS:
                if options.only not in check.__name__:
                    continue
                begun = time.monotonic()
                try:
                    said = check(company)
                    print(f"ok      {check.__doc__}: {said} ({time.monotonic() - begun:.0f} s)", flush=True)
                except Exception:
                    failed.append(check.__name__)
                    print(f"FAILED  {check.__doc__}", flush=True)
                    traceback.print_exc()
                    # What follows would only say that this one left something behind.
                    break
        finally:
            if failed:
                for log in Path(directory).glob("collector-*.log"):
                    print(log.name, log.read_text()[-3000:], file=sys.stderr)
            company.end()
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
