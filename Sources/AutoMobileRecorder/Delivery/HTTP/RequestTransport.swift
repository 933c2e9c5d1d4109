import Foundation

/// What a delivery needs of HTTP: send one request, get one answer.
package protocol RequestTransport: AnyObject, Sendable {
  /// Sends, and calls `completion` exactly once, on a thread of the transport's choice.
  func send(_ request: HTTPRequest, completion: @escaping @Sendable (HTTPAnswer) -> Void)

  /// Ends what is under way; its completion is called with a failure.
  func cancelAll()
}

package struct HTTPRequest: Sendable {
  package var method = "POST"
  package var url: URL
  package var headers: [String: String] = [:]
  package var body: Data?
  package var timeouts = HTTPTimeouts.local
  /// Whether it may go over a network that costs by volume, as far as the transport may use one. Apple platforms.
  package var allowsExpensive = true

  package init(
    method: String = "POST", url: URL, headers: [String: String] = [:], body: Data? = nil,
    timeouts: HTTPTimeouts = .local
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeouts = timeouts
  }
}

/// How long a request may take, in seconds.
package struct HTTPTimeouts: Sendable, Equatable {
  /// The longest silence: nothing sent and nothing received.
  package var silence: TimeInterval
  /// From the request's beginning to the answer's end.
  package var whole: TimeInterval

  package init(silence: TimeInterval, whole: TimeInterval) {
    self.silence = silence
    self.whole = whole
  }

  /// For a receiver on the same machine.
  package static let local = HTTPTimeouts(silence: 2, whole: 5)
  /// For a receiver somewhere behind a mobile network.
  package static let remote = HTTPTimeouts(silence: 15, whole: 60)
}

package struct HTTPAnswer: Sendable {
  /// 0 when there was no (whole) answer; ``failure`` then says why.
  package var status: Int
  /// Names in lower case.
  package var headers: [String: String] = [:]
  package var body = Data()
  package var failure: String?
  /// How much of the body is known to have gone out, in bytes; of interest where there is no answer.
  package var bytesSent = 0
  /// It went over a network that costs by volume. Apple platforms; elsewhere no network is known to be one.
  package var wasExpensive = false
  /// There was no network but one that the request was not permitted to use.
  package var isNetworkRefused = false

  package init(status: Int, headers: [String: String] = [:], body: Data = Data(), failure: String? = nil) {
    self.status = status
    self.headers = headers
    self.body = body
    self.failure = failure
  }

  package static func failed(_ reason: String) -> HTTPAnswer { HTTPAnswer(status: 0, failure: reason) }

  package subscript(header name: String) -> String? { headers[name.lowercased()] }
}
