/// The member `"contextId":N` with which the recorder ends an event's JSON.
///
/// It is looked for from the end only, so nothing that an app puts into its strings is mistaken for it: inside a JSON
/// string a quote is always preceded by a backslash, and after the last member comes nothing but the closing brace.
package struct ContextReference: Equatable {
  package var id: UInt64
  /// Where the member begins in the event's JSON: at its comma, or after the opening brace when it is the only one.
  var start: Int

  private static let name = Array(#""contextId":"#.utf8)

  /// The reference at the end of `event`; nil when there is none.
  package init?(in event: UnsafeRawBufferPointer) {
    var cursor = event.count - 1
    guard cursor > 0, event[0] == UInt8(ascii: "{"), event[cursor] == UInt8(ascii: "}") else { return nil }
    let end = cursor
    while cursor > 0, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(event[cursor - 1]) { cursor -= 1 }
    guard cursor < end, let id = Self.number(event[cursor..<end]) else { return nil }
    let name = cursor - Self.name.count
    guard name > 0, event[name..<cursor].elementsEqual(Self.name) else { return nil }
    switch event[name - 1] {
    case UInt8(ascii: ","): start = name - 1
    case UInt8(ascii: "{") where name == 1: start = name
    default: return nil
    }
    self.id = id
  }

  private static func number(_ digits: Slice<UnsafeRawBufferPointer>) -> UInt64? {
    var value: UInt64 = 0
    for digit in digits {
      let (tens, tooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflow) = tens.addingReportingOverflow(UInt64(digit & 15))
      guard !tooLarge, !overflow else { return nil }
      value = sum
    }
    return value
  }
}
