#if os(macOS) || os(Linux)
import AutoMobileHTTP
import AutoMobileNetworkLog
import Foundation
import TestTools
import RequestCatcher
import Testing

@testable import AutoMobileNetworkLogger
@testable import AutoMobileSDK

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests that the app still waits for, or waited for when it died.
@Suite struct NetworkLoggerUnfinishedTests {
  /// A server that keeps its answer until it is told to give it.
  private final class WaitingServer {
    private let gate = DispatchSemaphore(value: 0)
    private let catcher: RequestCatcher

    init() throws {
      catcher = try RequestCatcher { [gate] _ in
        gate.wait()
        return "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nlater"
      }
    }

    var base: String { "http://127.0.0.1:\(catcher.port)" }
    func answer() { gate.signal() }

    func stop() {
      gate.signal()
      catcher.stop()
    }
  }

  private func entry(_ log: NetworkLog, where holds: (NetworkLogEntry) -> Bool) async throws -> NetworkLogEntry {
    let deadline = Date() + 90
    while Date() < deadline {
      if let found = log.page().entries.first(where: holds) { return found }
      try await Task.sleep(nanoseconds: 2_000_000)
    }
    throw CocoaError(.featureUnsupported)
  }

  /// What stands anywhere below the log's directory.
  private func isFound(_ text: String, in directory: NetworkLogDirectory) throws -> Bool {
    let names = try FileManager.default.subpathsOfDirectory(atPath: directory.url.path)
    #expect(names.count > 2)
    return names.contains { name in
      let bytes = try? Data(contentsOf: directory.url.appendingPathComponent(name))
      return bytes?.range(of: Data(text.utf8)) != nil
    }
  }

  @Test func `a request of a real session is in the log while it is under way, and once when it is answered`()
    async throws
  {
    let directory = try NetworkLogDirectory.temporary()
    defer { try? FileManager.default.removeItem(at: directory.url) }
    let server = try WaitingServer()
    defer { server.stop() }
    var settings = NetworkLoggerConfiguration.recording(into: directory)
    settings.tracerHeaders = ["X-Conversation-Id"]
    let logged = LoggedSession(settings)
    defer { logged.end() }
    let (logger, session) = (logged.logger, logged.session)
    let url = try #require(URL(string: "\(server.base)/graphql?operationName=Me&query=%7Bme%7D&access_token=planted-1"))
    var request = URLRequest(url: url)
    request.setValue("Bearer planted-2", forHTTPHeaderField: "Authorization")
    request.setValue("conversation-7", forHTTPHeaderField: "X-Conversation-Id")
    let answer = Task { [request] in try await session.data(for: request) }

    let (log, other) = (NetworkLog(directory), NetworkLog(directory))
    let begun = try await entry(log) { $0.isUnfinished }
    #expect(begun.isUnderWay && begun.exchange.host == "127.0.0.1" && begun.exchange.tracerId == "conversation-7")
    #expect(begun.exchange.graphQLOperation == "Me")
    #expect(begun.exchange.requestHeaders?["Authorization"] == HTTPRedaction.mark)
    #expect(other.page().entries.map(\.id) == [begun.id])
    #expect(logger.status == .recording(recorded: 0, lost: 0, failure: nil))
    #expect(try !isFound("planted", in: directory) && isFound("conversation-7", in: directory))

    server.answer()
    #expect(try await String(decoding: answer.value.0, as: UTF8.self) == "later")
    let ended = try await entry(log) { !$0.isUnfinished }
    #expect(ended.id == begun.id && ended.exchange.statusCode == 200)
    for log in [log, other, NetworkLog(directory)] {
      #expect(log.page().entries.map(\.id) == [begun.id] && log.statistics().count == 1)
      #expect(log.exchange(begun.id)?.responseBody?.text == "later")
    }
    #expect(logger.status == .recording(recorded: 1, lost: 0, failure: nil))
    #expect(try !isFound("planted", in: directory))
  }

