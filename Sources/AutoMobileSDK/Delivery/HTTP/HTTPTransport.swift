import Foundation

/// What a delivery needs of HTTP: send one request, get one answer.
protocol HTTPTransport: AnyObject, Sendable {
  /// Sends, and calls `completion` exactly once, on a thread of the transport's choice.
  func send(_ request: HTTPRequest, completion: @escaping @Sendable (HTTPAnswer) -> Void)

  /// Ends what is under way; its completion is called with a failure.
  func cancelAll()
}

struct HTTPRequest: Sendable {
  var method = "POST"
  var url: URL
  var headers: [String: String] = [:]
  var body: Data?
  var timeouts = HTTPTimeouts.local
}

/// How long a request may take, in seconds.
struct HTTPTimeouts: Sendable, Equatable {
  /// The longest silence: nothing sent and nothing received.
  var silence: TimeInterval
  /// From the request's beginning to the answer's end.
  var whole: TimeInterval

  /// For a receiver on the same machine.
  static let local = HTTPTimeouts(silence: 2, whole: 5)
  /// For a receiver somewhere behind a mobile network.
  static let remote = HTTPTimeouts(silence: 15, whole: 60)
}

struct HTTPAnswer: Sendable {
  /// 0 when there was no (whole) answer; ``failure`` then says why.
  var status: Int
  /// Names in lower case.
  var headers: [String: String] = [:]
  var body = Data()
  var failure: String?

  static func failed(_ reason: String) -> HTTPAnswer { HTTPAnswer(status: 0, failure: reason) }

  subscript(header name: String) -> String? { headers[name.lowercased()] }
}
