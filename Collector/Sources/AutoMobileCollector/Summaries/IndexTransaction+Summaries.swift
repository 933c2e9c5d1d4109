import AutoMobileJournal

/// Summaries, as they come in with everything else.
extension IndexTransaction {
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
    _ end: SummaryEnd, of session: Int64, toldAt timestamp: Int64, by launch: IndexCaches.Launch, _ record: LogRecord
  ) throws {
    _ = try SummaryWriter(database: database).add(
      end,
      .init(
        session: session, owner: launch.owner.row, launch: launch.name, isToldLater: false,
        at: record.told(at: timestamp), received: record.received))
  }

  /// - Parameter about: the launch that the session was in, when the summary names one.
  func add(
    _ summary: SessionSummary, of session: Int64, toldAt timestamp: Int64, by launch: IndexCaches.Launch,
    about named: String?, _ record: LogRecord
  ) throws {
    let name = named.flatMap { LaunchID($0) }?.description ?? launch.name
    _ = try SummaryWriter(database: database).add(
      summary,
      .init(
        session: session, owner: launch.owner.row, launch: name, isToldLater: name != launch.name,
        at: record.told(at: timestamp),
        received: record.received))
  }
}
