import AutoMobileJournal

/// Summaries, as they come in with everything else.
extension IndexTransaction {
  /// The session that a summary names: the context that it comes in may be that of the next one already.
  ///
  /// - Returns: nil when it names none: then it is about the one that it comes in.
  mutating func summarised(
    _ fields: EventFields, _ scanner: JSONScanner, _ launch: IndexCaches.Launch
  ) throws -> Int64? {
    guard let text = fields.session, text.range.count <= EventFields.maximumName else { return nil }
    let name = scanner.decode(text)
    guard !name.isEmpty, !name.hasControlCharacters else { return nil }
    return try session(name, of: launch.owner)
  }

  /// What a `session_summary` event says; nil when that cannot be believed: what it names as its launch has to be one, or every
  /// word that a stranger makes up would be another launch.
  func summary(_ record: Record, of launch: String?) -> SessionSummary? {
    guard launch.map({ LaunchID($0) != nil }) ?? true else { return nil }
    return SessionSummary(record.payload)
  }

  /// The session that a summary names which only says how it ended. One of which nothing else is known was erased, or is too old, or it
  /// never was: nobody makes one up for the sake of its end.
  func ended(_ fields: EventFields, _ scanner: JSONScanner, _ launch: IndexCaches.Launch) throws -> Int64 {
    for text in [fields.session, fields.sessionId].compactMap(\.self) where text.range.count <= EventFields.maximumName
    {
      if let known = try knownSession(scanner.decode(text), of: launch.owner) { return known }
    }
    throw ErasedRecord()
  }

  /// - Parameter launch: whose word it is.
  func add(
    _ end: SummaryEnd, of session: Int64, toldAt timestamp: Int64, by launch: IndexCaches.Launch, _ record: Record
  ) throws {
    _ = try SummaryWriter(database: database).add(
      end,
      .init(
        session: session, owner: launch.owner.row, launch: launch.name, isToldLater: false,
        at: min(timestamp, SummaryWriter.sent(record.sent, record.received) - 1), received: record.received))
  }

  /// - Parameter about: the launch that the session was in, when the summary names one.
  func add(
    _ summary: SessionSummary, of session: Int64, toldAt timestamp: Int64, by launch: IndexCaches.Launch,
    about named: String?, _ record: Record
  ) throws {
    let name = named.flatMap { LaunchID($0) }?.description ?? launch.name
    _ = try SummaryWriter(database: database).add(
      summary,
      .init(
        session: session, owner: launch.owner.row, launch: name, isToldLater: name != launch.name,
        at: min(timestamp, SummaryWriter.sent(record.sent, record.received) - 1),
        received: record.received))
  }
}
