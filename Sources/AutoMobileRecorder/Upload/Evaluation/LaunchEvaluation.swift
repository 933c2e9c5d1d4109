import AutoMobileJournal
import AutoMobileSupport

/// Looks at the records of one launch, in their order: which rules apply, what is to be sent, and what its sessions were like.
///
/// The delivery worker's queue. It reads nothing by itself: whoever walks through the journal hands it the records.
final class LaunchEvaluation {
  let launch: LaunchID
  let isOwn: Bool
  var note: LaunchNote
  /// Marks, or what is said of them, have changed since the note was last written down.
  var isChanged = false
  /// The journal knows what is wanted of it.
  var hasToldWanted = false
  /// Only how far it has been looked at has changed, and the tallies.
  var isAdvanced = false
  private var contexts: [UInt64: EventContext] = [:]
  private var asksOfContext: [UInt64: [Int]] = [:]
  private(set) var unbegun: [Unbegun] = []
  /// What happened in other launches.
  private(set) var foreign: [ForeignTrigger] = []
  /// What of replays has been named since it was last taken.
  var replay: [ReplayStretch.Change] = []
  /// Where the event before ended.
  private var lastEnd: UInt64 = 0
  /// Where the one before ended that is of a session, of those that are looked at again.
  private var lastAgain: UInt64 = 0
  /// How many bytes of positions a segment has: see `Journal.segmentCapacity(of:)`.
  var capacity: UInt64 = .max
  /// The last position that was looked at, or looked at again: with it, a segment that is missing is known.
  private var lastSeen: UInt64 = 0
  /// What is looked at has been before.
  private(set) var isAgain = false
  /// What is looked at next is expected there.
  private var cursor: UInt64 = 0

  /// Of the event that is looked at.
  private let places = MemberPlaces()

  /// How many contexts are remembered.
  private static let mostContexts = 512

  init(_ launch: LaunchID, isOwn: Bool, note: LaunchNote) {
    self.launch = launch
    self.isOwn = isOwn
    self.note = note
    (lastEnd, lastSeen, cursor) = (note.counted, note.counted.subtracting(saturating: 1), note.counted)
  }

  /// Contexts that stand before the first record which will be looked at.
  func learn(_ records: [JournalRecord]) {
    for record in records { record.payload.withUnsafeBytes { learnContext($0) } }
  }

  private func learnContext(_ payload: UnsafeRawBufferPointer) {
    guard let (id, context) = EventContext.read(payload) else { return }
    if contexts.count >= Self.mostContexts, contexts[id] == nil, let oldest = contexts.keys.min() {
      contexts[oldest] = nil
      asksOfContext[oldest] = nil
    }
    contexts[id] = context
    asksOfContext[id] = nil
  }

  /// Other rules, or other asks, from here on.
  func rulesChanged() { asksOfContext = [:] }

  // MARK: Records

  /// Looks at a record. Everything before `next` counts as looked at then; while as many marks wait as may, it is only counted.
  func look(
    at kind: RecordKind, _ position: UInt64, next: UInt64, _ payload: UnsafeRawBufferPointer, rules: Rules
  ) {
    let isRuled = position >= note.evaluated && !isFull
    let isCounted = position >= note.counted && !isCrammed
    if isCounted, !isRuled, note.countedAhead <= note.evaluated { note.met = note.sessions.map(\.session) }
    let isAfterGap = isAfterGap(position, next)
    if isAfterGap { lastEnd = position }
    if isAfterGap, isRuled { note.lastOfSession = position }
    if kind == .context { learnContext(payload) }
    if kind == .state, isCounted { note.add(SessionMemory(state: payload)) }
    if isRuled || isCounted, kind == .event || kind == .eventAndBreadcrumb {
      let event = EventBytes(payload, remembering: places)
      look(at: event, ContextReference(in: payload)?.id, position, next, isCounted, isRuled ? rules : nil)
      lastEnd = next
    }
    if isRuled { note.evaluated = max(note.evaluated, next) }
    if isCounted { note.countedAhead = max(note.countedAhead, next) }
    isAdvanced = isAdvanced || isRuled || isCounted
    cursor = next
  }

