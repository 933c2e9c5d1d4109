"""A checkout as spans tell of it: in the app, and in the backend that it asks."""

import random

from collector import Launch

API = "https://api.roastery.example"
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


class Spans:
    """Makes the events of spans, each at its begin and at its end."""

    def __init__(self, launch, trace=TRACE):
        self.launch, self.trace = launch, trace
        self.events = []
        self.count = random.Random(launch.id).randrange(1 << 62)

    def span(self, name, at, duration=None, parent=None, span_id=None, end_only=False, **more):
        """At so many milliseconds after the launch's begin; returns its id."""
        self.count += 1
        span_id = span_id or f"{self.count:016x}"
        members = {"timestamp": self.launch.start + at, "name": name, "traceId": self.trace, "spanId": span_id, **more}
        if parent:
            members["parentSpanId"] = parent
        if not end_only:
            begun = {key: value for key, value in members.items() if key not in ("status", "statusMessage")}
            self.events.append(self.launch.event("span", 0, **begun))
        if duration is not None:
            self.events.append(self.launch.event("span", 0, **members, durationMs=duration))
        return span_id


def launch_at(start, user="mira@example.com"):
    launch = Launch(user=user, start=start)
    launch.start = start
    return launch


def checkout(collector, start):
    """The app's session and the backend's; returns the launches."""
    app, server = launch_at(start), launch_at(start, user="")
    events = [app.screen("Menu", after=0), app.screen("Checkout", after=900)]
    spans = Spans(app)
    root = spans.span("checkout", 1000, 2600.5, attributes={"items": 3, "payment": "card", "voucher": "AUTUMN10"})
    spans.span("validate cart", 1020, 180.25, parent=root)
    pay = spans.span("pay", 1250, 1500.0, parent=root, status="error", statusMessage="Declined", attributes={"attempt": 1})
    spans.span("load receipt fonts", 1300, 900.0, parent=root)
    spans.span("pay again", 2800, 700.0, parent=root, status="ok", attributes={"attempt": 2})
    spans.span("upload log", 3700)
    header = "00000000000000aa"
    app.now = start + 1260
    request = app.event("network_request", 0, method="POST", url=f"{API}/v1/pay", host="api.roastery.example", path="/v1/pay", statusCode=402,
                        durationMs=1400.0, traceparent=f"00-{TRACE}-{header}-01", traceId=TRACE, parentSpanId=pay, source="urlprotocol")
    app.now = start + 5000
    collector.send(app, events + spans.events + [request, app.screen("Receipt")])

    backend = Spans(server)
    handler = backend.span("POST /v1/pay", 1300, 1300.0, parent=header, end_only=True, kind="server", status="error",
                           attributes={"http.route": "/v1/pay", "http.response.status_code": 402})
    backend.span("SELECT basket", 1320, 120.0, parent=handler, end_only=True, kind="client", attributes={"db.system": "postgresql"})
    backend.span("charge card", 1500, 1050.0, parent=handler, end_only=True, kind="client", status="error", statusMessage="insufficient funds")
    collector.send(server, backend.events, app="com.example.payments")
    return app, server


def crowd(collector, start, count=10_000):
    """As many spans in one session, nested and beside each other."""
    chance = random.Random(3)
    launch = launch_at(start)
    spans = Spans(launch)
    at = 0
    while spans.count and len(spans.events) < count:
        at += chance.randrange(5, 400)
        spans.trace = f"{chance.getrandbits(127) | 1:032x}"
        parent, length = None, chance.lognormvariate(5, 1)
        for depth in range(chance.randrange(1, 7)):
            parent = spans.span(f"{chance.choice(['load', 'draw', 'decode', 'ask', 'store'])} {depth}", at + depth * 2, round(length * .8 ** depth, 3),
                                parent=parent, end_only=True, **({"status": "error"} if chance.random() < .02 else {}))
    collector.send(launch, [launch.screen("Menu", after=0)] + spans.events)
    return launch
