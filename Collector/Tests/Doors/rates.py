"""Keys that ask and deliver too much."""

import http.client
import json
import statistics
import threading
import time
import uuid

from house import INGEST, MINE, OPERATOR, THEIRS, House, envelope, log

FLOODERS = 12


def flood(tool, place):
    """18. A project that floods gets 429 and takes nobody else's service away"""
    limits = ["--key-requests", "40", "--key-bytes", "400000"]
    with House(tool, place, arguments=limits) as house:
        quiet = answers(house, 40)
        stop, statuses, waits = threading.Event(), [], []

        def attack():
            connection = http.client.HTTPConnection("127.0.0.1", house.port, timeout=30)
            while not stop.is_set():
                body = json.dumps(envelope([log("flood", "x" * 2000) for _ in range(20)], MINE, str(uuid.uuid4()).upper()))
                try:
                    connection.request("POST", "/sdk-events", body, {"Authorization": f"Bearer {house.app_key}", "Content-Type": "application/json"})
                    answer = connection.getresponse()
                    answer.read()
                except (http.client.HTTPException, OSError):
                    connection.close()
                    connection = http.client.HTTPConnection("127.0.0.1", house.port, timeout=30)
                    continue
                statuses.append(answer.status)
                if answer.status == 429:
                    waits.append(answer.headers["Retry-After"])

        threads = [threading.Thread(target=attack) for _ in range(FLOODERS)]
        for thread in threads:
            thread.start()
        time.sleep(2)
        under = answers(house, 40)
        stop.set()
        for thread in threads:
            thread.join()
        refused = statuses.count(429)
        print(f"         {len(statuses)} requests of the flood, {refused} refused; the other's slowest answer in {max(quiet) * 1000:.0f} ms without and "
              f"{max(under) * 1000:.0f} ms with it, the middle one in {statistics.median(quiet) * 1000:.1f} and {statistics.median(under) * 1000:.1f} ms")
        if set(statuses) - {200, 429} or not refused:
            yield f"the flood is answered with {sorted(set(statuses))}"
        if not all(wait and 1 <= int(wait) <= 3600 for wait in waits):
            yield f"429 says to wait for {sorted(set(waits), key=str)[:5]}"
        if max(under) > 5:
            yield f"the other project's delivery is answered after {max(under):.1f} s"
        listed = house.tell("GET", "/api/projects", key=OPERATOR)["projects"]
        counted = {project["bundleId"]: sum(key["limited"] for key in project["keys"]) for project in listed}
        if counted[MINE] != refused or counted[THEIRS]:
            yield f"refused are {refused}, and keys are listed with {counted}"
        metrics = house.ask("GET", "/metrics", key=OPERATOR)[1].decode()
        if "automobile_rate_limited_total{" not in metrics:
            yield "the metrics do not count it"
        # What is refused is sent again, and then it is there.
        again = time.monotonic() + 60
        while (status := house.deliver([log("later")], MINE, house.app_key)[0]) == 429 and time.monotonic() < again:
            time.sleep(0.5)
        if status != 200:
            yield f"after the flood its key is still answered with {status}"


def answers(house, count):
    """Seconds that each of so many deliveries of the other project takes: fewer than its own limit."""
    times = []
    for number in range(count):
        start = time.monotonic()
        status, text = house.deliver([log("calm", f"{number}")], THEIRS, house.their_key)
        assert status == 200, (status, text)
        times.append(time.monotonic() - start)
        time.sleep(0.05)
    return times


def launches(tool, place):
    """30. A launch that delivers again and again waits by itself; the key that it shares with others serves these"""
    with House(tool, place, arguments=["--launch-bodies", "0.2"]) as house:
        runaway, calm = (str(uuid.uuid4()).upper() for _ in range(2))

        def deliver(launch):
            return house.ask("POST", "/sdk-events", envelope([log("s", "x")], MINE, launch), house.app_key)

        statuses = [deliver(runaway)[0] for _ in range(6)]
        if statuses[0] != 200 or statuses[-1] != 429:
            yield f"one body in five seconds, ten seconds at once: {statuses}"
        if (status := deliver(calm)[0]) != 200:
            yield f"another launch with the same key is answered with {status}"


def quotas(tool, place):
    """19. A project's and a launch's bytes of the day end, each for itself"""
    with House(tool, place, arguments=["--project-daily-bytes", "60000", "--launch-daily-bytes", "20000"]) as house:
        launch = str(uuid.uuid4()).upper()

        def deliver(launch, key=house.app_key, app=MINE):
            return house.ask("POST", "/sdk-events", envelope([log("s", "x" * 3000)], app, launch), key)

        first = [deliver(launch)[0] for _ in range(8)]
        if first[0] != 200 or first[-1] != 429:
            yield f"a launch delivers 8 times 4 kB of 20 kB: {first}"
        rest = [deliver(str(uuid.uuid4()).upper())[0] for _ in range(14)]
        if rest[0] != 200 or rest[-1] != 429:
            yield f"others of the project: {rest}"
        code = json.loads(deliver(str(uuid.uuid4()).upper())[1])["error"]["code"]
        if code != "rate_limited":
            yield f"it is told {code}"
        for key in (house.their_key, INGEST):
            if (status := deliver(str(uuid.uuid4()).upper(), key, THEIRS)[0]) != 200:
                yield f"another project is answered with {status}"
