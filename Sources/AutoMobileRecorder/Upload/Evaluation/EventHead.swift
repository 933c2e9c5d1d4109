import AutoMobileJournal
import AutoMobileSupport

/// Types of events as small numbers: what rules are looked up by.
enum EventTypeNumber {
  /// For a type that is none of ours.
  static let other = names.count
  static let count = names.count + 1

  private static let names = SdkEventType.allCases.map { Array($0.rawValue.utf8) }

  static func of(_ type: SdkEventType) -> Int { SdkEventType.allCases.firstIndex(of: type) ?? other }

  static func of(_ name: Slice<UnsafeRawBufferPointer>) -> Int {
    for index in names.indices where names[index].count == name.count && name.elementsEqual(names[index]) {
      return index
    }
    return other
  }
}

/// The two members that every event has, which come first where the SDK writes it.
struct EventHead: Equatable {
  /// By ``EventTypeNumber``.
  var type: Int
  /// In milliseconds since 1970; nil when it says none.
  var timestamp: Int64?
  /// When it was over, which is when it was recorded: requests, spans and hangs have the time at which they began.
  var endedAt: Int64?

  private static let prefix = Array(#"{"eventType":""#.utf8)
  private static let timestampName = Array("timestamp".utf8)
  private static let typeName = Array("eventType".utf8)
  private static let durationName = Array("durationMs".utf8)
  private static let lasting = [
    EventTypeNumber.of(.networkRequest), EventTypeNumber.of(.span), EventTypeNumber.of(.hang),
  ]
  /// No event that begins longer before is taken at its word, in milliseconds: a day.
  private static let longest = 86_400_000.0

  init(_ event: EventBytes) {
    let bytes = event.bytes
    if bytes.starts(with: Self.prefix),
      let end = JSONBytes.end(ofString: bytes, Self.prefix.count - 1, bytes.count)
    {
      type = EventTypeNumber.of(bytes[Self.prefix.count..<end - 1])
    } else if let place = event.member(Self.typeName) {
      // An event of the app's own may begin with something else.
      type = event.withText(place) { EventTypeNumber.of($0) } ?? EventTypeNumber.other
    } else {
      type = EventTypeNumber.other
    }
    timestamp = event.member(Self.timestampName).flatMap { event.integer($0) }
    endedAt = timestamp
    guard let timestamp, Self.lasting.contains(type), let place = event.member(Self.durationName),
      let duration = event.number(place), duration > 0
    else { return }
    endedAt = timestamp.addingReportingOverflow(Int64(saturating: min(duration, Self.longest))).partialValue
  }
}
