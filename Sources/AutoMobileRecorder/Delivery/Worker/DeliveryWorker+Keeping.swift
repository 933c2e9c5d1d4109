import AutoMobileJournal

// What goes next, where not everything does. On the worker's queue.
extension DeliveryWorker {
  var isKeeping: Bool { options.keeper?.isKeeping ?? false }

  /// Decides on what has been recorded since. Also while the receiver is out of reach: what nobody has looked at might go for want of
  /// room before anybody knows that it is wanted.
  func decide() {
    guard let keeper = options.keeper, keeper.isKeeping, state.holds.isEmpty, options.maySend() else { return }
    // What goes first does not wait for others to be looked at.
    let isUrgent = state.ownFirst > 0 && state.earlierExpire == .min
    keeper.look(isUrgent ? nil : candidates().filter { !journal.isOwn($0) })
  }

  /// What somebody has named, by its priority.
  func nextAhead(of launches: [LaunchID]) -> DeliveryBatch? {
    guard state.receiver != nil else { return nil }
    return options.keeper?.next(of: launches) { launch, ranges, priority in
      nextBatch(of: launch, priority: priority) { [self] in
        journal.readAhead(
          launch, in: ranges, maximumBytes: options.maximumBytes, maximumRecords: state.size.records)
      }
    }
  }

  /// The end of an earlier launch of which nothing is kept any more.
  func nextFinalLedger() -> DeliveryBatch? {
    for launch in state.earlier {
      journal.passSent(launch)
      if let batch = finalLedger(of: launch) { return batch }
    }
    return nil
  }

  /// What is sent from now on, and what stays. Any thread.
  func follow(_ policy: UploadPolicy, asks: [UploadAsk] = [], refused: [String] = []) {
    queue.async { [self] in
      guard let keeper = options.keeper, !state.isStopped else { return }
      let wasKeeping = keeper.isKeeping
      keeper.follow(policy, asks: asks, refused: refused)
      guard wasKeeping || keeper.isKeeping else { return }
      // What was at the cursor may wait from now on, and what waited may go.
      state.pace.hurry(end: journal.end)
      pump()
    }
  }

  // MARK: What it costs

  /// Whether a batch may go over a network that costs by volume, for all that the day's budget says.
  func mayCost(_ batch: DeliveryBatch) -> Bool {
    guard let keeper = options.keeper, let priority = batch.priority else { return true }
    return keeper.mayCost(priority: priority)
  }

  /// Counts what has gone out. What got no answer has gone out as well.
  func noteCost(of batch: DeliveryBatch, _ bytes: Int, _ answer: HTTPAnswer) {
    guard let priority = batch.priority, !answer.isNetworkRefused else { return }
    options.keeper?.sent(bytes, priority: priority, isCostly: answer.wasExpensive)
  }

  func waitForCheaperNetwork() {
    options.keeper?.waitForCheaperNetwork()
    pump()
  }
}
