@_spi(Integrations) import AutoMobileRecorder
public import Logging

/// A backend of swift-log: what the program logs becomes log entries of the session, each durable when the call returns.
///
///     LoggingSystem.bootstrap(AutoMobileLogHandler.init, metadataProvider: nil)
///
///     var logger = Logger(label: "shop.payment")
///     logger[metadataKey: "order"] = "R-2041"
///     logger.error("declined", metadata: ["reason": "limit"])
///
/// The label is the entry's tag; metadata stands in its fields by name, and is found by `field:order=R-2041`. Metadata of the call comes
/// before the provider's, and that before the logger's. Inside of a span the entry names it. Filters of `AutoMobileLog` are not
/// asked: ``logLevel`` is the filter. Beside another backend, use swift-log's `MultiplexLogHandler`.
public struct AutoMobileLogHandler: LogHandler {
  /// What is below is left out: info and up as long as nobody says otherwise.
  public var logLevel = Logger.Level.info
  public var metadata: Logger.Metadata = [:]
  public var metadataProvider: Logger.MetadataProvider?
  private let label: String

  /// - Parameters:
  ///   - label: of the logger; the tag of its entries.
  ///   - metadataProvider: asked at each entry.
  public init(label: String, metadataProvider: Logger.MetadataProvider?) {
    self.label = label
    self.metadataProvider = metadataProvider
  }

  public init(label: String) { self.init(label: label, metadataProvider: nil) }

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  public func log(event: LogEvent) {
    AutoMobileLog.shared.record(
      SdkLogEvent(
        level: Self.level(event.level), tag: label,
        message: EntryLimits.text("\(event.message)", most: EntryLimits.longestMessage), filterName: Self.filterName,
        metadata: fields(event), source: "\(event.file):\(event.line) \(event.function)"))
  }

  /// By which entries of this way are told from those that a filter let through.
  public static let filterName = "swift-log"

  /// Seven levels become six: a notice is an information.
  static func level(_ level: Logger.Level) -> LogLevel {
    switch level {
    case .trace: .verbose
    case .debug: .debug
    case .info, .notice: .info
    case .warning: .warning
    case .error: .error
    case .critical: .fault
    }
  }

  private func fields(_ event: LogEvent) -> [String: MetadataValue] {
    var all = metadata
    if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
    if let given = event.metadata { all.merge(given) { $1 } }
    if let error = event.error {
      all["error"] = all["error"] ?? "\(error)"
      all["error.type"] = all["error.type"] ?? "\(String(reflecting: type(of: error)))"
    }
    var fields = EntryLimits.fields(all)
    if let span = SdkSpanContext.current {
      fields["traceId"] = .string(span.traceId)
      fields["spanId"] = .string(span.spanId)
    }
    return fields
  }
}
