import AutoMobileSupport
import Foundation
import TestTools

@testable import AutoMobileRecorder

/// A collector over real HTTP for programs that are killed: its document changes, it holds questions until there is news, and takes
/// deliveries in the moods of real networks. Each event is kept once.
final class ChangingCollector: Sendable {
  private struct State {
    var store = TestReceiver.Store()
    var random: SeededRandom
    var isMoody = true
    var isStopped = false
    var version = 0
    var sections = ""
    var posts = 0
    var documents = 0

    var tag: String { "\(version)-test" }
  }

  private let state: Locked<State>
  private let server: HTTPTestServer

  var url: URL { server.url }
  var store: TestReceiver.Store { state.withLock { $0.store } }
  /// Deliveries that arrived whole, whatever became of them.
  var posts: Int { state.withLock { $0.posts } }
  /// How often somebody was given a document.
  var documents: Int { state.withLock { $0.documents } }

  init(seed: UInt64) throws {
    let state = Locked(State(random: SeededRandom(seed)))
    self.state = state
    server = try HTTPTestServer { Self.answer($0, state) }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    server.stop()
  }

  /// What is in the document from now on.
  func set(_ sections: String) {
    state.withLock {
      $0.version += 1
      $0.sections = sections
    }
  }

  /// From now on everything is taken at once, and answered.
  func calmDown() { state.withLock { $0.isMoody = false } }

  private static func answer(_ request: ReceivedRequest, _ state: Locked<State>) -> ScriptedAnswer {
    switch (request.method, request.path.prefix { $0 != "?" }) {
    case ("GET", "/sdk-config"):
      return state.withLock { state in
        let headers = named(&state).merging(["ETag": "\"\(state.tag)\"", "X-AutoMobile-Listen": "10"]) { $1 }
        if request.headers["if-none-match"] == "\"\(state.tag)\"" { return .answer(304, headers: headers) }
        state.documents += 1
        return .json(200, headers: headers, #"{"version":\#(state.version),"issuer":"test",\#(state.sections)}"#)
      }
    case ("GET", "/sdk-commands"):
      // Held until there is something new; longer than half of what is offered, or it does not count as held.
      let before = state.withLock { $0.version }
      for _ in 0..<600 where state.withLock({ $0.version == before && !$0.isStopped }) { usleep(10_000) }
      return .answer(204, headers: state.withLock(named).merging(["X-AutoMobile-Listen": "10"]) { $1 })
    case ("POST", "/sdk-events"): return take(request, state)
    default: return .json(404, #"{"ok":false}"#)
    }
  }

  private static func named(_ state: inout State) -> [String: String] { ["X-AutoMobile-Config": state.tag] }

  private static func take(_ request: ReceivedRequest, _ state: Locked<State>) -> ScriptedAnswer {
    let (mood, pause) = state.withLock { state in
      state.posts += 1
      guard state.isMoody else { return (9, UInt32(0)) }
      return (Int.random(in: 0..<10, using: &state.random), UInt32.random(in: 20_000..<500_000, using: &state.random))
    }
    switch mood {
    case 0: return .json(503, "{}")
    case 1: return .json(429, headers: ["Retry-After": "1"], "{}")
    case 2: return .close
    case 3: usleep(pause)
    default: break
    }
    let answer = state.withLock { $0.store.take(request, .both, TestReceiver.Traits()) }
    switch mood {
    case 4: return .close
    case 5: return .bytes(Data("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"ok\":".utf8))
    default: break
    }
    guard case .answer(let status, let headers, let body) = answer else { return answer }
    return .answer(status, headers: headers.merging(state.withLock(named)) { $1 }, body: body)
  }
}
