import Testing

@testable import AutoMobileCrashReporting

/// A process with a main thread, a watchdog and a clock, of which every millisecond is made up.
struct HangWorld {
  enum Told: Equatable {
    case began(at: Int64)
    case ended(duration: Int64)
    case withdrawn
  }

  private(set) var told: [Told] = []
  private(set) var questions = 0
  private(set) var sampleTimes: [Int64] = []
  var samples: Int { sampleTimes.count }

  private let settings: HangSettings
  private var watch: HangWatch
  private var time: Int64 = 0
  private var wake: Int64 = 0
  private var asked: (question: UInt64, time: Int64)?
  /// When the main thread does not answer, by the clock.
  private var blocked: [Range<Int64>] = []
  /// When nothing of the process runs.
  private var stopped: [Range<Int64>] = []
  private var debugged: [Range<Int64>] = []
  private var ends: [(at: Int64, duration: Int64)] = []
  /// For how long the watchdog's thread finds no core each time that it is to wake up.
  var starvation: Int64 = 0
  private var waited: Int64 = 0
  private var counters: Lateness.Counters { .init(waited: waited * 1_000_000, ran: -1) }
  /// From outside it can be seen whether the main thread waits for work.
  private let seesIdle: Bool

  init(isServed: Bool = true, settings: HangSettings = HangSettings(), seesIdle: Bool = false) {
    self.seesIdle = seesIdle
    var settings = settings
    settings.isServed = isServed
    self.settings = settings
    watch = HangWatch(settings: settings, now: 0)
  }

  mutating func block(from start: Int64, for length: Int64) { blocked.append(start..<start + length) }
  mutating func stop(from start: Int64, for length: Int64) { stopped.append(start..<start + length) }
  mutating func debug(from start: Int64, for length: Int64) { debugged.append(start..<start + length) }

  mutating func run(for length: Int64) {
    let end = time + length
    while wake <= end {
      time = max(time, awake(wake))
      turn()
    }
    time = end
  }

  mutating func endWatch() {
    note(watch.stop(time), time)
  }

  private mutating func turn() {
    var effects: [HangMachine.Effect] = []
    let time = time
    let answer = answer()
    let isDebugged = debugged.contains { $0.contains(time) }
    let counters = counters
    let isIdle = seesIdle && !blocked.contains { $0.contains(time) }
    let pause = watch.turn(
      settings: settings, clock: { time }, counters: { counters }, answer: { answer }, isDebugged: { isDebugged },
      isIdle: { isIdle }
    ) { effect, _, _ in effects.append(effect) }
    effects.forEach { note($0, time) }
    // Nothing takes no time at all, and no thread wakes up early.
    wake = time + max(pause, effects == [.none] ? 1 : 0)
    // A busy machine has other things to do when it is time.
    waited += starvation
    wake += starvation
  }

  private mutating func note(_ effect: HangMachine.Effect, _ time: Int64) {
    switch effect {
    case .none: break
    case .ask(let question):
      asked = (question, time)
      questions += 1
    case .begin:
      told.append(.began(at: time))
      sampleTimes.append(time)
    case .sample: sampleTimes.append(time)
    case .end(let duration):
      told.append(.ended(duration: duration))
      ends.append((time, duration))
    case .withdraw: told.append(.withdrawn)
    }
  }

  /// The answer to the last question, when there is one by now.
  private func answer() -> HangMachine.Answer? {
    guard let asked else { return nil }
    var at = asked.time
    // Blocked and stopped times may lie one behind the other.
    while let obstacle = (blocked + stopped).first(where: { $0.contains(at) }) { at = obstacle.upperBound }
    return at <= time ? HangMachine.Answer(question: asked.question, time: at) : nil
  }

  private func awake(_ time: Int64) -> Int64 { stopped.first { $0.contains(time) }?.upperBound ?? time }

  /// Compares what was told with what was so.
  func expectTruth() {
    for block in blocked {
      let stops = stopped.filter { $0.overlaps(block) }
      let running = Int64(block.count) - stops.reduce(0) { $0 + Int64($1.clamped(to: block).count) }
      let isDebugged = debugged.contains { $0.overlaps(block) }
      let ends = ends.filter { block.lowerBound < $0.at && $0.at < block.upperBound + 32_000 }
      // A stop that falls into a sleep of the watchdog is not noticed, and counts as the main thread's time; of one that
      // is noticed, what lies around it does not count.
      let blur = stops.isEmpty ? 0 : settings.interval + settings.lateness
      if running >= settings.threshold + settings.interval + 3 * blur, !isDebugged {
        #expect(ends.count == 1, "\(block) runs \(running) ms")
      }
      if running < settings.threshold - blur {
        #expect(ends.isEmpty, "\(block) runs \(running) ms only")
      }
      #expect(ends.count <= 1)
      for end in ends {
        #expect(end.duration <= running + blur)
        if stops.isEmpty { #expect(end.duration >= running - settings.interval) }
      }
    }
    // No hang without a block.
    for end in ends {
      #expect(blocked.contains { $0.lowerBound < end.at && end.at < $0.upperBound + 32_000 })
    }
  }
}
