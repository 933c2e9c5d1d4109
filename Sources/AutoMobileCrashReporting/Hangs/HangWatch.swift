/// One turn of the watchdog after the other: the machine, and when its thread sleeps for how long.
struct HangWatch {
  private(set) var machine: HangMachine
  /// When the thread should be awake again.
  private var planned: Int64
  private var asleep: Int64 = 0
  private var lateness = Lateness()

  init(settings: HangSettings, now: Int64) {
    machine = HangMachine(settings: settings, now: now)
    planned = now
  }

  /// Looks, does what is to be done, and says how long to sleep, in milliseconds.
  ///
  /// - Parameters:
  ///   - clock: in milliseconds; stands still while the device sleeps.
  ///   - counters: what the system counts about this thread and the process.
  ///   - perform: told what to do, and at what time.
  mutating func turn(
    settings: HangSettings, clock: () -> Int64, counters: () -> Lateness.Counters, answer: () -> HangMachine.Answer?,
    isDebugged: () -> Bool, isIdle: () -> Bool = { false },
    perform: (HangMachine.Effect, _ machine: HangMachine, _ now: Int64) -> Void
  ) -> Int64 {
    machine.settings = settings
    let now = clock()
    let late = max(0, now &- planned)
    let stopped = lateness.stopped(late: late, asleep: asleep, counters())
    let effect = machine.step(
      now, late: stopped, starved: late &- stopped, answer: answer(), isDebugged: isDebugged(), isIdle: isIdle())
    perform(effect, machine, now)
    let after = clock()
    switch effect {
    // Done in no time: what is missing, the process was stopped for.
    case .none, .ask: planned = machine.wakeTime
    case .begin, .sample, .end, .withdraw: planned = max(machine.wakeTime, after)
    }
    asleep = max(0, planned &- after)
    return asleep
  }

  /// Ends the watch.
  mutating func stop(_ now: Int64) -> HangMachine.Effect { machine.stop(now) }
}
