/// Who answers a question in rows: a client, or in tests a release that has no HTTP.
package protocol ClickHouseAsking: Sendable {
  /// - Throws: ``ClickHouseError``.
  func rows<Row: Sendable>(
    _ sql: SQL, settings: [(String, String)], _ read: @Sendable (inout RowBinaryReader) throws -> Row
  ) async throws -> [Row]
}

extension ClickHouseClient: ClickHouseAsking {}

extension ClickHouseClient {
  /// A name by which a question can be ended: nobody else's is the same.
  static func questionName() -> String {
    let words = [UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max)]
    return words.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Ends a question for whose answer nobody waits any more. A closed connection ends it on newer releases only, and there
  /// where that is set.
  ///
  /// It is not waited for; a server that does not take it ends the question at its `max_execution_time`.
  func abandon(_ question: String, at host: ClickHouseAddress.Host) {
    let client = only([host])
    Task.detached {
      try await Deadline.run(within: .seconds(5)) {
        try await client.run("KILL QUERY WHERE query_id = \(text: question) ASYNC")
      }
    }
  }
}
