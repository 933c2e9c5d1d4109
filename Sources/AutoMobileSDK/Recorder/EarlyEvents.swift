/// Events that came before there was a recorder: counted here, and credited to the launch's
/// ledger as soon as there is one, so that its numbers hold all calls of the process.
final class EarlyEvents: Sendable {
  private let number = AtomicWord()

  var count: UInt64 { number.value }

  /// - Parameter recorder: the one that may have come up meanwhile.
  func note(recorder: () -> EventRecorder?) {
    number.add(1)
    // Whoever initializes looks here after the recorder can be seen: one of the two finds this event.
    if let recorder = recorder() { credit(recorder) }
  }

  /// Each event is credited once, whoever calls this and how often.
  func credit(_ recorder: EventRecorder) {
    while true {
      let count = number.value
      if count == 0 { return }
      if number.exchange(count, for: 0) { return recorder.journal.countLoss(.notInitialized, count) }
    }
  }

  func reset() { number.store(0) }
}
