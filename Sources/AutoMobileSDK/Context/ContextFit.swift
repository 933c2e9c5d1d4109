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

  /// - Parameter fits: whether the record of a context is short enough.
  init(_ whole: ContextState, fits: (ContextState) -> Bool) {
    context = whole
    guard !fits(whole) else { return }
    context = ContextState()
    keep("sessionId", \.sessionId, of: whole, fits)
    keep("anonymousId", \.anonymousId, of: whole, fits)
    keep("userId", \.userId, of: whole, fits)
    keep("replayId", \.replayId, of: whole, fits)
    keep("appVersion", \.appVersion, of: whole, fits)
    keepTags(of: whole, fits)
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

  private mutating func keepTags(of whole: ContextState, _ fits: (ContextState) -> Bool) {
    let tags = whole.tags.map { (key: $0.key, value: $0.value) }.sorted {
      ($0.key.utf8.count + $0.value.utf8.count, $0.key) < ($1.key.utf8.count + $1.value.utf8.count, $1.key)
    }
    // How many of the shortest fit, found in a few steps: each one tried writes a whole record.
    var (kept, tooMany) = (0, tags.count + 1)
    while tooMany - kept > 1 {
      let middle = kept + (tooMany - kept) / 2
      context.tags = Self.dictionary(tags.prefix(middle))
      if fits(context) { kept = middle } else { tooMany = middle }
    }
    context.tags = Self.dictionary(tags.prefix(kept))
    for tag in tags.dropFirst(kept) { leaveOut("tags." + tag.key) }
  }

  private static func dictionary(_ tags: ArraySlice<(key: String, value: String)>) -> [String: String] {
    tags.reduce(into: [:]) { $0[$1.key] = $1.value }
  }

  private mutating func leaveOut(_ name: String) {
    if leftOut.count < Self.mostNames { leftOut.append(String(name.prefix(Self.longestName))) }
  }
}
