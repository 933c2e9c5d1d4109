import Foundation

/// How replays are recorded.
public struct ReplayOptions: Sendable, Equatable {
  /// Nothing is uploaded but over Wi-Fi or a cable; until then it stays on the device, within a budget.
  public var wifiOnly: Bool
  /// Marks where the main thread stood still for five seconds and more.
  public var captureANR: Bool
  /// Records the app's requests while a replay is recorded, as `AutoMobileNetwork.startInterception()` does.
  public var autoTrackNetwork: Bool
  /// What nobody may see, besides what is covered by itself.
  public var masking = ReplayMasking()
  /// The collector. Nil: the one that the SDK was initialized with.
  public var endpoint: URL?

  public init(wifiOnly: Bool = false, captureANR: Bool = true, autoTrackNetwork: Bool = true, endpoint: URL? = nil) {
    self.wifiOnly = wifiOnly
    self.captureANR = captureANR
    self.autoTrackNetwork = autoTrackNetwork
    self.endpoint = endpoint
  }
}
