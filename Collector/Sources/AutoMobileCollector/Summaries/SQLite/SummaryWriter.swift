import GRDB

/// Puts what summaries and ledgers say of the events on devices into the index, inside a transaction of the caller's.
struct SummaryWriter {
  /// Where a summary belongs.
  struct Place {
    var session: Int64
    /// The owner's row.
    var owner: Int64
    /// As the app calls it.
    var launch: String
    /// Another launch tells of it.
    var isToldLater: Bool
    /// When the device said so, before it sent that; and when it arrived. In milliseconds since 1970.
    var at: Int64
    var received: Int64
  }

  let database: Database

  /// Of one session, told apart: its sums are made of all of them whenever one comes, and nobody lives so often under one name.
  static let mostLaunches = 100

  /// Takes over a summary, unless a later one of its session is known. Of two with one revision, which a killed process can leave, the
  /// one that says more is the later one. Of a session that has been told in ``mostLaunches`` launches, those of others are left out.
  ///
  /// - Returns: whether it was taken over.
  func add(_ summary: SessionSummary, _ place: Place) throws -> Bool {
    try database.cachedStatement(
      sql: """
        INSERT INTO session_summary(
          session, launch, revision, startedAt, endedAt, final, ending, toldLater, events, counts, screens, visits, launchTime,
          launchKind, slow, frozen, requests, errors, failures, crashes, kept, until, memoryPeak, memoryLeft,
          memoryWarnings)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
          ?23, ?24, ?25
        WHERE EXISTS (SELECT 1 FROM session_summary WHERE session = ?1 AND launch = ?2)
          OR (SELECT COUNT(*) FROM session_summary WHERE session = ?1) < \(Self.mostLaunches)
        ON CONFLICT DO UPDATE SET revision = ?3, startedAt = ?4, endedAt = ?5, final = ?6, ending = ?7,
          toldLater = MAX(toldLater, ?8), events = ?9, counts = ?10, screens = ?11, visits = ?12, launchTime = ?13,
          launchKind = ?14, slow = ?15, frozen = ?16, requests = ?17, errors = ?18, failures = ?19, crashes = ?20,
          kept = ?21, until = ?22, memoryPeak = ?23, memoryLeft = ?24, memoryWarnings = ?25
        WHERE (?3, ?6, ?9) > (revision, final, events)
        """
    ).execute(arguments: [
      place.session, place.launch, summary.revision, summary.startedAt, summary.endedAt, summary.isFinal, summary.end,
      place.isToldLater, summary.events, SessionSummary.json(summary.counts), SessionSummary.json(summary.screens),
      summary.screenVisits,
      summary.launchTime, summary.launchKind, summary.slowFrames, summary.frozenFrames,
      SessionSummary.json(summary.requests),
      summary.errors, summary.failures, summary.allCrashes, summary.kept.events,
      summary.kept.until, summary.memoryPeak, summary.memoryLeft, summary.memoryWarnings,
    ])
    guard database.changesCount > 0 else { return false }
    try keep(summary.kept, since: summary.startedAt, place)
    return true
  }

