/// Keeps what was erased from coming back.
extension TelemetryRows {
  func isErased(_ session: String, _ launch: BatchLaunch) -> Bool {
    erased?.isErased(session: session, of: launch.owner.owner) ?? false
  }

  /// - Throws: ``ErasedRecord`` for what is of an erased session, or happened to somebody before they were erased.
  func checkErased(
    _ session: String, _ context: KnownContext?, at timestamp: Int64, _ launch: BatchLaunch
  ) throws {
    guard erased != nil || context?.erasedBefore != nil else { return }
    if let before = context?.erasedBefore, timestamp <= before { throw ErasedRecord() }
    if isErased(session, launch) { throw ErasedRecord() }
  }

  /// A context that is gone, and whose session was erased: nobody waits for it.
  func erasedContext(_ question: ContextQuestion) -> KnownContext? {
    guard let erased, case .numbered(let project, let launch, let number) = question,
      erased.mark(.context, ErasedNames.context(number, of: launch), of: DataOwner(name: project)) != nil
    else { return nil }
    return .erased(number)
  }
}
