import AutoMobileJournal
import Foundation

/// Shows what was recorded to whoever watches in this process: observers, and `NotificationCenter`.
///
/// It reads the journal from a mark of its own, so that it does not matter whether and when delivery succeeds; and it
/// reads only when somebody watches.
final class BatchTap: Sendable {
  private let journal: Journal
  private let observers: BatchObservers
  private let bundleId: String?
  private let contextJSON: @Sendable (UInt64) -> [UInt8]?
  /// Nil: batches are not posted.
  private let notifications: NotificationCenter?
  private let mark = AtomicWord()

  /// A batch has at most this many events, and this many bytes.
  private static let maximumRecords = 500
  private static let maximumBytes = 512 * 1024

  init(
    journal: Journal, observers: BatchObservers, bundleId: String?,
    contextJSON: @escaping @Sendable (UInt64) -> [UInt8]?, notifications: NotificationCenter?
  ) {
    self.journal = journal
    self.observers = observers
    self.bundleId = bundleId
    self.contextJSON = contextJSON
    self.notifications = notifications
  }

  /// Passes on what has been recorded since the last time. One call at a time.
  func passOn() {
    guard notifications != nil || !observers.isEmpty else { return mark.store(journal.end) }
    while true {
      let tail = journal.tail(
        from: mark.value, maximumBytes: Self.maximumBytes, maximumRecords: Self.maximumRecords)
      mark.store(tail.next)
      let events = tail.records.filter { $0.kind == .event || $0.kind == .eventAndBreadcrumb }
      if !events.isEmpty {
        post(events)
        if !observers.isEmpty { observers.notify(events.compactMap { try? SdkEventDecoder.decode(Data($0.payload)) }) }
      }
      if tail.records.isEmpty { return }
    }
  }

  private func post(_ records: [JournalRecord]) {
    guard let notifications else { return }
    var contexts: [UInt64: ContextExpander.Members] = [:]
    let envelopes = records.map { record in
      var payload: [UInt8] = []
      record.payload.withUnsafeBytes { event in
        ContextExpander.append(event, to: &payload) { id in
          if contexts[id] == nil {
            contexts[id] = contextJSON(id)?.withUnsafeBytes { ContextExpander.Members(contextRecord: $0) }
          }
          return contexts[id]
        }
      }
      return SdkEventEnvelope(
        rawEventType: Self.type(of: payload), payload: Data(payload), sequence: record.position)
    }
    guard let data = try? JSONEncoder().encode(SdkEventBatch(bundleId: bundleId, events: envelopes)) else { return }
    notifications.post(
      name: SdkEventBroadcaster.eventBatchNotification, object: nil,
      userInfo: [SdkEventBroadcaster.eventBatchUserInfoKey: data])
  }

  private static func type(of event: [UInt8]) -> String {
    let json = event.withUnsafeBytes { EventTypeName.json(of: $0) }
    return (try? JSONDecoder().decode(String.self, from: Data(json))) ?? SdkEventType.custom.rawValue
  }
}
