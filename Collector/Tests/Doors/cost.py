"""What the wall of a project costs: questions of the viewer, asked with a key for all and with one for one of ten projects.

    cost.py --tool Collector/.build/release/automobile [--sessions 40]

Prints the median of 15 answers each, their sizes, and the ratio. It is no test: it fails only when something is not answered.
"""

import argparse
import statistics
import tempfile
import time

from house import MINE, OPERATOR, THEIRS, House

APPS = [MINE, THEIRS] + [f"dev.more{number}.app" for number in range(8)]
QUESTIONS = [
    "/api/sessions?limit=50", "/api/sessions/facets", "/api/sessions?q=word3", "/api/sessions?q=common", "/api/sessions?q=status:503",
    f"/api/sessions/{MINE}-1", f"/api/sessions/{MINE}-1/outline", f"/api/sessions/{MINE}-1/events", "/api/events?limit=100",
    "/api/events?q=common", "/api/issues", "/api/network?limit=50", "/api/network?failed=true&sort=slowest", "/api/network/stats", "/api/health",
    "/api/users/u1", "/api/launches",
]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tool", required=True)
    arguments.add_argument("--sessions", type=int, default=40, help="of each project, with 51 events")
    arguments = arguments.parse_args()
    with tempfile.TemporaryDirectory() as directory, House(arguments.tool, directory) as house:
        viewer = fill(house, arguments.sessions)
        for question in QUESTIONS:
            (whole, size), (one, part) = (measured(house, question, key) for key in (OPERATOR, viewer))
            print(f"{question:44} all {whole:7.2f} ms {size:7} bytes   one {one:7.2f} ms {part:7} bytes   ratio {one / whole:.2f}", flush=True)


def fill(house, count):
    for app in APPS[2:]:
        house.tell("POST", "/api/projects", {"bundleId": app, "name": app}, OPERATOR)
    own = next(each for each in house.tell("GET", "/api/projects", key=OPERATOR)["projects"] if each["bundleId"] == MINE)["id"]
    for number in range(count):
        for app in APPS:
            while (status := house.deliver(list(events(app, number)), app, OPERATOR)[0]) == 429:
                time.sleep(0.5)
            assert status == 200, status
    house.until(f"/api/sessions/{APPS[-1]}-{count - 1}", lambda found: found["events"] == 51)
    return house.tell("POST", "/api/keys", {"project": own, "role": "viewer"}, OPERATOR)["key"]


def events(app, number):
    session = {"sessionId": f"{app}-{number}", "userId": f"u{number % 50}", "appVersion": "1.0"}
    begin = 1_790_000_000_000 + number * 600_000
    for index in range(50):
        if index % 5 == 0:
            event = {"eventType": "network_request", "url": f"https://api.example.com/v1/{index}", "host": "api.example.com",
                     "path": f"/v1/{index}", "method": "GET", "statusCode": 503 if index % 10 == 0 else 200, "durationMs": 12.5}
        elif index % 5 == 1:
            event = {"eventType": "navigation", "destination": f"Screen{index}", "source": "x", "arguments": {}}
        else:
            event = {"eventType": "log", "level": 2, "tag": "t", "message": f"hello common word{number} {index}", "filterName": "all"}
        yield {**event, "timestamp": begin + index, "sessionId": session["sessionId"], "context": session}
    yield {"eventType": "handled_exception", "exceptionClass": f"E{number % 20}", "customMessage": "m", "timestamp": begin + 50,
           "sessionId": session["sessionId"], "context": session}


def measured(house, question, key):
    """The median time of an answer in milliseconds, and its size."""
    times = []
    for _ in range(15):
        start = time.perf_counter()
        status, text = house.ask("GET", question, key=key)
        times.append((time.perf_counter() - start) * 1000)
        assert status == 200, (question, status, text[:300])
    return statistics.median(times), len(text)


if __name__ == "__main__":
    main()
