import AutoMobileJournal
import AutoMobileSupport
import Foundation

/// Decides what of the journal is sent, where not everything is: looks at what has been recorded since, marks what rules and asks
/// name, and has sessions told in summaries.
///
///     recorder ──▶ Journal ──walk──▶ LaunchEvaluation ──marks──▶ DeliveryWorker ──▶ collector
///                     ▲ note, wanted ranges   │
///                     └───────────────────────┘
///
/// Recording has no part in it. What has been decided of a launch is written beside its records in one step; a process that is killed
/// before looks again, and decides the same.
///
/// `@unchecked Sendable`: what changes is used on the delivery worker's queue only, but for `host` and `published`, which have locks.
final class UploadKeeper: @unchecked Sendable {
  struct Host: Sendable {
    /// Records a summary as an event of this launch; about another one when `launch` is. Whether that is settled: it was recorded, or
    /// it is not to be.
    var record: @Sendable (_ summary: SdkSessionSummaryEvent, _ launch: LaunchID, _ contextId: UInt64?) -> Bool
    /// Whether anything is recorded now.
    var isRecording: @Sendable () -> Bool
  }

  /// When so many marks of a launch wait, rules look at what comes after them when some have been sent: an event of which all of them
  /// want something adds one for each. What goes whatever the rules say may make them a few more.
  static let mostMarks = 1000
  static let mostMarksInAll = 1250
  /// How much of a launch is looked at in one go, in bytes.
  private static let stride = 64 * 1024
  /// After so many milliseconds it is written down how far was looked, also when nothing was found.
  private static let saveInterval: Int64 = 10_000

  let journal: Journal
  let clock: DeliveryClock
  let day: DayLedger
  private(set) var rules: UploadRules?
  private var compiled = CompiledRules([])
  private var asks: [UploadAsk] = []
  private(set) var evaluations: [LaunchID: LaunchEvaluation] = [:]
  private var savedAt: [LaunchID: Int64] = [:]
  /// What was prepared last, when something was left out of it. See ``goes(_:priority:to:)``.
  var replaced: (launch: LaunchID, from: UInt64)?
  /// Who is told what of replays is named. Set before anything is looked at.
  var replay: ReplayStretches?
  let host = Locked<Host?>(nil)
  /// The sessions that go on are to be told as well.
  private(set) var tellsAll = false
  /// To whom it is sent at this moment; nil: nobody knows yet.
  var receiver: String?
  /// Until then there is no network that costs nothing.
  var cheaperAt: Int64 = .min
  private let published = Locked(UploadStatus())

  init(journal: Journal, directory: URL, owner: String, clock: DeliveryClock = .system) {
    self.journal = journal
    self.clock = clock
    day = DayLedger(
      url: directory.appendingPathComponent(DayLedger.fileName(owner: owner), isDirectory: false), wall: clock.wall)
  }

  /// Who records summaries; without one there are none.
  func setHost(_ host: Host?) { self.host.withLock { $0 = host } }

  /// Any thread.
  var status: UploadStatus { published.withLock { $0 } }

  // MARK: On the queue

  var isKeeping: Bool { rules != nil }

  /// From now on this holds, for what has not been looked at yet; asks hold for everything that is there.
  func follow(_ policy: UploadPolicy, asks: [UploadAsk] = [], refused: [String] = []) {
    switch policy {
    case .everything: rules = nil
    case .whenTriggered(let rules): self.rules = rules
    }
    self.asks = rules == nil ? [] : asks
    compiled = CompiledRules(rules?.rules ?? [])
    evaluations.values.forEach { $0.rulesChanged() }
    journal.setKeeping(days: rules.map { Double($0.keepDays) })
    replay?.follow(rules.map { .named(keepDays: $0.keepDays) } ?? .everything)
    if rules == nil { evaluations = [:] }
    published.withLock { status in
      status.isKeeping = rules != nil
      status.rules = compiled.rules.map(\.name)
      status.asks = self.asks.map(\.id)
      status.refused = refused
      if compiled.cutOff > 0 {
        status.refused.append("\(compiled.cutOff) rules after the first \(UploadRules.maximumRules) do not count")
      }
    }
  }

  /// Has the sessions that go on told with the next look.
  func tellSessions() { tellsAll = true }