  /// - Parameter rules: nil: it is only counted.
  private func look(
    at event: EventBytes, _ context: UInt64?, _ position: UInt64, _ next: UInt64, _ isCounted: Bool, _ rules: Rules?
  ) {
    let head = EventHead(event)
    // An event with its context in full may be about another launch.
    let other = context == nil ? otherLaunch(event) : nil
    if isCounted, Self.alwaysSent.contains(head.type) {
      mark(UploadMark.everyones, position, next, UploadMark.highestPriority)
    }
    if head.type == EventTypeNumber.of(.sessionSummary) {
      // What is told of sessions is in none of them; and it may name its context in full, like what is about another launch.
      if isCounted, context != nil { noteTold(event, position) }
      if rules != nil, let time = head.endedAt { endMarks(at: position, time) }
      return
    }
    if let other { return tell(of: other, head, event, position, isCounted, rules) }
    let session = context.flatMap { contexts[$0]?.sessionId } ?? "launch:" + launch.description
    if let rules {
      meet(session, position, head, rules, isAhead: !isCounted)
      if let time = head.endedAt {
        endMarks(at: position, time)
        note.lastAt = time
      }
      rules.compiled.match(event, type: head.type) { index in
        apply(rules.compiled.rules[index], position, head, event, rules)
      }
      if let context { answer(rules.asks, context, position, next, head) }
      note.lastOfSession = next
    }
    guard isCounted else { return }
    count(event, head, in: session, context)
    noteEnd(event, head)
  }

  /// How far has been looked at.
  ///
  /// - Parameter isHeldUp: what comes next cannot be read now, nor, perhaps, what stands before it.
  func advance(to position: UInt64, isHeldUp: Bool) {
    cursor = isHeldUp ? .max : position
    let before = (note.evaluated, note.countedAhead)
    if !isFull { note.evaluated = max(note.evaluated, position) }
    if !isCrammed { note.countedAhead = max(note.countedAhead, position) }
    if before != (note.evaluated, note.countedAhead) { isAdvanced = true }
  }

  /// What is looked at next stands there.
  ///
  /// - Returns: whether that is somewhere else than expected, and contexts before it may not be known.
  func goOn(at position: UInt64) -> Bool {
    guard position != cursor else { return false }
    (lastEnd, lastSeen, cursor) = (position, position.subtracting(saturating: 1), position)
    return true
  }

  private static let alwaysSent: Set<Int> = [
    EventTypeNumber.of(.crash), EventTypeNumber.of(.handledException), EventTypeNumber.of(.hang),
    EventTypeNumber.of(.sessionSummary),
  ]
  private static let ofLaunch = Array("ofLaunch".utf8)

  private func otherLaunch(_ event: EventBytes) -> LaunchID? {
    guard let place = event.member(Self.ofLaunch),
      let named = event.withText(place, { LaunchID(String(decoding: $0, as: UTF8.self)) }) ?? nil, named != launch
    else { return nil }
    return named
  }

  private func tell(
    of other: LaunchID, _ head: EventHead, _ event: EventBytes, _ position: UInt64, _ isCounted: Bool, _ rules: Rules?
  ) {
    if isCounted, head.type == EventTypeNumber.of(.crash) {
      foreign.append(ForeignTrigger(launch: other, at: head.timestamp, end: .crash))
    }
    guard let rules else { return }
    rules.compiled.match(event, type: head.type) { index in
      let rule = rules.compiled.rules[index]
      guard rules.allows(rule, launch, position) else { return }
      foreign.append(ForeignTrigger(launch: other, rule: rule, at: head.timestamp))
    }
  }

