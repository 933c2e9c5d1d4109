import AutoMobileState

/// Takes out of configuration documents, and of what they were before, what somebody asked devices for about a subject: an ask
/// names it. Apps get a new version, and stop looking for what was erased.
struct ConfigurationScrub {
  let subject: ErasureSubject
  /// The apps that are projects.
  let projects: Set<String>
  /// The ids of the sessions that are erased with it.
  let sessions: Set<String>

  struct Result: Equatable {
    /// Asks that went, in documents and in their history.
    var asks: Int64 = 0
    /// Texts of documents, old ones included, in which the subject is still named.
    var named: Int64 = 0
  }

  func run(at now: Int64, by author: String, in state: borrowing StateWriting) throws -> Result {
    var result = Result()
    let documents = try ConfigurationTables.documents(in: state.reading)
    var version = documents.map(\.version).max() ?? 0
    for old in documents where admits(old.bundle) {
      var document = old
      guard remove(from: &document.sections, &result) else { continue }
      version += 1
      (document.version, document.changedAt, document.changedBy) = (version, now, author)
      try ConfigurationTables.write(document, in: state)
    }
    try ConfigurationTables.rewriteHistory(containing: "\"asks\"", in: state) { old in
      admits(old.bundle) && remove(from: &old.sections, &result)
    }
    result.named = try count(in: state)
    return result
  }

  /// An erasure within a project leaves alone what is set for others, and for all.
  private func admits(_ bundle: String) -> Bool {
    guard let project = subject.project else { return true }
    return DataOwner.isOf(project, bundle, among: projects)
  }

  /// - Returns: whether there was something.
  private func remove(from sections: inout JSONTree, _ result: inout Result) -> Bool {
    guard case .object(var all) = sections, case .object(var upload)? = all["upload"],
      case .array(let asks)? = upload["asks"]
    else { return false }
    let kept = asks.filter { !isAbout($0) }
    guard kept.count < asks.count else { return false }
    result.asks += Int64(asks.count - kept.count)
    upload["asks"] = .array(kept)
    all["upload"] = .object(upload)
    sections = .object(all)
    return true
  }

  private func isAbout(_ ask: JSONTree) -> Bool {
    if ask[subject.kind.rawValue]?.string == subject.id { return true }
    return ask["session"]?.string.map(sessions.contains) ?? false
  }

  // MARK: What remains

  private func count(in state: borrowing StateWriting) throws -> Int64 {
    let present = try ConfigurationTables.documents(in: state.reading)
    var named = present.reduce(into: 0 as Int64) { if Self.names(subject.id, in: $1.sections) { $0 += 1 } }
    // The history begins with the present ones, as far back as it goes.
    let versions = Set(present.map(\.version))
    try ConfigurationTables.rewriteHistory(containing: JSONTree.string(subject.id).text, in: state) { old in
      if !versions.contains(old.version), Self.names(subject.id, in: old.sections) { named += 1 }
      return false
    }
    return named
  }

  /// A value that is just this; documents are not deep.
  private static func names(_ id: String, in tree: JSONTree) -> Bool {
    switch tree {
    case .string(let text): text == id
    case .array(let elements): elements.contains { names(id, in: $0) }
    case .object(let members): members.values.contains { names(id, in: $0) }
    default: false
    }
  }
}
