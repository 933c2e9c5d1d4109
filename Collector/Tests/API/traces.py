"""Spans and OpenTelemetry: delivered, read, and exported."""

import gzip
import json
import os
import time


def attributes(**values):
    kinds = {str: "stringValue", int: "intValue", bool: "boolValue"}
    return [{"key": name.replace("__", "."), "value": {kinds[type(value)]: value}} for name, value in values.items()]


def resource(members):
    return {"resource": {"attributes": attributes(service__name="com.example.traces", session__id="traced-session")}, **members}


def span(trace, name, after, parent=None, **members):
    start = time.time_ns() - 10_000_000_000 + after
    parents = {"parentSpanId": parent} if parent else {}
    return {"traceId": trace, "spanId": os.urandom(8).hex(), "name": name, "startTimeUnixNano": str(start),
            "endTimeUnixNano": str(start + 5_000_000), **parents, **members}


def delivered(api, facts):
    """OpenTelemetry, taken in"""
    facts.trace = os.urandom(16).hex()
    root = span(facts.trace, "checkout", 0, attributes=attributes(cart__items=3), kind=1, status={"code": 2, "message": "no answer"})
    request = span(facts.trace, "GET", 1_000_000, root["spanId"], kind=3, attributes=attributes(
        http__request__method="GET", url__full="https://api.example.com/v1/pay", http__response__status_code=503))
    inner = span(facts.trace, "price", 2_000_000, root["spanId"], kind=2)
    spans = {"resourceSpans": [resource({"scopeSpans": [{"spans": [root, request, inner, {"name": "nameless"}]}]})]}
    taken = api.call("deliverSpans", body=spans).json
    assert taken["partialSuccess"]["rejectedSpans"] == "1", taken
    record = {"timeUnixNano": str(time.time_ns()), "severityNumber": 9, "body": {"stringValue": "Hello"}, "traceId": facts.trace,
              "spanId": root["spanId"]}
    logs = {"resourceLogs": [resource({"scopeLogs": [{"logRecords": [record]}]})]}
    assert api.call("deliverLogs", body=logs).json == {}
    api.call("deliverLogs", raw=gzip.compress(json.dumps(logs).encode()), headers={"Content-Encoding": "gzip"})
    point = {"asInt": "1", "timeUnixNano": str(time.time_ns())}
    counted = {"resourceMetrics": [resource({"scopeMetrics": [{"metrics": [{"name": "taps", "sum": {"dataPoints": [point]}}]}]})]}
    assert api.call("deliverMetrics", body=counted).json["partialSuccess"]["rejectedDataPoints"] == "1"
    for name in ("deliverLogs", "deliverSpans", "deliverMetrics"):
        assert api.call(name, raw=b"", kind="application/x-protobuf").headers["Content-Type"] == "application/x-protobuf"
        api.call(name, 400, raw=b"nothing", kind="application/x-protobuf")
        api.call(name, 400, raw=b'{"resource')
        api.call(name, 415, raw=b"{}", kind="text/plain")
        api.call(name, 400, raw=b"nothing", headers={"Content-Encoding": "gzip"})
    facts.wait(lambda: len(api.call("getTrace", path={"id": facts.trace}).json["spans"]) >= 2)
    facts.wait(lambda: api.call("getTrace", path={"id": facts.trace}).json["requests"])


def spans(api, facts):
    """spans and traces"""
    trace = api.call("getTrace", path={"id": facts.trace}).json
    assert any("attributes" in each for each in trace["spans"]) and any("parentSpanId" in each for each in trace["spans"]), trace
    assert trace["requests"][0]["request"]["statusCode"] == 503, trace
    page = api.call("getTrace", path={"id": facts.trace.upper()}, query={"limit": 1}).json
    assert "requests" not in api.call("getTrace", path={"id": facts.trace}, query={"after": page["next"]}).json
    assert api.call("getTrace", path={"id": os.urandom(16).hex()}).json["spans"] == []
    api.call("getTrace", 400, path={"id": "0" * 32})
    facts.traced = trace["spans"][0]["sessionId"]
    page = api.call("listSpansOfSession", path={"id": facts.traced}, query={"limit": 1}).json
    assert page["next"] and page["spans"], page
    api.call("listSpansOfSession", path={"id": facts.traced}, query={"after": page["next"], "newer": 1})
    api.call("listSpansOfSession", 400, path={"id": facts.traced}, query={"newer": "x"})
    api.call("listSpansOfSession", 404, path={"id": "nobody"})
    for session in facts.sessions:
        api.call("listSpansOfSession", path={"id": session})
    api.call("getRequest", path={"id": trace["requests"][0]["request"]["id"]})


def exported(api, facts):
    """sessions in OpenTelemetry's words"""
    for session in [facts.traced, *facts.sessions]:
        for name in ("exportLogs", "exportSpans"):
            lines = api.call(name, path={"id": session})
            for line in lines.body.splitlines():
                assert "resourceLogs" in (told := json.loads(line)) or "resourceSpans" in told, told
            packed = api.call(name, path={"id": session}, query={"format": "protobuf"})
            assert bool(packed.body) == bool(lines.body)
    told = [json.loads(line) for line in api.call("exportSpans", path={"id": facts.traced}).body.splitlines()]
    assert facts.trace in json.dumps(told), told
    for name in ("exportLogs", "exportSpans"):
        api.call(name, 404, path={"id": "nobody"})
        api.call(name, 400, path={"id": facts.traced}, query={"format": "xml"})


ALL = [delivered, spans, exported]
