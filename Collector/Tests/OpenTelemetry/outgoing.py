"""What goes out."""

import base64
import json

from google.protobuf.json_format import Parse
from opentelemetry.proto.logs.v1.logs_pb2 import LogsData
from opentelemetry.proto.trace.v1.trace_pb2 import Span, TracesData

from sender import SERVICE, App


def exported(place, form):
    with App(place.url) as app:
        ids = app.story()
    place.events("otel-session-1", 9)
    name = place.directory / "out"
    place.command("export", "otlp", "otel-session-1", "--format", form, "--output", str(name))
    return ids, name


def judge(logs, spans, ids):
    """The same story, in OpenTelemetry's own messages."""
    records = [(group, record) for group in logs for scope in group.scope_logs for record in scope.log_records]
    resource = {each.key: each.value.string_value for each in records[-1][0].resource.attributes}
    assert (resource["service.name"], resource["service.version"], resource["os.name"]) == (SERVICE, "4.2", "iOS"), resource
    assert resource["deployment.environment.name"] == "staging", resource
    names = [record.event_name for _, record in records]
    for name in ("session.start", "app.screen.view", "app.widget.click", "exception", "device.app.lifecycle", ""):
        assert name in names, names
    for _, record in records:
        attributes = {each.key: each.value for each in record.attributes}
        assert attributes["session.id"].string_value == "otel-session-1", attributes
        assert record.time_unix_nano > 1_600_000_000_000_000_000
    failed = next(record for _, record in records if record.body.string_value.startswith("payment failed"))
    assert failed.severity_number == 17, failed
    assert {each.key: each.value.string_value for each in failed.attributes}["order"] == "A-77", failed
    found = {span.name: span for group in spans for scope in group.scope_spans for span in scope.spans}
    assert set(found) == {"checkout", "price", "POST"}, found
    request = found["POST"]
    assert request.kind == Span.SPAN_KIND_CLIENT and request.status.code == 2, request
    assert (request.trace_id.hex(), request.span_id.hex()) == (format(ids.trace_id, "032x"), format(ids.span_id, "016x")), request
    assert request.parent_span_id == found["checkout"].span_id and not found["checkout"].parent_span_id, found
    values = {each.key: each.value for each in request.attributes}
    assert values["http.response.status_code"].int_value == 503 and values["url.full"].string_value.endswith("/v1/pay"), values


def protobuf(place):
    """an export in protobuf is read by opentelemetry-proto"""
    ids, name = exported(place, "protobuf")
    logs, spans = LogsData(), TracesData()
    logs.ParseFromString(name.with_suffix(".logs.pb").read_bytes())
    spans.ParseFromString(name.with_suffix(".traces.pb").read_bytes())
    judge(logs.resource_logs, spans.resource_spans, ids)


def json_lines(place):
    """an export in JSON is read by opentelemetry-proto, line by line"""
    ids, name = exported(place, "json")
    logs = [group for line in open(name.with_suffix(".logs.jsonl")) for group in Parse(protobufs_json(line), LogsData()).resource_logs]
    spans = [group for line in open(name.with_suffix(".traces.jsonl")) for group in Parse(protobufs_json(line), TracesData()).resource_spans]
    judge(logs, spans, ids)


def protobufs_json(line):
    """OTLP's JSON has ids in hexadecimal, protobuf's in base64; everything else is protobuf's."""
    def turned(tree):
        if isinstance(tree, list):
            return [turned(each) for each in tree]
        if not isinstance(tree, dict):
            return tree
        return {name: base64.b64encode(bytes.fromhex(value)).decode() if name in ("traceId", "spanId", "parentSpanId") else turned(value)
                for name, value in tree.items()}
    return json.dumps(turned(json.loads(line)))
