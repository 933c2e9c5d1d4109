import Foundation

/// Documentation: *UIScene*. iOS 13.0.
@MainActor open class UIScene: UIResponder {
  /// Documentation: *UIScene.ActivationState*. iOS 13.0.
  public enum ActivationState: Int, Sendable {
    case unattached = -1
    case foregroundActive = 0
    case foregroundInactive = 1
    case background = 2
  }

  /// Documentation: *activationState*. iOS 13.0.
  open internal(set) var activationState = ActivationState.unattached

  /// Documentation: *session*. iOS 13.0.
  public private(set) lazy var session = UISceneSession()
}

/// Documentation: *UISceneSession*. iOS 13.0.
@MainActor open class UISceneSession: NSObject {
  private static var count = 0

  nonisolated override init() {}

  /// Documentation: *persistentIdentifier*. iOS 13.0.
  public private(set) lazy var persistentIdentifier: String = {
    Self.count += 1
    return "scene-\(Self.count)"
  }()

  /// Documentation: *role*. iOS 13.0.
  open internal(set) var role = Role.windowApplication

  /// Documentation: *UISceneSession.Role*. iOS 13.0.
  public struct Role: Hashable, Sendable, RawRepresentable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Documentation: *windowApplication*. iOS 13.0.
    public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
  }
}

/// Documentation: *UICoordinateSpace*. iOS 8.0.
@MainActor public protocol UICoordinateSpace: NSObjectProtocol {
  /// Documentation: *bounds*. iOS 8.0.
  var bounds: CGRect { get }
}

/// Documentation: *UIWindowScene*. iOS 13.0.
@MainActor open class UIWindowScene: UIScene {
  /// Documentation: *windows*. iOS 13.0.
  open internal(set) var windows: [UIWindow] = []

  private final class Space: NSObject, UICoordinateSpace {
    var bounds = CGRect(x: 0, y: 0, width: 390, height: 844)
    nonisolated override init() {}
  }
  private let space = Space()
  /// Documentation: *coordinateSpace*. iOS 13.0.
  open var coordinateSpace: any UICoordinateSpace { space }

  /// The phone is turned, or another app gets a part of the screen; windows follow.
  public func simulateResize(to size: CGSize) {
    let old = space.bounds
    space.bounds.size = size
    for window in windows where window.frame == old { window.frame = space.bounds }
  }
}

extension UIApplication {
  private static var scenes: Set<UIScene> = []

  /// Documentation: *connectedScenes*. iOS 13.0.
  public var connectedScenes: Set<UIScene> { Self.scenes }

  /// The system gives the app a scene to show windows in: on the phone's screen, or on one that was plugged in.
  public func simulateConnection(of scene: UIScene, onOtherScreen: Bool = false) {
    Self.scenes.insert(scene)
    scene.activationState = .foregroundActive
    if onOtherScreen { scene.session.role = .init(rawValue: "UIWindowSceneSessionRoleExternalDisplay") }
  }

  /// The system takes a scene away.
  public func simulateDisconnection(of scene: UIScene) {
    Self.scenes.remove(scene)
    scene.activationState = .unattached
  }

  /// Something happens to one scene, and to no other.
  public func simulateState(_ state: UIScene.ActivationState, of scene: UIScene) { scene.activationState = state }
}
