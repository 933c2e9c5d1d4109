import AutoMobileSupport

/// What an event's `encodeFields(into:)` calls, once for each member.
extension EventJSONWriter {
  /// Writes the two members that every event has, which come first.
  public mutating func head(_ type: SdkEventType, _ timestamp: Int64) {
    switch type {
    case .navigation: raw(#""eventType":"navigation","timestamp":"#)
    case .handledException: raw(#""eventType":"handled_exception","timestamp":"#)
    case .crash: raw(#""eventType":"crash","timestamp":"#)
    case .hang: raw(#""eventType":"hang","timestamp":"#)
    case .networkRequest: raw(#""eventType":"network_request","timestamp":"#)
    case .webSocketFrame: raw(#""eventType":"websocket_frame","timestamp":"#)
    case .log: raw(#""eventType":"log","timestamp":"#)
    case .lifecycle: raw(#""eventType":"lifecycle","timestamp":"#)
    case .custom: raw(#""eventType":"custom","timestamp":"#)
    case .notificationAction: raw(#""eventType":"notification_action","timestamp":"#)
    case .viewBodySnapshot: raw(#""eventType":"view_body_snapshot","timestamp":"#)
    case .broadcast: raw(#""eventType":"broadcast","timestamp":"#)
    case .interaction: raw(#""eventType":"interaction","timestamp":"#)
    case .storageChanged: raw(#""eventType":"storage_changed","timestamp":"#)
    case .span: raw(#""eventType":"span","timestamp":"#)
    case .sessionSummary: raw(#""eventType":"session_summary","timestamp":"#)
    }
    value(timestamp)
    comma()
  }

  @inline(__always)
  public mutating func member(_ key: StaticString, _ value: String?) {
    guard let value else { return }
    self.key(key)
    self.value(value, then: UInt8(ascii: ","))
  }

  @inline(__always)
  public mutating func member(_ key: StaticString, _ value: Int64?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
    comma()
  }

  @inline(__always)
  public mutating func member(_ key: StaticString, _ value: Int?) {
    member(key, value.map(Int64.init))
  }

  /// A number that is not finite is written as null.
  public mutating func member(_ key: StaticString, _ value: Double?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
    comma()
  }

  public mutating func member(_ key: StaticString, _ value: Bool?) {
    guard let value else { return }
    self.key(key)
    if value { raw("true,") } else { raw("false,") }
  }

  @inline(__always)
  public mutating func member(_ key: StaticString, _ value: [String: String]?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
    comma()
  }

  /// In the order of their names: objects that are like others compress better. Takes longer than in any order.
  mutating func member(_ key: StaticString, ordered members: [String: String]) {
    object(key) { json in
      for name in members.keys.ordered() {
        guard let value = members[name] else { continue }
        json.value(name, then: UInt8(ascii: ":"))
        json.value(value, then: UInt8(ascii: ","))
      }
    }
  }

  /// The same with numbers.
  mutating func member(_ key: StaticString, ordered counts: [String: Int]) {
    object(key) { json in
      for name in counts.keys.ordered() {
        guard let count = counts[name] else { continue }
        json.value(name, then: UInt8(ascii: ":"))
        json.value(Int64(count))
        json.comma()
      }
    }
  }

  public mutating func member(_ key: StaticString, _ value: [String]?) {
    guard let value else { return }
    self.key(key)
    raw("[")
    for index in value.indices {
      self.value(value[index], then: UInt8(ascii: ","))
    }
    closeFrame(UInt8(ascii: "]"))
    comma()
  }

  /// Writes properties whose values are any JSON.
  public mutating func member(_ key: StaticString, _ value: [String: MetadataValue]) {
    self.key(key)
    self.value(value, depth: 1)
  }

  /// Writes an object whose members `members` writes.
  public mutating func object(_ key: StaticString, _ members: (inout EventJSONWriter) -> Void) {
    self.key(key)
    raw("{")
    members(&self)
    closeFrame(UInt8(ascii: "}"))
    comma()
  }

  /// Writes an array of objects, whose members `members` writes, one call each.
  public mutating func objects<Element>(
    _ key: StaticString, _ elements: [Element], _ members: (Element, inout EventJSONWriter) -> Void
  ) {
    self.key(key)
    raw("[")
    for index in elements.indices {
      raw("{")
      members(elements[index], &self)
      closeFrame(UInt8(ascii: "}"))
      comma()
    }
    closeFrame(UInt8(ascii: "]"))
    comma()
  }
}
