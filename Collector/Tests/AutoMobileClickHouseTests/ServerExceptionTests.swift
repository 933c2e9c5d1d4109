import NIOCore
import NIOHTTP1
import Testing

@testable import AutoMobileClickHouse

@Suite struct ServerExceptionTests {
  @Test(
    arguments: [
      (
        "Code: 60, e.displayText() = DB::Exception: Table a.b doesn't exist., e.what() = DB::Exception\n", 60,
        "Table a.b doesn't exist."
      ),
      (
        "Code: 60. DB::Exception: Table a.b does not exist. (UNKNOWN_TABLE) (version 26.9.2.1 (official build))\n", 60,
        "Table a.b does not exist. (UNKNOWN_TABLE)"
      ),
      ("Code: 210, e.displayText() = DB::NetException: x, e.what() = DB::NetException", 210, "x"),
      (
        "Poco::Exception. Code: 1000, e.code() = 0, e.displayText() = Host not found, e.what() = Host", 1000,
        "Host not found"
      ),
      (
        "Code: 279. DB::Exception: All tries failed:\nCode: 210. DB::NetException: refused", 279,
        "All tries failed: Code: 210. DB::NetException: refused"
      ),
      ("Code: 99999999999999999999. DB::Exception: x", nil, ""), ("Code: -1. DB::Exception: x", nil, ""),
      ("Code: 1 something DB::Exception: x", nil, ""), ("Code: ", nil, ""), ("", nil, ""),
    ] as [(String, Int?, String)])
  func `The text of an exception has a code and a message`(_ text: String, _ code: Int?, _ message: String) {
    let exception = ServerException(text[...])
    #expect(exception?.code == code)
    if code != nil { #expect(exception?.message == message) }
  }

  /// DNS, no free connection, no Keeper, no quorum, no thread; a table that is not there, and a wrong password.
  @Test(arguments: [(198, true), (203, true), (225, true), (286, true), (439, true), (60, false), (516, false)])
  func `What passes by itself is tried again, and nothing else`(_ code: Int, _ isTransient: Bool) {
    #expect(ClickHouseError(.server(code: code), "").isTransient == isTransient)
  }

  @Test func `A message has one line of a bounded length`() {
    let text = "Code: 1. DB::Exception: " + String(repeating: "a\r\n\u{1B}", count: 100_000)
    let message = ServerException(text[...])?.message ?? ""
    #expect(message.count <= ServerException.longestMessage && !message.contains { $0.isNewline || $0 == "\u{1B}" })
    let accents = "Code: 1. DB::Exception: a" + String(repeating: "\u{301}", count: 100_000)
    #expect(ServerException(accents[...])?.message.utf8.count ?? 0 < 4 * ServerException.longestMessage)
  }

  private static let exception = "Code: 395. DB::Exception: boom (version 26.9)"
  private static let tag = "dngjzjnxkvlwkeua"

  @Test func `An exception in the middle of a sound answer is found by header and by tag`() {
    let rows = "rows\n"
    let byHeader = AnswerTail.exception(
      in: ByteBuffer(string: rows + Self.exception), ["X-ClickHouse-Exception-Code": "395"], isSuspicious: false)
    #expect(byHeader == ServerException(code: 395, message: "boom"))
    let silent = AnswerTail.exception(
      in: ByteBuffer(string: rows), ["x-clickhouse-exception-code": "241"], isSuspicious: false)
    #expect(silent?.code == 241)
    let length = Self.exception.utf8.count
    let tagged =
      "\(rows)\r\n__exception__\r\n\(Self.tag)\r\n\(Self.exception)\n\(length) \(Self.tag)\r\n__exception__\r\n"
    let byTag = AnswerTail.exception(
      in: ByteBuffer(string: tagged), ["X-ClickHouse-Exception-Tag": Self.tag], isSuspicious: false)
    #expect(byTag?.code == 395 && byTag?.message.hasPrefix("boom") == true)
  }

  @Test func `A row that looks like an exception is a row`() {
    for text in [
      Self.exception,
      "\r\n__exception__\r\nanother-tag-of-it\r\n\(Self.exception)\n45 another-tag-of-it\r\n__exception__\r\n",
    ] {
      let body = ByteBuffer(string: "rows\n" + text)
      #expect(AnswerTail.exception(in: body, ["X-ClickHouse-Exception-Tag": Self.tag], isSuspicious: false) == nil)
      #expect(AnswerTail.exception(in: body, [:], isSuspicious: false) == nil)
    }
    #expect(
      AnswerTail.exception(in: ByteBuffer(string: "rows\n" + Self.exception), [:], isSuspicious: true)?.code == 395)
  }

  @Test(arguments: [
    ("18.16.1", Dialect.plain), ("22.8.1.1", .plain), ("23.3.1", .current), ("26.9.2.1", .current),
  ])
  func `The release says which form the tables have`(_ text: String, _ dialect: Dialect) throws {
    let version = try #require(ClickHouseVersion(text))
    expectEqual(try Dialect.of(version), dialect)
  }

  @Test func `What is too old or no version is refused`() throws {
    #expect(throws: ClickHouseError.self) { try Dialect.of(ClickHouseVersion(18, 15)) }
    for text in ["", "18", "x.y", "-1.2", "18."] { #expect(ClickHouseVersion(text) == nil) }
  }
}
