import GRDB
import Testing

@testable import AutoMobileCollector

@Suite struct `Reading a search` {
  private static func terms(_ text: String, in domain: SearchDomain = .sessions) throws -> [SearchTerm] {
    try SearchQuery(text, in: domain).terms
  }

  @Test func `words, phrases, fields, values and what it is not`() throws {
    let terms = try Self.terms(#"mira  "card \"x\" declined" -has:crash version:2.4,"2.5" duration:>=1.5s -"no" -word"#)
    #expect(terms.count == 7)
    #expect(terms[0] == SearchTerm(subject: .word("mira")))
    #expect(terms[1] == SearchTerm(subject: .phrase(#"card "x" declined"#)))
    #expect(terms[2].isNegated)
    guard case .field(let has, let values) = terms[2].subject else { return #expect(Bool(false)) }
    #expect(has.name == "has" && values == [.text("crash", isExact: false)])
    guard case .field(_, let versions) = terms[3].subject else { return #expect(Bool(false)) }
    #expect(versions == [.text("2.4", isExact: false), .text("2.5", isExact: true)])
    guard case .field(_, let lengths) = terms[4].subject else { return #expect(Bool(false)) }
    #expect(lengths == [.compared(.atLeast, 1500)])
    #expect(terms[5] == SearchTerm(isNegated: true, subject: .phrase("no")))
    #expect(terms[6] == SearchTerm(isNegated: true, subject: .word("word")))
  }

  @Test(arguments: [
    "https://example.com/a:b", "std::string", "12:30:01", "Cart.total(of:)", "note:", "a\"b", "3:4", ":x",
    "foo/bar:baz",
  ])
  func `what only looks like a field is a word`(text: String) throws {
    #expect(try Self.terms(text) == [SearchTerm(subject: .word(text))])
  }

  @Test(arguments: ["", " ", "-", "- -", "\"\"", "\" \"", "\t\n", "\u{0}", "--"])
  func `nothing is nothing`(text: String) throws {
    #expect(try Self.terms(text).isEmpty)
  }

  @Test(arguments: [
    ("duration:>500ms", 500), ("duration:>2s", 2000), ("duration:>1.5m", 90_000), ("duration:>2min", 120_000),
    ("duration:>1h", 3_600_000), ("duration:>1d", 86_400_000), ("duration:>250", 250), ("size:>10KB", 10_000),
    ("size:>1.5mb", 1_500_000), ("size:>2GB", 2e9), ("size:>7B", 7), ("size:>7", 7), (">1s", 1000),
  ])
  func `numbers have units`(text: String, expected: Double) throws {
    guard case .field(_, let values)? = try Self.terms(text, in: .requests).first?.subject else {
      return #expect(Bool(false), "\(text)")
    }
    #expect(values == [.compared(.more, expected)])
  }

  @Test(arguments: [
    "duration:>", "duration:1x", "duration:-5s", "duration:>1e9s", "size:1.2.3KB", "size:0x10", "duration:nan",
    "duration:inf", "duration:>9999999999999999", "status:abc", "status:5y", "status:1234", "status:>=x", "user:\"\"",
    "user:,", "user:a,", "foo:bar", "has:nothing", "a user: b",
  ])
  func `what cannot be read is refused with a place inside`(text: String) {
    do {
      _ = try SearchQuery(text, in: .requests)
      #expect(Bool(false), "\(text)")
    } catch let error as APIError {
      #expect(error.code == "invalid_query" && error.status == .badRequest)
      #expect((0...text.utf16.count).contains(error.offset ?? -1))
    } catch {
      #expect(Bool(false), "\(error)")
    }
  }

  @Test func `how much it takes is bounded`() throws {
    let words = { (count: Int) in (0..<count).map { "w\($0)" }.joined(separator: " ") }
    #expect(try Self.terms(words(SearchQuery.mostTerms)).count == SearchQuery.mostTerms)
    let values = { (count: Int) in "user:" + (0..<count).map { "\($0)" }.joined(separator: ",") }
    _ = try Self.terms(values(SearchQuery.mostValues))
    _ = try Self.terms(String(repeating: "a", count: SearchQuery.longestValue))
    for text in [
      words(SearchQuery.mostTerms + 1), values(SearchQuery.mostValues + 1),
      String(repeating: "a", count: SearchQuery.longestValue + 1),
      "user:" + String(repeating: "a", count: SearchQuery.longestValue + 1),
      "\"" + String(repeating: "a", count: SearchQuery.longestValue + 1),
      String(repeating: "a ", count: SearchQuery.longest), "x" + String(repeating: "\u{301}", count: 100_000),
      "path:" + String(repeating: "*a", count: 9), "e" + String(repeating: "\u{301}", count: 600),
    ] {
      #expect(throws: APIError.self, "\(text.prefix(40))") { try SearchQuery(text, in: .requests) }
    }
  }

  @Test func `every field of every domain becomes SQL that SQLite takes, with what was typed only bound`() async throws
  {
    let hostile = [
      "x' OR 1=1 --", "%", "_", "\\", "\"", "*", "NEAR(", "a%b\\_c", "%\u{301}", "日本語", "🫖", "NULL", "1",
      "503", "-5", "{}", "$.x", "?", ":a", "@b", "\u{1}",
    ]
    try await RunningCollector.with { collector in
      for domain in SearchDomain.allCases {
        for text in hostile {
          let quoted = "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
          var queries = [text, quoted, "-\(quoted)"]
          for field in SearchCatalogue.fields(domain) {
            switch field.kind {
            case .name, .version, .text: queries += ["\(field.name):\(quoted)", "-\(field.name):\(text)"]
            case .choice(let choices): queries.append("\(field.name):\(choices.joined(separator: ","))")
            case .status: queries.append("\(field.name):5xx,none,unfinished,>=500,404,4")
            case .number: queries.append("\(field.name):>=1,<5,7")
            }
          }
          for query in queries {
            let answer = try await collector.get("\(domain.path)?q=\(query.inQuery)")
            #expect(answer.status == 200 || answer.errorCode == "invalid_query", "\(domain) \(query): \(answer.text)")
          }
        }
      }
    }
  }

  @Test(arguments: [("verson", "version"), ("usr", "user"), ("stauts", "status"), ("zzzz", nil), ("u", nil)])
  func `guesses what was meant`(typed: String, meant: String?) {
    #expect(SearchGuess.nearest(to: typed, among: ["user", "version", "status", "app"]) == meant)
  }
}
