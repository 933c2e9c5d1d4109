import AutoMobileRecorder
import Foundation

/// Timers on the main run loop: one that goes on while somebody scrolls, and one that does not.
@MainActor package final class MainTimers: CaptureTimers {
  private var timers: [Timer] = []
  private var single: Timer?
  private let add: @MainActor @Sendable (Timer, RunLoop.Mode) -> Void

  /// - Parameter add: puts a timer on the main run loop.
  package nonisolated init(
    add: @escaping @MainActor @Sendable (Timer, RunLoop.Mode) -> Void = { RunLoop.main.add($0, forMode: $1) }
  ) {
    self.add = add
  }

  package func run(
    picturesEvery seconds: Double, _ pictures: @escaping @MainActor @Sendable () -> Void,
    hierarchyEvery hierarchySeconds: Double, _ hierarchy: @escaping @MainActor @Sendable () -> Void
  ) {
    end()
    start(seconds, .common, pictures)
    start(hierarchySeconds, .default, hierarchy)
  }

  package func runOnce(after seconds: Double, _ body: @escaping @MainActor @Sendable () -> Void) {
    single?.invalidate()
    let timer = Timer(timeInterval: seconds, repeats: false) { _ in
      ErrorBarrier.run(.timer) { MainActor.assumeIsolated(body) }
    }
    add(timer, .common)
    single = timer
  }

  package func end() {
    single?.invalidate()
    single = nil
    timers.forEach { $0.invalidate() }
    timers = []
  }

  private func start(_ seconds: Double, _ mode: RunLoop.Mode, _ body: @escaping @MainActor @Sendable () -> Void) {
    let timer = Timer(timeInterval: seconds, repeats: true) { _ in
      ErrorBarrier.run(.timer) { MainActor.assumeIsolated(body) }
    }
    timer.tolerance = seconds / 20
    add(timer, mode)
    timers.append(timer)
  }
}
