import AutoMobileJournal

// What follows from an answer. On the worker's queue.
extension DeliveryWorker {
  /// A receiver that refuses every event, one by one, is broken, or is none: from then on it is asked slowly.
  private static let patienceWithRefusals = 8
  private static let ledgerAttempts = 3

  func settle(_ batch: DeliveryBatch, _ answer: HTTPAnswer, _ compression: BodyCompression?) {
    let verdict = Verdict(answer, to: batch, compression)
    state.receiver?.learn(from: answer, compression)
    state.receiver?.keep(in: options.memory)
    state.status.lastStatusCode = answer.status
    state.status.lastError = verdict.complaint
    // Not trouble: what matters more may still go.
    if answer.isNetworkRefused, !mayCost(batch) { return waitForCheaperNetwork() }
    switch verdict {
    case .taken(let rejected): taken(batch, rejected: rejected)
    case .failed:
      failed(answer)
    case .refused:
      wait(milliseconds: state.pause.refused(retryAfter: obeyed(answer)))
    case .formatUnknown:
      if state.receiver?.fallBack(from: batch.format, compression) == true { return pump() }
      wait(milliseconds: state.pause.refused(retryAfter: obeyed(answer)))
    case .tooLarge: divide(batch, tooLarge: true, reason: "larger than the receiver takes")
    case .malformed(let reason): divide(batch, tooLarge: false, reason: reason)
    }
  }

  /// Counts an event as rejected once the records up to it are acknowledged, and keeps a copy.
  func setAside(_ event: ChunkEvent, of chunk: JournalChunk, reason: String) {
    options.setAside?.append(event, of: chunk, reason: reason, at: clock.wall())
    journal.reject(chunk.launch, [event.position], reason: .rejected)
    state.status.eventsRejected &+= 1
  }

  private func taken(_ batch: DeliveryBatch, rejected: [Verdict.Rejection]) {
    state.pause.reset()
    state.setAsideInARow = 0
    switch batch.purpose {
    case .greeting: break
    case .finalLedger: forget(batch.launch)
    case .events:
      for rejection in rejected {
        guard let chunk = batch.chunk, let event = batch.events.first(where: { $0.position == rejection.position })
        else { continue }
        setAside(event, of: chunk, reason: rejection.reason)
      }
      let refused = Set(rejected.map(\.position))
      options.keeper?.taken(batch.launch, batch.events.map(\.position).filter { !refused.contains($0) })
      acknowledge(batch)
      state.size.wasTaken()
      state.status.batchesDelivered &+= 1
      state.status.eventsDelivered &+= UInt64(max(0, batch.events.count - rejected.count))
      state.status.lastSuccess = clock.wall()
    }
    pump()
  }

  private func acknowledge(_ batch: DeliveryBatch) {
    if batch.priority != nil { return journal.acknowledgeAhead(batch.launch, upTo: batch.to) }
    journal.acknowledge(batch.launch, upTo: batch.to)
    if journal.isOwn(batch.launch) { state.pace.reached(batch.to) }
  }

  private func failed(_ answer: HTTPAnswer) {
    let milliseconds = state.pause.failed(status: answer.status, retryAfter: obeyed(answer))
    // A simulator's receiver may have come back on another port.
    if state.pause.isExhausted, case .simulator = options.destination { state.receiver = nil }
    wait(milliseconds: milliseconds)
  }

  /// Makes the batch smaller, until the record that is refused stands alone; that one is then passed over.
  private func divide(_ batch: DeliveryBatch, tooLarge: Bool, reason: String) {
    switch batch.purpose {
    case .greeting:
      // Even the empty batch is refused. It was an answer all the same.
      return pump()
    case .finalLedger:
      let attempts = (state.refusedLedgers[batch.launch] ?? 0) + 1
      state.refusedLedgers[batch.launch] = attempts
      if attempts >= Self.ledgerAttempts { forget(batch.launch) }
      return wait(milliseconds: state.pause.failed(status: 0, retryAfter: nil))
    case .events: break
    }
    if state.size.halve(batch.recordCount, tooLarge: tooLarge) { return pump() }
    if let chunk = batch.chunk { batch.events.forEach { setAside($0, of: chunk, reason: reason) } }
    acknowledge(batch)
    state.size.wasTaken()
    state.setAsideInARow += 1
    if state.setAsideInARow < Self.patienceWithRefusals { return pump() }
    wait(milliseconds: state.pause.refused(retryAfter: nil))
  }

  /// For how long the receiver wants to be left alone, in milliseconds; it is, from now on.
  private func obeyed(_ answer: HTTPAnswer) -> Int64? {
    let wish = answer.retryAfter(now: clock.wall())
    if let wish {
      let (until, overflow) = clock.now().addingReportingOverflow(max(0, wish))
      state.quietUntil = overflow ? .max : until
    }
    return wish
  }
}

extension Verdict {
  /// What is wrong, for diagnostics; nil when nothing is.
  fileprivate var complaint: String? {
    switch self {
    case .taken: nil
    case .failed(let reason), .refused(let reason): reason
    case .tooLarge: "the batch is larger than the receiver takes"
    case .malformed(let reason): "the receiver cannot read the batch: \(reason)"
    case .formatUnknown: "the receiver does not know the batch's format"
    }
  }
}
