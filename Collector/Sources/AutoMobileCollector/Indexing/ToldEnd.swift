import Foundation

/// What ended a launch, as the launch after it told in a lifecycle event.
struct ToldEnd {
  /// The one that has ended.
  var launch: String
  var verdict: String
  var evidence: String
  /// Milliseconds since 1970.
  var lastSeen: Int64?
  var appVersion: String?
  /// Megabytes: in use when it was last seen, and the most that it could have.
  var memory: (used: Int64, limit: Int64?)?

  static let longest = 64 << 10
  private static let state = Data("previous_launch_ended".utf8)

  /// Nil when it tells of none.
  init?(_ payload: UnsafeRawBufferPointer) {
    guard payload.count < Self.longest else { return nil }
    self.init(Data(payload))
  }

  init?(_ payload: Data) {
    guard payload.range(of: Self.state) != nil, let event = try? JSONDecoder().decode(Event.self, from: payload),
      event.state == "previous_launch_ended", let launch = event.details.launchId,
      let verdict = event.details.verdict
    else { return nil }
    self.launch = String(launch.prefix(100))
    self.verdict = String(verdict.prefix(100))
    evidence = event.details.evidence ?? ""
    lastSeen = event.details.lastSeen.flatMap { Int64($0) }
    appVersion = event.details.appVersion.map { String($0.prefix(100)) }
    memory = Self.megabytes(event.details.memory)
  }

  /// "412 of 450 MB", "412 MB".
  static func megabytes(_ text: String?) -> (used: Int64, limit: Int64?)? {
    guard let words = text?.prefix(64).split(separator: " "), words.last == "MB",
      let used = words.first.flatMap({ Int64($0) }), (0...1 << 30).contains(used)
    else { return nil }
    let limit = words.count == 4 && words[1] == "of" ? Int64(words[2]) : nil
    return (used, limit.flatMap { (0...1 << 30).contains($0) ? $0 : nil })
  }

  private struct Event: Decodable {
    struct Details: Decodable {
      var launchId: String?
      var verdict: String?
      var evidence: String?
      var lastSeen: String?
      var appVersion: String?
      var memory: String?
    }
    var state: String
    var details: Details
  }
}
