/// Of which projects somebody sees what there is.
enum DataReach: Hashable, Sendable {
  case everything
  /// The apps of these projects, with their extensions, by the projects' bundle ids.
  case projects(Set<String>)
}