  @Test func `the request of an app that is killed while it waits is there, marked, and without its secrets`()
    async throws
  {
    let directory = try NetworkLogDirectory.temporary()
    defer { try? FileManager.default.removeItem(at: directory.url) }
    let server = try WaitingServer()
    defer { server.stop() }
    let app = Process()
    app.executableURL = HelperProgram.named("netlog-victim")
    let witness = directory.url.appendingPathComponent("witness")
    try Data(count: 8).write(to: witness)
    app.arguments = [
      directory.url.path, witness.path, "app", "\(64 << 20)",
      "\(server.base)/orders?api_key=planted-url&page=2",
    ]
    app.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let hasEnded = DispatchSemaphore(value: 0)
    app.terminationHandler = { _ in hasEnded.signal() }
    try app.run()
    let log = NetworkLog(directory)
    let begun = try await entry(log) { $0.isUnfinished }
    #expect(begun.isUnderWay && begun.exchange.path == "/orders")
    var changes = log.updates(every: 0.01).makeAsyncIterator()
    _ = await changes.next()
    kill(app.processIdentifier, SIGKILL)
    let change = await changes.next()
    #expect(change?.ended == 1, "whoever looks hears of the end")
    await Task.detached { hasEnded.wait() }.value
    for log in [log, NetworkLog(directory)] {
      let entry = try #require(log.page().entries.first)
      #expect(entry.id == begun.id && entry.isUnfinished && !entry.isUnderWay && !entry.isError)
      let row = NetworkLogRowContent(entry)
      #expect(row.remark == "the app ended first" && row.status == "–" && row.tone == .neutral && row.duration == "")
      var filter = NetworkLogFilter()
      filter.statusClasses = [.unfinished]
      #expect(log.count() == 1 && log.count(filter) == 1)
    }
    #expect(try !isFound("planted", in: directory) && isFound("page=2", in: directory))
  }

  @Test func `hosts that the app does not want, and what the log has no room for, are no harm`() throws {
    let directory = try NetworkLogDirectory.temporary()
    defer { try? FileManager.default.removeItem(at: directory.url) }
    let recorder = NetworkLogRecorder(
      try NetworkLogWriter(directory, owner: "app"), .recording(into: directory))
    recorder.writer.closeAndWait()
    recorder.exchangeBegan(HTTPExchange(id: "1", startedAt: 1, method: "GET", url: "https://a.example"))
    #expect(recorder.writer.counts.recorded == 0 && recorder.writer.counts.lost == 0)
  }

  @Test func `lists and pages say in words what became of it`() throws {
    let directory = try NetworkLogDirectory.temporary()
    defer { try? FileManager.default.removeItem(at: directory.url) }
    let writer = try NetworkLogWriter(directory, owner: "app")
    var exchange = HTTPExchange(id: "1", startedAt: 1, method: "POST", url: "https://a.example/x")
    exchange.isUnfinished = true
    writer.begin(exchange)
    let log = NetworkLog(directory)
    var entry = try #require(log.page().entries.first)
    #expect(NetworkLogRowContent(entry).remark == "under way")
    var detail = NetworkLogDetail(exchange, isUnderWay: log.isUnderWay(entry.id))
    #expect(detail.summary.first { $0.name == "Status" }?.value == "under way: no response yet")
    #expect(detail.text.contains("under way: no response yet"))
    writer.closeAndWait()
    entry = try #require(log.page().entries.first)
    #expect(NetworkLogRowContent(entry).remark == "the app ended first")
    detail = NetworkLogDetail(exchange, isUnderWay: log.isUnderWay(entry.id))
    #expect(detail.summary.first { $0.name == "Status" }?.value == "unfinished: the app ended first")
    #expect(detail.curl.contains("if it had a body, it is not here") && detail.curl.contains("-X 'POST'"))
    exchange.isUnfinished = false
    #expect(NetworkLogDetail(exchange).summary.first { $0.name == "Status" } == nil)
  }
}
#endif
