import Foundation
import Testing

@testable import AutoMobileState

/// What every store of the state has to do, whatever it is made of.
@Suite struct `A store of the state` {
  // MARK: Values

  @Test(arguments: StateKind.allCases) func `gives back what was kept`(_ kind: StateKind) async throws {
    try await kind.with { state, _ in
      try await state.check()
      #expect(!state.place.isEmpty)
      let rows: [[StateValue]] = [
        [.null, .null, .null, .null],
        [.integer(0), .real(0), .text(""), .bytes([])],
        [.integer(.max), .real(.greatestFiniteMagnitude), .text("'\"`;--/*?1 $1 :a @b\\\n\r\t%_"), .bytes([0])],
        [.integer(.min), .real(-.leastNonzeroMagnitude), .text("\u{1}\u{7F}"), .bytes([0, 1, 0, 255, 0])],
        [.integer(-1), .real(0.1), .text("\\x00 \\000"), .bytes(Array("\\x00'".utf8))],
        [
          .integer(1 << 53 + 1), .real(3), .text(String(repeating: "é", count: 500_000)),
          .bytes(Array(repeating: 0, count: 1_000_000)),
        ],
      ]
      try await state.write { state in
        for (id, row) in rows.enumerated() {
          try state.execute(
            "INSERT INTO kept(id, whole, number, text, raw) VALUES (?1, ?2, ?3, ?4, ?5)", id, row[0], row[1], row[2],
            row[3])
        }
      }
      let found = try await state.read { try $0.rows("SELECT whole, number, text, raw FROM kept ORDER BY id") }
      #expect(found.count == rows.count)
      for (row, expected) in zip(found, rows) { #expect(row.values == expected) }
    }
  }

  @Test(arguments: StateKind.allCases) func `keeps texts of every character but NUL`(_ kind: StateKind) async throws {
    try await kind.with { state, _ in
      let all = (1...0x10FFFF).compactMap { Unicode.Scalar(UInt32($0)) }
      let texts = stride(from: 0, to: all.count, by: 20_000).map { start in
        String(String.UnicodeScalarView(all[start..<min(start + 20_000, all.count)]))
      }
      try await state.write { state in
        for (id, text) in texts.enumerated() {
          try state.execute("INSERT INTO kept(id, text) VALUES (?1, ?2)", id, text)
        }
      }
      for (id, text) in texts.enumerated() {
        let found: String? = try await state.read { try $0.value("SELECT text FROM kept WHERE id = ?1", id) }
        // As they stand, not as they are read.
        #expect(found.map { Array($0.utf8) } == Array(text.utf8), "\(id)")
        let id: Int? = try await state.read { try $0.value("SELECT id FROM kept WHERE text = ?1", text) }
        #expect(id != nil)
      }
      #expect(
        await Counters.kind {
          try await state.write { state in
            try Counters.set("before", 1, in: state)
            try state.execute("INSERT INTO kept(id, text) VALUES (1000, ?1)", "a\0b")
          }
        } == .value)
      #expect(
        await Counters.kind { _ = try await state.read { try $0.row("SELECT id FROM kept WHERE text = ?1", "a\0") } }
          == .value)
      #expect(try await state.read { try Counters.count("before", in: $0) } == nil)
    }
  }

  @Test(arguments: StateKind.allCases) func `gives values as what was asked for, or says what they are`(
    _ kind: StateKind
  ) async throws {
    try await kind.with { state, _ in
      try await state.write { state in
        try state.execute(
          "INSERT INTO kept(id, whole, number, text, raw) VALUES (?1, ?2, ?3, ?4, ?5)", 1, true, 2.5, "three", Data([4])
        )
        try state.execute(
          "INSERT INTO kept(id, whole, number, text, raw) VALUES (?1, ?2, ?3, ?4, ?5)", 2, Int64?.none, Double?.none,
          String?.none,
          [UInt8]?.none)
      }
      let rows = try await state.read {
        try $0.rows("SELECT whole, number, text, raw, (SELECT COUNT(*) FROM kept) FROM kept ORDER BY id")
      }
      let first = try #require(rows.first)
      let last = try #require(rows.last)
      #expect(try first[0] == true && first[0] == Int64(1) && first[0] == 1 && first[0] == 1.0)
      #expect(try first[1] == 2.5 && first[2] == "three" && first[3] == Data([4]) && first[3] == [UInt8(4)])
      #expect(try first[2] == String?("three") && first[4] == 2)
      #expect(try last[0] == Int64?.none && last[1] == Double?.none && last[2] == String?.none && last[3] == Data?.none)
      let wrong: [() throws -> Void] = [
        { _ = try first[2] as Int64 }, { _ = try first[0] as String }, { _ = try first[3] as String? },
        { _ = try last[0] as Int64 },
        { _ = try first[5] as Int64 }, { _ = try first[-1] as Int64? },
      ]
      for body in wrong { #expect(await Counters.kind { try body() } == .value) }
      let exists: Bool? = try await state.read { try $0.value("SELECT EXISTS (SELECT 1 FROM kept WHERE id = ?1)", 1) }
      let nothing: Bool? = try await state.read { try $0.value("SELECT EXISTS (SELECT 1 FROM kept WHERE id = ?1)", 3) }
      #expect(exists == true && nothing == false)
      let sum: Int64? = try await state.read { try $0.value("SELECT CAST(SUM(id) AS BIGINT) FROM kept") }
      #expect(sum == 3)
    }
  }

  // MARK: Statements

  @Test(arguments: StateKind.allCases) func `takes values by their numbers`(_ kind: StateKind) async throws {
    try await kind.with { state, _ in
      let values: [StateValue] = (1...12).map { .text("v\($0)") }
      let row = try await state.read {
        try $0.rows(
          """
          SELECT text FROM kept WHERE text IN (?1, ?10, ?2) UNION ALL SELECT CAST(?10 AS TEXT) || CAST(?1 AS TEXT) || CAST(?12 AS TEXT)
            || CAST(?11 AS TEXT) || CAST(?2 AS TEXT) || CAST(?1 AS TEXT) || '?1' || '''?2' -- ?3
            || CAST(?3 AS TEXT) || CAST(?4 AS TEXT) || CAST(?5 AS TEXT) || CAST(?6 AS TEXT) /* ?1 ' */ || CAST(?7 AS TEXT)
            || CAST(?8 AS TEXT) || CAST(?9 AS TEXT)
          """, values: values)
      }.first
      #expect(try row?[0] == "v10v1v12v11v2v1?1'?2v3v4v5v6v7v8v9")
      for values: [StateValue] in [[], [.text("a"), .text("b")]] {
        await #expect(throws: (any Error).self) {
          _ = try await state.read { try $0.rows("SELECT n FROM counter WHERE name = ?1", values: values) }
        }
      }
      // The store is as good as before.
      try await state.write { try Counters.set("a", 1, in: $0) }
      await #expect(throws: (any Error).self) {
        _ = try await state.read { try $0.rows("SELECT nothing FROM nowhere") }
      }
      #expect(try await state.read { try Counters.count("a", in: $0) } == 1)
    }
  }

  @Test(arguments: StateKind.allCases) func `counts what it changes`(_ kind: StateKind) async throws {
    try await kind.with { state, _ in
      let counts = try await state.write { state in
        [
          try state.execute("INSERT INTO counter(name, n) VALUES ('a', 1), ('b', 2), ('c', 3)"),
          try state.execute("INSERT INTO counter(name, n) VALUES ('a', 9) ON CONFLICT (name) DO NOTHING"),
          try state.execute("INSERT INTO counter(name, n) VALUES ('a', 9) ON CONFLICT (name) DO UPDATE SET n = ?1", 7),
          // Found, and not different.
          try state.execute("UPDATE counter SET n = n WHERE n > ?1", 2),
          try state.execute("UPDATE counter SET n = 0 WHERE name = ?1", "nobody"),
          try state.execute("DELETE FROM counter WHERE name IN (?1, ?2, ?3)", "a", "b", "x"),
          try state.execute("DELETE FROM counter WHERE name = 'a'"),
        ]
      }
      #expect(counts == [3, 0, 1, 2, 0, 2, 0])
      #expect(
        try await state.read { try $0.rows("SELECT name, n FROM counter").map(\.values) } == [
          [.text("c"), .integer(3)]
        ])
    }
  }

  @Test(arguments: StateKind.allCases) func `answers with what it wrote`(_ kind: StateKind) async throws {
    try await kind.with { state, _ in
      let row = try await state.write { state in
        try state.execute("INSERT INTO counter(name, n) VALUES ('a', 1), ('b', 2)")
        return try state.row(
          "INSERT INTO counter(name, n) VALUES (?1, 5) ON CONFLICT (name) DO UPDATE SET n = 6 RETURNING n, name", "a")
      }
      #expect(row?.values == [.integer(6), .text("a")])
      let gone = try await state.write {
        try $0.rows("DELETE FROM counter WHERE n > ?1 RETURNING name", 1).map(\.values)
      }
      #expect(Set(gone) == [[.text("a")], [.text("b")]])
      #expect(try await state.write { try $0.row("DELETE FROM counter WHERE n > ?1 RETURNING name", 1) } == nil)
    }
  }

  @Test(arguments: StateKind.allCases) func `compares texts by their bytes, and finds parts whatever their case`(
    _ kind: StateKind
  ) async throws {
    try await kind.with { state, _ in
      let names = ["Zebra", "_", "a", "a b", "ab", "b%c", "b_c", "z", "é", "\u{1F600}"]
      try await state.write { state in
        for (n, name) in names.enumerated().reversed() { try Counters.set(name, Int64(n), in: state) }
      }
      let found = try await state.read { try $0.rows("SELECT name FROM counter ORDER BY name").map(\.values) }
      #expect(found == names.map { [.text($0)] })
      func like(_ pattern: String) async throws -> [Int64] {
        try await state.read {
          try $0.rows("SELECT n FROM counter WHERE name LIKE ?1 ESCAPE '\\' ORDER BY n", pattern).map {
            try $0[0]
          }
        }
      }
      #expect(try await like("%ZEB%") == [0])
      #expect(try await like("%b\\%%") == [5])
      #expect(try await like("%\\_%") == [1, 6])
      #expect(try await like("A%") == [2, 3, 4])
    }
  }

  @Test(arguments: StateKind.allCases) func `knows what is missing from what is not`(_ kind: StateKind) async throws {
    try await kind.with { state, _ in
      try await state.write { state in
        for (name, role) in [("a", "x"), ("b", nil), ("c", "y")] as [(String, String?)] {
          try state.execute("INSERT INTO member(project, givenName, role) VALUES (1, ?1, ?2)", name, role)
        }
      }
      func of(_ role: String?) async throws -> [String] {
        try await state.read {
          try $0.rows(
            """
            SELECT givenName FROM member WHERE (role = ?1 OR (role IS NULL AND ?1 IS NULL)) AND COALESCE(role, 'z') > 'a'
            ORDER BY givenName
            """, role
          ).map { try $0[0] }
        }
      }
      #expect(try await of("x") == ["a"])
      #expect(try await of(nil) == ["b"])
      #expect(try await of("z") == [])
    }
  }

  // MARK: Rules of the schema

  @Test(arguments: StateKind.allCases) func `says of which columns there is one already`(_ kind: StateKind) async throws
  {
    try await kind.with { state, _ in
      try await state.write { state in
        try state.execute("INSERT INTO counter(name, n) VALUES ('a', 1)")
        try state.execute("INSERT INTO kept(id) VALUES (1)")
        try state.execute("INSERT INTO member(project, givenName) VALUES (1, 'x')")
      }
      let statements: [(StateSQL, StateKey)] = [
        ("INSERT INTO counter(name, n) VALUES ('a', 2)", StateKey("counter", ["name"])),
        ("INSERT INTO kept(id) VALUES (1)", StateKey("kept", ["id"])),
        ("INSERT INTO member(project, givenName) VALUES (1, 'x')", StateKey("member", ["project", "givenName"])),
      ]
      for (sql, key) in statements {
        let found = await Counters.kind {
          try await state.write { state in
            try Counters.set("before", 1, in: state)
            try state.execute(sql)
          }
        }
        #expect(found == .conflict(key))
        #expect(try await state.read { try Counters.count("before", in: $0) } == nil)
      }
    }
  }

  @Test(arguments: StateKind.allCases) func `refuses what the schema refuses`(_ kind: StateKind) async throws {
    try await kind.with { state, _ in
      for sql: StateSQL in [
        "INSERT INTO counter(name, n) VALUES ('a', -1)", "INSERT INTO counter(name) VALUES ('a')",
        "INSERT INTO member(project, role) VALUES (1, 'x')",
      ] {
        #expect(await Counters.kind { _ = try await state.write { try $0.execute(sql) } } == .refused, "\(sql.text)")
      }
    }
  }
}
