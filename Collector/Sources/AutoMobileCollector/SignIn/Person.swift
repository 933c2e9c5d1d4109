/// Somebody who has signed in.
struct Person: Sendable, Hashable {
  /// Who vouches for them: ``link``, or the address of an identity provider.
  let issuer: String
  /// By which the issuer tells them from others. Never changes, unlike the name.
  let subject: String
  /// For people to read.
  let name: String
  let grants: [Grant]

  /// The issuer of those who came by a link.
  static let link = "link"
  /// Of a name, in characters.
  static let longestName = 100

  var isAdmin: Bool { grants.contains { $0.role == .admin } }

  /// Where they are at least this; nil: nowhere.
  func reach(_ role: Grant.Role) -> DataReach? {
    let enough = grants.filter { $0.role >= role }
    guard !enough.isEmpty else { return nil }
    let projects = enough.compactMap(\.project)
    return projects.count < enough.count ? .everything : .projects(Set(projects))
  }

  /// Whether both are the same somebody, whatever they were granted then and now.
  func isSame(as other: Person) -> Bool { issuer == other.issuer && subject == other.subject }
}
