import AutoMobileRecorder
import AutoMobileSupport
import CAutoMobile
import Foundation

/// Hears of hangs as they come and go. Called by the watchdog's thread.
protocol HangReporting: AnyObject, Sendable {
  /// The watch begins: what needs memory when it is done for the first time can be done now.
  func prepare()
  /// The main thread has not answered for as long as makes a hang. Called before anything is known of its stack, and
  /// should not need memory: the main thread may hold the allocator.
  func hangBegan(_ incident: HangIncident, lastedMs: Int64)
  /// There is more to know about it.
  func hangGrew(_ incident: HangIncident, lastedMs: Int64)
  func hangEnded(_ incident: HangIncident, durationMs: Int64)
  /// It was none.
  func hangWithdrawn(_ incident: HangIncident)
}

/// The thread that watches the main thread.
///
/// What it decides is ``HangMachine``'s; it has the clock, the sampler and the sleep. It touches nothing that the main
/// thread waits for, and waits for nothing that the main thread may hold but the allocator, and for that only when the
/// stack has been copied and the main thread goes on.
final class HangWatchdog: Sendable {
  private let probe: MainQueueProbe
  private let sampler: any MainThreadSampling
  private let reporter: any HangReporting
  /// What to watch for now; nil: nothing, because recording is switched off.
  private let settings: @Sendable () -> HangSettings?
  private let alarm = Alarm()
  private let stopped = AtomicWord()

  /// While recording is switched off, it is looked after in this interval whether that still holds, in milliseconds.
  private static let restInterval: Int64 = 1000

  init(
    probe: MainQueueProbe, sampler: any MainThreadSampling, reporter: any HangReporting,
    settings: @escaping @Sendable () -> HangSettings?
  ) {
    self.probe = probe
    self.sampler = sampler
    self.reporter = reporter
    self.settings = settings
  }

  func start() { BackgroundQueue.run { [self] in startThread() } }

  private func startThread() {
    // Retained for as long as the thread runs.
    let watchdog = Unmanaged.passRetained(self)
    // As many characters as Linux takes.
    let code = am_thread_start(
      "AutoMobile hang", AM_THREAD_ATTENTIVE, 512 * 1024,
      { Unmanaged<HangWatchdog>.fromOpaque($0).takeRetainedValue().run() }, watchdog.toOpaque())
    // Without a thread nobody watches.
    if code != 0 { watchdog.release() }
  }

  /// Ends the watch, soon. A hang that has begun is told as long as it has lasted.
  func stop() {
    stopped.store(1)
    alarm.ring()
  }

  /// The main queue has answered at least once.
  var isServed: Bool { probe.answer != nil }

  /// The settings have changed.
  func noteSettings() { alarm.ring() }

  // MARK: On the thread

  private func run() {
    reporter.prepare()
    while stopped.value == 0 {
      if settings() == nil { _ = alarm.sleep(milliseconds: Self.restInterval) } else { watch() }
    }
  }

  /// Watches until it is stopped, or recording is switched off.
  private func watch() {
    var course = Course()
    var idle = IdlePlace()
    var watch: HangWatch?
    while stopped.value == 0, let settings = settings() {
      let now = Clocks.uptimeMilliseconds()
      var current = watch ?? HangWatch(settings: settings, now: now)
      idle.heard(probe.answer)
      let pause = current.turn(
        settings: settings, clock: Clocks.uptimeMilliseconds, counters: Lateness.Counters.now,
        answer: { probe.answer }, isDebugged: am_is_debugged, isIdle: { idle.isIdle(at: IdlePlace.Place(probe.thread)) }
      ) { effect, machine, now in
        if case .ask(let question) = effect { idle.asked(question, at: now, IdlePlace.Place(probe.thread)) }
        perform(effect, since: machine.hangingSince, now, &course)
      }
      watch = current
      _ = alarm.sleep(milliseconds: pause)
    }
    let now = Clocks.uptimeMilliseconds()
    if let effect = watch?.stop(now) { perform(effect, since: nil, now, &course) }
  }

  /// What belongs to the hang that is going on.
  private struct Course {
    /// The name of the next hang: made before, because there may be no memory when it begins.
    var id = UUID().uuidString
    var incident: HangIncident?
    /// How long it had lasted when it was last told.
    var toldAt: Int64 = 0
  }

  private func perform(
    _ effect: HangMachine.Effect, since: Int64?, _ now: Int64, _ course: inout Course
  ) {
    let lasted = since.map { max(0, now &- $0) } ?? 0
    switch effect {
    case .none: break
    case .ask(let question): probe.ask(question)
    case .begin:
      var incident = HangIncident(id: course.id, startedAt: Clocks.millisecondsSince1970() &- lasted)
      reporter.hangBegan(incident, lastedMs: lasted)
      incident.add(sampler.sample(isFirst: true), atMs: lasted)
      reporter.hangGrew(incident, lastedMs: lasted)
      course.incident = incident
      course.toldAt = lasted
    case .sample:
      course.incident?.add(sampler.sample(isFirst: false), atMs: lasted)
      // In steps that grow with the hang, so that what is told is never far from the truth, nor ever much.
      let isANRNow = lasted >= HangSettings.anrThreshold && course.toldAt < HangSettings.anrThreshold
      if let incident = course.incident, isANRNow || lasted >= course.toldAt &+ course.toldAt / 4 {
        reporter.hangGrew(incident, lastedMs: lasted)
        course.toldAt = lasted
      }
    case .end(let duration):
      let incident =
        course.incident
        ?? HangIncident(id: course.id, startedAt: Clocks.millisecondsSince1970() &- duration)
      course = Course()
      reporter.hangEnded(incident, durationMs: duration)
      sampler.finish()
    case .withdraw:
      if let incident = course.incident { reporter.hangWithdrawn(incident) }
      course = Course()
      sampler.finish()
    }
  }
}
