import AutoMobileState

/// What people have set and decided about a subject: asks, with what was told of them, and what configuration documents ask devices
/// for. Done again, it finds nothing.
struct StateErasure: Sendable, Codable {
  let subject: ErasureSubject
  /// The apps that are projects.
  let projects: Set<String>
  /// The sessions that are erased with it, as they are called here.
  let sessions: Set<String>
  /// The same, and as apps call them.
  let names: Set<String>

  struct Result: Sendable {
    /// By table, as a receipt has it.
    var counts: [String: Int64] = [:]
    /// Whether apps are told something else now.
    var isConfigured = false

    /// Without what stays, and is only told.
    var wentCounts: [String: Int64] { counts.filter { !["audit", "configuration_named"].contains($0.key) } }
  }

  func run(at now: Int64, by author: String, in state: borrowing StateWriting) throws -> Result {
    let told = try AskChanges.alerts(in: state)
    let asks = try AskTables.erase(kind, subject.id, sessions: sessions, where: admits, in: state)
    let left = try AskChanges.alerts(in: state)
    let configuration = try ConfigurationScrub(subject: subject, projects: projects, sessions: names)
      .run(at: now, by: author, in: state)
    // Entries of the audit log that name it: these stay.
    let audited: Int64? = try state.value("SELECT COUNT(*) FROM audit WHERE thing = ?1", subject.id)
    return Result(
      counts: [
        "ask": asks, "alert_log": told.entries - left.entries, "alert_message": told.messages - left.messages,
        "configuration_asks": configuration.asks, "configuration_named": configuration.named, "audit": audited ?? 0,
      ], isConfigured: configuration.asks > 0)
  }

  private var kind: Ask.Kind {
    switch subject.kind {
    case .user: .user
    case .device: .device
    case .session: .session
    }
  }

  private func admits(_ bundle: String) -> Bool {
    guard let project = subject.project else { return true }
    return DataOwner.isOf(project, bundle, among: projects)
  }
}
