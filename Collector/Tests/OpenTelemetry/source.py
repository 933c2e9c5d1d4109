"""Numbered log records and spans, delivered to a collector: each can be told from all others."""

import time

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

PROTOBUF = "application/x-protobuf"


def logs(place, numbers, service="com.example.coffee", severity=9, session="forwarded"):
    request = ExportLogsServiceRequest()
    group = request.resource_logs.add()
    group.resource.attributes.add(key="service.name").value.string_value = service
    scope = group.scope_logs.add()
    for number in numbers:
        record = scope.log_records.add(time_unix_nano=time.time_ns(), severity_number=severity)
        record.body.string_value = f"log {number}"
        record.attributes.add(key="session.id").value.string_value = session
        record.attributes.add(key="number").value.int_value = number
    place.post("/v1/logs", request.SerializeToString(), PROTOBUF)
    return [f"log {number}" for number in numbers]


def spans(place, numbers, service="com.example.coffee", session="forwarded"):
    request = ExportTraceServiceRequest()
    group = request.resource_spans.add()
    group.resource.attributes.add(key="service.name").value.string_value = service
    scope = group.scope_spans.add()
    now = time.time_ns()
    for number in numbers:
        span = scope.spans.add(trace_id=(number + 1).to_bytes(16, "big"), span_id=(number + 1).to_bytes(8, "big"), name=f"span {number}",
                               start_time_unix_nano=now, end_time_unix_nano=now + 1_000_000)
        span.attributes.add(key="session.id").value.string_value = session
    place.post("/v1/traces", request.SerializeToString(), PROTOBUF)
    return [f"span {number}" for number in numbers]


def add(place, receiver, **members):
    """A forwarder's number."""
    status, answer = place.send("POST", "/api/forwarders", {"url": receiver.url, **members})
    assert status == 200, answer
    return answer["id"]


def lane(place, forwarder, signal="logs"):
    found = next(each for each in place.get("/api/forwarders")["forwarders"] if each["id"] == forwarder)
    return next(each for each in found["lanes"] if each["signal"] == signal)


def until(ask, seconds=60):
    """What it answers, once that is something."""
    deadline = time.monotonic() + seconds
    while not (answer := ask()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)
    return answer
