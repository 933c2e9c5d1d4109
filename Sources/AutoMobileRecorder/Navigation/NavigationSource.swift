/// What caused a navigation.
public enum NavigationSource: String, Sendable, CaseIterable {
  case swiftUINavigation = "swiftui_navigation"
  case uiKitNavigation = "uikit_navigation"
  case deepLink = "deep_link"
  case custom

  init(_ type: NavigationSourceType) {
    switch type {
    case .swiftUINavigation: self = .swiftUINavigation
    case .uiKitNavigation: self = .uiKitNavigation
    case .deepLink: self = .deepLink
    case .custom: self = .custom
    }
  }

  /// The same in a recorded event.
  var type: NavigationSourceType {
    switch self {
    case .swiftUINavigation: .swiftUINavigation
    case .uiKitNavigation: .uiKitNavigation
    case .deepLink: .deepLink
    case .custom: .custom
    }
  }
}
