"""An app that is instrumented with OpenTelemetry's own SDK and sends with its own exporters."""

from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry._logs import LogRecord, SeverityNumber
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, Status, StatusCode

SERVICE = "com.example.coffee"


class App:
    """Gzips or not; everything is sent when the `with` block ends."""

    def __init__(self, url, service=SERVICE, gzip=True, **resource):
        attributes = {"service.name": service, "service.version": "4.2", "os.name": "iOS", "os.version": "18.1",
                      "device.model.identifier": "iPhone16,2", "deployment.environment.name": "staging", **resource}
        resource = Resource.create(attributes)
        compression = Compression.Gzip if gzip else Compression.NoCompression
        self.logs = LoggerProvider(resource=resource, shutdown_on_exit=False)
        self.logs.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter(f"{url}/v1/logs", compression=compression)))
        self.spans = TracerProvider(resource=resource, shutdown_on_exit=False)
        self.spans.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(f"{url}/v1/traces", compression=compression)))
        self.logger = self.logs.get_logger("checkout")
        self.tracer = self.spans.get_tracer("checkout")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.logs.shutdown()
        self.spans.shutdown()

    def log(self, body=None, severity=SeverityNumber.INFO, event=None, session="otel-session-1", **attributes):
        attributes = {name.replace("__", "."): value for name, value in attributes.items()}
        self.logger.emit(LogRecord(body=body, severity_number=severity, event_name=event,
                                   attributes={"session.id": session, **attributes}))

    def story(self, session="otel-session-1"):
        """9 events: 5 log records; a span with a request, the failed one with its exception, and a span inside."""
        self.log("basket opened", session=session, items=3)
        self.log(event="app.screen.view", session=session, app__screen__name="Checkout")
        self.log(event="app.widget.click", session=session, app__widget__id="pay", app__screen__coordinate__x=120,
                 app__screen__coordinate__y=300)
        with self.tracer.start_as_current_span("checkout", attributes={"session.id": session, "cart.items": 3}):
            with self.tracer.start_as_current_span("price", attributes={"session.id": session}):
                pass
            with self.tracer.start_as_current_span("POST", kind=SpanKind.CLIENT, record_exception=False, attributes={
                    "session.id": session, "http.request.method": "POST", "url.full": "https://api.example.com/v1/pay",
                    "http.response.status_code": 503, "server.address": "api.example.com"}) as span:
                try:
                    raise TimeoutError("the bank did not answer")
                except TimeoutError as error:
                    span.record_exception(error)
                span.set_status(Status(StatusCode.ERROR, "503"))
                ids = span.get_span_context()
        self.log("payment failed: card declined", SeverityNumber.ERROR, session=session, order="A-77")
        self.log(event="device.app.lifecycle", session=session, ios__app__state="background")
        return ids
