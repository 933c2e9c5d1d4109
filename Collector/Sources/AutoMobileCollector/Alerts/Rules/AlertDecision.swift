import AutoMobileState

/// What of the findings is told now, what later, and what not: once per occurrence, not again in the quiet time, and never a flood.
///
/// Runs in one transaction with the rule's cursor: whenever the collector dies, everything is either decided and written down, or
/// looked at again. What the rule looks at was read before, and may lie elsewhere: only the cursor says up to where it is decided.
/// Where the cursor lies elsewhere, too, of an issue that is said to be new all is done that is done: see `isOnce`.
struct AlertDecision {
  private let rule: AlertRule
  private let isOnce: Bool
  private let now: Int64
  private var told: [Alert] = []
  /// Found, and too many to be told one by one.
  private var others = 0

  /// The subject of what is told together.
  static let together = "more"
  /// Messages of one rule within an hour, and one by one of one look.
  static let perHour = 20
  private static let hour: Int64 = 3_600_000
  static let perLook = 5

  /// - Parameter isOnce: the cursor is another one than the rule's, and moves afterwards: what was decided may come again, also from the
  ///   index of another collector.
  /// - Returns: what is told.
  static func decide(
    _ look: AlertLook, _ rule: AlertRule, isOnce: Bool = false, at now: Int64, in state: borrowing StateWriting
  ) throws -> [Alert] {
    var decision = try AlertDecision(rule: rule, isOnce: isOnce, now: now, in: state.reading)
    for finding in look.findings { try decision.take(finding, state) }
    try decision.tellWaiting(state)
    try decision.tellTogether(state)
    try state.execute(
      "UPDATE alert_rule SET cursor = ?1, held = ?2 WHERE id = ?3", isOnce ? rule.cursor : look.cursor, decision.held,
      rule.id)
    return decision.told
  }

  private var held: Int64
  private var room: Int

  private init(rule: AlertRule, isOnce: Bool, now: Int64, in state: borrowing StateReading) throws {
    (self.rule, self.isOnce, self.now) = (rule, isOnce, now)
    held = rule.held
    // Not what a clock that was ahead wrote down.
    let count: Int? = try state.value(
      """
      SELECT COUNT(*) FROM alert_log WHERE rule = ?1 AND at > ?2 AND at <= ?3 AND held IS NULL AND event = 'triggered'
      """, rule.id, now - Self.hour, now)
    room = max(0, Self.perHour - (count ?? 0))
  }

  /// How a subject stands.
  private struct Standing {
    var isFiring: Bool
    var since: Int64
    var toldAt: Int64?
    var isTold: Bool
    var held: Int64
    var waiting: String?
  }

  private mutating func take(_ finding: AlertLook.Finding, _ state: borrowing StateWriting) throws {
    var alert = finding.alert
    (alert.rule, alert.ruleName) = (rule.id, rule.name)
    // Of a route an app says how it is called: one that cannot be kept must not keep the rule from all others.
    alert.subject = alert.subject.keepable
    var standing = try standing(of: alert.subject, in: state.reading)
    switch finding {
    case .moment:
      guard standing == nil || !isOnce else { return }
      try happen(alert, &standing, state)
    case .firing:
      guard standing?.isFiring != true else { return }
      try happen(alert, &standing, state)
    case .calm:
      guard var known = standing, known.isFiring else { return }
      // Of what nobody was told, nobody is told that it is over.
      let wasTold = known.isTold
      (known.isFiring, known.isTold, known.waiting) = (false, false, nil)
      standing = known
      if wasTold, rule.settings.resolved {
        alert.event = .resolved
        try AlertOutbox.add(alert, to: rule.settings.channels, held: nil, at: now, in: state)
        told.append(alert)
      }
    }
    if let standing { try save(standing, of: alert.subject, in: state) }
  }

  private mutating func happen(
    _ alert: Alert, _ standing: inout Standing?, _ state: borrowing StateWriting
  ) throws {
    let toldAt = standing?.toldAt
    var next = Standing(
      isFiring: true, since: now, toldAt: toldAt, isTold: false, held: standing?.held ?? 0, waiting: nil)
    if isQuiet(toldAt) {
      next.held += 1
      next.waiting = alert.json
      try AlertOutbox.add(alert, to: [], held: "told of it already in the quiet time", at: now, in: state)
    } else {
      try tell(alert, &next, state)
    }
    standing = next
  }

  private func isQuiet(_ toldAt: Int64?) -> Bool {
    // A clock that was set back makes no quiet time longer.
    toldAt.map { (0..<Int64(rule.settings.quietMinutes) * 60_000).contains(now - $0) } ?? false
  }

  /// What happened again in the quiet time is told when that is over.
  private mutating func tellWaiting(_ state: borrowing StateWriting) throws {
    let rows = try state.rows(
      "SELECT subject, waiting FROM alert_state WHERE rule = ?1 AND waiting IS NOT NULL LIMIT 1000", rule.id)
    for row in rows {
      let (subject, waiting): (String, String) = try (row[0], row[1])
      guard var standing = try standing(of: subject, in: state.reading), !isQuiet(standing.toldAt) else { continue }
      standing.waiting = nil
      // What cannot be read is not asked for again.
      if let alert = Alert(json: waiting) { try tell(alert, &standing, state) }
      try save(standing, of: subject, in: state)
    }
  }

