import AutoMobileJournal
import Foundation
import Testing

@testable import AutoMobileCollector

/// What readers cost that do not read, seen from outside: of a process of its own.
@Suite struct `Readers that do not read` {
  private static func request(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n" }

  /// In megabytes.
  private static func memory(of process: CollectorProcess) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process.pid)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    let kilobytes = line?.split(separator: " ").dropLast().last.flatMap { Int($0) }
    return try #require(kilobytes) / 1024
  }

  /// The most that it takes within some seconds.
  private static func peak(of process: CollectorProcess, seconds: Double) async throws -> Int {
    let end = ContinuousClock.now + .seconds(seconds)
    var peak = 0
    while ContinuousClock.now < end {
      peak = max(peak, try memory(of: process))
      try await Task.sleep(for: .milliseconds(50))
    }
    return peak
  }

  /// 160 events of half a megabyte each.
  private static func fill(_ process: CollectorProcess) async throws {
    let text = String(repeating: "x", count: 500_000)
    var batch = RawBatch()
    batch.addContext(1, session: "s-1")
    for index in 0..<160 {
      batch.addLog("\(index) \(text)", at: 1_700_000_000_000 + index)
      if index % 8 == 7 {
        while try await process.post(batch) != 200 {}
        batch = RawBatch(launch: batch.launch, from: batch.position)
      }
    }
    try await process.wait(for: "/api/sessions/s-1") { $0["events"].int == 160 }
  }

  @Test func `twenty unread pages of large events, and sixty unread tails, take some hundred megabytes at most`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let process = try await CollectorProcess(directory: directory.url, arguments: ["--no-full-text"])
    try await Self.fill(process)
    let before = try Self.memory(of: process)
    var sockets: [RawSocket] = []
    for _ in 0..<20 {
      let socket = try RawSocket(port: process.port)
      await socket.send(Self.request("/api/events?limit=1000"))
      sockets.append(socket)
    }
    let pages = try await Self.peak(of: process, seconds: 4)
    sockets.removeAll()
    for _ in 0..<60 {
      let socket = try RawSocket(port: process.port)
      await socket.send(Self.request("/api/tail?lastEventId=0.0"))
      sockets.append(socket)
    }
    let tails = try await Self.peak(of: process, seconds: 4)
    print("memory: \(before) MB at first, \(pages) MB with unread pages, \(tails) MB with unread tails")
    #expect(pages - before < 400)
    #expect(tails - before < 400)
    withExtendedLifetime(sockets) {}
    await process.kill()
  }

  @Test func `SIGTERM ends it in time, whatever questions, tails and uploads are under way`() async throws {
    let directory = try TemporaryDirectory()
    let process = try await CollectorProcess(directory: directory.url, arguments: ["--no-full-text"])
    let batches = SlowSession.batches
    for batch in batches { try #require(await process.post(batch) == 200) }
    try await process.wait(for: "/api/sessions/\(SlowSession.name)") { $0["events"].int == SlowSession.events }
    var sockets: [RawSocket] = []
    func open(_ text: String) async throws {
      let socket = try RawSocket(port: process.port)
      await socket.send(text)
      sockets.append(socket)
    }
    for _ in 0..<12 { try await open(Self.request("/api/tail?lastEventId=0.0")) }
    try await process.wait(for: "/metrics", text: "automobile_tail_subscribers 12\n")
    for _ in 0..<12 { try await open(Self.request(SlowSession.question)) }
    for _ in 0..<4 { try await open(Self.request("/api/network/har?limit=1000000")) }
    for path in ["/sdk-events", "/api/import", "/api/symbols?name=x"] {
      try await open(
        "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\n"
          + "Content-Length: 1000000\r\n\r\nhalf of it")
      try await open("POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: appl")
    }
    // Answered after those before it were taken in.
    _ = try await process.get("/metrics")
    let start = ContinuousClock.now
    let status = await process.terminate()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    print("SIGTERM: ended after \(seconds) s")
    #expect(status == 0)
    // None of them would ever end by itself.
    #expect(seconds < 30)
    withExtendedLifetime(sockets) {}
    // What was taken before is there.
    let next = try await CollectorProcess(directory: directory.url, arguments: ["--no-full-text"])
    try await next.wait(for: "/api/sessions/\(SlowSession.name)") { $0["events"].int == SlowSession.events }
    #expect(await next.terminate() == 0)
  }
}
