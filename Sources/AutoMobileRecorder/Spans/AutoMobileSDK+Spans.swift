/// Spans: what takes time in the app, one inside of the other.
extension AutoMobileSDK {
  /// Records that something begins. Durable when it returns; call ``SdkSpan/end(status:message:)`` when it is over.
  ///
  /// - Parameters:
  ///   - name: what it is, of few different ones: `checkout`, not `checkout 4711`.
  ///   - kind: whether it is asked of another program, or by one.
  ///   - parent: nil: it begins a trace of its own.
  ///   - attributes: strings, numbers, bools, arrays of these.
  public func beginSpan(
    _ name: String, kind: SdkSpanKind = .internal, parent: SdkSpanContext? = .current,
    attributes: [String: MetadataValue] = [:]
  ) -> SdkSpan {
    SdkSpan(self, name, kind, parent, attributes)
  }

  /// Runs `body` as a span: its begin and its end are recorded, spans and requests inside of it are its children, and an error that it
  /// throws makes it an error.
  ///
  ///     let order = try await AutoMobileSDK.shared.span("checkout") { span in
  ///       span.setAttribute("items", cart.count)
  ///       return try await shop.order(cart)
  ///     }
  public func span<Result>(
    _ name: String, kind: SdkSpanKind = .internal, parent: SdkSpanContext? = .current,
    attributes: [String: MetadataValue] = [:], _ body: (inout SdkSpan) throws -> Result
  ) rethrows -> Result {
    var span = beginSpan(name, kind: kind, parent: parent, attributes: attributes)
    let context = span.context
    do {
      let result = try context.asCurrent { try body(&span) }
      span.end()
      return result
    } catch {
      span.end(throwing: error)
      throw error
    }
  }

  /// The same for a body that says nothing about its span.
  public func span<Result>(
    _ name: String, kind: SdkSpanKind = .internal, parent: SdkSpanContext? = .current,
    attributes: [String: MetadataValue] = [:], _ body: () throws -> Result
  ) rethrows -> Result {
    try span(name, kind: kind, parent: parent, attributes: attributes) { (_: inout SdkSpan) in try body() }
  }

  /// The same for a body that waits.
  public func span<Result>(
    _ name: String, kind: SdkSpanKind = .internal, parent: SdkSpanContext? = .current,
    attributes: [String: MetadataValue] = [:], isolation: isolated (any Actor)? = #isolation,
    _ body: (inout SdkSpan) async throws -> Result
  ) async rethrows -> Result {
    var span = beginSpan(name, kind: kind, parent: parent, attributes: attributes)
    let context = span.context
    do {
      let result = try await context.asCurrent(isolation: isolation) { try await body(&span) }
      span.end()
      return result
    } catch {
      span.end(throwing: error)
      throw error
    }
  }

  /// The same for a body that waits, and says nothing about its span.
  public func span<Result>(
    _ name: String, kind: SdkSpanKind = .internal, parent: SdkSpanContext? = .current,
    attributes: [String: MetadataValue] = [:], isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await span(name, kind: kind, parent: parent, attributes: attributes, isolation: isolation) {
      (_: inout SdkSpan) in try await body()
    }
  }

  /// Records a begin; whether its end is to be recorded, too.
  func begins(_ event: SdkSpanEvent) -> Bool {
    var isRecording = true
    withRecorder {
      isRecording = $0.isRecording
      $0.record(event)
    } before: {
      isRecording = isObserving
      keepEarly(event)
    }
    return isRecording
  }
}
