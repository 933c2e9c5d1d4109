import AutoMobileHTTP
import AutoMobileJournal
import Foundation
import TestTools
import Testing

@testable import AutoMobileNetworkLog

/// Requests that are in the log from when they begin.
@Suite struct NetworkLogUnfinishedTests {
  @Test func `a request is listed from its beginning, and its end takes its place`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let writer = try log.writer()
    defer { writer.closeAndWait() }
    let reader = NetworkLog(log.directory)
    #expect(writer.begin(.begun(1)))
    #expect(reader.refresh().added == 1)
    let entry = try #require(reader.page().entries.first)
    #expect(entry.isUnfinished && entry.isUnderWay && !entry.isError && reader.isUnderWay(entry.id))
    #expect(entry.exchange.requestHeaders == ["X-Client": "iOS"] && entry.exchange.tracerId == "conversation-1")
    #expect(reader.exchange(entry.id) == entry.exchange)
    #expect(reader.statistics().byStatusClass == [.unfinished: 1] && reader.statistics().errors == 0)
    #expect(writer.counts == NetworkLogWriter.Counts(), "what counts is its end")

    var whole = HTTPExchange.numbered(1)
    whole.responseBody = HTTPBody(bytes: Data("answer".utf8), size: 6)
    writer.record(whole)
    let change = reader.refresh()
    #expect(change.ended == 1 && change.added == 0 && change.removed == 0)
    for reader in [reader, NetworkLog(log.directory)] {
      let entries = reader.page().entries
      #expect(entries.map(\.id) == [entry.id] && entries.allSatisfy { !$0.isUnfinished && !$0.isUnderWay })
      #expect(reader.exchange(entry.id) == whole && !reader.isUnderWay(entry.id))
      #expect(reader.count() == 1 && reader.statistics().byStatusClass == [.success: 1])
      var exported: [HTTPExchange] = []
      reader.forEach { exchange, _ in exported.append(exchange) }
      #expect(exported == [whole])
    }
    #expect(writer.counts == NetworkLogWriter.Counts(recorded: 1, lost: 0))
  }

  @Test func `what never ended is found, filtered and exported, and said to be over when its process is`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let writer = try log.writer()
    writer.begin(.begun(1))
    writer.begin(.begun(2))
    writer.record(.numbered(2))
    var failed = HTTPExchange.begun(3)
    failed.error = HTTPFailure(message: "timed out")
    writer.record(failed)
    let reader = NetworkLog(log.directory)
    #expect(reader.all().map(\.isUnderWay) == [false, false, true])
    writer.closeAndWait()
    #expect(reader.refresh().ended == 1, "whoever looks hears of it")
    #expect(reader.refresh().isEmpty)
    for reader in [reader, NetworkLog(log.directory)] {
      #expect(reader.all().map(\.isUnderWay) == [false, false, false])
      #expect(reader.all().map(\.isUnfinished) == [false, false, true])
      func ids(_ change: (inout NetworkLogFilter) -> Void) -> [String] {
        var filter = NetworkLogFilter()
        change(&filter)
        #expect(
          reader.count(filter) == reader.ids(filter).count && reader.statistics(filter).count == reader.count(filter))
        return reader.ids(filter)
      }
      #expect(ids { $0.statusClasses = [.unfinished] } == ["1"])
      #expect(ids { $0.statusClasses = [.noResponse] } == ["3"] && ids { $0.isError = true } == ["3"])
      #expect(ids { $0.isError = false } == ["2", "1"])
      #expect(ids { $0.text = "EXAMPLE/1" } == ["1"] && ids { $0.tracerID = "conversation-1" } == ["1"])
      #expect(
        ids {
          $0.text = "ios"; $0.places = [.headers]
        } == ["3", "1"])
      #expect(ids { $0.minimumDuration = 0 } == ["2"])
    }
    let file = log.directory.url.appendingPathComponent("log.har")
    #expect(try reader.writeHAR(to: file, version: "1") == 3)
    let har = try String(contentsOf: file, encoding: .utf8)
    #expect(har.contains("or the app ended first") && har.contains(#""status":0"#))
  }

  @Test func `pages that are read while requests end neither repeat nor leave out`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let writer = try log.writer()
    defer { writer.closeAndWait() }
    var random = SeededRandom(17)
    for _ in 0..<20 {
      let reader = NetworkLog(log.directory)
      try reader.clear()
      // Several at each moment, so that they stand in the order of their records.
      for number in 0..<40 { writer.beginSurely(.begun(number, at: Int64(number / 5))) }
      var left = Array(0..<40).shuffled(using: &random)
      var ids: [String] = []
      var next: NetworkLogEntry.ID?
      repeat {
        let page = reader.page(from: next, limit: Int.random(in: 1...9, using: &random))
        ids += page.entries.map(\.exchange.id)
        next = page.next
        for _ in 0..<min(left.count, 8) { left.popLast().map { _ = writer.record(.numbered($0, at: Int64($0 / 5))) } }
      } while next != nil
      #expect(ids == (0..<40).reversed().map(String.init))
    }
  }

  @Test func `an end that is recorded before its beginning counts`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let writer = try log.writer()
    defer { writer.closeAndWait() }
    let reader = NetworkLog(log.directory)
    for number in 0..<20 {
      writer.record(.numbered(number, at: Int64(number / 4)))
      if number % 2 == 0 { reader.refresh() }
      writer.begin(.begun(number, at: Int64(number / 4)))
      if number % 3 == 0 { reader.refresh() }
    }
    for reader in [reader, NetworkLog(log.directory)] {
      #expect(reader.count() == 20 && reader.all().allSatisfy { !$0.isUnfinished })
    }
  }

  @Test func `the end of a request whose beginning had to make room is there once`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let writer = try log.writer { $0.budget = 512 << 10 }
    defer { writer.closeAndWait() }
    let reader = NetworkLog(log.directory)
    writer.begin(.begun(0))
    #expect(reader.ids() == ["0"])
    var exchange = HTTPExchange.numbered(1)
    exchange.responseBody = HTTPBody(bytes: Data(repeating: 0x61, count: 8000), size: 8000)
    var number = 0
    #expect(
      eventually {
        number += 1
        exchange.id = "\(number)"
        writer.record(exchange)
        return !reader.ids().contains("0")
      })
    writer.recordSurely(.numbered(0))
    // Then nothing more makes room while this looks.
    writer.closeAndWait()
    for reader in [reader, NetworkLog(log.directory)] {
      #expect(reader.ids().filter { $0 == "0" }.count == 1 && reader.count() == reader.ids().count)
      #expect(reader.all().allSatisfy { !$0.isUnfinished })
    }
  }

  @Test func `a beginning of one launch is not ended by another one`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let (one, other) = (try log.writer(owner: "one"), try log.writer(owner: "other"))
    defer {
      one.closeAndWait()
      other.closeAndWait()
    }
    let reader = NetworkLog(log.directory)
    one.begin(.begun(1))
    other.begin(.begun(1))
    #expect(reader.count() == 2)
    other.record(.numbered(1))
    for reader in [reader, NetworkLog(log.directory)] {
      #expect(reader.all().map(\.isUnfinished).sorted { !$0 && $1 } == [false, true])
    }
    one.record(.numbered(1))
    for reader in [reader, NetworkLog(log.directory)] {
      #expect(reader.all().map(\.isUnfinished) == [false, false])
    }
  }

  @Test func `what began before a log was cleared is there when it ends, and not before`() throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let writer = try log.writer()
    defer { writer.closeAndWait() }
    let (one, other) = (NetworkLog(log.directory), NetworkLog(log.directory))
    for number in 0..<5 { writer.begin(.begun(number)) }
    writer.record(.numbered(0))
    #expect(other.count() == 5)
    #expect(try one.clear() == 5)
    for reader in [one, other, NetworkLog(log.directory)] {
      #expect(reader.count() == 0 && reader.all().isEmpty && reader.statistics() == NetworkLogStatistics())
    }
    writer.record(.numbered(1))
    writer.begin(.begun(7))
    for reader in [one, other, NetworkLog(log.directory)] {
      #expect(reader.ids() == ["7", "1"] && reader.count() == 2)
    }
  }

  @Test func `many threads begin and end requests in any order, and each is there once`() async throws {
    let log = try TemporaryLog()
    defer { log.remove() }
    let writer = try log.writer { $0.isSingleInstance = false }
    let reader = NetworkLog(log.directory)
    let (neverEnded, recorded) = try await withThrowingTaskGroup(of: (Set<String>, Set<String>).self) { group in
      for thread in 0..<4 {
        group.addTask {
          await onThread {
            var random = SeededRandom(UInt64(thread) + 100)
            var (open, recorded): ([Int: Bool], Set<String>) = ([:], [])
            for number in (0..<400).map({ thread * 1000 + $0 }) {
              open[number] = writer.begin(.begun(number, at: Int64(number % 50)))
              guard Int.random(in: 0..<3, using: &random) > 0 else { continue }
              for ending in open.keys.sorted().shuffled(using: &random).prefix(2) {
                guard writer.record(.numbered(ending, at: Int64(ending % 50))) else { continue }
                recorded.insert("\(ending)")
                open[ending] = nil
              }
            }
            return (Set(open.filter(\.value).keys.map(String.init)), recorded)
          }
        }
      }
      group.addTask {
        await onThread {
          var random = SeededRandom(7)
          for _ in 0..<60 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: reader.refresh()
            case 1:
              let ids = reader.ids()
              #expect(Set(ids).count == ids.count)
            case 2: #expect(reader.statistics().count <= 1600)
            default: usleep(UInt32.random(in: 0..<5000, using: &random))
            }
          }
          return ([], [])
        }
      }
      return try await group.reduce(into: (Set<String>(), Set<String>())) {
        $0.0.formUnion($1.0)
        $0.1.formUnion($1.1)
      }
    }
    writer.closeAndWait()
    for reader in [reader, NetworkLog(log.directory)] {
      let entries = reader.all(pageSize: 33)
      #expect(Set(entries.map(\.id)).count == entries.count)
      #expect(entries.filter { !$0.isUnfinished }.map(\.exchange.id).sorted() == recorded.sorted())
      #expect(entries.filter(\.isUnfinished).map(\.exchange.id).sorted() == neverEnded.sorted())
      #expect(entries.allSatisfy { !$0.isUnderWay } && reader.statistics().count == entries.count)
    }
    #expect(!neverEnded.isEmpty && !recorded.isEmpty)
  }
}
