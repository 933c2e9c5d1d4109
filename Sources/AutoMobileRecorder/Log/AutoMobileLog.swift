import AutoMobileSupport
import Foundation

/// Records the log entries that a filter asks for; without a filter, none.
///
///     AutoMobileLog.shared.addFilter(name: "network errors", tagPattern: "^net\\.", minLevel: .error)
///     AutoMobileLog.shared.e("net.http", "no answer from the server")
///
/// Any thread; before the SDK is initialized as well, as ``AutoMobileSDK`` says. An entry that no filter could want, because its level is too low for all, costs a few nanoseconds; for
/// the others the filters' patterns are tried on the calling thread, while no lock is held.
public final class AutoMobileLog: @unchecked Sendable {
  // Unchecked only because the documented declaration says so: all state is in `state` and `threshold`.
  public static let shared = AutoMobileLog { AutoMobileSDK.shared.keepEarly($0, of: .log) }

  private struct State {
    /// In the order in which they were added.
    var filters: [LogFilter] = []
    var buffer: SdkEventBuffer?
    /// Nobody has said yet where entries go.
    var isEarly = true

    var threshold: UInt64 {
      guard isEarly || buffer != nil, let level = filters.map(\.minLevel).min() else { return AutoMobileLog.aboveAll }
      return UInt64(truncatingIfNeeded: level.rawValue)
    }
  }

  private let state = Locked(State())
  /// The lowest level that any filter wants. Looked at before the lock is taken.
  private let threshold = AtomicWord(aboveAll)
  private static let aboveAll = UInt64(truncatingIfNeeded: LogLevel.fault.rawValue + 1)
  private let keepEarly: @Sendable (SdkLogEvent) -> Void

  /// - Parameter keepEarly: gets the entries from before ``setBuffer(_:)``.
  init(keepEarly: @escaping @Sendable (SdkLogEvent) -> Void = { _ in }) { self.keepEarly = keepEarly }

  /// Where entries go from now on.
  func initialize(bundleId: String?, buffer: SdkEventBuffer) { setBuffer(buffer) }

  /// - Parameter buffer: nil: nothing is recorded.
  package func setBuffer(_ buffer: SdkEventBuffer?) {
    change {
      $0.buffer = buffer
      $0.isEarly = false
    }
  }

  package var isRecording: Bool { state.withLock { $0.buffer != nil } }

  /// Back to the beginning: no filters, and nothing is recorded.
  package func reset() {
    change { $0 = State() }
  }

  // MARK: Filters

  /// Keeps the entries that match everything that is given. A filter of the same name is replaced.
  ///
  /// - Parameters:
  ///   - name: what ``SdkLogEvent/filterName`` will be.
  ///   - tagPattern: must be found in the tag; an entry without a tag does not match then.
  ///   - messagePattern: must be found in the message.
  ///   - minLevel: entries below are left out.
  @_disfavoredOverload
  public func addFilter(
    name: String, tagPattern: NSRegularExpression? = nil, messagePattern: NSRegularExpression? = nil,
    minLevel: LogLevel = .verbose
  ) {
    let filter = LogFilter(name: name, tagPattern: tagPattern, messagePattern: messagePattern, minLevel: minLevel)
    change { state in
      if let index = state.filters.firstIndex(where: { $0.name == name }) {
        state.filters[index] = filter
      } else {
        state.filters.append(filter)
      }
    }
  }

  /// The same with patterns as text, in the syntax of `NSRegularExpression`.
  ///
  /// - Returns: false, and nothing has changed, when a pattern is none.
  @discardableResult
  public func addFilter(
    name: String, tagPattern: String? = nil, messagePattern: String? = nil, minLevel: LogLevel = .verbose
  ) -> Bool {
    do {
      let tagExpression = try tagPattern.map { try NSRegularExpression(pattern: $0) }
      let messageExpression = try messagePattern.map { try NSRegularExpression(pattern: $0) }
      addFilter(name: name, tagPattern: tagExpression, messagePattern: messageExpression, minLevel: minLevel)
      return true
    } catch {
      return false
    }
  }

  /// What only this filter matched is recorded no more.
  public func removeFilter(name: String) {
    change { $0.filters.removeAll { $0.name == name } }
  }

  /// Without filters, nothing is recorded.
  public func clearFilters() {
    change { $0.filters = [] }
  }

  public var filterCount: Int { state.withLock { $0.filters.count } }

  // MARK: Entries

  /// Offers an entry of ``LogLevel/verbose`` to the filters.
  public func v(_ tag: String? = nil, _ message: String) { log(.verbose, tag, message) }
  /// Offers an entry of ``LogLevel/debug`` to the filters.
  public func d(_ tag: String? = nil, _ message: String) { log(.debug, tag, message) }
  /// Offers an entry of ``LogLevel/info`` to the filters.
  public func i(_ tag: String? = nil, _ message: String) { log(.info, tag, message) }
  /// Offers an entry of ``LogLevel/warning`` to the filters.
  public func w(_ tag: String? = nil, _ message: String) { log(.warning, tag, message) }
  /// Offers an entry of ``LogLevel/error`` to the filters.
  public func e(_ tag: String? = nil, _ message: String) { log(.error, tag, message) }
  /// Offers an entry of ``LogLevel/fault`` to the filters.
  public func fault(_ tag: String? = nil, _ message: String) { log(.fault, tag, message) }

  @inline(__always)
  private func log(_ level: LogLevel, _ tag: String?, _ message: String) {
    guard UInt64(truncatingIfNeeded: level.rawValue) >= threshold.value else { return }
    record(level, tag, message)
  }

  private func record(_ level: LogLevel, _ tag: String?, _ message: String) {
    let (filters, buffer, isEarly) = state.withLock { ($0.filters, $0.buffer, $0.isEarly) }
    guard isEarly || buffer != nil else { return }
    let timestamp = EventClock.now()
    for filter in filters where filter.matches(level: level, tag: tag, message: message) {
      let event = SdkLogEvent(timestamp: timestamp, level: level, tag: tag, message: message, filterName: filter.name)
      if let buffer { buffer.record(event) } else { keepEarly(event) }
    }
  }

  /// Records an entry of another library's log, which has filters of its own: none of these here is asked.
  @_spi(Integrations) public func record(_ event: @autoclosure () -> SdkLogEvent) {
    let (buffer, isEarly) = state.withLock { ($0.buffer, $0.isEarly) }
    if let buffer { buffer.record(event()) } else if isEarly { keepEarly(event()) }
  }

  private func change(_ body: (inout State) -> Void) {
    // What was there before leaves the lock first, and is released then.
    let before = state.withLock { state in
      let before = state
      body(&state)
      threshold.store(state.threshold)
      return before
    }
    withExtendedLifetime(before) {}
  }
}
