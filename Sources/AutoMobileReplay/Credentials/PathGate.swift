/// Lets through when there is a network that may be used.
actor PathGate {
  private let wifiOnly: Bool
  private var path: NetworkPath?
  private var number: UInt64 = 0
  private var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
  private var next: UInt64 = 0
  private var isClosed = false

  init(wifiOnly: Bool) { self.wifiOnly = wifiOnly }

  var isOpen: Bool { path?.allows(wifiOnly: wifiOnly) ?? false }

  /// - Parameter number: grows with each; of two that overtake each other, the later one counts.
  func note(_ path: NetworkPath, number: UInt64) {
    guard number >= self.number else { return }
    self.number = number
    self.path = path
    if isOpen { release() }
  }

  /// Returns when there is such a network, or when the task is cancelled.
  func wait() async {
    guard !isOpen, !isClosed else { return }
    next &+= 1
    let number = next
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled || isOpen || isClosed { continuation.resume() } else { waiting[number] = continuation }
      }
    } onCancel: {
      Task { await self.cancel(number) }
    }
  }

  /// Nobody waits any more.
  func close() {
    isClosed = true
    release()
  }

  private func cancel(_ number: UInt64) { waiting.removeValue(forKey: number)?.resume() }

  private func release() {
    let all = waiting.values
    waiting = [:]
    all.forEach { $0.resume() }
  }
}
