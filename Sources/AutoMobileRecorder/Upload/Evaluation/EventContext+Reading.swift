import AutoMobileJournal

extension EventContext {
  /// The number of a context record, and what of it matters here.
  static func read(_ payload: UnsafeRawBufferPointer) -> (id: UInt64, context: EventContext)? {
    let record = EventBytes(payload)
    guard let place = record.member(Array("contextId".utf8)), let number = record.integer(place),
      let id = UInt64(exactly: number)
    else { return nil }
    func text(_ name: StaticString) -> String? {
      name.withUTF8Buffer { record.member(Array($0)) }
        .flatMap { place in record.withText(place) { String(decoding: $0, as: UTF8.self) } }
    }
    return (
      id,
      EventContext(
        sessionId: text("sessionId"), userId: text("userId"), anonymousId: text("anonymousId"),
        appVersion: text("appVersion"))
    )
  }
}
