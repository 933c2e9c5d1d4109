@_spi(Integrations) import AutoMobileRecorder
public import Tracing

/// A tracer of swift-distributed-tracing: its spans are spans of the session, durable from their begin on.
///
///     InstrumentationSystem.bootstrap(AutoMobileTracer())
///     try await withSpan("checkout") { span in … }
///
/// Spans of the SDK's own and those of libraries that trace are nested as they were made. `traceparent` and `tracestate` go from program to
/// program as W3C Trace Context has them.
public struct AutoMobileTracer: Tracer {
  private let sdk: AutoMobileSDK

  /// - Parameter sdk: where to record.
  public init(sdk: AutoMobileSDK = .shared) {
    self.sdk = sdk
    SdkSpanContext.setSource { ServiceContext.current?.span }
  }

  public func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
  ) -> AutoMobileTracerSpan {
    var context = context()
    // Where it is begun, unless somebody says where else: then a span of the SDK's may lie in between.
    let parent = context.span == ServiceContext.current?.span ? SdkSpanContext.current : context.span
    let own = SdkSpanContext(childOf: parent)
    context.span = own
    return AutoMobileTracerSpan(
      sdk, operationName, context: context, own: own, parent: parent, kind: SdkSpanKind(kind),
      at: instant().nanosecondsSinceEpoch)
  }

  public func forceFlush() { sdk.flush() }

  // MARK: From program to program

  private static let header = "traceparent"
  private static let stateHeader = "tracestate"
  /// As long as W3C asks others to take, and no longer.
  private static let longestState = 512

  public func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
  ) where Extract.Carrier == Carrier {
    guard let text = extractor.extract(key: Self.header, from: carrier), let span = SdkSpanContext(traceparent: text)
    else {
      return
    }
    context.span = span
    let state = extractor.extract(key: Self.stateHeader, from: carrier)
    context.traceState = state.flatMap { $0.utf8.count <= Self.longestState ? $0 : nil }
  }

  public func inject<Carrier, Inject: Injector>(
    _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier {
    let isHere = context.span == ServiceContext.current?.span
    guard let span = isHere ? SdkSpanContext.current : context.span else { return }
    injector.inject(span.traceparent, forKey: Self.header, into: &carrier)
    if let state = context.traceState { injector.inject(state, forKey: Self.stateHeader, into: &carrier) }
  }
}

extension SdkSpanKind {
  fileprivate init(_ kind: SpanKind) {
    switch kind {
    case .server: self = .server
    case .client: self = .client
    case .producer: self = .producer
    case .consumer: self = .consumer
    case .internal: self = .internal
    }
  }
}

// MARK: In a context

private enum SpanKey: ServiceContextKey {
  typealias Value = SdkSpanContext
  static var nameOverride: String? { "automobile-span" }
}

private enum TraceStateKey: ServiceContextKey {
  typealias Value = String
  static var nameOverride: String? { "tracestate" }
}

extension ServiceContext {
  var span: SdkSpanContext? {
    get { self[SpanKey.self] }
    set { self[SpanKey.self] = newValue }
  }

  /// What other vendors have to say of the trace: handed on as it came.
  fileprivate var traceState: String? {
    get { self[TraceStateKey.self] }
    set { self[TraceStateKey.self] = newValue }
  }
}