  /// Adds how a session ended to the summary that says everything else, when that is the latest one of the session in its launch.
  ///
  /// - Parameter place: with the launch that says so.
  /// - Returns: whether it was.
  func add(_ end: SummaryEnd, _ place: Place) throws -> Bool {
    let told = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT launch, startedAt FROM session_summary WHERE session = ? AND revision = ? AND final = 0
          ORDER BY endedAt DESC LIMIT 1
          """), arguments: [place.session, end.sameAs])
    guard let told else { return false }
    let launch: String = told[0]
    try database.cachedStatement(
      sql: """
        UPDATE session_summary SET revision = ?3, final = 1, ending = ?4, toldLater = MAX(toldLater, ?5), kept = ?6, until = ?7
        WHERE session = ?1 AND launch = ?2
        """
    ).execute(arguments: [
      place.session, launch, end.revision, end.end, launch != place.launch, end.kept.events, end.kept.until,
    ])
    var place = place
    place.launch = launch
    try keep(end.kept, since: told[1], place)
    return true
  }

  /// Writes into a session what all of its summaries say. Done when everything of a transaction is there, in whatever order it came:
  /// a session that goes on in another launch has not ended, though nobody has told of that launch yet.
  func settle(_ session: Int64) throws {
    try countArrived(in: session)
    try database.cachedStatement(
      sql: """
        UPDATE session SET (told, toldErrors, toldCrashes) = (
            SELECT SUM(events), SUM(failures), SUM(crashes) FROM session_summary WHERE session = ?1),
          (toldFinal, toldEnd) = (
            -- That another session began says nothing about how its launch ended.
            SELECT final AND NOT goesOn, IIF(goesOn, NULL, NULLIF(ending, 'ended')) FROM (
              SELECT final, ending, EXISTS (
                SELECT 1 FROM session_launch CROSS JOIN launch ON launch.id = session_launch.launch
                WHERE session_launch.session = ?1 AND session_launch.last > endedAt AND launch.given <> session_summary.launch
              ) AS goesOn
              FROM session_summary WHERE session = ?1 ORDER BY endedAt DESC LIMIT 1))
        WHERE id = ?1 AND EXISTS (SELECT 1 FROM session_summary WHERE session = ?1)
        """
    ).execute(arguments: [session])
  }

  /// Something came of a session that may have been told of before.
  func goOn(_ session: Int64) throws {
    let isOver = try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT toldFinal FROM session WHERE id = ?"), arguments: [session])
    if isOver == true { try settle(session) }
  }

  /// Counts what came of a session before that was counted with it, which would be missing otherwise: once, when a summary comes.
  private func countArrived(in session: Int64) throws {
    // The plus sign: a launch may have many sessions, and all of its events are looked at otherwise.
    try database.cachedStatement(
      sql: """
        UPDATE session_launch SET events = (
          SELECT COUNT(*) FROM event WHERE event.session = ?1 AND +event.launch = session_launch.launch
            AND event.type NOT IN (SELECT id FROM event_type WHERE name IN (?2, ?3)))
        WHERE session = ?1 AND events IS NULL
        """
    ).execute(arguments: [session, EventTypes.summary, EventTypes.breadcrumb])
  }

  /// What was kept when the summary was made. A ledger that came before it may be later: that of a delivery is made when it is sent.
  private func keep(_ kept: SessionSummary.Kept, since startedAt: Int64, _ place: Place) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO launch_kept(owner, launch, at, toldAt, received, events, toldEvents, bytes, until, startedAt)
        VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?5, ?6, ?7, ?8)
        ON CONFLICT DO UPDATE SET startedAt = MIN(IFNULL(startedAt, ?8), ?8), received = MAX(received, ?4),
          events = IIF(?3 >= at, ?5, events), at = MAX(at, ?3),
          toldEvents = IIF(?3 >= IFNULL(toldAt, ?3), ?5, toldEvents), bytes = IIF(?3 >= IFNULL(toldAt, ?3), ?6, bytes),
          until = IIF(?3 >= IFNULL(toldAt, ?3), ?7, until), toldAt = MAX(IFNULL(toldAt, ?3), ?3)
        """
    ).execute(arguments: [
      place.owner, place.launch, place.at, place.received, kept.events, kept.bytes, kept.until, startedAt,
    ])
  }

  /// A ledger of the launch has come, which is later than those before it by what it counts. A device tells one thing after the other,
  /// so it is later than the summaries before it, too, whatever its clock says.
  ///
  /// - Parameters:
  ///   - kept: nil: it keeps nothing on purpose.
  ///   - at: when it was made, by the device's clock; nil: that is not known.
  func noteLedger(of launch: String, owner: Int64, kept: Int64?, at: Int64?, received: Int64) throws {
    let at = at.map { LogRecord.sent($0, received) }
    guard let kept, kept > 0 else {
      return try database.cachedStatement(
        sql: """
          UPDATE launch_kept SET events = 0, at = IFNULL(?3, at), received = MAX(received, ?4)
          WHERE owner = ?1 AND launch = ?2
          """
      ).execute(arguments: [owner, launch, at, received])
    }
    try database.cachedStatement(
      sql: """
        INSERT INTO launch_kept(owner, launch, at, received, events) VALUES (?1, ?2, IFNULL(?3, 0), ?4, ?5)
        ON CONFLICT DO UPDATE SET events = ?5, at = IFNULL(?3, at), received = MAX(received, ?4)
        """
    ).execute(arguments: [owner, launch, at, received, kept])
  }
}
