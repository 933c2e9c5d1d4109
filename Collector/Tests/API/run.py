"""The API, held against its own description: GET /openapi.json of a real collector with what the demo recorded.

    run.py --tool Collector/.build/debug/automobile --app DEMO_APP [--only called|hostile|fuzzed] [--examples 12] [--cluster]

called   each operation at least once with what it takes: status, type and every member of the answer as described
hostile  other methods, paths and texts, and everything once without a key
fuzzed   Schemathesis, with an operator's key and without one

A member that the collector sends and the description does not have is an error here, though clients are asked to ignore it.
"""

import argparse
import http.server
import json
import shutil
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path

from openapi_spec_validator import OpenAPIV31SpecValidator

import agents
import alerting
import changing
import forwarding
import fuzz
import hostile
import reading
import traces
from client import Client

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Page"))
from collector import Collector, Launch, places  # noqa: E402

CALLS = reading.ALL + changing.ALL + traces.ALL + agents.ALL + alerting.ALL + forwarding.ALL
KEY, OPERATOR = "reads-and-delivers", "changes-everything"


class Facts:
    """What calls have to know of the recording."""

    def __init__(self, collector, echo):
        self.collector = collector
        self.echo = echo
        self.program = Path(shutil.which("true"))

    def gather(self, api):
        self.sessions = [each["sessionId"] for each in api.call("listSessions").json["sessions"]]
        for function in ("pay()", "ship()"):
            launch = Launch(user="Lea & Ming / 1")
            request = launch.event(
                "network_request", url=f"http://localhost:{self.echo}/again", host="localhost", path="/again", method="GET", statusCode=200,
                durationMs=12.5)
            self.collector.send_crashed(launch, [function, "main"], request)
        self.wait(lambda: len(self._twins(api)) == 2)
        self.twins = [each["id"] for each in self._twins(api)]
        self.wait(lambda: api.call("listRequests", query={"host": "localhost"}).json["requests"])
        self.repeatable = api.call("listRequests", query={"host": "localhost"}).json["requests"][0]["id"]
        self.elsewhere = api.call("listRequests", query={"app": "com.example.coffeeshop"}).json["requests"][0]["id"]

    def crash(self, function):
        """One that nobody has seen."""
        self.collector.send_crashed(Launch(), [function, "main"])

    def _twins(self, api):
        return api.call("listIssues", query={"bundleId": "com.example.page"}).json["issues"]

    def stranger(self, api):
        return Client(api.port, api.description)

    def wait(self, passes):
        deadline = time.time() + 60
        while not passes():
            assert time.time() < deadline, "waited in vain"
            time.sleep(0.1)


class Echo(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "5")
        self.end_headers()
        self.wfile.write(b"again")

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


class Keyed(Collector):
    """Delivers with a key."""

    def send(self, *arguments, **named):
        super().send(*arguments, **{**named, "key": KEY})


def attempt(name, step):
    """Whether it went well."""
    start = time.monotonic()
    try:
        said = step()
    except Exception as error:
        print(f"FAILED {name} ({time.monotonic() - start:.1f} s)", flush=True)
        print(error if isinstance(error, AssertionError) and str(error) else traceback.format_exc(), flush=True)
        return False
    print(f"passed {name}{f': {said}' if said else ''} ({time.monotonic() - start:.1f} s)", flush=True)
    return True


def called(api, facts):
    """Each operation, and none is left."""
    results = [attempt(each.__doc__, lambda each=each: each(api, facts)) for each in CALLS]
    missing = sorted(set(api.description.operations) - api.description.called)
    for name in missing:
        method, path, _ = api.description.operations[name]
        print(f'FAILED {method} {path} is not called: add api.call("{name}", …) to a file of Collector/Tests/API', flush=True)
    print(f"{len(api.description.called)} of {len(api.description.operations)} operations called")
    never = api.description.never_seen()
    print(f"optional members that no answer had: {', '.join(never) or 'none'}")
    return all(results) and not missing


def fuzzed(api, facts, directory, examples, is_brief):
    # Whoever has no key is sent away before a value at the limits is looked at: these can be left out.
    phases = "examples,fuzzing" if is_brief else "examples,coverage,fuzzing"
    results = [attempt("Schemathesis with an operator's key", lambda: fuzz.fuzz(api, directory, examples, OPERATOR))]
    results.append(attempt("Schemathesis without a key", lambda: fuzz.fuzz(api, directory, max(examples // 3, 1), None, phases)))
    return all(results)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--tool", required=True)
    arguments.add_argument("--app", required=True)
    arguments.add_argument("--only", choices=["called", "hostile", "fuzzed"])
    arguments.add_argument("--examples", type=int, default=12)
    arguments.add_argument("--brief", action="store_true", help="without the values at the limits that somebody without a key sends")
    arguments.add_argument("--short", action="store_true", help="each operation once")
    places.add_option(arguments)
    arguments = arguments.parse_args()
    arguments.only = "called" if arguments.short else arguments.only
    with places.chosen(arguments):
        return tried(arguments)


def tried(arguments):
    """The exit code."""
    echo = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=echo.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(prefix="automobile-api-") as directory:
        place = Path(directory)
        with Collector(arguments.tool, arguments.app, place) as demo:
            demo.demo()
        # On a cluster it was brought there.
        if not demo.data.exists():
            shutil.move(place / "demo" / "collector", demo.data)
        with Keyed(arguments.tool, arguments.app, place) as collector:
            collector.options = ["--key", KEY, "--operator-key", OPERATOR, "--resend-to", f"localhost:{echo.server_port}",
                                 "--allow-egress", f"127.0.0.1:{echo.server_port}"]
            collector.start()
            return 0 if held(collector, echo.server_port, place, arguments) else 1


def held(collector, echo, directory, arguments):
    api = Client(collector.port, key=OPERATOR)
    document = api.ask("GET", "/openapi.json").json
    print(f"{len(api.description.operations)} operations, {len(json.dumps(document))} bytes")
    results = [attempt("openapi-spec-validator", lambda: OpenAPIV31SpecValidator(document).validate())]
    facts = Facts(collector, echo)
    results.append(attempt("what the demo recorded", lambda: facts.gather(api)))
    if arguments.only in (None, "called"):
        results.append(called(api, facts))
    if arguments.only in (None, "hostile"):
        results += [attempt(each.__doc__, lambda each=each: each(api, facts)) for each in hostile.ALL]
    if arguments.only in (None, "fuzzed"):
        results.append(fuzzed(api, facts, directory, arguments.examples, arguments.brief))
    results.append(attempt("the collector lives", lambda: api.call("getStatus")and None))
    return all(results)


if __name__ == "__main__":
    sys.exit(main())