  /// What is recorded of how an earlier launch ended.
  private func noteEnd(_ event: EventBytes, _ head: EventHead) {
    guard head.type == EventTypeNumber.of(.lifecycle), let ended = EndedLaunch(event), ended.launch != launch else {
      return
    }
    foreign.append(ForeignTrigger(launch: ended.launch, end: SessionTally.End(ended.verdict)))
  }

  private func apply(_ rule: UploadRule, _ position: UInt64, _ head: EventHead, _ event: EventBytes, _ rules: Rules) {
    if case .unexpectedEnd = rule.when, let ended = EndedLaunch(event), ended.launch != launch {
      guard rules.allows(rule, launch, position) else { return }
      return foreign.append(ForeignTrigger(launch: ended.launch, rule: rule))
    }
    let timestamp = head.timestamp ?? 0
    let until = (head.endedAt ?? timestamp).addingReportingOverflow(rule.send.afterMs).partialValue
    let name = UploadMark.name(of: rule)
    let since = timestamp.subtractingReportingOverflow(rule.send.beforeMs).partialValue
    // In the middle of what it has marked before: that goes on for longer. Unless the rule says something else of bodies since.
    let bodies = rule.send.bodies
    if let open = note.marks.firstIndex(where: { $0.name == name && $0.to == nil && $0.bodies == bodies }) {
      note.marks[open].until = note.marks[open].until.map { max($0, until) }
      nameReplay(rule, from: timestamp, to: until)
      isChanged = true
      return
    }
    guard rules.allows(rule, launch, position) else { return }
    // What it has marked without bodies before it wanted them is marked once more.
    let before = note.marks.last { $0.name == name && $0.bodies == bodies }?.to ?? 0
    note.marks.append(
      UploadMark(name: name, from: position, to: nil, until: until, priority: rule.send.priority, bodies: bodies))
    unbegun.append(
      Unbegun(mark: note.marks.count - 1, since: since, trigger: position, after: min(before, position)))
    nameReplay(rule, from: since, to: until)
    isChanged = true
  }

  /// Marks a single event, or makes the mark before it longer.
  private func mark(_ name: String, _ position: UInt64, _ next: UInt64, _ priority: Int) {
    isChanged = true
    if let before = note.marks.lastIndex(where: { $0.name == name }), note.marks[before].to == lastEnd,
      lastEnd <= position, note.marks[before].from < lastEnd
    {
      note.marks[before].to = next
    } else {
      note.marks.append(UploadMark(name: name, from: position, to: next, until: nil, priority: priority))
    }
  }

  // MARK: Asks

  private func answer(_ asks: [UploadAsk], _ context: UInt64, _ position: UInt64, _ next: UInt64, _ head: EventHead) {
    guard !asks.isEmpty else { return }
    let about: [Int]
    if let known = asksOfContext[context] {
      about = known
    } else {
      about = contexts[context].map { named in asks.indices.filter { asks[$0].isAbout(named) } } ?? []
      asksOfContext[context] = about
    }
    for index in about { mark(for: asks[index], position, next, head, after: note.lastOfSession) }
  }

  /// Marks an event whose context an ask is about, if its time is one that the ask names.
  ///
  /// - Parameter last: where the one before it ended that is of a session.
  private func mark(for ask: UploadAsk, _ position: UInt64, _ next: UInt64, _ head: EventHead, after last: UInt64) {
    guard let began = head.timestamp, began <= ask.to, head.endedAt ?? began >= ask.from else { return }
    mark(UploadMark.name(of: ask), position, next, ask.priority)
    // What is told of sessions is in none of them.
    guard head.type != EventTypeNumber.of(.sessionSummary) else { return }
    // Recorded when it was over: what was on the screen before that may be somebody else's, or of a time that nobody asked for.
    nameReplay(ask, at: min(max(head.endedAt ?? began, ask.from), ask.to), next: next, after: last)
  }

