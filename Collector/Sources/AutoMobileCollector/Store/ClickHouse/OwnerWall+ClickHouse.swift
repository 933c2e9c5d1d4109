import AutoMobileClickHouse

extension OwnerWall {
  /// As a condition on the column `project`, by which rows are found.
  var sql: SQL {
    guard !parts.isEmpty else { return "0" }
    return SQL.joined(parts.map { "(\(Self.condition($0)))" }, " OR ")
  }

  private static func condition(_ part: Part) -> SQL {
    let own = names(part.bundle)
    guard !part.except.isEmpty else { return own }
    return "(\(own)) AND NOT (\(SQL.joined(part.except.map { "(\(names($0)))" }, " OR ")))"
  }

  /// The app's name, and those that begin with it and a full stop: as ranges, since a range of a sorting key is looked up.
  private static func names(_ bundle: String) -> SQL {
    let name = DataOwner.app(bundle).name
    return """
      project = \(text: name) OR (project >= \(text: name + ".") AND project < \(text: name + "/"))
      """
  }
}
