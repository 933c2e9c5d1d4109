import Testing

@testable import AutoMobileState

@Suite struct `The text of a statement` {
  @Test func `numbers its values with another mark`() {
    let sql: StateSQL = "SELECT ?1, ?10 || ?2 FROM t WHERE a=?1 AND b IN (?3,?4)"
    #expect(sql.numbered("$") == "SELECT $1, $10 || $2 FROM t WHERE a=$1 AND b IN ($3,$4)")
    #expect(sql.numbered("?", like: "LIKE") == sql.text)
  }

  @Test(
    arguments: [
      ("'?1'", "'?1'"), ("'it''s ?1' || ?1", "'it''s ?1' || $1"), ("'' || ?1", "'' || $1"),
      ("'\\' || ?1", "'\\' || $1"),
      ("\"?1\".a = ?1", "\"?1\".a = $1"), ("\"a\"\"?1\" = ?1", "\"a\"\"?1\" = $1"),
      ("'\"' || ?1 || '\"'", "'\"' || $1 || '\"'"),
      ("?1 -- ?2 it's\n, ?3", "$1 -- ?2 it's\n, $3"), ("?1 -- ?2", "$1 -- ?2"),
      ("?1 - ?2 / ?3 * ?4", "$1 - $2 / $3 * $4"),
      ("?1 /* ?2 ' \" */ ?3", "$1 /* ?2 ' \" */ $3"), ("?1 /* ?2", "$1 /* ?2"), ("?1 '?2", "$1 '?2"),
      ("a ? b", "a ? b"),
      ("a ?", "a ?"), ("'é?1'\u{301}?1", "'é?1'\u{301}$1"), ("", ""),
    ] as [(StateSQL, String)]) func `leaves strings, names and comments alone`(_ sql: StateSQL, _ expected: String)
  {
    #expect(sql.numbered("$") == expected)
  }

  @Test func `looks for parts of texts with the engine's own word`() {
    let sql: StateSQL =
      "a LIKE ?1 AND \"LIKE\" = 'LIKE' -- LIKE\n OR likes NOT LIKE ?2 OR LIKELY = LIKE_ OR é LIKE LIKEé"
    #expect(
      sql.numbered("$")
        == sql.text.replacing("?", with: "$").replacing("a LIKE", with: "a ILIKE")
        .replacing("NOT LIKE", with: "NOT ILIKE").replacing("é LIKE", with: "é ILIKE"))
    #expect(sql.numbered("$", like: "LIKE") == sql.text.replacing("?", with: "$"))
  }

  @Test func `is put together from others, and from nothing else`() {
    // Its only initializers are those of literals, and what is put into one is of its own type: a text that somebody sent is
    // refused by the compiler.
    let columns: StateSQL = "id, name"
    let conditions: [StateSQL] = ["a = ?1", "b = ?2"]
    let sql: StateSQL = "SELECT \(columns) FROM t WHERE \(conditions.joined(separator: " AND "))"
    #expect(sql.text == "SELECT id, name FROM t WHERE a = ?1 AND b = ?2")
    #expect(("a = \(value: 12) AND b = \(value: 1)" as StateSQL).text == "a = ?12 AND b = ?1")
    #expect([StateSQL]().joined(separator: ", ").text == "")
    #expect(([columns] as [StateSQL]).joined(separator: ", ") == columns)
  }
}
