extension AutoMobileSDK {
  /// The SDK's version, as in the repository's file `VERSION`.
  public static let version = "0.1.0"
}
