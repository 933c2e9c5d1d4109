import AutoMobileSupport

/// What a suite held when it was looked at last, and what has changed since.
struct DefaultsSnapshot {
  struct Entry: Equatable {
    var type: KeyValueType
    /// As it may be told: bounded, and without secrets.
    var text: String?
    var fingerprint: Int

    /// Whether it is the same value, of which the text may not say all.
    func holdsSame(as other: Entry) -> Bool { type == other.type && fingerprint == other.fingerprint }
  }

  struct Change: Equatable {
    var key: String
    var old: Entry?
    var new: Entry?
  }

  private var entries: [String: Entry] = [:]

  /// Keys of one suite that are followed.
  static let maximumKeys = 10_000
  /// The longest text that is told of a value, in bytes.
  static let maximumText = 4096

  init(_ values: [KeyValuePair]) {
    for pair in values.prefix(Self.maximumKeys) where SystemKeys.isOfApp(pair.key) {
      let text = DefaultsSecrets.redacted(pair).map { $0.bounded(Self.maximumText) }
      entries[pair.key] = Entry(type: pair.type, text: text, fingerprint: pair.fingerprint)
    }
  }

  /// In the order of the keys.
  func changes(to new: DefaultsSnapshot) -> [Change] {
    Set(entries.keys).union(new.entries.keys).ordered().compactMap { key in
      let change = Change(key: key, old: entries[key], new: new.entries[key])
      if let old = change.old, let new = change.new, old.holdsSame(as: new) { return nil }
      return change
    }
  }
}

extension DefaultsSnapshot.Change {
  var event: String { old == nil ? "add" : new == nil ? "remove" : "modify" }
}

extension String {
  /// Cut off, and said so, when it has more bytes than that.
  func bounded(_ limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(startIndex, offsetBy: limit)
    // Not within a character.
    while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(self[..<end]) + "…"
  }
}
