import AutoMobileSupport
import Foundation

@testable import AutoMobileRecorder

/// The collector's side of the control channel over real HTTP, with a document that a test changes.
final class TestCollector: Sendable {
  struct State {
    var tag = "0-test"
    var document = #"{"version":0,"issuer":"test"}"#
    /// Answers in place of the document.
    var configAnswer: ScriptedAnswer?
    /// For how many seconds it says that it holds questions.
    var listen: String?
    /// Handed out to the next question.
    var commands: [String] = []
    var results: [String: [String: Any]] = [:]
    /// Events that were delivered.
    var delivered = 0
  }

  private let state: Locked<State>
  private let server: HTTPTestServer

  var url: URL { server.url }
  var requests: [ReceivedRequest] { server.requests }
  var configRequests: [ReceivedRequest] { requests.filter { $0.path.hasPrefix("/sdk-config?") } }
  var questions: [ReceivedRequest] { requests.filter { $0.path.hasPrefix("/sdk-commands?") } }
  var delivered: Int { state.withLock { $0.delivered } }
  var connectionCount: Int { server.connectionCount }
  /// The JSON of all events that were delivered, in order.
  var events: [[String: Any]] {
    requests.filter { $0.path == "/sdk-events" }.flatMap { request in
      let batch = try? JSONDecoder().decode(SdkEventBatch.self, from: request.body)
      return batch?.events.compactMap { try? JSONSerialization.jsonObject(with: $0.payload) as? [String: Any] } ?? []
    }
  }

  init() throws {
    let state = Locked(State())
    self.state = state
    server = try HTTPTestServer { request in
      state.withLock { Self.answer(request, &$0) }
    }
  }

  func stop() { server.stop() }

  /// What is there from now on.
  func set(_ version: Int, _ sections: String, issuer: String = "test", tag: String? = nil) {
    state.withLock {
      $0.tag = tag ?? "\(version)-\(issuer)"
      $0.document = #"{"version":\#(version),"issuer":"\#(issuer)"\#(sections.isEmpty ? "" : ",")\#(sections)}"#
      $0.configAnswer = nil
    }
  }

  func offer(_ listen: String?) { state.withLock { $0.listen = listen } }

  func answerConfig(_ answer: ScriptedAnswer?) { state.withLock { $0.configAnswer = answer } }

  func command(_ id: String, _ name: String, _ arguments: String = "{}", timeout: Double = 10) {
    state.withLock {
      $0.commands.append(
        #"{"id":"\#(id)","command":"\#(name)","arguments":\#(arguments),"timeoutSeconds":\#(timeout)}"#)
    }
  }

  func result(of id: String) -> [String: Any]? { state.withLock { $0.results[id] } }

  private static func answer(_ request: ReceivedRequest, _ state: inout State) -> ScriptedAnswer {
    var named = ["X-AutoMobile-Config": state.tag]
    if ["/sdk-config", "/sdk-commands"].contains(request.path.prefix { $0 != "?" }) {
      named["X-AutoMobile-Listen"] = state.listen
    }
    let path = request.path.prefix { $0 != "?" }
    switch (request.method, path) {
    case ("GET", "/sdk-config"):
      if let answer = state.configAnswer { return answer }
      if request.headers["if-none-match"] == "\"\(state.tag)\"" {
        return .answer(304, headers: named.merging(["ETag": "\"\(state.tag)\""]) { $1 })
      }
      return .json(200, headers: named.merging(["ETag": "\"\(state.tag)\""]) { $1 }, state.document)
    case ("GET", "/health"): return .json(200, #"{"status":"ok"}"#)
    case ("GET", "/sdk-commands"):
      let commands = state.commands
      state.commands = []
      if commands.isEmpty { return .answer(204, headers: named) }
      return .json(200, headers: named, #"{"commands":[\#(commands.joined(separator: ","))]}"#)
    case ("POST", "/sdk-events"):
      let batch = try? JSONDecoder().decode(SdkEventBatch.self, from: request.body)
      state.delivered += batch?.events.count ?? 0
      return .json(200, headers: named, #"{"ok":true}"#)
    case ("POST", let path) where path.hasPrefix("/sdk-commands/"):
      let id = String(path.split(separator: "/").dropFirst().first ?? "")
      state.results[id] = (try? JSONSerialization.jsonObject(with: request.body)) as? [String: Any]
      return .ok
    default: return .json(404, #"{"ok":false}"#)
    }
  }
}

/// A channel of a test's own, with a clock that the test moves.
final class ControlBench: Sendable {
  let directory: TemporaryDirectory
  let clock = ManualClock()

  init(_ directory: TemporaryDirectory? = nil) throws { self.directory = try directory ?? TemporaryDirectory() }

  func cache(for url: URL, owner: String = "com.example") -> ControlCache {
    ControlCache(directory: directory.url, owner: owner, endpoint: url.absoluteString)
  }

  func channel(
    to url: URL, commands: RemoteCommandAccess = .none, apiKey: String? = "key",
    transport: any RequestTransport = URLSessionTransport(),
    pollTransport: any RequestTransport = URLSessionTransport(),
    maySend: @escaping @Sendable () -> Bool = { true },
    isSavingPower: @escaping @Sendable () -> Bool = { false }
  ) -> ControlChannel? {
    guard var endpoint = DeliveryEndpoint(base: url, apiKey: apiKey) else { return nil }
    endpoint.timeouts = HTTPTimeouts(silence: 10, whole: 15)
    var options = ControlOptions(
      bundleId: "com.example", launch: .init(), sdkVersion: "0.1.0", endpoint: endpoint, cache: cache(for: url),
      commands: commands)
    options.maySend = maySend
    options.isSavingPower = isSavingPower
    return ControlChannel(
      options: options, transport: transport, pollTransport: pollTransport, clock: clock.clock)
  }
}

extension ControlChannel {
  /// An answer to a delivery that names a document.
  func hear(of tag: String, from url: URL) {
    guard let endpoint = DeliveryEndpoint(base: url) else { return }
    note(HTTPAnswer(status: 200, headers: [Self.header: tag]), from: endpoint)
  }
}
