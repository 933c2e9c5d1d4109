extension PostgresSchema {
  /// How many days a project's sessions are kept, where it says so.
  static let retentionOfProjects = "ALTER TABLE project ADD COLUMN days BIGINT;"
}
