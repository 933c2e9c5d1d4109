import AutoMobileSupport

/// As much of a context as fits into a record.
///
/// Who it was comes first, and whole or not at all, for half of a user's name is somebody else's; then the tags, the short ones
/// first, so that one that is huge costs the others nothing.
struct ContextFit {
  private(set) var context: ContextState
  /// The names of what does not fit: members, and tags as `tags.NAME`; of many the first.
  private(set) var leftOut: [String] = []

  private static let mostNames = 50
  private static let longestName = 100

  /// - Parameters:
  ///   - whole: one that does not fit.
  ///   - limit: the longest record, in bytes.
  ///   - size: the length of the record of a context, in bytes; nil when it is beyond the limit.
  init(_ whole: ContextState, within limit: Int, size: (ContextState) -> Int?) {
    context = ContextState()
    let fits = { (context: ContextState) in size(context) != nil }
    keep("sessionId", \.sessionId, of: whole, fits)
    keep("anonymousId", \.anonymousId, of: whole, fits)
    keep("userId", \.userId, of: whole, fits)
    keep("replayId", \.replayId, of: whole, fits)
    keep("appVersion", \.appVersion, of: whole, fits)
    keepTags(of: whole, size, within: limit)
  }

  private mutating func keep(
    _ name: String, _ member: WritableKeyPath<ContextState, String?>, of whole: ContextState,
    _ fits: (ContextState) -> Bool
  ) {
    guard let value = whole[keyPath: member] else { return }
    context[keyPath: member] = value
    guard !fits(context) else { return }
    context[keyPath: member] = nil
    leaveOut(name)
  }

  private mutating func keepTags(of whole: ContextState, _ size: (ContextState) -> Int?, within limit: Int) {
    let tags = whole.tags.map { (cost: Self.cost($0.key) + Self.cost($0.value) + 2, key: $0.key, value: $0.value) }
      .ordered { ($0.cost, $0.key) < ($1.cost, $1.key) }
    var room = limit - (size(context) ?? limit)
    var kept: [String: String] = [:]
    for tag in tags {
      room -= tag.cost
      if room < 0 { leaveOut("tags." + tag.key) } else { kept[tag.key] = tag.value }
    }
    context.tags = kept
  }

  /// The most bytes that a text takes in JSON, with its quotes.
  private static func cost(_ text: String) -> Int {
    text.utf8.reduce(2) {
      $0 + ($1 < 0x20 || $1 == 0x7F ? 6 : $1 == UInt8(ascii: "\"") || $1 == UInt8(ascii: "\\") ? 2 : 1)
    }
  }

  private mutating func leaveOut(_ name: String) {
    if leftOut.count < Self.mostNames { leftOut.append(String(name.prefix(Self.longestName))) }
  }
}
