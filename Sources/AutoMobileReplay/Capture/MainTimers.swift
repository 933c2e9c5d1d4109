import AutoMobileSDK
import Foundation

/// Timers on the main run loop: one that goes on while somebody scrolls, and one that does not.
@MainActor final class MainTimers: CaptureTimers {
  private var timers: [Timer] = []

  nonisolated init() {}

  func run(
    picturesEvery seconds: Double, _ pictures: @escaping @MainActor @Sendable () -> Void,
    hierarchyEvery hierarchySeconds: Double, _ hierarchy: @escaping @MainActor @Sendable () -> Void
  ) {
    end()
    add(seconds, .common, pictures)
    add(hierarchySeconds, .default, hierarchy)
  }

  func end() {
    timers.forEach { $0.invalidate() }
    timers = []
  }

  private func add(_ seconds: Double, _ mode: RunLoop.Mode, _ body: @escaping @MainActor @Sendable () -> Void) {
    let timer = Timer(timeInterval: seconds, repeats: true) { _ in
      ErrorBarrier.run(.timer) { MainActor.assumeIsolated(body) }
    }
    timer.tolerance = seconds / 20
    RunLoop.main.add(timer, forMode: mode)
    timers.append(timer)
  }
}
