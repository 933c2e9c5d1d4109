/// Keeps what was erased from coming back.
extension TelemetryRows {
  mutating func isErased(_ session: String, _ launch: BatchLaunch) -> Bool {
    guard let erased else { return false }
    return told.isErased(SessionName(project: launch.project, session: session)) {
      erased.isErased(session: session, of: launch.owner.owner)
    }
  }

  /// - Throws: ``ErasedRecord`` for what is of an erased session, or happened to somebody before they were erased.
  mutating func checkErased(
    _ session: String, _ context: KnownContext?, at timestamp: Int64, _ launch: BatchLaunch
  ) throws {
    guard erased != nil || context?.erasedBefore != nil else { return }
    if let before = context?.erasedBefore, timestamp <= before { throw ErasedRecord() }
    if isErased(session, launch) { throw ErasedRecord() }
  }

  /// A context that is gone, and whose session was erased: nobody waits for it.
  mutating func erasedContext(_ question: ContextQuestion) -> KnownContext? {
    guard let erased, case .numbered(let project, let launch, let number) = question else { return nil }
    let isErased = told.isErased(question) {
      erased.mark(.context, ErasedNames.context(number, of: launch), of: DataOwner(name: project)) != nil
    }
    return isErased ? .erased(number) : nil
  }
}

/// What the marks have said in one batch. They are asked by hashes, two for each collector that ever erased something, and most events
/// are of the sessions and contexts of the ones before them.
struct ToldMarks: Sendable {
  private var sessions: [TelemetryRows.SessionName: Bool] = [:]
  private var contexts: [ContextQuestion: Bool] = [:]
  /// How often they were asked.
  private(set) var asked = 0

  mutating func isErased(_ session: TelemetryRows.SessionName, _ ask: () -> Bool) -> Bool {
    if let known = sessions[session] { return known }
    asked += 1
    let isErased = ask()
    sessions[session] = isErased
    return isErased
  }

  mutating func isErased(_ question: ContextQuestion, _ ask: () -> Bool) -> Bool {
    if let known = contexts[question] { return known }
    asked += 1
    let isErased = ask()
    contexts[question] = isErased
    return isErased
  }
}
