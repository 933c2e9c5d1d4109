import AutoMobileSupport
import Foundation

@testable import AutoMobileRecorder

/// Requests that a test answers itself, at once or later, so that nothing depends on how fast a machine is.
final class ScriptedTransport: RequestTransport {
  typealias Completion = @Sendable (HTTPAnswer) -> Void

  private struct State {
    var requests: [HTTPRequest] = []
    var held: [Completion] = []
  }

  private let state = Locked(State())
  private let script: @Sendable (HTTPRequest, _ number: Int) -> HTTPAnswer?

  /// - Parameter script: the answer to a request, of which there were so many before; nil: it is held.
  init(_ script: @escaping @Sendable (_ request: HTTPRequest, _ number: Int) -> HTTPAnswer?) { self.script = script }

  var requests: [HTTPRequest] { state.withLock { $0.requests } }
  var held: Int { state.withLock { $0.held.count } }

  func send(_ request: HTTPRequest, completion: @escaping Completion) {
    let number = state.withLock { state in
      state.requests.append(request)
      return state.requests.count - 1
    }
    if let answer = script(request, number) { return completion(answer) }
    state.withLock { $0.held.append(completion) }
  }

  /// Answers everything that is held.
  func release(_ answer: HTTPAnswer) { takeHeld().forEach { $0(answer) } }

  func cancelAll() { release(.failed("cancelled")) }

  private func takeHeld() -> [Completion] {
    state.withLock { state in
      defer { state.held = [] }
      return state.held
    }
  }
}

extension HTTPAnswer {
  /// A collector's answer to an app that asks for the document, or for news of it.
  static func control(_ status: Int, tag: String = "0-test", offer: String? = nil, body: String = "") -> HTTPAnswer {
    var headers = ["etag": "\"\(tag)\"", "x-automobile-config": tag]
    headers["x-automobile-listen"] = offer
    return HTTPAnswer(status: status, headers: headers, body: Data(body.utf8))
  }

  /// With the document that holds in tests of this.
  static func document(_ sections: String = "", tag: String = "0-test", offer: String? = nil) -> HTTPAnswer {
    .control(
      200, tag: tag, offer: offer,
      body: #"{"version":0,"issuer":"test"\#(sections.isEmpty ? "" : ",")\#(sections)}"#)
  }
}
