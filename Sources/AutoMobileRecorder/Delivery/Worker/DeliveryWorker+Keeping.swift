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
    keeper.receiver = state.receiver?.endpoint.events.absoluteString
    let end = journal.end
    keeper.look(isUrgent ? nil : candidates().filter { !journal.isOwn($0) })
    if !isUrgent { state.pace.looked(to: end) }
  }

  /// What has been recorded since the round began waits for the next one. Marked as it comes, it would go in this one, which would not
  /// end as long as the app records. While nothing can be sent, it is looked at as ever.
  var leavesNews: Bool {
    let now = clock.now()
    return state.pace.leavesNews && !state.isStopping && now >= state.resumeAt && now >= state.quietUntil
  }

  /// What somebody has named, by its priority.
  func nextAhead(of launches: [LaunchID]) -> DeliveryBatch? {
    guard let keeper = options.keeper, state.receiver != nil else { return nil }
    if let batch = nextMarked(of: launches, by: keeper) { return batch }
    guard keeper.hasRoomForMore else { return nil }
    decide()
    return nextMarked(of: launches, by: keeper)
  }

  private func nextMarked(of launches: [LaunchID], by keeper: UploadKeeper) -> DeliveryBatch? {
    keeper.next(of: launches) { launch, ranges, priority in
      var isLater = false
      let batch = nextBatch(of: launch, priority: priority) { [self] in
        switch journal.readAhead(
          launch, in: ranges, maximumBytes: options.maximumBytes, maximumRecords: state.size.records,
          isUrgent: priority >= UploadMark.highestPriority)
        {
        case .chunk(let chunk): return keeper.prepared(chunk, of: ranges)
        case .nothing: return nil
        case .later:
          isLater = true
          return nil
        }
      }
      if let batch { return .batch(batch) }
      return isLater ? .later : .nothing
    }
  }

  /// The end of an earlier launch of which nothing is kept any more.
  func nextFinalLedger() -> DeliveryBatch? {
    for launch in state.earlier {
      journal.passSent(launch)
      if isOver(launch) { options.keeper?.tellEnds(of: launch) }
      if let batch = finalLedger(of: launch) { return batch }
    }
    return nil
  }

  /// What is sent from now on, and what stays. Any thread.
  ///
  /// - Parameter asker: whom a collector may ask for; nil: nobody.
  func follow(
    _ policy: UploadPolicy, asks: [UploadAsk] = [], refused: [String] = [], asker: (@Sendable () -> String)? = nil
  ) {
    queue.async { [self] in
      state.asker = asker
      guard let keeper = options.keeper, !state.isStopped else { return }
      let wasKeeping = keeper.isKeeping
      keeper.follow(policy, asks: asks, refused: refused)
      journal.allowExpiry()
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

  /// Counts what the receiver has taken, and what has cost something.
  func noteCost(of batch: DeliveryBatch, _ bytes: Int, _ answer: HTTPAnswer) {
    guard let priority = batch.priority, !answer.isNetworkRefused else { return }
    // Of a request without an answer something may have gone out nevertheless.
    let gone = answer.status != 0 ? bytes : min(bytes, answer.bytesSent)
    options.keeper?.sent(
      bytes, priority: priority, isTaken: (200..<300).contains(answer.status), cost: answer.wasExpensive ? gone : 0)
  }

  func waitForCheaperNetwork() {
    options.keeper?.waitForCheaperNetwork()
    clock.after(UploadKeeper.networkPause, queue) { [weak self] in self?.pump() }
    pump()
  }
}
