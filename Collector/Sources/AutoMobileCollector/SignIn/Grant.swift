/// What somebody may do, and where: `viewer`, `operator@com.example.shop`, `admin`.
struct Grant: Sendable, Hashable {
  /// Each may do what those before it may.
  enum Role: String, Sendable, CaseIterable, Comparable {
    /// Reads.
    case viewer
    /// Reads, and decides about the projects that it is for.
    case `operator`
    /// Everything: also who else gets in. There is no admin of one project, since that is decided for all.
    case admin

    static func < (one: Role, other: Role) -> Bool { one.rank < other.rank }

    private var rank: Int {
      switch self {
      case .viewer: 0
      case .operator: 1
      case .admin: 2
      }
    }
  }

  let role: Role
  /// The bundle id of a project; nil: all.
  let project: String?

  static let admin = Grant(role: .admin)

  private init(role: Role) { (self.role, project) = (role, nil) }

  /// - Throws: ``APIError`` that says what is wrong.
  init(role: String, project: String?) throws {
    guard let known = Role(rawValue: role) else {
      let roles = Role.allCases.map(\.rawValue).joined(separator: ", ")
      throw APIError.badRequest("invalid_role", "role must be one of \(roles)")
    }
    if let project {
      guard known != .admin else {
        throw APIError.badRequest("invalid_role", "an admin is one for all projects: leave out the project")
      }
      try ConfigurationRules.checkBundle(project)
      // In configuration it stands for all; here one leaves the project out.
      guard project != "*" else {
        throw APIError.badRequest("invalid_bundle", "for all projects, leave out the project")
      }
    }
    (self.role, self.project) = (known, project)
  }

  /// Reads ``text``.
  ///
  /// - Throws: ``APIError`` that says what is wrong.
  init(_ text: String) throws {
    let at = text.firstIndex(of: "@")
    try self.init(
      role: String(text[..<(at ?? text.endIndex)]), project: at.map { String(text[text.index(after: $0)...]) })
  }

  var text: String { project.map { "\(role.rawValue)@\($0)" } ?? role.rawValue }
}

extension [Grant] {
  /// As they are kept.
  var text: String { map(\.text).joined(separator: " ") }

  /// What cannot be read is not granted.
  init(kept text: String) { self = text.split(separator: " ").compactMap { try? Grant(String($0)) } }
}
