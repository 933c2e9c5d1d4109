/// Whose data somebody sees who sees some projects only, for a store in which each row has its owner's name.
struct OwnerWall: Sendable, Equatable {
  /// A project that is seen: its app, with what came under the names of its extensions.
  struct Part: Sendable, Equatable {
    var bundle: String
    /// Of the names that begin with the project's, those that are projects themselves.
    var except: [String]
  }

  /// None: nothing is seen.
  let parts: [Part]

  /// - Parameter all: the apps that are projects.
  init(of projects: Set<String>, among all: Set<String>) {
    parts = projects.intersection(all).sorted().map { bundle in
      Part(bundle: bundle, except: all.filter { $0.hasPrefix(bundle + ".") }.sorted())
    }
  }
}
