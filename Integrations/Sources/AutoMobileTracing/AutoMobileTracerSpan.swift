import AutoMobileRecorder
import Foundation
public import Tracing

/// A span that a tracing library has begun.
///
/// Its events are custom events of the session, recorded when they are added; its links stand in the attribute `links`. What is said
/// after ``end(at:)`` is not heard.
public final class AutoMobileTracerSpan: Tracing.Span, @unchecked Sendable {
  // Unchecked, because the compiler cannot see that `state` is reached with the lock held only.

  private struct State {
    var name: String
    var attributes: SpanAttributes = [:]
    var links: [String] = []
    var status: SpanStatus?
    var error: String?
    var isOver = false
  }

  public let context: ServiceContext
  private let lock = NSLock()
  private var state: State
  private let sdk: AutoMobileSDK
  private let own: SdkSpanContext
  private let parent: SdkSpanContext?
  private let kind: SdkSpanKind
  /// Nanoseconds since 1970.
  private let begin: UInt64

  private static let mostLinks = 32

  init(
    _ sdk: AutoMobileSDK, _ name: String, context: ServiceContext, own: SdkSpanContext, parent: SdkSpanContext?,
    kind: SdkSpanKind, at begin: UInt64
  ) {
    state = State(name: name)
    (self.sdk, self.context, self.own, self.parent, self.kind, self.begin) = (sdk, context, own, parent, kind, begin)
    record(state, durationMs: nil)
  }

  public var operationName: String {
    get { lock.withLock { state.name } }
    set { change { $0.name = newValue } }
  }

  public var attributes: SpanAttributes {
    get { lock.withLock { state.attributes } }
    set { change { $0.attributes = newValue } }
  }

  public var isRecording: Bool { lock.withLock { !state.isOver } }

  public func setStatus(_ status: SpanStatus) { change { $0.status = status } }

  public func addEvent(_ event: SpanEvent) {
    guard isRecording else { return }
    var properties = event.attributes.values
    properties["traceId"] = .string(own.traceId)
    properties["spanId"] = .string(own.spanId)
    sdk.record(
      SdkCustomEvent(
        timestamp: Int64(clamping: event.millisecondsSinceEpoch), name: event.name, properties: properties))
  }

  /// Makes the span an error, unless its status is set: by the type's name, since nobody knows what the error's text holds.
  public func recordError<Instant: TracerInstant>(
    _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
  ) {
    guard !(error is CancellationError) else { return change { $0.attributes["cancelled"] = true } }
    let type = String(describing: type(of: error))
    change { state in
      state.error = state.error ?? type
      attributes.forEach { state.attributes[$0] = $1 }
    }
  }

  public func addLink(_ link: SpanLink) {
    guard let linked = link.context.span else { return }
    change { if $0.links.count < Self.mostLinks { $0.links.append(linked.traceparent) } }
  }

  public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
    let end = instant().nanosecondsSinceEpoch
    let last = lock.withLock { () -> State? in
      guard !state.isOver else { return nil }
      state.isOver = true
      return state
    }
    guard let last else { return }
    record(last, durationMs: end > begin ? Double(end - begin) / 1_000_000 : 0)
  }

  private func change(_ body: (inout State) -> Void) {
    lock.withLock { if !state.isOver { body(&state) } }
  }

  private func record(_ state: State, durationMs: Double?) {
    var attributes = state.attributes.values
    if !state.links.isEmpty { attributes["links"] = .array(state.links.map { .string($0) }) }
    let status: SdkSpanStatus? =
      switch state.status?.code {
      case .ok: .ok
      case .error: .error
      case nil: state.error == nil ? nil : .error
      }
    sdk.record(
      SdkSpanEvent(
        timestamp: Int64(clamping: begin / 1_000_000), name: state.name, context: own, parent: parent, kind: kind,
        durationMs: durationMs, status: status, statusMessage: state.status?.message ?? state.error,
        attributes: attributes))
  }
}
