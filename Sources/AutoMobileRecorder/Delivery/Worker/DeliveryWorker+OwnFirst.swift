// What must not wait behind what earlier launches left.
extension DeliveryWorker {
  /// The most batches that may go first: more than the reports of crashes ever take.
  private static let mostFirst = 8

  /// Sends what this launch has recorded until now before anything of earlier launches. Any thread; returns at once.
  ///
  /// - Parameter completion: called once on the worker's queue, when the receiver has it, or when it cannot be sent now. Then it is
  ///   still the first that is sent.
  func deliverOwnFirst(_ completion: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      state.holds.remove(.crashAtLaunch)
      guard !state.isStopped, state.holds.subtracting(.collector).isEmpty else { return completion() }
      state.ownFirst = Self.mostFirst
      state.onOwnFirst = completion
      state.pace.hurry(end: journal.end)
      pump()
    }
  }

  /// On the queue.
  func endOwnFirst(isSent: Bool) {
    if isSent { state.ownFirst = 0 }
    let completion = state.onOwnFirst
    state.onOwnFirst = nil
    completion?()
  }
}
