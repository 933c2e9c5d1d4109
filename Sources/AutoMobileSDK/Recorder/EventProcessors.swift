/// Closures that see every event before it is recorded, and may change or drop it.
final class EventProcessors: Sendable {
  /// Nil drops the event.
  typealias Processor = @Sendable (any SdkEvent) -> (any SdkEvent)?

  private let list = Locked<[Processor]>([])

  func add(_ processor: @escaping Processor) { list.withLock { $0.append(processor) } }

  var isEmpty: Bool { list.withLock { $0.isEmpty } }

  func removeAll() {
    // What the closures hold is released outside the lock.
    _ = list.withLock { list in
      defer { list = [] }
      return list
    }
  }

  /// The event as all of them leave it, in the order in which they were added; nil when one dropped it.
  func process(_ event: any SdkEvent) -> (any SdkEvent)? {
    var event = event
    for processor in list.withLock({ $0 }) {
      // One that throws may be there to take out what nobody may see: then the event is dropped.
      guard let next = ErrorBarrier.run(.eventProcessor, or: nil, { processor(event) }) else { return nil }
      event = next
    }
    return event
  }
}
