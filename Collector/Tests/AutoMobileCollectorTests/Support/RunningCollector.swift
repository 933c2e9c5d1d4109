import AsyncHTTPClient
import AutoMobileJournal
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import Testing

@testable import AutoMobileCollector

/// A collector that really runs, on a port that the system picked and a directory that goes with it.
struct RunningCollector: Sendable {
  let collector: Collector
  let port: Int
  let directory: URL

  var url: String { "http://127.0.0.1:\(port)" }

  /// All tests at once would hold more than a thousand files open, and Foundation's `Process` dies of as many: its
  /// `run()` copies entries of `/proc/self/fd` past the end of their buffer, which they then fill.
  private static let turns = Turns(24)

  /// Calls `body` with a running collector, and stops it in order.
  static func with(
    directory: URL? = nil, _ adjust: (inout CollectorOptions) -> Void = { _ in },
    _ body: @Sendable (RunningCollector) async throws -> Void
  ) async throws {
    await turns.take()
    defer { turns.giveBack() }
    let temporary = directory == nil ? try TemporaryDirectory() : nil
    var options = CollectorOptions(dataDirectory: directory ?? temporary?.url ?? URL(filePath: "/dev/null"))
    options.port = 0
    adjust(&options)
    if SharedState.isWanted, options.state == .folder { try options.shareState(in: SharedState.database(of: options)) }
    let collector = try await Collector.open(options, logger: quiet)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await collector.run() }
      do {
        try await body(
          RunningCollector(
            collector: collector, port: try await collector.port, directory: options.dataDirectory))
      } catch {
        collector.stop()
        try? await group.waitForAll()
        throw error
      }
      collector.stop()
      try await group.waitForAll()
    }
    withExtendedLifetime(temporary) {}
  }

  static var quiet: Logger {
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    return logger
  }

  // MARK: Requests

  /// A client that says at once when nobody listens.
  static let client: HTTPClient = {
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.retryConnectionEstablishment = false
    return HTTPClient(eventLoopGroup: HTTPClient.shared.eventLoopGroup, configuration: configuration)
  }()

  struct Answer: Sendable {
    var status: Int
    var headers: HTTPHeaders
    var body: ByteBuffer

    /// The body as JSON.
    func json() throws -> JSONValue { try JSONDecoder().decode(JSONValue.self, from: Data(buffer: body)) }
    var text: String { String(buffer: body) }
    /// `error.code` of an answer that is one.
    var errorCode: String? { try? json()["error"]["code"].string }
  }

  func send(
    _ method: HTTPMethod, _ path: String, headers: [(String, String)] = [], body: ByteBuffer? = nil
  ) async throws -> Answer {
    var request = HTTPClientRequest(url: url + path)
    request.method = method
    request.headers = HTTPHeaders(headers)
    if let body { request.body = .bytes(body) }
    let response = try await Self.client.execute(request, timeout: .seconds(60))
    let content = try await response.body.collect(upTo: 64 << 20)
    return Answer(status: Int(response.status.code), headers: response.headers, body: content)
  }

  func get(_ path: String, headers: [(String, String)] = []) async throws -> Answer {
    try await send(.GET, path, headers: headers)
  }

  func json(_ path: String) async throws -> JSONValue { try await get(path).json() }

  @discardableResult
  func post(raw batch: RawBatch, headers: [(String, String)] = []) async throws -> Answer {
    try await send(
      .POST, "/sdk-events", headers: [("Content-Type", BatchHeader.mediaType)] + headers, body: batch.body())
  }

  @discardableResult
  func post(envelope text: String, headers: [(String, String)] = []) async throws -> Answer {
    try await send(
      .POST, "/sdk-events", headers: [("Content-Type", "application/json")] + headers, body: ByteBuffer(string: text))
  }

  /// Asks until `isDone`, for at most a minute.
  @discardableResult
  func wait(for path: String, until isDone: (JSONValue) -> Bool) async throws -> JSONValue {
    let deadline = ContinuousClock.now + .seconds(60)
    var last = try await json(path)
    while !isDone(last) {
      try #require(ContinuousClock.now < deadline, "waited in vain; the last answer was \(last)")
      try await Task.sleep(for: .milliseconds(5))
      last = try await json(path)
    }
    return last
  }

  /// Waits until so many events of a launch are stored or otherwise accounted for.
  @discardableResult
  func waitForLaunch(_ launch: LaunchID, stored: Int) async throws -> JSONValue {
    let answer = try await wait(for: "/api/launches") { $0.launch(launch)["stored"].int ?? -1 >= stored }
    return answer.launch(launch)
  }
}

extension JSONValue {
  /// The entry of a launch in the answer of `/api/launches`.
  func launch(_ launch: LaunchID) -> JSONValue {
    self["launches"].array.first { $0["launchId"].string == launch.description } ?? .null
  }
}

/// A directory of the test's own, removed with it.
final class TemporaryDirectory: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "collector-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// Lets so many in at a time.
private final class Turns: @unchecked Sendable {
  // Unchecked because `lock` guards both.
  private let lock = NSLock()
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = lock.withLock {
        if free > 0 {
          free -= 1
          return true
        }
        waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  func giveBack() {
    let next: CheckedContinuation<Void, Never>? = lock.withLock {
      if waiting.isEmpty {
        free += 1
        return nil
      }
      return waiting.removeFirst()
    }
    next?.resume()
  }
}
