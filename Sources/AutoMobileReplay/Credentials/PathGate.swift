/// Lets through when there is a network that may be used.
actor PathGate {
  private let wifiOnly: Bool
  private var path: NetworkPath?
  private var number: UInt64 = 0
  private var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
  /// Those that wait for a time to be over, or for another network.
  private var pausing: [UInt64: CheckedContinuation<Void, Never>] = [:]
  private var next: UInt64 = 0
  private var isClosed = false

  init(wifiOnly: Bool) { self.wifiOnly = wifiOnly }

  var isOpen: Bool { !isClosed && path?.allows(wifiOnly: wifiOnly) ?? false }

  /// - Parameter number: grows with each; of two that overtake each other, the later one counts.
  /// - Returns: whether there is another network than before that may be used.
  @discardableResult
  func note(_ path: NetworkPath, number: UInt64) -> Bool {
    guard number >= self.number else { return false }
    let isOther = path != self.path
    self.number = number
    self.path = path
    guard isOpen else { return false }
    Self.release(&waiting)
    if isOther { Self.release(&pausing) }
    return isOther
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

  /// Returns after so long, or as soon as there is another network that may be used, or when the task is cancelled.
  ///
  /// - Parameter after: calls a block after so many milliseconds.
  func pause(_ milliseconds: Int64, _ after: @Sendable (Int64, @escaping @Sendable () -> Void) -> Void) async {
    guard !isClosed else { return }
    next &+= 1
    let number = next
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled || isClosed { return continuation.resume() }
        pausing[number] = continuation
        after(milliseconds) { Task { await self.cancel(number) } }
      }
    } onCancel: {
      Task { await self.cancel(number) }
    }
  }

  /// Nobody waits any more, and nobody is let through.
  func close() {
    isClosed = true
    Self.release(&waiting)
    Self.release(&pausing)
  }

  private func cancel(_ number: UInt64) {
    waiting.removeValue(forKey: number)?.resume()
    pausing.removeValue(forKey: number)?.resume()
  }

  private static func release(_ waiting: inout [UInt64: CheckedContinuation<Void, Never>]) {
    let all = waiting.values
    waiting = [:]
    all.forEach { $0.resume() }
  }
}
