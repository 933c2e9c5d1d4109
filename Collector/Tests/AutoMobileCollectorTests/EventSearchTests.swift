import GRDB
import Testing

@testable import AutoMobileCollector

/// Words that are looked for in the newest events first, and in the full text index for the rest.
@Suite struct EventSearchTests {
  @Test func `old events are found by rare and by common words, each once, whatever the page`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      batch.addContext(2, session: "s-2")
      for index in 0..<5000 {
        let rare = index % 1000 == 7 ? " unicorn\(index)" : ""
        batch.addLog("roastery message \(index)\(rare)", at: index, context: 1 + index % 2)
      }
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 5000)
      for (question, count) in [
        ("q=unicorn", 5), ("q=unicorn7", 1), ("q=roastery%20unicorn", 5), ("q=roastery&session=s-1", 2500),
        ("q=unicorn&session=s-1", 0), ("q=roast%20mess&type=log", 5000), ("q=roast&type=crash", 0), ("q=essage", 0),
      ] {
        var ids: [Int] = []
        var cursor: String? = ""
        while let next = cursor {
          let page = try await collector.json(
            "/api/events?\(question)&limit=999" + (next.isEmpty ? "" : "&before=\(next)"))
          ids += page["events"].array.compactMap { $0["id"].int }
          cursor = page["next"].string
        }
        #expect(ids.count == count, "\(question)")
        #expect(ids == Set(ids).sorted(by: >), "\(question)")
      }
    }
  }

  /// What is read one by one must be found by the same words as what the index finds.
  @Test func `the finder of words agrees with the full text index`() throws {
    let texts = [
      "Payment declined", "pay-ment", "PAYMENT_DECLINED", "Café au lait", "CAFE\u{301}", "Straße 12", "naïve façade",
      "a b2c 2.1.0", "https://api.example.com/orders/R-2041?q=1", "日本語 テスト", "Ωmega ÅNGSTRÖM", "", " … “quoted” ",
      "emoji ☕️ cup", "Жук жуки", "x\u{0}y", "503", "50312",
    ]
    let searches = [
      "pay", "payment", "decl", "payment declined", "cafe", "café", "CAFÉ", "stra", "naive", "fac", "b2", "b2c", "2",
      "2.1",
      "orders r-2041", "com", "omega", "ωmega", "angstrom", "quoted", "cup", "жук", "жуки", "日本", "nothing", "ayment",
      "503", "50",
    ]
    let queue = try DatabaseQueue()
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE VIRTUAL TABLE event_text USING fts5(
            text, content = '', detail = none, columnsize = 0, tokenize = "unicode61 remove_diacritics 2");
          """)
      for (index, text) in texts.enumerated() {
        try database.execute(sql: "INSERT INTO event_text(rowid, text) VALUES (?, ?)", arguments: [index, text])
      }
      for search in searches {
        let pattern = try #require(SearchPattern(search))
        let finder = WordFinder(pattern.words)
        let found = texts.indices.filter { finder.find(in: texts[$0]).allSatisfy { $0 } }
        let indexed = try Int.fetchAll(
          database, sql: "SELECT rowid FROM event_text WHERE event_text MATCH ? ORDER BY rowid",
          arguments: [pattern.fullText])
        #expect(found == indexed, "\(search)")
      }
    }
  }
}
