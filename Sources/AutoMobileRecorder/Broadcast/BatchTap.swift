import AutoMobileJournal
import AutoMobileSupport
import Foundation

/// Shows what was recorded to whoever watches in this process: observers, and `NotificationCenter`.
///
/// It reads the journal from a mark of its own, so that it does not matter whether and when delivery succeeds; and it
/// reads only when somebody watches.
final class BatchTap: Sendable {
  private let journal: Journal
  private let observers: BatchObservers
  private let prefix: [UInt8]
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
    prefix = Self.prefix(bundleId: bundleId)
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
    let batch = Data(envelope(records))
    ErrorBarrier.run(.batchNotification) {
      notifications.post(
        name: SdkEventBroadcaster.eventBatchNotification, object: nil,
        userInfo: [SdkEventBroadcaster.eventBatchUserInfoKey: batch])
    }
  }

  /// The JSON of an ``SdkEventBatch``, written by hand: it is made for every batch, and nobody may be listening.
  private func envelope(_ records: [JournalRecord]) -> [UInt8] {
    var contexts: [UInt64: ContextExpander.Members] = [:]
    var body = prefix
    var payload: [UInt8] = []
    for record in records {
      if body.count > prefix.count { body.append(UInt8(ascii: ",")) }
      payload.removeAll(keepingCapacity: true)
      record.payload.withUnsafeBytes { event in
        ContextExpander.append(event, to: &payload) { id in
          if contexts[id] == nil {
            contexts[id] = contextJSON(id)?.withUnsafeBytes { ContextExpander.Members(contextRecord: $0) }
          }
          return contexts[id]
        }
        body += #"{"eventType":"#.utf8
        body += EventTypeName.json(of: event)
      }
      body += #","payload":""#.utf8
      body += Data(payload).base64EncodedData()
      body += #"","sequence":\#(record.position)}"#.utf8
    }
    body += #"],"timestamp":\#(EventClock.now())}"#.utf8
    return body
  }

  /// What comes before the events.
  private static func prefix(bundleId: String?) -> [UInt8] {
    guard let bundleId,
      let json = try? withJSON({ $0.value(bundleId, then: UInt8(ascii: ",")) }, body: { Array($0) })
    else { return Array(#"{"events":["#.utf8) }
    return Array(#"{"bundleId":"#.utf8) + json + Array(#""events":["#.utf8)
  }
}
