import Foundation

/// How the SDK records and where it delivers to.
///
///     let configuration = AutoMobileConfiguration(
///       endpoint: URL(string: "https://collector.example.com"), apiKey: "…")
///     AutoMobileSDK.shared.initialize(bundleId: "com.example.app", configuration: configuration)
///
/// Numbers below 1 given to the initializer become 1.
public struct AutoMobileConfiguration: Sendable {
  /// Where events are delivered to: a base URL, to which `/sdk-events` is appended.
  ///
  /// With an endpoint the SDK delivers in every build. Without one, a debug build of the SDK delivers to
  /// `http://localhost:8765`, and a release build delivers nowhere: it records within ``journalBudget``, for use on
  /// the device.
  public var endpoint: URL?

  /// The collector's ingest key, sent as `Authorization: Bearer …`. Nil: none is sent.
  public var apiKey: String?

  /// Events after which a flush happens without waiting for the timer.
  public var bufferSize: Int

  /// The longest that an event waits for a flush, in milliseconds: until observers see it, and until it is delivered to a receiver on
  /// the same machine. For others, see ``delivery``.
  public var flushIntervalMs: Int

  /// Breadcrumbs that stay readable, also after a crash.
  public var maxBreadcrumbs: Int

  /// Time in the background after which the session ends, in milliseconds.
  public var sessionTimeoutMs: Int

  /// The directory that holds what has been recorded.
  public var storage: StorageLocation

  /// Bytes on disk that recordings may take. At the limit the oldest are removed, and counted as `evicted`.
  public var journalBudget: Int

  /// Whether each batch is also posted to `NotificationCenter` as
  /// ``SdkEventBroadcaster/eventBatchNotification``. Off saves the encoding; `observeBatches` works either way.
  public var postsBatchNotifications: Bool

  /// How often, how much and over which networks is delivered.
  public var delivery: DeliveryPolicy

  /// What a collector may command; debug builds only.
  public var remoteCommands: RemoteCommandAccess

  /// What records on its own from the start.
  public var subsystems: AutoMobileSubsystems

  /// Whether ``subsystems`` has ``AutoMobileSubsystems/lifecycleEvents``.
  public var trackLifecycleEvents: Bool {
    get { subsystems.contains(.lifecycleEvents) }
    set { if newValue { subsystems.insert(.lifecycleEvents) } else { subsystems.remove(.lifecycleEvents) } }
  }

  /// What the user has allowed, as long as nobody has decided: a decision that ``AutoMobileSDK/setConsent(_:completion:)`` has
  /// made counts more, also in later launches. But ``Consent/denied`` here is a denial.
  public var consent: Consent = .granted

  /// What leaves the device by itself; a collector's word counts more.
  public var upload: UploadPolicy

  /// Whether values that look like secrets are left out of addresses given to ``AutoMobileSDK/openURL(_:sourceApplication:)``.
  public var redactsDeepLinks: Bool

  /// Whether `initialize(bundleId:configuration:)` holds its caller, after a launch that crashed within ten seconds of
  /// it, until that crash's report has been delivered or the receiver cannot be reached: two seconds at most. Off, the caller goes
  /// on at once, and the report is delivered beside it, before all else.
  public var waitsForCrashAtLaunch: Bool

  /// 50 events, 500 ms, 100 breadcrumbs, 30 s in the background, 32 MiB in the caches directory, delivered every 30 s.
  public static let `default` = AutoMobileConfiguration()

  public init(
    endpoint: URL? = nil, apiKey: String? = nil, bufferSize: Int = 50, flushIntervalMs: Int = 500,
    maxBreadcrumbs: Int = 100, sessionTimeoutMs: Int = 30_000, storage: StorageLocation = .caches,
    journalBudget: Int = 32 * 1024 * 1024, postsBatchNotifications: Bool = true,
    remoteCommands: RemoteCommandAccess = .all, subsystems: AutoMobileSubsystems = .standard,
    trackLifecycleEvents: Bool = true, redactsDeepLinks: Bool = true, waitsForCrashAtLaunch: Bool = false,
    delivery: DeliveryPolicy = .default, upload: UploadPolicy = .everything
  ) {
    self.endpoint = endpoint
    self.apiKey = apiKey
    self.bufferSize = max(1, bufferSize)
    self.flushIntervalMs = max(1, flushIntervalMs)
    self.maxBreadcrumbs = max(1, maxBreadcrumbs)
    self.sessionTimeoutMs = max(1, sessionTimeoutMs)
    self.storage = storage
    self.journalBudget = max(1, journalBudget)
    self.postsBatchNotifications = postsBatchNotifications
    self.remoteCommands = remoteCommands
    self.subsystems = trackLifecycleEvents ? subsystems : subsystems.subtracting(.lifecycleEvents)
    self.redactsDeepLinks = redactsDeepLinks
    self.waitsForCrashAtLaunch = waitsForCrashAtLaunch
    self.delivery = delivery
    self.upload = upload
  }
}
