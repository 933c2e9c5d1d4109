/// The app's word that something should be looked at.
enum CaptureEvent {
  /// The event's name.
  static let name = "Capture"

  static func event(reason: String) -> SdkCustomEvent { SdkCustomEvent(name: name, properties: ["reason": reason]) }
}
