import AutoMobileState
import Foundation
import Logging
import NIOConcurrencyHelpers

/// Looks at the index for the rules: a moment after something was indexed, and by the clock; on a thread of its own.
///
/// Looking is reading; one short transaction writes what came of it. However busy the collector is, looking takes a twentieth of
/// one core at most: after a look it rests for nineteen times as long as that took. Of several collectors one looks.
final class AlertWatch: Sendable {
  /// What it has cost since the collector started.
  struct Report: Sendable {
    var looks: Int64 = 0
    var seconds = 0.0
    var longest = 0.0
    var lastLook: Int64?
    var problem: String?
  }

  private let reading: any AlertReading
  private let state: any StateStore
  private let turn: WorkTurn
  /// Nil: how far rules have looked stands with them, in the state.
  private let cursors: AlertCursors?
  private let logger: Logger
  /// By a clock that nobody sets.
  private let started = ContinuousClock.now
  private let now: @Sendable () -> Int64
  private let onTold: @Sendable ([Alert]) -> Void
  private let worker: BackgroundWorker
  private let current = NIOLockedValueBox(Report())
  /// When rules that go by the clock were looked at last.
  private let clock = NIOLockedValueBox<Int64>(0)

  /// Shares and silence change slowly; in milliseconds.
  private static let clockInterval: Int64 = 20_000
  /// After a commit, others mostly follow.
  private static let rest = 0.5

  /// - Parameters:
  ///   - state: the rules, and what is told; by default where the index is.
  ///   - reading: what the rules are about; by default in the index.
  ///   - cursors: how far rules have looked, where reports are this collector's own and rules are not.
  ///   - onTold: called on the thread, after what is told has been written down.
  init(
    store: EventStore, state: (any StateStore)? = nil, reading: (any AlertReading)? = nil,
    cursors: AlertCursors? = nil, logger: Logger,
    now: @escaping @Sendable () -> Int64 = { WallClock.now },
    onTold: @escaping @Sendable ([Alert]) -> Void
  ) {
    (self.logger, self.now, self.onTold) = (logger, now, onTold)
    self.reading = reading ?? SQLiteAlerts(store: store)
    let state = state ?? store.state
    self.state = state
    self.cursors = cursors
    turn = WorkTurn(StateWork("alerts"), in: state)
    worker = BackgroundWorker(every: 20)
  }

  func start() {
    worker.start("alerts") { [self] in
      guard isOurs() else { return }
      let begun = Self.work()
      let isPartial = look()
      let took = max(Self.work() - begun, 0)
      guard worker.pause(max(Self.rest, took * 19)) else { return }
      if isPartial { worker.wake() }
    }
  }

  /// Whether this collector is the one of several that looks.
  private func isOurs() -> Bool {
    do {
      return try turn.takeNow { try cursors?.begin() } != nil
    } catch {
      logger.error("alert rules cannot be looked at; trying later", metadata: ["error": "\(error)"])
      return false
    }
  }

  /// Seconds that this thread worked. Not by the clock: on a machine that is busy with something else, a look takes long, and
  /// costs as much as ever.
  private static func work() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  var report: Report { current.withLockedValue { $0 } }

  /// Something was indexed, or a rule has changed.
  func wake() { worker.wake() }

  func stop() {
    worker.stop()
    turn.end()
  }

  /// One look at everything; true when there is more right now.
  @discardableResult
  func look() -> Bool {
    let begun = Date()
    var isPartial = false
    do {
      let all = try state.readNow { try AlertStore.rules(in: $0) }
      let rules = all.filter(\.settings.enabled)
      guard !rules.isEmpty else { return false }
      let present = now()
      let isTime = clock.withLockedValue { last in
        guard !(0..<Self.clockInterval).contains(present - last) else { return false }
        last = present
        return true
      }
      var problem: String?
      for rule in rules where rule.kind.isOfReports || isTime {
        // Each may take as long as a question does.
        guard !worker.mustEnd else { break }
        do {
          isPartial = try look(rule, isTime: isTime) || isPartial
        } catch {
          // One that cannot be looked at keeps no other from being.
          problem = "\(rule.name): \(error)"
          logger.error(
            "an alert rule cannot be looked at; trying later", metadata: ["rule": "\(rule.id)", "error": "\(error)"])
        }
      }
      if isTime {
        try state.writeNow { try AlertOutbox.forget(in: $0) }
        try cursors?.forget(except: all.map(\.id))
      }
      note(begun, problem: problem)
    } catch {
      logger.error("alert rules cannot be looked at; trying later", metadata: ["error": "\(error)"])
      note(begun, problem: "\(error)")
    }
    return isPartial
  }

  /// A rule that changed meanwhile is looked at by the next look.
  private func look(_ rule: AlertRule, isTime: Bool) throws -> Bool {
    let present = now()
    let running = (ContinuousClock.now - started).components.seconds * 1000
    let context = try state.readNow { state in
      var context = AlertLook.Context(
        now: present, startedAt: present - running, firing: try AlertDecision.firing(of: rule, in: state))
      if rule.kind == .regression { context.regressions = try AlertLook.regressions(after: rule.cursor, in: state) }
      return context
    }
    let cursors = rule.kind.isOfIndex ? cursors : nil
    var looking = rule
    if let cursors { looking.cursor = try cursors.cursor(of: rule) }
    let look =
      rule.kind == .ask
      ? try state.readNow { try AlertLook(asks: rule, in: $0) }
      : try reading.look(looking, context)
    // What waits for the symbolizer moves nothing yet, and is there a moment later.
    guard isTime || look.cursor != looking.cursor || !look.findings.isEmpty else { return look.isPartial }
    let told = try state.writeNow { state -> [Alert]? in
      guard let known = try AlertStore.rule(rule.id, in: state.reading), known == rule else { return nil }
      if isTime { try AlertDecision.forget(rule, at: present, in: state) }
      // Whoever has been erased since it was looked is not told of: what is asked for has their name.
      let found = rule.kind == .ask ? try AlertLook(asks: rule, in: state.reading) : look
      return try AlertDecision.decide(found, rule, isOnce: cursors != nil, at: present, in: state)
    }
    if told != nil, look.cursor != looking.cursor { try cursors?.move(rule, to: look.cursor) }
    // Also when nobody is told of anything: there may be an end for those who wait for one.
    onTold(told ?? [])
    return look.isPartial
  }

  private func note(_ begun: Date, problem: String?) {
    let took = Date().timeIntervalSince(begun)
    current.withLockedValue {
      $0.looks += 1
      $0.seconds += took
      $0.longest = max($0.longest, took)
      $0.lastLook = now()
      $0.problem = problem
    }
  }
}

extension AlertRule.Kind {
  /// Whether it has to be looked at whenever reports came.
  var isOfReports: Bool { isMoment || self == .issueRate }
  /// Whether its cursor is one of reports: of the others it is of what the state has noted, or none.
  var isOfIndex: Bool { self == .newIssue || self == .issueRate }
}
