import GRDB

/// What of the findings is told now, what later, and what not: once per occurrence, not again in the quiet time, and never a flood.
///
/// Runs in one transaction with the rule's cursor: whenever the collector dies, everything is either decided and written down, or
/// looked at again.
struct AlertDecision {
  private let rule: AlertRule
  private let now: Int64
  private let database: Database
  private var told: [Alert] = []
  /// Found, and too many to be told one by one.
  private var others = 0

  /// The subject of what is told together.
  static let together = "more"
  /// Messages of one rule within an hour, and one by one of one look.
  static let perHour = 20
  private static let hour: Int64 = 3_600_000
  static let perLook = 5

  /// - Returns: what is told.
  static func decide(_ look: AlertLook, _ rule: AlertRule, at now: Int64, in database: Database) throws -> [Alert] {
    var decision = try AlertDecision(rule: rule, now: now, database: database)
    for finding in look.findings { try decision.take(finding) }
    try decision.tellWaiting(unless: look)
    try decision.tellTogether()
    try database.cachedStatement(sql: "UPDATE alert_rule SET cursor = ?, held = ? WHERE id = ?")
      .execute(arguments: [look.cursor, decision.held, rule.id])
    return decision.told
  }

  private var held: Int64
  private var room: Int

  private init(rule: AlertRule, now: Int64, database: Database) throws {
    (self.rule, self.now, self.database) = (rule, now, database)
    held = rule.held
    let count = try Int.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT COUNT(*) FROM alert_log WHERE rule = ? AND at > ? AND at <= ? AND held IS NULL AND event = 'triggered'
          """),
      // Not what a clock that was ahead wrote down.
      arguments: [rule.id, now - Self.hour, now])
    room = max(0, Self.perHour - (count ?? 0))
  }

  private struct State {
    var isFiring: Bool
    var since: Int64
    var toldAt: Int64?
    var isTold: Bool
    var held: Int64
    var waiting: String?
  }

  private mutating func take(_ finding: AlertLook.Finding) throws {
    var alert = finding.alert
    (alert.rule, alert.ruleName) = (rule.id, rule.name)
    var state = try state(of: alert.subject)
    switch finding {
    case .moment:
      try happen(alert, &state)
    case .firing:
      guard state?.isFiring != true else { return }
      try happen(alert, &state)
    case .calm:
      guard var known = state, known.isFiring else { return }
      // Of what nobody was told, nobody is told that it is over.
      let wasTold = known.isTold
      (known.isFiring, known.isTold, known.waiting) = (false, false, nil)
      state = known
      if wasTold, rule.settings.resolved {
        alert.event = .resolved
        try AlertOutbox.add(alert, to: rule.settings.channels, held: nil, at: now, in: database)
        told.append(alert)
      }
    }
    if let state { try save(state, of: alert.subject) }
  }

  private mutating func happen(_ alert: Alert, _ state: inout State?) throws {
    let toldAt = state?.toldAt
    var next = State(isFiring: true, since: now, toldAt: toldAt, isTold: false, held: state?.held ?? 0, waiting: nil)
    if isQuiet(toldAt) {
      next.held += 1
      next.waiting = alert.json
      try AlertOutbox.add(alert, to: [], held: "told of it already in the quiet time", at: now, in: database)
    } else {
      try tell(alert, &next)
    }
    state = next
  }

  private func isQuiet(_ toldAt: Int64?) -> Bool {
    // A clock that was set back makes no quiet time longer.
    toldAt.map { (0..<Int64(rule.settings.quietMinutes) * 60_000).contains(now - $0) } ?? false
  }

  /// What happened again in the quiet time is told when that is over.
  private mutating func tellWaiting(unless look: AlertLook) throws {
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: "SELECT subject, waiting FROM alert_state WHERE rule = ? AND waiting IS NOT NULL LIMIT 1000"),
      arguments: [rule.id])
    for row in rows {
      guard var state = try state(of: row[0]), !isQuiet(state.toldAt) else { continue }
      state.waiting = nil
      // What cannot be read is not asked for again.
      if let alert = Alert(json: row[1]) { try tell(alert, &state) }
      try save(state, of: row[0])
    }
  }

  private mutating func tell(_ alert: Alert, _ state: inout State) throws {
    var alert = alert
    if state.held > 0 { alert.repeats = state.held }
    (state.toldAt, state.held) = (now, 0)
    // The last place is for all the others together.
    guard told.count < Self.perLook, room > 1 else {
      others += 1
      try AlertOutbox.add(alert, to: [], held: "too many at once: told together with others", at: now, in: database)
      return
    }
    room -= 1
    state.isTold = true
    try AlertOutbox.add(alert, to: rule.settings.channels, held: nil, at: now, in: database)
    told.append(alert)
  }

  /// One message for everything that was too much; if even that is too much, when there is room again.
  private mutating func tellTogether() throws {
    held += Int64(others)
    guard held > 0, room > 0 else { return try endTogether() }
    var alert = Alert(
      kind: rule.kind, subject: Self.together, severity: .warning, title: "\(held) more: \(rule.name)",
      text: "There were too many alerts of this rule to send each one.",
      place: rule.kind == .requestErrors ? "#/network" : rule.kind == .ask ? "#/settings" : "#/issues", at: now)
    (alert.rule, alert.ruleName) = (rule.id, rule.name)
    try AlertOutbox.add(alert, to: rule.settings.channels, held: nil, at: now, in: database)
    told.append(alert)
    held = 0
    let state = State(isFiring: true, since: now, toldAt: now, isTold: true, held: 0, waiting: nil)
    try save(state, of: Self.together)
  }

  /// An hour after the last of them that is over. Only for those who wait for an end.
  private mutating func endTogether() throws {
    guard held == 0, var state = try state(of: Self.together), state.isFiring,
      !(0..<Self.hour).contains(now - (state.toldAt ?? 0))
    else { return }
    (state.isFiring, state.isTold) = (false, false)
    try save(state, of: Self.together)
    try AlertEnd.tell(
      Self.together, of: rule, "Nothing more is held back: \(rule.name)", "There was room for every alert for an hour.",
      at: now, in: database)
  }

  // MARK: Rows

  /// Of what is over and quiet, nothing is kept; nor of moments that nobody has dealt with for a month.
  static func forget(_ rule: AlertRule, at now: Int64, in database: Database) throws {
    // Nobody deals with these any more: they have come, or are gone.
    if rule.kind == .ask { try AlertEnd.tellOld(of: rule, before: now - hour, at: now, in: database) }
    try database.execute(
      sql: """
        DELETE FROM alert_state WHERE rule = ?1 AND waiting IS NULL
          AND (NOT firing AND IFNULL(toldAt, 0) < ?2 OR ?3 AND since < ?4)
        """,
      arguments: [
        rule.id, now - Int64(rule.settings.quietMinutes) * 60_000, rule.kind.isMoment, now - 30 * 86_400_000,
      ])
  }

  private func state(of subject: String) throws -> State? {
    try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT firing, since, toldAt, told, held, waiting FROM alert_state WHERE rule = ? AND subject = ?"),
      arguments: [rule.id, subject]
    ).map { State(isFiring: $0[0], since: $0[1], toldAt: $0[2], isTold: $0[3], held: $0[4], waiting: $0[5]) }
  }

  private func save(_ state: State, of subject: String) throws {
    try database.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO alert_state(rule, subject, firing, since, toldAt, told, held, waiting)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      rule.id, subject, state.isFiring, state.since, state.toldAt, state.isTold, state.held, state.waiting,
    ])
  }
}
