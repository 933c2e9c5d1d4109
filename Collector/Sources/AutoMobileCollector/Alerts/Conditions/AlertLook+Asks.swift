import AutoMobileState

extension AlertLook {
  /// What was asked for came, or is gone: each once.
  init(asks rule: AlertRule, in state: borrowing StateReading) throws {
    cursor = rule.cursor
    let settings = rule.settings
    let rows = try state.rows(
      "SELECT id, ask, state, at FROM ask_change WHERE id > ?1 ORDER BY id LIMIT ?2", cursor, Self.most)
    isPartial = rows.count == Self.most
    for row in rows {
      let (id, number, became, at): (Int64, Int64, String, Int64) = try (row[0], row[1], row[2], row[3])
      cursor = id
      guard let ask = try AskTables.one(number, in: state), let became = Ask.State(rawValue: became),
        settings.bundleId == nil || ask.bundle == settings.bundleId,
        settings.states?.contains(became.rawValue) ?? true
      else { continue }
      findings.append(.moment(Alert(of: ask, became, at: at)))
    }
  }

  /// Where a new rule begins.
  static func newestChange(in state: borrowing StateReading) throws -> Int64 {
    try state.value("SELECT COALESCE(MAX(id), 0) FROM ask_change") ?? 0
  }
}

extension Alert {
  /// - Parameter state: what became of it: it came, or it is gone.
  init(of ask: Ask, _ state: Ask.State, at: Int64) {
    let subject = Self.short(ask.session ?? ask.subject, 100)
    let (name, place) = Self.words(for: ask)
    let why = "\(Self.short(ask.askedBy, 80)) asked for it: “\(Self.short(ask.reason, AskRules.longestReason))”."
    let isHere = state == .came
    self.init(
      kind: .ask, subject: ask.alertSubject(state), severity: isHere || ask.end == .withdrawn ? .info : .warning,
      title: "\(isHere ? "Came" : "Gone"): what was asked for of \(name.lowercased()) \(subject)",
      text: isHere
        ? "\(why) The first of it came at \(Self.time(at)); more may follow." : "\(why) \(Self.ending(of: ask))",
      facts: [
        Fact(name, subject), Fact("App", Self.short(ask.bundle, 100)), Fact("Asked by", Self.short(ask.askedBy, 80)),
        Fact("Asked at", Self.time(ask.askedAt)), Fact("Came", ask.events == 1 ? "1 event" : "\(ask.events) events"),
      ], place: place, at: at)
  }

  /// What kind of thing it is about, and where in the viewer that is.
  private static func words(for ask: Ask) -> (name: String, place: String) {
    switch ask.kind {
    case .session: ("Session", "#/sessions/" + (ask.session ?? ask.subject).percentEncoded)
    case .user: ("User", "#/users/\(ask.subject.percentEncoded)?app=\(ask.bundle.percentEncoded)")
    case .device: ("Device", "#/settings")
    case .appVersion: ("Version", "#/settings")
    }
  }

  private static func ending(of ask: Ask) -> String {
    switch ask.end {
    case .withdrawn: "\(short(ask.changedBy ?? "Somebody", 80)) withdrew it."
    case .expired: "The device keeps nothing of it any more."
    case .over, nil: "Its time is over."
    }
  }
}

extension Ask {
  /// By which alerts about it are known: the triggers of ``AskChanges`` remove them by it.
  func alertSubject(_ state: State) -> String { "ask-\(id)-\(state.rawValue)" }
}
