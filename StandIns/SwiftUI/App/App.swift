/// Documentation: *App*. iOS 14.0.
@MainActor @preconcurrency public protocol App {
  /// Documentation: *Body*. iOS 14.0.
  associatedtype Body: Scene
  /// Documentation: *body*. iOS 14.0.
  @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
  /// Documentation: *init()*. iOS 14.0.
  @MainActor @preconcurrency init()
}

extension App {
  /// Documentation: *main()*. iOS 14.0.
  ///
  /// There is no screen for it here: the app is made, and that is all.
  @MainActor @preconcurrency public static func main() { _ = Self().body }
}

/// Documentation: *Scene*. iOS 14.0.
@MainActor @preconcurrency public protocol Scene {}

/// Documentation: *SceneBuilder*. iOS 14.0.
@resultBuilder public struct SceneBuilder {
  /// Documentation: *buildBlock(_:)*. iOS 14.0.
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

/// Documentation: *WindowGroup*. iOS 14.0.
nonisolated public struct WindowGroup<Content: View>: Scene {
  /// Documentation: *init(makeContent:)*. iOS 14.0.
  public init(@ViewBuilder makeContent: @escaping () -> Content) {}
}
