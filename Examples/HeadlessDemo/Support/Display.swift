import Foundation
import QuartzCore

/// Shows frames, as often as a display does while the main thread lets it.
@MainActor final class Display {
  private var task: Task<Void, Never>?

  func start() {
    guard task == nil else { return }
    task = Task {
      let display = SimulatedDisplay.main
      var last = ContinuousClock.now
      while !Task.isCancelled {
        try? await Task.sleep(nanoseconds: 50_000_000)
        let now = ContinuousClock.now
        let elapsed = (now - last) / .seconds(1)
        last = now
        // A machine that is busy with something else is no slow app: only what took much longer is one slow frame.
        elapsed > 0.4 ? display.simulateFrame(after: elapsed) : display.simulateFrames(3)
      }
    }
  }

  func stop() {
    task?.cancel()
    task = nil
  }
}
