extension AutoMobileSDK {
  /// Says that something should be looked at: what the user reports, or the app finds odd. Any thread; returns at once.
  ///
  ///     AutoMobileSDK.shared.capture(reason: "the user pressed Report a problem")
  ///
  /// Records an ``SdkCustomEvent`` named `Capture`. Where events stay on the device (``UploadPolicy/whenTriggered(_:)``), rules with
  /// ``UploadTrigger/capture`` send what is around it, beginning now.
  public func capture(reason: String) {
    record(CaptureEvent.event(reason: reason))
    runtime?.delivery?.deliverNow()
  }
}
