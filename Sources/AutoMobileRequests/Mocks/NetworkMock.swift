import AutoMobileHTTP
import AutoMobileRecorder
import AutoMobileSupport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A rule in use: compiled, with what is left of its count.
final class NetworkMock: Sendable {
  let rule: NetworkMockRule
  /// Found broken when it was used.
  let problem = Locked<String?>(nil)
  private let method: String?
  private let host: Glob?
  private let path: PathPattern?
  private let headers: [(name: String, value: Glob)]
  private let body: [UInt8]
  /// How many requests it has answered.
  private let used = AtomicWord()

  private enum PathPattern {
    case glob(Glob)
    case regex(BoundedRegex)
  }

  /// - Throws: `ControlError`, which says what is wrong with the rule.
  init(_ rule: NetworkMockRule) throws {
    self.rule = rule
    method = rule.method?.uppercased()
    host = rule.host.map { Glob($0, ignoresCase: true) }
    switch rule.path {
    case .glob(let pattern)?: path = .glob(Glob(pattern))
    case .regex(let pattern)?: path = .regex(try BoundedRegex(pattern))
    case nil: path = nil
    }
    headers = rule.headers.map { ($0.key, Glob($0.value)) }
    body = Array((rule.bodyContains ?? "").utf8)
    if case .response(let status, _, _) = rule.response, !(200...599).contains(status) {
      throw ControlError("status \(status) cannot be answered: it is from 200 to 599")
    }
  }

  var needsBody: Bool { !body.isEmpty && !isSpent(now: Clocks.millisecondsSince1970()) }

  /// It answers no request any more.
  func isSpent(now: Int64) -> Bool {
    if let expires = rule.expires, expires.timeIntervalSince1970 * 1000 <= Double(now) { return true }
    return rule.count.map { used.value >= UInt64(clamping: $0) } ?? false
  }

  func matches(_ request: MockedRequest) -> Bool {
    if let method, method != request.method { return false }
    if let host, !host.matches(host.pattern.contains(":") ? request.hostAndPort : request.host) { return false }
    for (name, value) in headers {
      guard let found = request.headers.value(of: name), value.matches(found) else { return false }
    }
    guard isPathMatching(request.path) else { return false }
    return body.isEmpty || request.bodyContains(body)
  }

  /// Uses the rule for one request; false when it is used up. Of threads that want the last use one gets it.
  func take() -> Bool {
    guard let count = rule.count else {
      used.add(1)
      return true
    }
    while true {
      let used = used.value
      if used >= UInt64(clamping: count) { return false }
      if self.used.exchange(used, for: used &+ 1) { return true }
    }
  }

  var answer: MockAnswer {
    let outcome: MockAnswer.Outcome =
      switch rule.response {
      case .response(let status, let headers, let body): .response(status: status, headers: headers, body: body)
      case .failure(let code): .failure(code)
      case .passthrough: .passthrough
      }
    let delay = min(max(rule.delayMs, 0), Self.longestDelay)
    return MockAnswer(rule: rule.id, delay: Double(delay) / 1000, outcome: outcome)
  }

  /// In milliseconds.
  static let longestDelay = 120_000

  private func isPathMatching(_ text: String) -> Bool {
    switch path {
    case nil: return true
    case .glob(let glob)?: return text.utf8.count <= BoundedRegex.maximumText && glob.matches(text)
    case .regex(let regex)?:
      guard problem.withLock({ $0 }) == nil else { return false }
      switch regex.search(text) {
      case .found: return true
      case .notFound: return false
      case .tookTooLong:
        let limit = BoundedRegex.maximumMilliseconds
        problem.withLock { $0 = "its regular expression took longer than \(limit) ms for a path: simplify it" }
        return false
      }
    }
  }
}

/// What rules look at, taken apart once for all of them.
struct MockedRequest {
  let method: String
  let host: String
  let hostAndPort: String
  let path: String
  let headers: [String: String]
  private let body: [UInt8]

  init(_ request: URLRequest, body: Data?) {
    let parts = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
    method = (request.httpMethod ?? "GET").uppercased()
    host = parts?.host ?? ""
    hostAndPort = parts?.port.map { "\(parts?.host ?? ""):\($0)" } ?? host
    let path = parts?.percentEncodedPath ?? ""
    self.path = path.isEmpty ? "/" : path
    headers = request.allHTTPHeaderFields ?? [:]
    self.body = body.map { Array($0) } ?? []
  }

  func bodyContains(_ needle: [UInt8]) -> Bool { Data(body).range(of: Data(needle)) != nil }
}
