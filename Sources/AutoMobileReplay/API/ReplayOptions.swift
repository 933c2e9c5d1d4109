import Foundation

/// How replays are recorded. What is out of its limits is put at the nearest one, and what is no number at its default.
///
/// The collector has a say, too, at each start: its frame rate wins over ``frameInterval``; it can have events only, and cover more than
/// the app does. Everything else is as it stands here.
public struct ReplayOptions: Sendable, Equatable {
  /// Nothing is uploaded but over Wi-Fi or a cable; until then it stays on the device, within a budget.
  public var wifiOnly: Bool
  /// Marks where the main thread stood still for five seconds and more.
  public var captureANR: Bool
  /// Has all of the app's requests recorded while a replay is, as `AutoMobileNetwork.startInterception()` does.
  ///
  /// Off unless the app wants it: covered requests are sent by a session of the SDK's instead of the app's, which an app can notice (its
  /// connections are others, and so are the metrics). Requests that the app has recorded anyway are in the replay without this.
  public var autoTrackNetwork: Bool
  /// What nobody may see, besides what is covered by itself.
  public var masking = ReplayMasking()
  /// The collector. Nil: the one that the SDK was initialized with.
  public var endpoint: URL?

  /// From one picture to the next, in seconds: 1/30 to 10. Pictures come less often when they cost the main thread too much, and while
  /// the device is hot or saves power.
  public var frameInterval: TimeInterval = defaultInterval
  /// Of the JPEG: 0, the smallest, to 1, the best.
  public var jpegQuality = 0.5
  /// How many points of the screen are one pixel of the picture: 1 to 8. With 1.25, pictures have 80 % of the screen's size in points.
  public var captureScale = 1.25
  /// No pictures: only the tree of views, its places and its words. No pixel of the screen is read.
  public var wireframesOnly = false
  /// Records what is touched while a replay is recorded, which is marked in it, also where the app has not switched on
  /// `AutoMobileSubsystems.interaction`. Not when it has switched that off by `AutoMobileSDK.setEnabled(_:for:)`.
  public var recordsTouches = true

  public init(wifiOnly: Bool = false, captureANR: Bool = true, autoTrackNetwork: Bool = false, endpoint: URL? = nil) {
    self.wifiOnly = wifiOnly
    self.captureANR = captureANR
    self.autoTrackNetwork = autoTrackNetwork
    self.endpoint = endpoint
  }

  private static let defaultInterval = 1.0 / 3
}

extension CaptureSettings {
  /// What the app has chosen.
  mutating func use(_ options: ReplayOptions) {
    let standard = ReplayOptions()
    let interval = options.frameInterval
    framesPerSecond = 1 / (interval.isNaN ? standard.frameInterval : min(max(interval, 1.0 / 30), 10))
    let quality = options.jpegQuality
    self.quality = quality.isNaN ? standard.jpegQuality : min(max(quality, 0), 1)
    let scale = options.captureScale
    self.scale = scale.isNaN ? standard.captureScale : min(max(scale, 1), 8)
    mode = options.wireframesOnly ? .wireframes : .pictures
  }
}
