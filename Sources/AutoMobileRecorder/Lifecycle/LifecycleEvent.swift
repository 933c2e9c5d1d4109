/// The four standard events of an application's life, with the names and properties that the field uses for them.
enum LifecycleEvent: Sendable, Equatable {
  case installed(AppVersion)
  case updated(AppVersion, previous: AppVersion)
  case opened(AppVersion, fromBackground: Bool, link: DeepLink?)
  case backgrounded

  var name: String {
    switch self {
    case .installed: "Application Installed"
    case .updated: "Application Updated"
    case .opened: "Application Opened"
    case .backgrounded: "Application Backgrounded"
    }
  }

  /// Nil: the event has none, not even empty ones.
  var properties: [String: MetadataValue]? {
    switch self {
    case .installed(let app): return Self.properties(of: app)
    case .updated(let app, let previous):
      var properties = Self.properties(of: app)
      properties["previous_version"] = .string(previous.version)
      properties["previous_build"] = .string(previous.build)
      return properties
    case .opened(let app, let fromBackground, let link):
      var properties = Self.properties(of: app)
      properties["from_background"] = .bool(fromBackground)
      properties["url"] = (link?.url).map { .string($0) }
      properties["referring_application"] = (link?.sourceApplication).map { .string($0) }
      return properties
    case .backgrounded: return nil
    }
  }

  /// As every event of the app's own is recorded.
  var customEvent: SdkCustomEvent {
    properties.map { SdkCustomEvent(name: name, properties: $0) } ?? SdkCustomEvent(nameOnly: name)
  }

  private static func properties(of app: AppVersion) -> [String: MetadataValue] {
    ["version": .string(app.version), "build": .string(app.build)]
  }
}