  /// What was there has been erased.
  func forget() {
    evaluations = [:]
    savedAt = [:]
    day.forget()
    replay?.forget()
  }

  /// Looks at what has come since, in launches that are over and in this one.
  ///
  /// - Parameter earlier: those that are over, oldest first; nil: they are not known yet, and have to wait.
  func look(_ earlier: [LaunchID]?) {
    guard isKeeping else { return }
    if let earlier {
      let known = Set(earlier)
      evaluations = evaluations.filter { known.contains($0.key) || $0.value.isOwn }
      for launch in earlier { evaluate(launch) }
    }
    evaluate(journal.launch)
    if let earlier {
      tellForeign(earlier)
      if tellSessions(earlier) { evaluate(journal.launch) }
      tellsAll = false
    }
    save((earlier ?? []) + [journal.launch])
    if let earlier, !earlier.contains(where: { evaluations[$0]?.isStalled != false }) { replay?.looked() }
    publish()
  }

  /// Nil while nobody knows what was noted of it: to begin anew would be to forget that.
  private func evaluation(of launch: LaunchID) -> LaunchEvaluation? {
    if let known = evaluations[launch] { return known }
    let (bytes, isKnown) = journal.readNote(of: launch)
    guard isKnown else { return nil }
    let note = bytes.flatMap { try? JSONDecoder().decode(LaunchNote.self, from: Data($0)) }
    let evaluation = LaunchEvaluation(launch, isOwn: journal.isOwn(launch), note: note ?? LaunchNote())
    evaluation.capacity = journal.segmentCapacity(of: launch)
    if evaluation.note.evaluated == 0 {
      // What comes is held against the asks as it is looked at.
      evaluation.answered(asks, of: asks)
    } else {
      evaluation.learn(journal.lastRecords(of: [.context], limit: 256, launch: launch))
    }
    evaluations[launch] = evaluation
    return evaluation
  }

  func evaluate(_ launch: LaunchID) {
    guard let evaluation = evaluation(of: launch) else { return }
    answerAsks(evaluation)
    evaluation.endSessions(but: compiled)
    let rules = LaunchEvaluation.Rules(compiled: compiled, asks: asks, allows: day.allows)
    var (isEnd, isHeldUp) = (false, false)
    func look(from position: UInt64) {
      if evaluation.goOn(at: position) {
        evaluation.learn(journal.records(of: [.context], launch: launch, before: position))
      }
      let walked = journal.walk(launch, from: position, maximumBytes: Self.stride) {
        evaluation.look(at: $0, $1, next: $2, $3, rules: rules)
      }
      evaluation.advance(to: walked.next, isHeldUp: walked.isHeldUp)
      (isEnd, isHeldUp) = (walked.isEnd, walked.isHeldUp)
      beginMarks(evaluation)
    }
    while !isEnd, !evaluation.isFull { look(from: evaluation.note.evaluated) }
    // Budgets of a day hold up what rules name, and nothing else.
    while !isEnd, !evaluation.isCrammed { look(from: evaluation.note.counted) }
    evaluation.isCountedToEnd = isEnd && !isHeldUp && !evaluation.isCrammed
    evaluation.isHeldUp = isHeldUp && evaluation.note.evaluated >= evaluation.note.counted
    evaluation.isStalled = !isEnd || isHeldUp || evaluation.note.evaluated < evaluation.note.counted
    if !evaluation.isOwn { evaluation.end() }
  }

  /// Looks for where marks begin: after the last event that is too early.
  private func beginMarks(_ evaluation: LaunchEvaluation) {
    for mark in evaluation.unbegun {
      evaluation.begin(
        mark: mark.mark,
        at: position(of: evaluation.launch, before: mark.trigger, after: mark.after, since: mark.since))
    }
    evaluation.begunAll()
  }

  private func position(of launch: LaunchID, before end: UInt64, after start: UInt64 = 0, since: Int64) -> UInt64 {
    journal.positionAfterLast(of: launch, from: start, before: end) { kind, payload in
      guard kind == .event || kind == .eventAndBreadcrumb,
        // What carries its context in full is about another launch, and has its time.
        ContextReference(in: payload) != nil, let time = EventHead(EventBytes(payload)).endedAt
      else { return false }
      return time < since
    }
  }

