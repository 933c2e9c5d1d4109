import AutoMobileSupport
import Foundation

/// How the SDK is doing: what it recorded, what it lost and why, and whether it gets rid of it.
///
///     let diagnostics = AutoMobileSDK.shared.diagnostics
///     print(diagnostics.recorded, diagnostics.dropped)
///
/// Internal failures never reach the app in another way.
public struct AutoMobileDiagnostics: Codable, Sendable, Equatable {
  /// Where recordings go.
  public enum Storage: String, Codable, Sendable {
    /// Not initialized.
    case none
    /// Into the journal on disk: they survive any end of the process.
    case disk
    /// Into a little memory, because the disk cannot be used; see ``AutoMobileDiagnostics/lastError``. What does not
    /// fit is lost, and counted.
    case memory
  }

  public var isInitialized = false
  /// Both the app and the collector have recording switched on.
  public var isEnabled = false
  public var isShutDown = false
  /// What the user has allowed, as far as the SDK knows.
  public var consent = Consent.granted
  /// Why the SDK has not started in this process, although it was told to, in words; nil when it has. It stays off for a
  /// launch when launches before died of its start even in safe mode.
  public var offReason: String?
  /// Why the SDK is in safe mode in this launch, in words; nil when it is not. Then it reports crashes, and takes what the app
  /// records by itself, and does nothing else: launches before died of its start, by its own fault.
  public var safeModeReason: String?

  /// This launch's name in the journal and at the collector.
  public var launchId: String?
  /// Calls of this launch that recorded something, or would have.
  public var recorded: UInt64 = 0
  /// Lost events of this launch by ``DropReason``.
  public var dropped: [String: UInt64] = [:]

  /// What of the context (user, session, version, tags) events do not carry now, because the whole is longer than 32 KiB: names of
  /// members, and tags as `tags.NAME`; at most 50.
  public var contextLeftOut: [String] = []

  public var storage = Storage.none
  /// The directory of the journal.
  public var directory: String?

  /// Pages of our files that the disk could not give when they were written, and that memory took the place of. Then
  /// nothing more is recorded in this launch; the app goes on.
  public var mendedPages: UInt64 = 0

  /// How delivery stands; nil when events are delivered nowhere.
  public var delivery: DeliveryStatus?

  /// What decides on what is sent, and what waits; nil when events are delivered nowhere.
  public var upload: UploadStatus?

  /// What went wrong inside the SDK, or in code of the app that it called, and was kept from doing harm: how often, by
  /// place. Counted for the process.
  public var internalFailures: [String: UInt64] = [:]

  /// What a collector has told the SDK; nil when none can.
  public var control: ControlStatus?

  /// What went wrong last, in words; nil when nothing has.
  public var lastError: String?

  public init() {}
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension AutoMobileDiagnostics {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    isInitialized = members.value("isInitialized")
    isEnabled = members.value("isEnabled")
    isShutDown = members.value("isShutDown")
    consent = members.value("consent", or: .granted)
    offReason = members.value("offReason")
    safeModeReason = members.value("safeModeReason")
    launchId = members.value("launchId")
    recorded = members.value("recorded")
    dropped = members.value("dropped", or: [:])
    contextLeftOut = members.value("contextLeftOut", or: [])
    storage = members.value("storage", or: .none)
    directory = members.value("directory")
    mendedPages = members.value("mendedPages")
    delivery = members.value("delivery")
    upload = members.value("upload")
    internalFailures = members.value("internalFailures", or: [:])
    control = members.value("control")
    lastError = members.value("lastError")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("isInitialized", isInitialized)
    members.add("isEnabled", isEnabled)
    members.add("isShutDown", isShutDown)
    members.add("consent", consent)
    members.add("offReason", offReason)
    members.add("safeModeReason", safeModeReason)
    members.add("launchId", launchId)
    members.add("recorded", recorded)
    members.add("dropped", dropped)
    members.add("contextLeftOut", contextLeftOut)
    members.add("storage", storage)
    members.add("directory", directory)
    members.add("mendedPages", mendedPages)
    members.add("delivery", delivery)
    members.add("upload", upload)
    members.add("internalFailures", internalFailures)
    members.add("control", control)
    members.add("lastError", lastError)
    try members.end()
  }
}
