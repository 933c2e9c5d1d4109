/// Something that takes time, from its begin on: what ``AutoMobileSDK/beginSpan(_:kind:parent:attributes:)`` gives.
///
///     var span = AutoMobileSDK.shared.beginSpan("checkout")
///     span.setAttribute("items", 3)
///     span.end()
///
/// Its begin is recorded already, so a span that is never ended is told as well: as one that its process did not live to see the end of.
/// A value: it allocates nothing, and can be kept wherever a `var` can. Ending it twice is harmless; of copies that are
/// ended, the collector takes the first.
public struct SdkSpan: Sendable {
  /// Its name among traces and spans, for whoever is to be its child.
  public let context: SdkSpanContext
  public let name: String
  public let kind: SdkSpanKind
  /// In milliseconds since 1970.
  public let startedAt: Int64
  /// What is known of it until now: told with the end.
  public private(set) var attributes: [String: MetadataValue]
  let parent: SdkSpanContext?
  private let sdk: AutoMobileSDK
  private let begin: UInt64
  /// Its begin is recorded, and its end is not.
  private var isOpen = true

  init(
    _ sdk: AutoMobileSDK, _ name: String, _ kind: SdkSpanKind, _ parent: SdkSpanContext?,
    _ attributes: [String: MetadataValue]
  ) {
    context = SdkSpanContext(childOf: parent)
    self.sdk = sdk
    self.name = name.limited(to: SdkSpanEvent.longestName)
    self.kind = kind
    self.parent = parent
    self.attributes = attributes
    startedAt = EventClock.now()
    begin = Clocks.uptimeNanoseconds()
    // What begins while nothing is recorded is not told of later, either.
    isOpen = sdk.begins(event(microseconds: -1, nil, nil))
  }

  /// Says something about it: a string, a number, a bool, or an array of these; nil takes it back.
  ///
  /// At most ``SdkSpanEvent/mostAttributes``; of names and values the first bytes (see ``SdkSpanEvent``).
  public mutating func setAttribute(_ name: String, _ value: MetadataValue?) {
    guard isOpen, attributes.count < SdkSpanEvent.mostAttributes || attributes[name] != nil else { return }
    attributes[name] = value
  }

  /// Records that it has ended, now. A second time does nothing.
  ///
  /// - Parameters:
  ///   - status: how it went; nil: nobody says.
  ///   - message: what went wrong.
  public mutating func end(status: SdkSpanStatus? = nil, message: String? = nil) {
    guard isOpen else { return }
    isOpen = false
    let nanoseconds = Clocks.uptimeNanoseconds()
    let elapsed = nanoseconds > begin ? nanoseconds &- begin : 0
    sdk.record(event(microseconds: Int64(truncatingIfNeeded: elapsed / 1000), status, message))
  }

  /// Records that it has ended by an error: its type's name, since nobody knows what its text holds. A cancelled task is none.
  public mutating func end(throwing error: any Error) {
    guard error is CancellationError else {
      return end(status: .error, message: String(describing: type(of: error)))
    }
    setAttribute("cancelled", true)
    end()
  }

  @inline(__always)
  private func event(microseconds: Int64, _ status: SdkSpanStatus?, _ message: String?) -> SdkSpanEvent {
    SdkSpanEvent(
      startedAt, name, context, parent, kind, microseconds: microseconds, status, message, attributes)
  }
}