  private mutating func tell(
    _ alert: Alert, _ standing: inout Standing, _ state: borrowing StateWriting
  ) throws {
    var alert = alert
    if standing.held > 0 { alert.repeats = standing.held }
    (standing.toldAt, standing.held) = (now, 0)
    // The last place is for all the others together.
    guard told.count < Self.perLook, room > 1 else {
      others += 1
      try AlertOutbox.add(alert, to: [], held: "too many at once: told together with others", at: now, in: state)
      return
    }
    room -= 1
    standing.isTold = true
    try AlertOutbox.add(alert, to: rule.settings.channels, held: nil, at: now, in: state)
    told.append(alert)
  }

  /// One message for everything that was too much; if even that is too much, when there is room again.
  private mutating func tellTogether(_ state: borrowing StateWriting) throws {
    held += Int64(others)
    guard held > 0, room > 0 else { return try endTogether(state) }
    var alert = Alert(
      kind: rule.kind, subject: Self.together, severity: .warning, title: "\(held) more: \(rule.name)",
      text: "There were too many alerts of this rule to send each one.",
      place: rule.kind == .requestErrors ? "#/network" : rule.kind == .ask ? "#/settings" : "#/issues", at: now)
    (alert.rule, alert.ruleName) = (rule.id, rule.name)
    try AlertOutbox.add(alert, to: rule.settings.channels, held: nil, at: now, in: state)
    told.append(alert)
    held = 0
    let standing = Standing(isFiring: true, since: now, toldAt: now, isTold: true, held: 0, waiting: nil)
    try save(standing, of: Self.together, in: state)
  }

  /// An hour after the last of them that is over. Only for those who wait for an end.
  private mutating func endTogether(_ state: borrowing StateWriting) throws {
    guard held == 0, var standing = try standing(of: Self.together, in: state.reading), standing.isFiring,
      !(0..<Self.hour).contains(now - (standing.toldAt ?? 0))
    else { return }
    (standing.isFiring, standing.isTold) = (false, false)
    try save(standing, of: Self.together, in: state)
    try AlertEnd.tell(
      Self.together, of: rule, "Nothing more is held back: \(rule.name)", "There was room for every alert for an hour.",
      at: now, in: state)
  }

  // MARK: Rows

  /// Of what is over and quiet, nothing is kept; nor of moments that nobody has dealt with for a month.
  static func forget(_ rule: AlertRule, at now: Int64, in state: borrowing StateWriting) throws {
    // Nobody deals with these any more: they have come, or are gone.
    if rule.kind == .ask { try AlertEnd.tellOld(of: rule, before: now - hour, at: now, in: state) }
    try state.execute(
      """
      DELETE FROM alert_state WHERE rule = ?1 AND waiting IS NULL
        AND (firing = 0 AND COALESCE(toldAt, 0) < ?2 OR ?3 = 1 AND since < ?4)
      """, rule.id, now - Int64(rule.settings.quietMinutes) * 60_000, rule.kind.isMoment, now - 30 * 86_400_000)
  }

  private func standing(of subject: String, in state: borrowing StateReading) throws -> Standing? {
    try state.row(
      "SELECT firing, since, toldAt, told, held, waiting FROM alert_state WHERE rule = ?1 AND subject = ?2", rule.id,
      subject
    ).map {
      try Standing(isFiring: $0[0], since: $0[1], toldAt: $0[2], isTold: $0[3], held: $0[4], waiting: $0[5])
    }
  }

  private func save(_ standing: Standing, of subject: String, in state: borrowing StateWriting) throws {
    try state.execute(
      """
      INSERT INTO alert_state(rule, subject, firing, since, toldAt, told, held, waiting)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      ON CONFLICT (rule, subject) DO UPDATE
      SET firing = ?3, since = ?4, toldAt = ?5, told = ?6, held = ?7, waiting = ?8
      """, rule.id, subject, standing.isFiring, standing.since, standing.toldAt, standing.isTold, standing.held,
      standing.waiting)
  }

  /// By rule how much is the case.
  static func firing(in state: borrowing StateReading) throws -> [(id: Int64, count: Int64)] {
    try state.rows(
      "SELECT rule, COUNT(*) FROM alert_state WHERE firing = 1 AND subject <> ?1 GROUP BY rule ORDER BY rule", together
    ).map { try ($0[0], $0[1]) }
  }

  /// What is the case of a rule, and since when; without what is told together.
  static func firing(of rule: AlertRule, in state: borrowing StateReading) throws -> [String: Int64] {
    let rows = try state.rows(
      "SELECT subject, since FROM alert_state WHERE rule = ?1 AND firing = 1 AND subject <> ?2", rule.id, together)
    return Dictionary(try rows.map { (try $0[0] as String, try $0[1] as Int64) }) { $1 }
  }
}
