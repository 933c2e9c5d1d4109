import AutoMobileHTTP
import Foundation
import TestTools
import Testing

@testable import AutoMobileNetworkLog

#if os(Linux)
@Suite(.enabled(if: SmallDisk.isPossible, "mounting a small file system needs root")) struct NetworkLogDiskTests {
  @Test func `a full disk costs what has no room, says so, and hurts nobody`() async throws {
    try await onThread {
      let disk = try SmallDisk(kilobytes: 512)
      defer { disk.remove() }
      var options = NetworkLogOptions()
      options.segmentSize = 64 << 10
      options.freeDiskFloor = 0
      let directory = NetworkLogDirectory(URL(fileURLWithPath: disk.path))
      let writer = try NetworkLogWriter(directory, owner: "app", options: options)
      defer { writer.closeAndWait() }
      var exchange = HTTPExchange.numbered(0)
      exchange.responseBody = HTTPBody(bytes: Data(repeating: 0x61, count: 1000), size: 1000)
      var kept = 0
      for number in 0..<2000 {
        exchange.id = "\(number)"
        exchange.startedAt = Int64(number)
        if writer.record(exchange) { kept += 1 }
      }
      #expect(writer.counts == NetworkLogWriter.Counts(recorded: kept, lost: 2000 - kept))
      #expect(kept > 100)
      let ids = NetworkLog(directory).ids()
      // Where the disk is full, the journal makes room by giving up what is oldest.
      #expect(ids == ids.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) } && ids.count <= kept && ids.count > 100)
      #expect(writer.failure?.contains("No space left") ?? true)
    }
  }

  @Test func `a directory that cannot be written costs the exchanges, and says so`() throws {
    let writer = try NetworkLogWriter(NetworkLogDirectory(URL(fileURLWithPath: "/proc/nowhere")), owner: "app")
    defer { writer.closeAndWait() }
    _ = writer.record(.numbered(1))
    #expect(writer.failure != nil)
  }
}
#endif
