#if os(macOS) || os(Linux)
import AutoMobileHTTP
import Foundation
import TestTools
import Testing

@testable import AutoMobileNetworkLog

@Suite struct NetworkLogClearingTests {
  @Test func `a cleared log is empty for every reader, and what comes then is there`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let writer = try log.writer()
    defer { writer.closeAndWait() }
    for number in 0..<400 { writer.recordSurely(.numbered(number)) }
    writer.record(
      HTTPWebSocketFrame(timestamp: 1, url: "", direction: .sent, kind: .text, payload: nil, exchangeID: "1"))
    let (one, other) = (NetworkLog(log.directory), NetworkLog(log.directory))
    #expect(other.refresh().added == 400)
    let first = try #require(other.page().entries.first)
    #expect(try one.clear() == 400)
    #expect(one.count() == 0 && one.page().entries.isEmpty && one.statistics() == NetworkLogStatistics())
    #expect(other.refresh().removed == 400)
    #expect(other.exchange(first.id) == nil && other.frames(of: .numbered(1)).isEmpty)
    #expect(NetworkLog(log.directory).count() == 0, "one that comes later reads on from there")
    #expect(try one.clear() == 0, "there is nothing to clear")

    // Begun before it was cleared, and recorded after.
    for number in 0..<300 { writer.recordSurely(.numbered(number, at: 1)) }
    for reader in [one, other, NetworkLog(log.directory)] {
      #expect(Set(reader.ids()) == Set((0..<300).map(String.init)))
      #expect(reader.statistics().count == 300 && reader.statistics().hosts.map(\.count) == [300])
    }
    #expect(try other.clear() == 300 && one.count() == 0)
  }

  @Test func `nothing that an app records while its log is cleared is lost`() async throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    try await onThread {
      let victims = try ["one", "two"].map { try Victim(log, owner: $0) }
      var isOver = false
      func end() {
        if !isOver { victims.forEach { $0.killAndWait() } }
        isOver = true
      }
      defer { end() }
      let reader = NetworkLog(log.directory)
      var cleared = 0
      for round in 1...8 {
        #expect(eventually { victims.allSatisfy { $0.count > round * 100 } })
        cleared += try reader.clear()
      }
      #expect(eventually { victims.allSatisfy { $0.count > 1000 } })
      end()
      let ids = NetworkLog(log.directory).ids()
      #expect(Set(ids) == Set(reader.ids()))
      var gone = 0
      for (victim, owner) in zip(victims, ["one", "two"]) {
        let numbers = ids.compactMap { $0.hasPrefix(owner) ? Int($0.dropFirst(owner.count + 1)) : nil }.sorted()
        let first = numbers.first ?? victim.count
        gone += first
        // To the last call that returned, and perhaps one that did not.
        #expect(numbers == Array(first..<first + numbers.count))
        #expect(victim.count...victim.count + 1 ~= first + numbers.count, "\(owner)")
      }
      #expect(gone == cleared, "what is not there any more was there when it was cleared")
    }
  }

  @Test func `a mark that is damaged or far off hides nothing, and harms nobody`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let writer = try log.writer()
    defer { writer.closeAndWait() }
    for number in 0..<50 { writer.record(.numbered(number)) }
    let reader = NetworkLog(log.directory)
    try reader.clear()
    let file = log.directory.markFile
    let good = try Data(contentsOf: file)
    for number in 50..<60 { writer.record(.numbered(number)) }
    let whole = Set((50..<60).map(String.init))
    #expect(Set(NetworkLog(log.directory).ids()) == whole)
    let launch = try #require(NetworkLogMark(Array(good)).offsets.keys.first).description
    for text in [
      "", "{}", "no json", "\u{0}", #"{"version":2,"segments":{}}"#, #"{"version":1,"segments":[]}"#,
      #"{"version":1,"segments":{"x":{"0":8}}}"#, "{\"version\":1,\"segments\":{\"\(launch)\":{\"0\":-8}}}",
      "{\"version\":1,\"segments\":{\"\(launch)\":{\"0\":9223372036854775800,\"-1\":8,\"x\":8}}}",
      "{\"version\":1,\"segments\":{\"\(launch)\":{\"0\":3}}}", String(repeating: "[", count: 100_000),
    ] {
      try Data(text.utf8).write(to: file)
      #expect(NetworkLog(log.directory).count() == 60, "\(text.prefix(80))")
    }
    // It says that more has been read than there is: no reader fails, and the writer goes on.
    try Data("{\"version\":1,\"segments\":{\"\(launch)\":{\"0\":1048576}}}".utf8).write(to: file)
    #expect(NetworkLog(log.directory).count() == 0)
    try good.write(to: file)
    #expect(writer.record(.numbered(60)) && NetworkLog(log.directory).count() == 11)
    // No file, but something else.
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    #expect(NetworkLog(log.directory).count() == 61)
    #expect(throws: (any Error).self) { try NetworkLog(log.directory).clear() }
    #expect(NetworkLog(log.directory).count() == 61)
  }
}
#endif
