import GRDB
import Testing

@testable import AutoMobileCollector

@Suite struct `Whole words only` {
  private struct Other: Error {}

  /// What never ends by itself.
  private static let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n"

  private static func asked(
    _ pattern: SearchPattern?, _ body: @escaping (Database, _ wholeWords: Bool) throws -> Int?
  ) throws -> (answer: Int?, asked: [Bool]) {
    try DatabaseQueue().read { database in
      var asked: [Bool] = []
      let answer = try TimeLimit.narrowing(pattern == nil ? 0 : 1, in: database) { wholeWords in
        asked.append(wholeWords)
        return try body(database, wholeWords)
      }
      return (answer, asked)
    }
  }

  @Test func `a question that takes too long is ended, and asked again for whole words`() throws {
    let (answer, asked) = try Self.asked(SearchPattern("pro")) { database, wholeWords in
      try Int.fetchOne(database, sql: wholeWords ? "SELECT 7" : Self.endless)
    }
    #expect(answer == 7)
    #expect(asked == [false, true])
  }

  @Test func `a quick one is asked once, and so is one without words`() throws {
    for pattern in [SearchPattern("pro"), nil] {
      let (answer, asked) = try Self.asked(pattern) { database, _ in try Int.fetchOne(database, sql: "SELECT 1") }
      #expect(answer == 1)
      #expect(asked == [false])
    }
  }

  @Test func `what fails for another reason fails`() {
    #expect(throws: Other.self) { try Self.asked(SearchPattern("pro")) { _, _ in throw Other() } }
  }

  @Test("A status is a whole word, or every identifier that begins with its digits is found with it")
  func statuses() throws {
    #expect(try #require(SearchPattern("checkout 503")).fullText == "\"checkout\"* \"503\"")
    #expect(try #require(SearchPattern("2041 999 50302")).fullText == "\"2041\"* \"999\"* \"50302\"*")
  }

  @Test func `a pattern of whole words finds no beginnings`() throws {
    var pattern = try #require(SearchPattern("promo shop"))
    #expect(pattern.fullText?.contains("*") == true)
    pattern.isWholeWords = true
    #expect(pattern.fullText?.contains("*") == false)
  }
}
