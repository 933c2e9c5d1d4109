import AutoMobileJournal

// What to send next. On the worker's queue.
extension DeliveryWorker {
  /// Other processes' launches end, and are adopted, while this one runs; looking for them reads the directory.
  private static let earlierLifetime: Int64 = 60_000

  /// Whether anything waits to be delivered.
  var hasWork: Bool {
    if let keeper = options.keeper, keeper.isKeeping { return keeper.hasMarks || state.earlier.contains(where: isOver) }
    return candidates().contains { launch in
      journal.read(launch, maximumBytes: 1, maximumRecords: 1) != nil || isOver(launch)
    }
  }

  func nextBatch() -> DeliveryBatch? {
    if state.ownFirst > 0 {
      state.ownFirst -= 1
      if let batch = isKeeping ? nextAhead(of: [journal.launch]) : nextBatch(of: journal.launch) { return batch }
      endOwnFirst(isSent: true)
    } else if state.onOwnFirst != nil {
      endOwnFirst(isSent: true)
    }
    let candidates = candidates()
    if isKeeping { return nextAhead(of: candidates) ?? nextFinalLedger() }
    for launch in candidates {
      if let batch = nextBatch(of: launch) { return batch }
    }
    return nil
  }

  func forget(_ launch: LaunchID) {
    journal.finish(launch)
    state.earlier.removeAll { $0 == launch }
    state.refusedLedgers[launch] = nil
  }

  /// Everything that could be read of an earlier launch has been acknowledged.
  func isOver(_ launch: LaunchID) -> Bool {
    !journal.isOwn(launch) && journal.ledger(of: launch)?.final == true
  }

  func candidates() -> [LaunchID] {
    let now = clock.now()
    if now >= state.earlierExpire {
      let mayRest = options.takeOver?() ?? true
      beforeEarlier()
      state.earlier = journal.launches().filter { !journal.isOwn($0) }
      state.earlierExpire = now.addingReportingOverflow(Self.earlierLifetime).partialValue
      if !mayRest { takeOverLater() }
    }
    return state.earlier + [journal.launch]
  }

  /// Looks again soon, and then less and less often.
  private func takeOverLater() {
    state.takeOverPause = min(max(1000, state.takeOverPause &* 2), Self.earlierLifetime)
    let milliseconds = state.takeOverPause
    state.earlierExpire = clock.now().addingReportingOverflow(milliseconds).partialValue
    clock.after(milliseconds, queue) { [weak self] in
      guard let self else { return }
      // Between two deliveries nobody would look.
      state.pace.hurry(end: journal.end)
      pump()
    }
  }

  private func nextBatch(of launch: LaunchID) -> DeliveryBatch? {
    let batch = nextBatch(of: launch, priority: nil) { [self] in
      journal.read(launch, maximumBytes: options.maximumBytes, maximumRecords: state.size.records)
    }
    return batch ?? finalLedger(of: launch)
  }

  /// The next batch of what `read` gives.
  ///
  /// - Parameter priority: nil: it is read at the cursor.
  func nextBatch(of launch: LaunchID, priority: Int?, read: () -> JournalChunk?) -> DeliveryBatch? {
    if state.contexts.launch != launch { state.contexts = LaunchContexts(launch: launch) }
    while let receiver = state.receiver, let chunk = read() {
      state.contexts.learn(from: chunk, journal: journal)
      switch receiver.format {
      case .journal:
        if let batch = rawBatch(chunk, priority: priority) { return batch }
        acknowledge(chunk, upTo: chunk.to, priority: priority)
      case .envelope:
        if chunk.eventCount == 0 {
          // Only events go into an envelope.
          acknowledge(chunk, upTo: chunk.to, priority: priority)
        } else if greetsFirst {
          return ledgerBatch(launch, purpose: .greeting, format: .envelope)
        } else if let batch = envelopeBatch(chunk, priority: priority) {
          return batch
        } else if !receiver.isKnown {
          return ledgerBatch(launch, purpose: .greeting, format: .envelope)
        } else {
          setAsideFirstEvent(of: chunk, priority: priority)
        }
      }
    }
    return nil
  }

  /// Where little is sent, whoever receives it is asked once which format he takes: an envelope, in base64 and not compressed, takes
  /// several times as much as the question. What must go first does not wait for that.
  private var greetsFirst: Bool { isKeeping && state.receiver?.isKnown == false && state.onOwnFirst == nil }

  private func acknowledge(_ chunk: JournalChunk, upTo position: UInt64, priority: Int?) {
    if priority == nil {
      journal.acknowledge(chunk.launch, upTo: position)
    } else {
      journal.acknowledgeAhead(chunk.launch, upTo: position)
    }
  }

  /// The last counts of a launch of which nothing is left.
  func finalLedger(of launch: LaunchID) -> DeliveryBatch? {
    guard isOver(launch) else { return nil }
    guard let receiver = state.receiver, receiver.format == .journal || !receiver.isKnown else {
      // Nobody there who would understand a ledger.
      forget(launch)
      return nil
    }
    return ledgerBatch(launch, purpose: .finalLedger, format: receiver.format)
  }

  /// Nil when nothing in the chunk is worth a request: contexts travel with the events that name them.
  private func rawBatch(_ chunk: JournalChunk, priority: Int?) -> DeliveryBatch? {
    guard chunk.records.contains(where: { $0.kind.isDelivered && $0.kind != .context }),
      let body = try? RawBatch.body(
        chunk, contexts: state.contexts, sender: options.sender, sentAt: clock.wall(),
        ledger: journal.ledger(of: chunk.launch))
    else { return nil }
    return DeliveryBatch(
      purpose: .events, launch: chunk.launch, format: .journal, body: body, to: chunk.to,
      priority: priority, recordCount: chunk.records.count, chunk: chunk, events: chunk.events)
  }

  /// Nil when the first event is too large for any envelope.
  private func envelopeBatch(_ chunk: JournalChunk, priority: Int?) -> DeliveryBatch? {
    guard
      let built = try? EnvelopeBatch.body(
        chunk, contexts: state.contexts, sender: options.sender, sentAt: clock.wall(),
        ledger: journal.ledger(of: chunk.launch)),
      built.recordCount > 0
    else { return nil }
    return DeliveryBatch(
      purpose: .events, launch: chunk.launch, format: .envelope, body: built.body,
      to: chunk.end(of: built.recordCount - 1), priority: priority, recordCount: built.recordCount,
      chunk: chunk, events: built.events)
  }

  private func setAsideFirstEvent(of chunk: JournalChunk, priority: Int?) {
    guard let first = chunk.events.first else { return acknowledge(chunk, upTo: chunk.to, priority: priority) }
    let limit = EnvelopeBatch.maximumSize
    setAside(first, of: chunk, reason: "larger than the \(limit) bytes that the receiver takes")
    acknowledge(chunk, upTo: chunk.end(of: first.index), priority: priority)
  }

  private func ledgerBatch(
    _ launch: LaunchID, purpose: DeliveryBatch.Purpose, format: DeliveryFormat
  ) -> DeliveryBatch? {
    // What asks for the format is followed at once by what has the counts.
    let ledger = purpose == .greeting ? nil : journal.ledger(of: launch)
    let body =
      switch format {
      case .journal: try? RawBatch.ledgerBody(launch, sender: options.sender, sentAt: clock.wall(), ledger: ledger)
      case .envelope:
        try? EnvelopeBatch.ledgerBody(launch, sender: options.sender, sentAt: clock.wall(), ledger: ledger)
      }
    return body.map { DeliveryBatch(purpose: purpose, launch: launch, format: format, body: $0) }
  }
}
