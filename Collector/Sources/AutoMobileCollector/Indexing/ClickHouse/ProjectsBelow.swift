/// Which apps are projects of their own, as far as that decides anything about an owner's data: those whose names begin with the
/// owner's.
///
/// So little of it is needed that it can be written down with each batch: projects may be others when the batch is made again.
struct ProjectsBelow {
  private let all: Set<String>
  private var known: [DataOwner: Set<String>] = [:]
  /// By each name that they begin with.
  private lazy var below: [Substring: Set<String>] = {
    var below: [Substring: Set<String>] = [:]
    for project in all {
      for dot in project.indices where project[dot] == "." { below[project[..<dot], default: []].insert(project) }
    }
    return below
  }()

  /// Those that were asked for.
  private(set) var used: Set<String> = []

  init(_ all: Set<String>) { self.all = all }

  mutating func of(_ owner: DataOwner) -> Set<String> {
    guard !all.isEmpty, let bundle = owner.bundleId else { return [] }
    if let known = known[owner] { return known }
    let found = below[bundle[...]] ?? []
    known[owner] = found
    used.formUnion(found)
    return found
  }
}