  /// Asks that came after a part of the launch had been looked at.
  func unanswered(of asks: [UploadAsk]) -> [UploadAsk] { asks.filter { !note.asked.contains($0.key) } }

  /// Looks once more at a record that has been looked at, for the sake of new asks only.
  func lookAgain(
    at kind: RecordKind, _ position: UInt64, next: UInt64, _ payload: UnsafeRawBufferPointer, asks: [UploadAsk]
  ) {
    if isAfterGap(position, next) { (lastEnd, lastAgain) = (position, position) }
    if kind == .context { learnContext(payload) }
    guard kind == .event || kind == .eventAndBreadcrumb else { return }
    isAgain = true
    defer { isAgain = false }
    let event = EventBytes(payload)
    let head = EventHead(event)
    let reference = ContextReference(in: payload)?.id
    if head.type != EventTypeNumber.of(.sessionSummary), reference != nil || otherLaunch(event) == nil {
      followClockAgain(head)
    }
    if let context = reference {
      if let named = contexts[context] {
        for ask in asks where ask.isAbout(named) { mark(for: ask, position, next, head, after: lastAgain) }
      }
      if head.type != EventTypeNumber.of(.sessionSummary) { lastAgain = next }
    }
    lastEnd = next
  }

  /// Goes back to the beginning for ``lookAgain(at:_:next:_:asks:)``, or to where it was.
  func rewind(to position: UInt64) {
    _ = goOn(at: position)
    guard position == 0 else { return }
    lastAgain = 0
    note.askClock = ClockTurns()
  }

  /// Whether a whole segment is missing before a record: nobody knows whose events stood there, so that nothing goes on over it.
  private func isAfterGap(_ position: UInt64, _ next: UInt64) -> Bool {
    defer { lastSeen = next.subtracting(saturating: 1) }
    let capacity = max(1, capacity)
    return position / capacity > (lastSeen / capacity).adding(saturating: 1)
  }

  /// Where to go on with asks that have been answered in part; other ones begin at the beginning.
  func position(of asks: [UploadAsk]) -> UInt64 {
    let keys = asks.map(\.key)
    if note.asking != keys { (note.asking, note.askedTo) = (keys, 0) }
    return note.askedTo
  }

  /// Everything before a position has been held against some asks.
  func answered(to position: UInt64) {
    note.askedTo = position
    isChanged = true
  }

  func answered(_ asks: [UploadAsk], of all: [UploadAsk]) {
    forgetAnswered(but: all)
    note.asked += asks.map(\.key)
    (note.asking, note.askedTo) = ([], 0)
    isChanged = true
  }

  /// Forgets that other asks were answered: what comes now is not held against them. One that comes again begins at the beginning.
  func forgetAnswered(but asks: [UploadAsk]) {
    guard !note.asked.isEmpty || !note.asking.isEmpty || !note.runs.isEmpty else { return }
    let (keys, names) = (Set(asks.map(\.key)), Set(asks.map { UploadMark.name(of: $0) }))
    // Those that are left begin at the beginning, too: what is marked already is not marked twice.
    if note.asking.contains(where: { !keys.contains($0) }) {
      (note.asking, note.askedTo, isChanged) = ([], 0, true)
    }
    let before = (note.asked.count, note.runs.count)
    note.asked.removeAll { !keys.contains($0) }
    note.runs.removeAll { !names.contains($0.name) }
    if before != (note.asked.count, note.runs.count) { isChanged = true }
  }

  // MARK: Marks

  func begunAll() { unbegun = [] }
  func toldForeign(but rest: [ForeignTrigger]) { foreign = rest }

  /// There is more to be looked at, which has to wait until some of the marks are gone, or it can be read.
  var isStalled = false {
    didSet { if isStalled != oldValue { hasToldWanted = false } }
  }
  /// What comes next cannot be read now, however few marks there are.
  var isHeldUp = false
  /// All that there is has been counted.
  var isCountedToEnd = false
}
