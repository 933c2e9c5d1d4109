"""What comes in."""

import json
import shutil

from google.protobuf.json_format import MessageToDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.trace import NonRecordingSpan, SpanKind, set_span_in_context
from playwright.sync_api import expect, sync_playwright

from sender import SERVICE, App


def session(place):
    """an app that is instrumented with OpenTelemetry's SDK has its session, and is found"""
    with App(place.url) as app:
        ids = app.story()
    with App(place.url, "payments", gzip=False, **{"service.instance.id": "pod-3"}) as backend:
        with backend.tracer.start_as_current_span("POST /v1/pay", kind=SpanKind.SERVER,
                                                  context=set_span_in_context(NonRecordingSpan(ids))):
            pass
    events = place.events("otel-session-1", 9)
    kinds = sorted(each["eventType"] for each in events)
    assert kinds == ["handled_exception", "interaction", "lifecycle", "log", "log", "navigation", "network_request", "span",
                     "span"], kinds
    found = place.get("/api/sessions?q=tag:staging")["sessions"]
    assert "otel-session-1" in [each["sessionId"] for each in found], found
    about = place.get("/api/sessions/otel-session-1")
    assert (about["bundleId"], about["appVersion"], about["device"]["model"]) == (SERVICE, "4.2", "iPhone16,2"), about
    assert place.get("/api/sessions?q=card%20declined")["sessions"][0]["sessionId"] == "otel-session-1"
    request = place.get("/api/network?q=status:503")["requests"]
    assert len(request) == 1 and request[0]["durationMs"] >= 0, request
    issues = place.get("/api/issues")["issues"]
    assert [each["kind"] for each in issues] == ["failure"], issues
    # The backend's span is in a session of its own, in the same trace.
    days = [each["sessionId"] for each in place.get("/api/sessions")["sessions"] if each["sessionId"].startswith("otel 20")]
    assert len(days) == 1 and days[0].endswith(" pod-3"), days
    server = place.events(days[0], 1)[0]["payload"]
    assert server["traceId"] == format(ids.trace_id, "032x") and server["parentSpanId"] == format(ids.span_id, "016x"), server


def browser(place):
    """its session is in the viewer, in a real browser"""
    with App(place.url) as app:
        app.story()
    place.events("otel-session-1", 9)
    with sync_playwright() as playwright:
        path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = chromium.new_page(viewport={"width": 1440, "height": 900})
        complaints = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(place.url)
        expect(page.get_by_role("list", name="Sessions")).to_contain_text("coffee 4.2", timeout=20_000)
        page.goto(f"{place.url}/#/sessions/otel-session-1?t=0")
        for text in ("payment failed: card declined", "Checkout", "/v1/pay", "the bank did not answer"):
            expect(page.get_by_text(text).first).to_be_visible(timeout=20_000)
        if place.screenshots:
            place.screenshots.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=place.screenshots / "opentelemetry.png")
        assert not complaints, complaints
        chromium.close()


def again(place):
    """a request that is sent again with the same bytes adds nothing, nor does a span in another batch"""
    request = ExportTraceServiceRequest()
    spans = request.resource_spans.add()
    spans.resource.attributes.add(key="service.name").value.string_value = SERVICE
    scope = spans.scope_spans.add()
    for number in range(3):
        span = scope.spans.add(trace_id=bytes(range(1, 17)), span_id=bytes([9] * 7 + [number]), name=f"span {number}",
                               start_time_unix_nano=1_700_000_000_000_000_000, end_time_unix_nano=1_700_000_000_005_000_000)
        span.attributes.add(key="session.id").value.string_value = "again"
    for _ in range(3):
        assert place.post("/v1/traces", request.SerializeToString(), "application/x-protobuf") == b""
    del scope.spans[0]
    place.post("/v1/traces", request.SerializeToString(), "application/x-protobuf")
    place.events("again", 3)


def json_form(place):
    """JSON is understood as the protocol has it"""
    request = ExportTraceServiceRequest()
    scope = request.resource_spans.add().scope_spans.add()
    span = scope.spans.add(trace_id=bytes(range(1, 17)), span_id=bytes(range(1, 9)), name="json", kind=3,
                           start_time_unix_nano=1_700_000_000_000_000_000, end_time_unix_nano=1_700_000_001_000_000_000)
    span.attributes.add(key="session.id").value.string_value = "json"
    span.attributes.add(key="big").value.int_value = 2**60
    tree = MessageToDict(request, use_integers_for_enums=True)
    written = tree["resourceSpans"][0]["scopeSpans"][0]["spans"][0]
    written["traceId"], written["spanId"] = bytes(range(1, 17)).hex(), bytes(range(1, 9)).hex()
    answer = place.post("/v1/traces", json.dumps(tree).encode(), "application/json")
    assert json.loads(answer) == {}, answer
    payload = place.events("json", 1)[0]["payload"]
    assert payload["traceId"] == written["traceId"] and payload["durationMs"] == 1000 and payload["attributes"]["big"] == 2**60, payload


def killed(place):
    """what was answered is there after a SIGKILL right behind the answer"""
    with App(place.url) as app:
        app.story()
    place.kill()
    place.start()
    place.events("otel-session-1", 9)
