import AutoMobileState

/// How news are told through the server: `projects`, or `projects:7`; nothing for anything.
enum PostgresNews {
  /// The server takes less than 8 000 bytes.
  private static let longest = 7_900
  /// How what is a question of this program begins, and no news.
  static let question = "?"

  static func payload(of news: StateNews) -> String {
    guard let subject = news.subject else { return "" }
    let payload = news.detail.isEmpty ? subject.rawValue : "\(subject.rawValue):\(news.detail)"
    return payload.utf8.count <= longest ? payload : ""
  }

  /// - Returns: nil for what a newer program has told of things that this one does not know.
  static func news(_ payload: String) -> StateNews? {
    if payload.isEmpty { return .everything }
    let parts = payload.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return StateSubject(rawValue: String(parts[0])).map { StateNews($0, parts.count > 1 ? String(parts[1]) : "") }
  }
}
