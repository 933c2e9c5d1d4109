import ClickHouseTestServer
import Foundation
import NIOCore
import Testing

@testable import AutoMobileClickHouse

/// One question at a time, to a real server.
@Suite(.enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"))
struct ServerTests {
  private func with(_ body: (ClickHouseClient) async throws -> Void) async throws {
    try await ClickHousePair.shared.servers[0].with(body)
  }

  @Test func `Hostile values come back as they were given`() async throws {
    try await with { client in
      for text in hostileTexts {
        let back = try await client.rows("SELECT \(SQLValue.bytes(text)), length(\(SQLValue.bytes(text)))") {
          (Array(buffer: try $0.bytes()), try $0.int(UInt64.self))
        }
        #expect(back.first?.0 == text && back.first?.1 == UInt64(text.count))
      }
      let all = try await client.rows("SELECT \(SQLValue.strings(hostileTexts)), \(SQLValue.strings([]))") {
        (try $0.array { Array(buffer: try $0.bytes()) }, try $0.array { try $0.string() })
      }
      #expect(all.first?.0 == hostileTexts && all.first?.1 == [])
    }
  }

  @Test func `A value of a megabyte is one`() async throws {
    let text = Array(repeating: hostileTexts.joined(), count: 1 + (1 << 20) / hostileTexts.joined().count).joined()
    try await with { client in
      let back = try await client.rows("SELECT \(SQLValue.bytes(Array(text)))") { Array(buffer: try $0.bytes()) }
      #expect(back == [Array(text)])
    }
  }

  @Test func `Numbers come back as they were given`() async throws {
    try await with { client in
      let back = try await client.rows(
        "SELECT \(Int64.min), \(Int64.max), \(UInt64.max), \(SQLValue.ints([.min, 0, .max])), \(SQLValue.ints([]))"
      ) {
        expectEqual(try $0.int(Int64.self), .min)
        expectEqual(try $0.int(Int64.self), .max)
        expectEqual(try $0.int(UInt64.self), .max)
        expectEqual(try $0.array { try $0.int(Int64.self) }, [.min, 0, .max])
        expectEqual(try $0.array { try $0.int(Int64.self) }, [])
        return true
      }
      #expect(back == [true])
    }
  }

  @Test func `Hostile names are names`() async throws {
    try await with { client in
      for text in hostileTexts {
        let name = String(decoding: text, as: UTF8.self)
        guard Array(name.utf8) == text else { continue }
        guard let table = try? SQLName(checking: name) else {
          #expect(name.isEmpty)
          continue
        }
        try await client.run("CREATE DATABASE IF NOT EXISTS `hostile`")
        try await client.run("DROP TABLE IF EXISTS `hostile`.\(table)")
        try await client.run("CREATE TABLE `hostile`.\(table) (\(table) Int64) ENGINE = Memory")
        try await client.run("INSERT INTO `hostile`.\(table) SELECT \(5 as Int64)")
        let back = try await client.rows("SELECT \(table) FROM `hostile`.\(table)") { try $0.int(Int64.self) }
        #expect(back == [5])
        let known = try await client.rows(
          "SELECT count() FROM system.tables WHERE database = 'hostile' AND name = \(text: name)"
        ) { try $0.int(UInt64.self) }
        #expect(known == [1])
        try await client.run("DROP TABLE `hostile`.\(table)")
      }
    }
  }

  @Test func `What the server writes as RowBinary is what the reader reads`() async throws {
    try await with { client in
      let rows = try await client.rows(
        """
        SELECT toInt8(-1), toUInt16(65535), toInt64(-5), toFloat64(0.5), toDate('2024-10-04'), toFixedString('ab', 4), \
        CAST(NULL AS Nullable(Int32)), CAST(7 AS Nullable(Int32)), [toUInt8(1), 2], [['a'], []], \
        toUUID('00112233-4455-6677-8899-aabbccddeeff'), toDateTime('2024-10-04 00:00:00')
        """
      ) { row in
        expectEqual(try row.int(Int8.self), -1)
        expectEqual(try row.int(UInt16.self), 65535)
        expectEqual(try row.int(Int64.self), -5)
        expectEqual(try row.double(), 0.5)
        expectEqual(try row.day(), 20_000)
        expectEqual(String(buffer: try row.fixed(4)), "ab\0\0")
        expectEqual(try row.nullable { try $0.int(Int32.self) }, nil)
        expectEqual(try row.nullable { try $0.int(Int32.self) }, 7)
        expectEqual(try row.array { try $0.int(UInt8.self) }, [1, 2])
        expectEqual(try row.array { try $0.array { try $0.string() } }, [["a"], []])
        let uuid = try row.uuid()
        expectEqual([uuid.high, uuid.low], [0x0011_2233_4455_6677, 0x8899_AABB_CCDD_EEFF])
        expectEqual(try row.int(UInt32.self), 20_000 * 86_400)
        return true
      }
      #expect(rows == [true])
    }
  }

  @Test func `What the writer writes is what the server reads`() async throws {
    try await with { client in
      try await client.run("CREATE DATABASE IF NOT EXISTS `written`")
      try await client.run("DROP TABLE IF EXISTS `written`.`t`")
      try await client.run(
        """
        CREATE TABLE `written`.`t` (a Int8, b UInt64, c Float64, d Date, e FixedString(3), f Nullable(Int64), g Nullable(String), \
        h Array(String), i UUID, j String) ENGINE = Memory
        """)
      var row = RowBinaryWriter()
      row.int(-1 as Int8)
      row.int(UInt64.max)
      row.double(0.5)
      row.day(20_000)
      Array("ab".utf8).withUnsafeBytes { row.fixed($0, length: 3) }
      row.nullable(nil as Int64?)
      row.nullable("é")
      row.array(["x", ""]) { $0.string($1) }
      row.uuid(0x0011_2233_4455_6677, 0x8899_AABB_CCDD_EEFF)
      row.string([UInt8](repeating: 0x27, count: 300))
      try await client.insert(row.buffer, "INSERT INTO `written`.`t` (a, b, c, d, e, f, g, h, i, j)")
      let back = try await client.rows(
        """
        SELECT arrayStringConcat([toString(a), toString(b), toString(c), toString(d), toString(e), toString(isNull(f)), \
        ifNull(g, ''), toString(h), toString(i), toString(length(j))], '|') FROM `written`.`t`
        """
      ) { try $0.string() }
      #expect(
        back == ["-1|18446744073709551615|0.5|2024-10-04|ab|1|é|['x','']|00112233-4455-6677-8899-aabbccddeeff|300"])
      // One row and the beginning of another.
      row.int(513 as UInt16)
      let half = row.buffer
      await #expect(throws: ClickHouseError.self) {
        try await client.insert(half, "INSERT INTO `written`.`t` (a, b, c, d, e, f, g, h, i, j)")
      }
      #expect(try await client.rows("SELECT count() FROM `written`.`t`") { try $0.int(UInt64.self) } == [1])
    }
  }

  @Test func `The server's no has its code and its words`() async throws {
    try await with { client in
      for (sql, code) in [
        ("SELECT a FROM nowhere.nothing", 81), ("SELECT FROM WHERE", 62),
        ("SELECT throwIf(number = 3000000) FROM numbers(4000000)", 395),
        ("CREATE TABLE default.t (a Int8) ENGINE = Memory", 164),
      ] {
        let error = await #expect(throws: ClickHouseError.self) {
          _ = try await client.rows(SQL(trusted: sql)) { try $0.int(UInt8.self) }
        }
        #expect(error?.kind == .server(code: code), "\(error?.description ?? "")")
        #expect(error?.isTransient == false && error?.host == client.hosts[0].description)
      }
    }
  }

  @Test func `Who is not known is refused, and the password is not told`() async throws {
    var address = try await ClickHousePair.shared.servers[0].address()
    address.password = "hunter2secret"
    let client = ClickHouseClient(address)
    let error = await #expect(throws: ClickHouseError.self) { _ = try await client.version() }
    #expect(error.map { "\($0)".contains("hunter2") } == false)
    guard case .server(let code)? = error?.kind else {
      Issue.record("\(error?.description ?? "no error")")
      return
    }
    #expect([192, 193, 516].contains(code))
    try await client.shutdown()
  }

  @Test func `An answer that is too long, or takes too long, is given up`() async throws {
    let server = try await ClickHousePair.shared.servers[0]
    var limits = ClickHouseClient.Limits()
    limits.answer = 1 << 20
    let client = ClickHouseClient(try server.address(), limits: limits)
    let large = await #expect(throws: ClickHouseError.self) {
      _ = try await client.rows("SELECT number FROM numbers(1000000)") { try $0.int(UInt64.self) }
    }
    #expect(large?.kind == .tooLarge)
    try await client.shutdown()
    var address = try server.address()
    address.timeout = .seconds(1)
    let hasty = ClickHouseClient(address)
    let long = await #expect(throws: ClickHouseError.self) {
      _ = try await hasty.rows("SELECT count() FROM numbers(1000000000000)") { try $0.int(UInt64.self) }
    }
    #expect(long?.kind == .timeout || long?.kind == .server(code: 159))
    try await hasty.shutdown()
  }

  @Test func `Packed answers are read, and the first of several hosts may be dead`() async throws {
    let server = try await ClickHousePair.shared.servers[0]
    let free = try await ClickHouseServer.freePorts(1)[0]
    var address = try server.address()
    address.isCompressed = true
    address.hosts = [.init("127.0.0.1", free), server.http]
    let client = ClickHouseClient(address)
    let rows = try await client.rows("SELECT number FROM numbers(100000)") { try $0.int(UInt64.self) }
    #expect(rows.count == 100_000 && rows.last == 99_999)
    try await client.shutdown()
  }
}
