/// A screen that was shown, as the app reports it and as listeners hear of it.
///
///     AutoMobileSDK.shared.notifyNavigationEvent(
///       NavigationEvent(destination: "product", source: .deepLink, arguments: ["id": "42"]))
public struct NavigationEvent: Sendable {
  /// What is recorded. The event is made of it, so that recording copies nothing.
  let sdkEvent: SdkNavigationEvent

  /// The screen's name or route.
  public var destination: String { sdkEvent.destination }
  public var source: NavigationSource { NavigationSource(sdkEvent.source) }
  /// In milliseconds since 1970.
  public var timestamp: Int64 { sdkEvent.timestamp }
  public var arguments: [String: String] { sdkEvent.arguments }
  public var metadata: [String: String] { sdkEvent.metadata }

  public init(
    destination: String, source: NavigationSource, timestamp: Int64 = EventClock.now(),
    arguments: [String: String] = [:], metadata: [String: String] = [:]
  ) {
    sdkEvent = SdkNavigationEvent(
      timestamp: timestamp, destination: destination, source: source.type, arguments: arguments, metadata: metadata)
  }

  /// Takes arguments of any type and keeps their text.
  ///
  /// Strings stay as they are; booleans are `true` and `false`, numbers decimal, nothing (`nil`, `NSNull`) is `null`;
  /// arrays and dictionaries become their JSON; dates ISO 8601, URLs and UUIDs their usual text, data base64; all else
  /// what `String(describing:)` makes of it.
  public init(
    destination: String, source: NavigationSource, timestamp: Int64 = EventClock.now(), mixedArguments: [String: Any],
    metadata: [String: String] = [:]
  ) {
    self.init(
      destination: destination, source: source, timestamp: timestamp,
      arguments: mixedArguments.mapValues { MetadataValue(converting: $0).text }, metadata: metadata)
  }
}
