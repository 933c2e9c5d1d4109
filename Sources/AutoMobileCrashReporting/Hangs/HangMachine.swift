/// Decides when the main thread hangs, from answers and a clock: the whole of the watchdog but for its effects.
///
/// It asks the main queue a question in every interval. A question that is not answered within the threshold is a hang,
/// which lasts until it is answered. While the main thread is seen to wait for work, three of four questions are spared. Times are milliseconds of a clock that stands still while the device sleeps, and
/// may begin anywhere.
struct HangMachine: Sendable {
  /// What is to be done now. After that, ``wakeTime`` says when to step again.
  enum Effect: Equatable, Sendable {
    case none
    /// Put the question of this number to the main queue.
    case ask(UInt64)
    /// A hang has begun: take its first sample.
    case begin
    /// Take another sample.
    case sample
    /// The hang is over. Its beginning was not told when it ended in the moment in which it became one.
    case end(duration: Int64)
    /// It was no hang: a debugger holds the process.
    case withdraw
  }

  /// The main queue's answer to a question.
  struct Answer: Equatable, Sendable {
    var question: UInt64
    var time: Int64
  }

  private enum State: Equatable {
    case resting(until: Int64)
    /// A question is open.
    case waiting(since: Int64)
    case hanging(since: Int64, nextSample: Int64, sampleInterval: Int64)
    /// A debugger was there while the question was open: its answer means nothing.
    case ignoring
  }

  var settings: HangSettings
  private var state: State
  /// The number of the last question.
  private var question: UInt64 = 0
  /// The main queue has answered, so there is somebody who serves it.
  private var isServed: Bool
  /// When to step again.
  private(set) var wakeTime: Int64
  /// When the last step was.
  private var lastStep: Int64
  private var samplesTaken = 0
  /// Questions in a row that were not put, because the main thread was seen to wait for work.
  private var spared = 0

  init(settings: HangSettings, now: Int64) {
    self.settings = settings
    state = .resting(until: now)
    isServed = settings.isServed
    wakeTime = now
    lastStep = now
  }

  /// Since when the main thread hangs; nil when it does not.
  var hangingSince: Int64? {
    if case .hanging(let since, _, _) = state { return since }
    return nil
  }

  /// - Parameters:
  ///   - now: read before `answer` was.
  ///   - late: how much later than ``wakeTime`` this is, in as far as nothing was being done and the process was stopped.
  ///   - starved: how much later because there was no core.
  ///   - answer: the last answer of the main queue.
  ///   - isDebugged: asked only where it matters.
  ///   - isIdle: whether the main thread waits for work, as far as can be seen from outside; asked before a question is put.
  mutating func step(
    _ now: Int64, late: Int64, starved: Int64 = 0, answer: Answer?, isDebugged: @autoclosure () -> Bool,
    isIdle: @autoclosure () -> Bool = false
  ) -> Effect {
    let answered = answer.flatMap { $0.question == question ? $0.time : nil }
    if late > settings.lateness { forgive(now, late: late, answered: answered) }
    let effect = advance(now, starved, answered, isDebugged, isIdle)
    wakeTime = nextLook(now)
    lastStep = now
    return effect
  }

  /// Nobody watches any more: what has lasted until now is told.
  mutating func stop(_ now: Int64) -> Effect {
    defer { state = .resting(until: now) }
    return hangingSince.map { .end(duration: max(0, now &- $0)) } ?? .none
  }

  private mutating func advance(
    _ now: Int64, _ starved: Int64, _ answered: Int64?, _ isDebugged: () -> Bool, _ isIdle: () -> Bool
  ) -> Effect {
    switch state {
    case .resting: return askIfDue(now, starved, isIdle)
    case .waiting(let since):
      let duration = (answered ?? now) &- since
      guard isServed || answered != nil else { return .none }
      let isHang = isServed && duration >= settings.threshold
      if answered != nil {
        isServed = true
        state = .resting(until: since &+ settings.interval)
        return isHang && !isDebugged() ? .end(duration: duration) : askIfDue(now, 0, isIdle)
      }
      guard isHang else { return .none }
      guard !isDebugged() else {
        state = .ignoring
        return .none
      }
      samplesTaken = 1
      let interval = max(10, settings.interval / 5)
      state = hanging(since, now, sampleInterval: interval)
      return .begin
    case .hanging(let since, let nextSample, let sampleInterval):
      if isDebugged() {
        state = answered == nil ? .ignoring : .resting(until: now)
        return .withdraw
      }
      if let answered {
        state = .resting(until: now)
        return .end(duration: max(0, answered &- since))
      }
      guard now >= nextSample else { return .none }
      samplesTaken += 1
      // Ten in quick succession show where the time goes; a freeze of minutes needs no thousands.
      let interval = samplesTaken <= 10 ? sampleInterval : min(sampleInterval &* 2, Self.longestSampleInterval)
      state = hanging(since, now, sampleInterval: interval)
      return .sample
    case .ignoring:
      if answered != nil { state = .resting(until: now &+ settings.interval) }
      return .none
    }
  }

  private mutating func askIfDue(_ now: Int64, _ starved: Int64, _ isIdle: () -> Bool) -> Effect {
    guard case .resting(let until) = state, now >= until else { return .none }
    if isServed, spared < Self.mostSpared, isIdle() {
      spared += 1
      state = .resting(until: now &+ settings.interval)
      return .none
    }
    spared = 0
    question &+= 1
    // A question that comes late for want of a core counts from when it was due, by an interval at most: else the main thread could
    // hang for longer than threshold and interval together, and nobody would tell.
    state = .waiting(since: max(until, now &- min(max(0, starved), settings.interval)))
    return .ask(question)
  }

  /// What can be seen from outside may deceive.
  private static let mostSpared = 3

  private static let longestSampleInterval: Int64 = 10_000

  /// A hang whose next sample comes after an interval, or when it becomes one that people give up at.
  private func hanging(_ since: Int64, _ now: Int64, sampleInterval: Int64) -> State {
    let next = now &+ sampleInterval
    let anr = since &+ HangSettings.anrThreshold
    return .hanging(since: since, nextSample: anr > now ? min(next, anr) : next, sampleInterval: sampleInterval)
  }

  private func nextLook(_ now: Int64) -> Int64 {
    switch state {
    case .resting(let until): return until
    case .waiting(let since):
      let threshold = since &+ settings.threshold
      return isServed && threshold > now ? min(threshold, now &+ settings.interval) : now &+ settings.interval
    case .hanging(_, let nextSample, _): return max(now, min(nextSample, now &+ settings.interval))
    case .ignoring: return now &+ settings.interval
    }
  }

  /// The process was stopped at some time after the last step. The main thread is not blamed for any of the time since,
  /// and gets a chance to answer before its question counts as a hang.
  private mutating func forgive(_ now: Int64, late: Int64, answered: Int64?) {
    if let answered, answered < now &- late { return }
    let forgiven = max(0, (answered ?? now) &- lastStep)
    switch state {
    case .resting, .ignoring: break
    case .waiting(let since):
      let chance = now &- max(0, settings.threshold &- settings.interval)
      state = .waiting(since: max(since &+ forgiven, answered == nil ? chance : since))
    case .hanging(let since, let nextSample, let interval):
      state = .hanging(since: since &+ forgiven, nextSample: nextSample, sampleInterval: interval)
    }
  }
}
