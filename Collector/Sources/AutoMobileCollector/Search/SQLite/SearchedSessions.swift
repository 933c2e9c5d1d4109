import GRDB

/// Sessions of which a word is said: by their user, app, version, device or tags.
enum SearchedSessions {
  /// The newest ones, where requests and events are searched: what is known of a session is no index.
  static let most = 5000

  /// As a condition on the column that names a session.
  static func condition(_ column: String, _ text: String) -> SearchCondition {
    SessionTerms.known(text).inside(
      """
      \(column) IN (SELECT id FROM (SELECT id, sessionId, userId, tags, appVersion, bundleId, device
        FROM session ORDER BY last DESC LIMIT \(most)) AS session WHERE \

      """)
  }

  /// The same of each row's own session: where rows are few, and come one by one.
  static func own(_ column: String, _ text: String) -> SearchCondition {
    SessionTerms.known(text).inside("EXISTS (SELECT 1 FROM session WHERE session.id = \(column) AND ")
  }

  static func exist(_ text: String, _ database: Database) throws -> Bool {
    let condition = condition("session.id", text)
    return try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM session WHERE \(condition.sql))", arguments: condition.arguments)
      ?? false
  }

  /// What a field says of sessions, as a condition on the column that names one.
  static func condition(_ column: String, _ field: SearchField, _ value: SearchValue) -> SearchCondition {
    SessionTerms.shared(field, value).inside("\(column) IN (SELECT session.id FROM session WHERE ")
  }
}
