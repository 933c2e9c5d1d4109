import AutoMobileRecorder

extension AutoMobileSDK {
  /// Starts the SDK with `AutoMobileConfiguration.default`. Does nothing when it has been started.
  ///
  ///     AutoMobileSDK.shared.initialize(bundleId: "com.example.app")
  ///
  /// - Parameter bundleId: the main bundle's when nil.
  public func initialize(bundleId: String? = nil) { initialize(bundleId: bundleId, configuration: .default) }

  /// Starts the SDK. Does nothing when it has been started. Takes a millisecond or two of the calling thread; see
  /// `Documentation/Performance.md`.
  ///
  /// - Parameters:
  ///   - bundleId: the main bundle's when nil.
  ///   - configuration: what is recorded, where it is kept, and where it goes.
  public func initialize(bundleId: String? = nil, configuration: AutoMobileConfiguration) {
    initialize(bundleId: bundleId, configuration: configuration, integrations: AutoMobileIntegration.all)
  }
}
