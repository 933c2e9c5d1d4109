import AutoMobileJournal
import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `Names without end` {
  private static let now = Int(Date().timeIntervalSince1970 * 1000)

  private struct Tally: Summable {
    var count: Int64 = 0
    mutating func add(_ other: Tally) { count += other.count }
  }

  @Test func `the most frequent names are told apart, and the others add up to the rest`() {
    var sums = NamedSums<Int, Tally>()
    // 1000 names; the greater ones more often.
    for name in 0..<1000 { for _ in 0...name / 100 { sums[name].count += 1 } }
    let all = sums.sums.values.reduce(0) { $0 + $1.count }
    var listed = sums.renamed(150) { $0 }
    #expect(listed.listed.count == 150 && listed.names == 850)
    #expect(listed.listed.allSatisfy { $0.name >= 800 })
    listed.sort(first: 20) { $0.name > $1.name }
    #expect(listed.listed.map(\.name) == Array((980..<1000).reversed()))
    #expect(listed.names == 980)
    #expect(listed.others.count + listed.listed.reduce(0) { $0 + $1.sums.count } == all)
    // Few names are all of them.
    var few = NamedSums<Int, Tally>()
    few[1].count = 4
    #expect(few.listed.listed.count == 1 && few.listed.names == 0 && few.listed.others.count == 0)
  }

  @Test func `App health tells the frequent versions and screens apart, and says how many others there are`()
    async throws
  {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      for index in 0..<400 {
        batch.add(
          .context,
          "{\"contextId\":\(index),\"sessionId\":\"s-\(index)\",\"appVersion\":\"1.\(index)\",\"bundleId\":\"dev.example.shop\",\"tags\":{},\"device\":{}}"
        )
        for (name, text) in [
          ("App Launch", "\"kind\":\"kind \(index)\",\"totalMs\":\(index + 1)"),
          (
            "Frames",
            "\"screen\":\"Screen \(index)\",\"durationMs\":1000,\"frames\":60,\"slow\":1,\"frozen\":0,\"worstMs\":20"
          ),
        ] {
          batch.add(
            .event,
            "{\"eventType\":\"custom\",\"timestamp\":\(Self.now),\"name\":\"\(name)\",\"properties\":{\(text)},\"contextId\":\(index)}"
          )
        }
      }
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 800)
      let health = try await collector.json("/api/health")
      for part in ["sessions", "launchTime", "frames"] {
        let versions = health[part]["versions"].array
        #expect(versions.count == 30, "\(part)")
        #expect(health[part]["otherVersions"]["names"].int == 370, "\(part)")
      }
      #expect(health["sessions"]["otherVersions"]["count"].int == 370)
      #expect(health["launchTime"]["otherVersions"]["count"].int == 370)
      #expect(health["launchTime"]["kinds"].array.count == 12 && health["launchTime"]["otherKinds"]["names"].int == 388)
      #expect(health["frames"]["otherVersions"]["visits"].int == 370)
      #expect(health["frames"]["screens"].array.count == 20 && health["frames"]["otherScreens"]["visits"].int == 380)
      let app = health["apps"].array[0]
      #expect(app["versions"].array.count == 200 && app["otherVersions"].int == 200)
      let facets = try await collector.json("/api/sessions/facets")
      #expect(facets["facets"]["version"].array.count == 100)
      #expect(facets["others"]["version"].array.map(\.int) == [300, 300])
    }
  }
}
