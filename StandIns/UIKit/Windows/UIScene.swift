/// Documentation: *UIScene*. iOS 13.0.
@MainActor open class UIScene: UIResponder {}

/// Documentation: *UIWindowScene*. iOS 13.0.
@MainActor open class UIWindowScene: UIScene {
  /// Documentation: *windows*. iOS 13.0.
  open internal(set) var windows: [UIWindow] = []
}

extension UIApplication {
  private static var scenes: Set<UIScene> = []

  /// Documentation: *connectedScenes*. iOS 13.0.
  public var connectedScenes: Set<UIScene> { Self.scenes }

  /// The system gives the app a scene to show windows in.
  public func simulateConnection(of scene: UIScene) { Self.scenes.insert(scene) }

  /// The system takes a scene away.
  public func simulateDisconnection(of scene: UIScene) { Self.scenes.remove(scene) }
}
