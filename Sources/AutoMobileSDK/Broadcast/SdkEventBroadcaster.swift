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
    var retryPolicy = RetryPolicy()
    var url: URL?
  }

  private let settings: Locked<Settings>
  private let isDebug: Bool
  private let center: NotificationCenter
  private let sender: BatchSender

  init(url: URL?, isDebug: Bool, transport: any RequestTransport, center: NotificationCenter) {
    settings = Locked(Settings(url: url))
    self.isDebug = isDebug
    self.center = center
    sender = BatchSender(transport: transport)
  }

  /// Where batches are kept until they have been delivered; nil: nowhere.
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

  /// When a delivery that failed is tried again.
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
    guard !events.isEmpty else { return }
    let settings = self.settings.withLock { $0 }
    let batchId = settings.persistence.flatMap { persistence in
      ErrorBarrier.run(.eventPersistence, or: nil) { persistence.persist(events) }
    }
    guard let body = Self.encode(bundleId: bundleId, events: events) else { return }
    ErrorBarrier.run(.batchNotification) {
      center.post(name: Self.eventBatchNotification, object: nil, userInfo: [Self.eventBatchUserInfoKey: body])
    }
    send(body, batchId: batchId, settings)
  }

  /// Sends again, in the background, what earlier launches left undelivered. Blocks on the disk.
  public func replayPending(bundleId: String?) {
    let settings = self.settings.withLock { $0 }
    guard settings.url != nil, let persistence = settings.persistence else { return }
    let pending = ErrorBarrier.run(.eventPersistence, or: []) { persistence.loadPending() }
    for (batchId, events) in pending where !events.isEmpty {
      guard let body = Self.encode(bundleId: bundleId, events: events) else { continue }
      send(body, batchId: batchId, settings)
    }
  }

  private func send(_ body: Data, batchId: String?, _ settings: Settings) {
    guard isDebug, let url = settings.url else { return }
    sender.send(
      BatchSender.Batch(url: Self.target(url), body: body, policy: settings.retryPolicy) { isSettled in
        guard isSettled, let batchId, let persistence = settings.persistence else { return }
        ErrorBarrier.run(.eventPersistence) { persistence.removeBatch(batchId) }
      })
  }

  private static func target(_ url: URL) -> URL {
    DeliveryEndpoint.events(at: url)
  }

  private static func encode(bundleId: String?, events: [any SdkEvent]) -> Data? {
    let envelopes = events.compactMap { try? SdkEventEnvelope($0) }
    return try? JSONEncoder().encode(SdkEventBatch(bundleId: bundleId, events: envelopes))
  }
}
