"""A receiver of OTLP over HTTP that decodes what it gets with OpenTelemetry's own messages, and answers as it is told."""

import gzip
import http.server
import json
import threading
import time

from google.protobuf.json_format import Parse
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest, ExportLogsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest, ExportTraceServiceResponse

from outgoing import protobufs_json
from place import free_port

MESSAGES = {"/v1/logs": (ExportLogsServiceRequest, ExportLogsServiceResponse),
            "/v1/traces": (ExportTraceServiceRequest, ExportTraceServiceResponse)}


class Request:
    def __init__(self, path, headers, message):
        self.path, self.headers, self.message, self.at = path, headers, message, time.monotonic()
        self.acknowledged = False
        self.rejected = 0

    @property
    def records(self):
        if self.path.endswith("/v1/logs"):
            return [record for group in self.message.resource_logs for scope in group.scope_logs for record in scope.log_records]
        return [span for group in self.message.resource_spans for scope in group.scope_spans for span in scope.spans]

    @property
    def names(self):
        """What tells each record from all others: the text of a log, the name of a span."""
        return [record.body.string_value if self.path.endswith("/v1/logs") else record.name for record in self.records]


class Receiver:
    """`answer` is given the handler and the request; it says whether it acknowledged it."""

    def __init__(self):
        self.requests = []
        self.lock = threading.Lock()
        self.answer = accept
        self.server = None
        self.port = free_port()
        self.start()

    def start(self):
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"] or 0))
                if self.headers["content-encoding"] == "gzip":
                    body = gzip.decompress(body)
                kind, _ = MESSAGES.get("/v1/" + self.path.rsplit("/", 1)[-1], (None, None))
                message = kind()
                if self.headers["content-type"] == "application/json":
                    Parse(protobufs_json(body), message)
                else:
                    assert self.headers["content-type"] == "application/x-protobuf", self.headers["content-type"]
                    message.ParseFromString(body)
                request = Request(self.path, {name.lower(): value for name, value in self.headers.items()}, message)
                with outer.lock:
                    outer.requests.append(request)
                try:
                    outer.answer(self, request)
                except OSError:
                    self.close_connection = True

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            allow_reuse_address = True
            daemon_threads = True

            def process_request(self, request, address):
                outer.open.append(request)
                super().process_request(request, address)

            def handle_error(self, *_):
                pass

        self.open = []
        self.server = Server(("127.0.0.1", self.port), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def stop(self):
        """Nobody listens any more, and no connection is left."""
        if self.server is None:
            return
        self.server.shutdown()
        self.server.server_close()
        for connection in self.open:
            try:
                connection.shutdown(2)
            except OSError:
                pass
        self.server = None

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def at(self, path):
        with self.lock:
            return [request for request in self.requests if request.path == path]

    def until(self, path, count, seconds=60):
        deadline = time.monotonic() + seconds
        while len(found := self.at(path)) < count:
            assert time.monotonic() < deadline, (path, count, len(found))
            time.sleep(0.02)
        return found


# Ways to answer


def send(handler, code, body=b"", kind="application/x-protobuf", **headers):
    handler.send_response(code)
    handler.send_header("Content-Type", kind)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def accept(handler, request):
    request.acknowledged = True
    json_like = request.headers["content-type"] == "application/json"
    send(handler, 200, b"{}" if json_like else b"", request.headers["content-type"])


def partial(count, text):
    """Does not take so many of the records."""
    def answer(handler, request):
        request.acknowledged, request.rejected = True, count
        _, kind = MESSAGES["/v1/" + request.path.rsplit("/", 1)[-1]]
        message = kind()
        if request.path.endswith("logs"):
            message.partial_success.rejected_log_records = count
        else:
            message.partial_success.rejected_spans = count
        message.partial_success.error_message = text
        if request.headers["content-type"] == "application/json":
            name = "rejectedLogRecords" if request.path.endswith("logs") else "rejectedSpans"
            body = json.dumps({"partialSuccess": {name: str(count), "errorMessage": text}}).encode()
        else:
            body = message.SerializeToString()
        send(handler, 200, body, request.headers["content-type"])
    return answer


def refuse(code, text="", **headers):
    return lambda handler, request: send(handler, code, text.encode(), "text/plain", **headers)


def lie(handler, request):
    """A login page."""
    send(handler, 200, b"<!doctype html><title>Sign in</title>", "text/html")


def garbage(handler, request):
    send(handler, 200, b"OK, thanks", "text/plain")


def hang_up(handler, request):
    """Reads, and closes without a word."""
    handler.close_connection = True
    handler.connection.shutdown(2)


def cut(handler, request):
    """Promises more than it sends."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/x-protobuf\r\nContent-Length: 100\r\n\r\n\x0a")
    hang_up(handler, request)


def huge(handler, request):
    """Never comes to an end."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/x-protobuf\r\nTransfer-Encoding: chunked\r\n\r\n")
    try:
        while True:
            handler.wfile.write(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")
    finally:
        handler.close_connection = True


def after(seconds, answer=accept):
    def wait(handler, request):
        time.sleep(seconds)
        answer(handler, request)
    return wait


def in_turn(*answers, then=accept):
    """Each of these once, by path."""
    counts = {}
    lock = threading.Lock()

    def answer(handler, request):
        with lock:
            count = counts.get(request.path, 0)
            counts[request.path] = count + 1
        (answers[count] if count < len(answers) else then)(handler, request)
    return answer
