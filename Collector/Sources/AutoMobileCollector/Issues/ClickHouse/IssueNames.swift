import AutoMobileClickHouse

/// Some of all issues, by their names.
enum IssueNames: Sendable, Equatable {
  case only(Set<String>)
  case except(Set<String>)

  static let all = IssueNames.except([])

  var negated: IssueNames {
    switch self {
    case .only(let names): .except(names)
    case .except(let names): .only(names)
    }
  }

  func and(_ other: IssueNames) -> IssueNames {
    switch (self, other) {
    case (.only(let one), .only(let two)): .only(one.intersection(two))
    case (.only(let one), .except(let two)), (.except(let two), .only(let one)): .only(one.subtracting(two))
    case (.except(let one), .except(let two)): .except(one.union(two))
    }
  }

  func or(_ other: IssueNames) -> IssueNames { negated.and(other.negated).negated }

  var isEmpty: Bool { self == .only([]) }

  /// As a condition on a column `issue`; nil: it is none.
  var sql: SQL? {
    switch self {
    case .only(let names): "issue IN (SELECT arrayJoin(\(SQLValue.strings(names.sorted()))))"
    case .except(let names) where names.isEmpty: nil
    case .except(let names): "issue NOT IN (SELECT arrayJoin(\(SQLValue.strings(names.sorted()))))"
    }
  }
}
