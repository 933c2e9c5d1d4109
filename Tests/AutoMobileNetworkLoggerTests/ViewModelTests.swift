import AutoMobileHTTP
import AutoMobileNetworkLog
import Foundation
import Testing

@testable import AutoMobileNetworkLogger

/// What the viewer shows, without the views.
@Suite struct NetworkLogViewModelTests {
  private func log() throws -> (NetworkLogDirectory, NetworkLogWriter) {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("viewer-\(UUID().uuidString)")
    let directory = NetworkLogDirectory(url)
    var options = NetworkLogOptions()
    options.freeDiskFloor = 0
    return (directory, try NetworkLogWriter(directory, owner: "app", options: options))
  }

  private func exchange(_ number: Int) -> HTTPExchange {
    var exchange = HTTPExchange(
      id: "\(number)", startedAt: 1_700_000_000_000 + Int64(number), method: "GET",
      url: "https://api.example/item/\(number)")
    exchange.statusCode = number % 10 == 0 ? 500 : 200
    exchange.durationMs = 12
    return exchange
  }

  @MainActor private func until(_ condition: @MainActor () -> Bool) async -> Bool {
    let deadline = Date() + 90
    while !condition() {
      guard Date() < deadline else { return false }
      try? await Task.sleep(nanoseconds: 2_000_000)
    }
    return true
  }

  @Test @MainActor func `the log is cleared, and what comes then is listed`() async throws {
    let (directory, writer) = try log()
    defer {
      writer.closeAndWait()
      try? FileManager.default.removeItem(at: directory.url)
    }
    for number in 0..<30 { writer.record(exchange(number)) }
    let model = NetworkLogListModel(NetworkLog(directory))
    model.appear()
    #expect(await until { model.rows.count == 30 })
    model.clear()
    #expect(await until { model.rows.isEmpty && model.statistics.count == 0 })
    #expect(model.problem == nil)
    writer.record(exchange(31))
    #expect(await until { model.rows.count == 1 })
    // What cannot be written is said.
    try FileManager.default.removeItem(at: directory.url.appendingPathComponent("cleared.json"))
    try FileManager.default.createDirectory(
      at: directory.url.appendingPathComponent("cleared.json"), withIntermediateDirectories: false)
    model.clear()
    #expect(await until { model.problem != nil })
    #expect(!model.rows.isEmpty)
    model.disappear()
  }

  @Test @MainActor func `the list loads pages, follows what comes, and filters`() async throws {
    let (directory, writer) = try log()
    defer {
      writer.closeAndWait()
      try? FileManager.default.removeItem(at: directory.url)
    }
    for number in 0..<25 { writer.record(exchange(number)) }
    let model = NetworkLogListModel(NetworkLog(directory), pageSize: 10)
    var changes = 0
    model.onChange = { changes += 1 }
    model.appear()
    model.appear()
    #expect(await until { model.rows.count == 10 && !model.isLoading })
    #expect(model.rows.first?.title == "/item/24" && model.hasMore && model.statistics.count == 25)
    model.loadMore()
    model.loadMore()
    #expect(await until { model.rows.count == 20 && !model.isLoading })
    model.loadMore()
    #expect(await until { model.rows.count == 25 && !model.hasMore })
    writer.record(exchange(25))
    #expect(await until { model.rows.first?.title == "/item/25" && model.rows.count >= 25 })
    model.filter.isError = true
    #expect(await until { model.rows.map(\.title) == ["/item/20", "/item/10", "/item/0"] })
    #expect(model.rows.allSatisfy { $0.tone == .serverError && $0.status == "500" && $0.duration == "12 ms" })
    model.filter.text = "item/1"
    #expect(await until { model.rows.map(\.title) == ["/item/10"] })
    model.disappear()
    #expect(changes >= 5)
  }

  @Test func `a page tells everything of its exchange`() throws {
    var exchange = exchange(10)
    exchange.requestHeaders = ["B": "2", "A": "1"]
    exchange.responseBody = HTTPBody(bytes: Data(#"{"a":1}"#.utf8), size: 7)
    exchange.contentType = "application/json"
    exchange.tracerId = "conversation"
    exchange.mockRule = "rule"
    exchange.redirects = [HTTPRedirect(statusCode: 302, url: "a", location: "b")]
    var timings = HTTPTimings()
    timings.requestEnd = 3
    timings.responseStart = 9
    timings.responseEnd = 12
    exchange.timings = timings
    let detail = NetworkLogDetail(exchange)
    #expect(
      detail.summary.map(\.name) == [
        "URL", "Method", "Status", "Duration", "Response body", "Tracer ID", "Mock rule", "Redirect 1",
      ])
    #expect(detail.request.headers.map(\.name) == ["A", "B"])
    #expect(detail.response.body.kind == .json && detail.response.body.text == "{\n  \"a\": 1\n}")
    #expect(detail.bars.map(\.name) == [.blocked, .wait, .receive])
    #expect(detail.bars.map(\.start) == [0, 0.25, 0.75] && detail.bars.map(\.duration) == ["3 ms", "6 ms", "3 ms"])
    #expect(detail.curl.hasPrefix("# the recorded response") && detail.text.contains("conversation"))
    let file = try detail.archive()
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try String(contentsOf: file, encoding: .utf8).contains("\"_mockRule\":\"rule\""))
    #expect(file.pathExtension == "har")
    #expect(throws: (any Error).self) { try detail.archive(in: URL(fileURLWithPath: "/nowhere")) }

    exchange.contentType = "image/png"
    exchange.responseBody = HTTPBody(bytes: Data([0xFF, 1]), size: 2)
    #expect(NetworkLogDetail(exchange).response.image == Data([0xFF, 1]))
    exchange.responseBody?.size = 3
    #expect(NetworkLogDetail(exchange).response.image == nil, "half an image is none")
  }

  @Test func `a line of the list says what became of the request`() {
    func tone(_ change: (inout HTTPExchange) -> Void) -> NetworkLogRowContent.Tone {
      var exchange = HTTPExchange(id: "", startedAt: 0, method: "GET", url: "https://a.example")
      change(&exchange)
      return NetworkLogRowContent.tone(of: exchange)
    }
    #expect(tone { $0.statusCode = 204 } == .success && tone { $0.statusCode = 304 } == .redirection)
    #expect(tone { $0.statusCode = 404 } == .clientError && tone { $0.statusCode = 599 } == .serverError)
    #expect(tone { _ in } == .neutral && tone { $0.error = HTTPFailure(message: "x") } == .failure)
    #expect(tone { $0.error = HTTPFailure(message: "x", domain: "NSURLErrorDomain", code: -999) } == .neutral)
  }
}
