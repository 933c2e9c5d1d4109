/// A timer of the app's, called behind the barrier. One that cannot be had never fires.
package final class BarredTimer: TimerScheduling {
  private let timer: (any TimerScheduling)?

  package init(_ make: () -> any TimerScheduling) {
    var made: (any TimerScheduling)?
    ErrorBarrier.run(.timer) { made = make() }
    timer = made
  }

  package func schedule(intervalMs: Int, block: @escaping @Sendable () -> Void) {
    guard let timer else { return }
    ErrorBarrier.run(.timer) { timer.schedule(intervalMs: intervalMs, block: block) }
  }

  package func cancel() {
    guard let timer else { return }
    ErrorBarrier.run(.timer) { timer.cancel() }
  }
}
