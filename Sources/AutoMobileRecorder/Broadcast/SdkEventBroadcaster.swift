import AutoMobileSupport
import Foundation

/// Disk first, then `NotificationCenter`, then, in debug builds, HTTP to CtrlProxy.
///
/// The SDK's own events take the journal's way and do not come through here; this is for apps that build a pipeline of
/// their own from an ``SdkEventBuffer`` and a ``FileEventPersistence``:
///
///     SdkEventBroadcaster.shared.persistence = FileEventPersistence(directory: directory)
///     let buffer = SdkEventBuffer { events in
///       SdkEventBroadcaster.shared.broadcastBatch(bundleId: "com.example.app", events: events)
///     }
///
/// Safe from any thread.
public final class SdkEventBroadcaster: EventBroadcasting, @unchecked Sendable {
  // Unchecked only because the documented declaration says so: all state is in `settings`.

  /// For app code. It delivers to `http://localhost:8765` until ``setCtrlProxyUrl(_:)`` says otherwise.
  public static let shared = SdkEventBroadcaster(
    url: DefaultEndpoint.forThisBuild, isDebug: DefaultEndpoint.isDebugBuild,
    transport: LazyTransport { URLSessionTransport() }, center: .default)

  /// Posted for every batch, on the thread that passes it on, before it is sent.
  public static let eventBatchNotification = Notification.Name("dev.jasonpearson.automobile.sdk.EVENT_BATCH")

  /// The key in the notification's `userInfo` under which the batch is found: `Data`, the JSON of an ``SdkEventBatch``.
  public static let eventBatchUserInfoKey = "eventBatch"

  private struct Settings {
    var persistence: (any EventPersisting)?
    var dropCounter: any DropCounting = DefaultDropCounter()
    var retryPolicy = RetryPolicy()
    var url: URL?
  }

  private let settings: Locked<Settings>
  private let isDebug: Bool
  private let center: NotificationCenter
  private let sender: BatchSender
  private let underWay = BatchesUnderWay()

  init(url: URL?, isDebug: Bool, transport: any RequestTransport, center: NotificationCenter) {
    settings = Locked(Settings(url: url))
    self.isDebug = isDebug
    self.center = center
    sender = BatchSender(transport: transport)
  }

  /// Where batches that are given to ``broadcastBatch(bundleId:events:)`` are kept until they have been delivered; nil: nowhere.
  ///
  /// It has no part in what the SDK records: that is in its journal.
  public var persistence: (any EventPersisting)? {
    get { settings.withLock { $0.persistence } }
    set {
      // The old one leaves the lock before it is released.
      _ = settings.withLock { settings in
        defer { settings.persistence = newValue }
        return settings.persistence
      }
    }
  }

  /// Counts the events of batches that are given up, as ``DropReason/deliveryFailed``: the receiver refuses them for good, or it
  /// cannot be reached and they are kept nowhere. A kept batch that does not get through stays, and is not lost.
  ///
  /// A counter of this broadcaster's own, unless the app sets another, for example that of its ``SdkEventBuffer``.
  public var dropCounter: any DropCounting {
    get { settings.withLock { $0.dropCounter } }
    set {
      _ = settings.withLock { settings in
        defer { settings.dropCounter = newValue }
        return settings.dropCounter
      }
    }
  }

  /// When a delivery that failed is tried again. Set on ``shared`` before the SDK is initialized, it also holds for what the SDK
  /// records; there, when the retries are used up, nothing is given up: they go on, up to a minute apart.
  public var retryPolicy: RetryPolicy {
    get { settings.withLock { $0.retryPolicy } }
    set { settings.withLock { $0.retryPolicy = newValue } }
  }

  /// Where CtrlProxy listens: its base URL, or the whole URL of its `/sdk-events`. Nil: nothing is sent.
  ///
  /// Set on ``shared`` before the SDK is initialized, it is also where the SDK delivers to when the configuration names
  /// no endpoint.
  /// Without effect in release builds of the SDK, which send nothing from here.
  public func setCtrlProxyUrl(_ url: URL?) {
    guard isDebug else { return }
    settings.withLock { $0.url = url }
  }

  var ctrlProxyUrl: URL? { settings.withLock { $0.url } }

  /// Persists a batch and posts it, before it returns; then sends it, in the background. Blocks on the disk: meant to
  /// be called by a buffer's flush closure. An empty batch is none.
  public func broadcastBatch(bundleId: String?, events: [any SdkEvent]) {
    let settings = self.settings.withLock { $0 }
    // One that cannot be written takes none of the others with it.
    let writable = events.compactMap { event in (try? SdkEventEnvelope(event)).map { (event: event, envelope: $0) } }
    if writable.count < events.count {
      settings.dropCounter.increment(.flushError, count: events.count - writable.count)
    }
    guard !writable.isEmpty else { return }
    let events = writable.map(\.event)
    let batchId = settings.persistence.flatMap { persistence in
      ErrorBarrier.run(.eventPersistence, or: nil) { persistence.persist(events) }
    }
    guard let body = encode(bundleId: bundleId, writable.map(\.envelope), batchId: batchId) else {
      return settings.dropCounter.increment(.flushError, count: events.count)
    }
    ErrorBarrier.run(.batchNotification) {
      center.post(name: Self.eventBatchNotification, object: nil, userInfo: [Self.eventBatchUserInfoKey: body])
    }
    send(body, batchId: batchId, count: events.count, settings)
  }

  /// Sends again, in the background, what earlier launches left undelivered; not what is on its way. Blocks on the disk.
  public func replayPending(bundleId: String?) {
    let settings = self.settings.withLock { $0 }
    guard settings.url != nil, let persistence = settings.persistence else { return }
    underWay.replaying {
      let pending = ErrorBarrier.run(.eventPersistence, or: []) { persistence.loadPending() }
      for (batchId, events) in pending where !events.isEmpty {
        let envelopes = events.compactMap { try? SdkEventEnvelope($0) }
        guard !envelopes.isEmpty, let body = encode(bundleId: bundleId, envelopes, batchId: batchId) else { continue }
        send(body, batchId: batchId, count: events.count, settings)
      }
    }
  }

  private func send(_ body: Data, batchId: String?, count: Int, _ settings: Settings) {
    guard isDebug, let url = settings.url else { return }
    if let batchId, !underWay.begin(batchId) { return }
    sender.send(
      BatchSender.Batch(url: Self.target(url), body: body, policy: settings.retryPolicy) { [underWay] outcome in
        if outcome == .refused || (outcome == .failed && batchId == nil) {
          settings.dropCounter.increment(.deliveryFailed, count: count)
        }
        guard let batchId else { return }
        if outcome != .failed, let persistence = settings.persistence {
          ErrorBarrier.run(.eventPersistence) { persistence.removeBatch(batchId) }
        }
        underWay.end(batchId)
      })
  }

  private static func target(_ url: URL) -> URL {
    DeliveryEndpoint.events(at: url)
  }

  private func encode(bundleId: String?, _ envelopes: [SdkEventEnvelope], batchId: String?) -> Data? {
    try? JSONEncoder().encode(
      SdkEventBatch(
        bundleId: bundleId, events: envelopes, batchId: batchId ?? UUID().uuidString,
        sequence: underWay.nextSequence()))
  }
}
