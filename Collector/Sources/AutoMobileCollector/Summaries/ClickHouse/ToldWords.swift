/// What devices have said of sessions, one word after the other, as ``SummaryWriter`` takes them in.
struct ToldWords {
  /// One summary, or how one ended.
  struct Word: Sendable {
    var id: Int64
    var session: SessionFact.Name
    /// Whose word it is, and about which launch.
    var launch: String
    var about: String
    /// Of one that only says how a session ended: the revision that says everything else.
    var sameAs: Int64?
    /// By the device's clock.
    var at: Int64
    /// What its launch kept then, and until when.
    var kept: Int64
    var until: Int64?
    var told: ToldSession

    fileprivate var rank: (Int64, Int, Int64) { (told.revision, told.isFinal ? 1 : 0, told.events) }
  }

  /// What a launch has on its device, by its last word.
  struct Kept: Sendable {
    var at: Int64
    var toldAt: Int64
    var events: Int64
    var until: Int64?
  }

  /// What a launch's ledger says, which is later than the summaries that were sent before it.
  struct Ledger: Sendable {
    var kept: Int64?
    /// When it was sent, as far as that can be.
    var sent: Int64
    var isFinal: Bool

    /// What it says that there is; nil: it says nothing of that.
    var events: Int64? { isFinal ? 0 : kept }
  }

  /// By session, and by the launch that it is about.
  private(set) var latest: [SessionFact.Name: [String: Word]] = [:]
  private(set) var kept: [LaunchName: Kept] = [:]

  /// Told apart of one session.
  static let mostLaunches = SummaryWriter.mostLaunches

  /// - Parameter words: in the order in which they came.
  init(_ words: [Word]) {
    for word in words {
      if word.sameAs == nil { add(word) } else { end(word) }
    }
  }

  private mutating func add(_ word: Word) {
    let known = latest[word.session]?[word.about]
    guard known != nil || latest[word.session]?.count ?? 0 < Self.mostLaunches else { return }
    guard known.map({ word.rank > $0.rank }) ?? true else { return }
    latest[word.session, default: [:]][word.about] = word
    keep(word, LaunchName(project: word.session.project, launch: word.about))
  }

  private mutating func end(_ word: Word) {
    let those = (latest[word.session] ?? [:]).values.filter { $0.told.revision == word.sameAs && !$0.told.isFinal }
    guard var one = those.max(by: { $0.told.endedAt < $1.told.endedAt }) else { return }
    (one.told.revision, one.told.isFinal, one.told.end) = (word.told.revision, true, word.told.end)
    (one.kept, one.until) = (word.kept, word.until)
    latest[word.session]?[one.about] = one
    keep(word, LaunchName(project: word.session.project, launch: one.about))
  }

  private mutating func keep(_ word: Word, _ launch: LaunchName) {
    guard var kept = kept[launch] else {
      self.kept[launch] = Kept(at: word.at, toldAt: word.at, events: word.kept, until: word.until)
      return
    }
    if word.at >= kept.at { (kept.at, kept.events) = (word.at, word.kept) }
    if word.at >= kept.toldAt { (kept.toldAt, kept.until) = (word.at, word.until) }
    self.kept[launch] = kept
  }

  /// The launches in which more of a session is here than its device counted.
  func uncounted(_ name: SessionFact.Name, here: [String: Int64]) -> [LaunchName] {
    (latest[name] ?? [:]).values.compactMap { word in
      word.told.hasCountedLess(than: here[word.about] ?? 0)
        ? LaunchName(project: name.project, launch: word.about) : nil
    }
  }

  /// What the device has said of a session, all of its launches together; nil when it has said nothing.
  ///
  /// - Parameters:
  ///   - here: events of it that are here, by launch.
  ///   - ledgers: the last of each launch.
  ///   - left: of those of which that is asked (``uncounted(_:here:)``), what they keep.
  func session(
    _ name: SessionFact.Name, here: [String: Int64], ledgers: [LaunchName: Ledger], left: [LaunchName: Int64],
    now: Int64
  ) -> ToldSession? {
    let words = (latest[name] ?? [:]).values.sorted { ($0.told.endedAt, $1.about) > ($1.told.endedAt, $0.about) }
    var whole: ToldSession?
    for word in words.prefix(ToldSession.mostLaunches) {
      let launch = LaunchName(project: name.project, launch: word.about)
      var kept = self.kept[launch]
      let ledger = ledgers[launch]
      if let known = kept, let ledger, let events = ledger.events, ledger.sent >= known.at { kept?.events = events }
      var told = word.told
      told.settle(
        here: here[word.about] ?? 0, isOver: ledger?.isFinal ?? false, kept: (kept?.events, kept?.until),
        left: left[launch], then: (word.kept, word.until), now: now)
      if whole == nil { whole = told } else { whole?.add(told) }
    }
    return whole
  }
}
