import AutoMobileRecorder
import CoreMetrics
import Foundation
import Logging
import Testing

@testable import AutoMobileLogging
@testable import AutoMobileMetrics

/// What a program may say without end has one.
@Suite struct LimitTests {
  @Test func `metadata without end is bounded`() throws {
    let long = String(repeating: "ü", count: 100_000)
    var metadata: Logger.Metadata = [long: .string(long)]
    for index in 0..<1000 { metadata["a\(index)"] = .array(Array(repeating: "x", count: 1000)) }
    var deep: Logger.MetadataValue = "end"
    for _ in 0..<1000 { deep = .dictionary(["in": deep]) }
    metadata["a"] = deep
    let fields = EntryLimits.fields(metadata)
    #expect(fields.count == EntryLimits.mostFields)
    let json = try JSONEncoder().encode(fields)
    #expect(json.count < 100_000)
    #expect(fields["a"] != nil)
  }

  @Test func `numbers stay numbers`() {
    let fields = EntryLimits.fields([
      "int": .stringConvertible(3), "large": .stringConvertible(UInt64.max), "double": .stringConvertible(0.5),
      "bool": .stringConvertible(true), "url": .stringConvertible(URL(fileURLWithPath: "/x")),
    ])
    #expect(fields["int"] == 3 && fields["double"] == 0.5 && fields["bool"] == true)
    #expect(fields["large"] == .string("18446744073709551615") && fields["url"] == "file:///x")
  }

  @Test func `each level has its own`() {
    #expect(
      Logger.Level.allCases.map { AutoMobileLogHandler.level($0) } == [
        .verbose, .debug, .info, .info, .warning, .error, .fault,
      ])
  }

  @Test func `no more series are told apart than there is room for`() {
    let table = SeriesTable(interval: 3600, sdk: .shared)
    for index in 0..<AutoMobileMetricsFactory.mostSeries + 500 {
      table.update(SeriesTable.Name(.counters, "n\(index)", [])) { $0.add(1) }
    }
    table.record()
    #expect(SeriesTable.Name(.gauges, String(repeating: "x", count: 10_000), [("a", "b")]).text.utf8.count == 300)
    var sum = SeriesTable.Sum()
    for value in [Double.nan, .infinity, -.infinity] { sum.observe(value) }
    #expect(sum.value(.timers) == ["count": 0])
    sum.observe(2)
    #expect(sum.value(.timers) == ["count": 1, "sum": 2, "min": 2, "max": 2])
  }
}