  private func answerAsks(_ evaluation: LaunchEvaluation) {
    evaluation.forgetAnswered(but: asks)
    let new = evaluation.unanswered(of: asks)
    guard !new.isEmpty else { return }
    let end = evaluation.note.evaluated
    var position = evaluation.position(of: new)
    if position > 0 { evaluation.learn(journal.records(of: [.context], launch: evaluation.launch, before: position)) }
    evaluation.rewind(to: position)
    var (isEnd, isHeldUp) = (position >= end, false)
    while !isEnd, !isHeldUp, !evaluation.isFull {
      var looked = position
      let walked = journal.walk(evaluation.launch, from: position, maximumBytes: Self.stride) {
        guard $1 < end, !evaluation.isFull else { return }
        evaluation.lookAgain(at: $0, $1, next: $2, $3, asks: new)
        looked = $2
      }
      position = evaluation.isFull ? looked : walked.next
      isHeldUp = walked.isHeldUp
      isEnd = position >= end || walked.isEnd && !isHeldUp && !evaluation.isFull
    }
    evaluation.rewind(to: end)
    if isEnd { evaluation.answered(new, of: asks) } else { evaluation.answered(to: position) }
  }

  /// Marks in earlier launches what later ones tell of them. What was last there, and when, is known when they have been counted.
  private func tellForeign(_ earlier: [LaunchID]) {
    for teller in evaluations.values {
      var later: [LaunchEvaluation.ForeignTrigger] = []
      for told in teller.foreign where earlier.contains(told.launch) {
        guard let evaluation = evaluations[told.launch], evaluation.isCountedToEnd else {
          later.append(told)
          continue
        }
        if let end = told.end {
          evaluation.changeSessions { sessions in
            if let last = sessions.indices.last { sessions[last].noteEnd(end) }
          }
        }
        guard let rule = told.rule else { continue }
        let at = told.at ?? evaluation.note.countedAt
        let since = at.subtractingReportingOverflow(rule.send.beforeMs).partialValue
        // To the end of its launch, as its events.
        evaluation.nameReplay(rule, from: since, to: .max)
        evaluation.add(
          UploadMark(
            name: UploadMark.name(of: rule), from: position(of: told.launch, before: .max, since: since), to: .max,
            until: nil, priority: rule.send.priority, bodies: rule.send.bodies))
      }
      teller.toldForeign(but: later)
    }
  }

  // MARK: Writing down

  func save(_ launches: [LaunchID]) {
    // What rules have applied to is written before what they have marked: the other way round, a killed process would have applied
    // them more often than they may.
    if launches.contains(where: { evaluations[$0]?.isChanged == true }) { day.save() }
    let isReplayNamed = saveReplay()
    for launch in launches {
      // What a launch tells of another one is written there first.
      guard let evaluation = evaluations[launch], evaluation.foreign.isEmpty else { continue }
      if evaluation.isChanged || !evaluation.hasToldWanted {
        journal.setWanted(evaluation.wanted, of: launch)
        evaluation.hasToldWanted = true
      }
      // Else a process that is killed would not find it once more.
      guard isReplayNamed else { continue }
      let isDue = clock.now() >= savedAt[launch, default: .min]
      guard evaluation.isChanged || evaluation.isAdvanced && (isDue || tellsAll) else { continue }
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      guard let note = try? encoder.encode(evaluation.note) else { continue }
      // What could not be written down is tried again when it is due.
      evaluation.isAdvanced = !journal.setNote(Array(note), of: launch)
      evaluation.isChanged = false
      savedAt[launch] = clock.now().addingReportingOverflow(Self.saveInterval).partialValue
    }
  }

  /// Before the notes, too: a process that is killed in between finds the same once more.
  ///
  /// - Returns: false when it could not be written down, and notes have to wait.
  private func saveReplay() -> Bool {
    guard let replay else { return true }
    for evaluation in evaluations.values {
      evaluation.replay.forEach { replay.add($0, in: evaluation.launch.description) }
      evaluation.replay = []
    }
    return replay.save()
  }

  func publish() {
    let marks = evaluations.values.reduce(0) { $0 + $1.note.marks.count }
    let bytes = day.bytes
    published.withLock { status in
      status.marks = marks
      status.bytesToday = bytes
    }
  }
}
