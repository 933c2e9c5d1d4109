/// A turn of the main run loop: what is changed in it comes on the display at its end, all at once. Outside of one, the display
/// is told at once. Apple's framework does not have it.
@MainActor public enum SimulatedTurn {
  /// What the display was told last; nil: it is told at once.
  private static var told: [ObjectIdentifier: (view: UIView, displayed: Displayed)]?
  private static var waiting: [@MainActor () -> Void] = []

  public static func simulateBegin() {
    told = [:]
    for case let scene as UIWindowScene in UIApplication.shared.connectedScenes {
      for window in scene.windows where window.isOnScreen {
        told?[ObjectIdentifier(window)] = (window, Displayed(window.layer, records: true))
      }
    }
  }

  /// The display is told, and then whoever waited for that goes on.
  ///
  /// - Parameter isLate: the display is a process of its own: what it was told now is not shown yet when they go on.
  public static func simulateEnd(isLate: Bool = false) {
    if !isLate { told = nil }
    let bodies = waiting
    waiting = []
    bodies.forEach { $0() }
    told = nil
  }

  /// Calls `body` when the display has been told, as an observer of the run loop behind that of Core Animation does.
  public static func simulateWaiting(_ body: @escaping @MainActor () -> Void) {
    if told == nil { body() } else { waiting.append(body) }
  }

  /// Nil for what is not on the screen.
  static func displayed(_ view: UIView) -> Displayed? {
    guard let told else { return view.isOnScreen ? Displayed(view.layer, records: false) : nil }
    return told[ObjectIdentifier(view)]?.displayed
  }
}

extension UIView {
  fileprivate var isOnScreen: Bool {
    guard let scene = window?.windowScene, UIApplication.shared.connectedScenes.contains(scene) else { return false }
    return scene.activationState == .foregroundActive || scene.activationState == .foregroundInactive
  }
}

/// An exception that is raised while views are drawn: there is no Objective-C here that would raise one. What is drawn after it
/// is not drawn, and contexts that were pushed stay pushed.
@MainActor public enum SimulatedException {
  static var isUnderWay = false

  /// Where it is caught.
  ///
  /// - Returns: whether there was one.
  public static func simulateCatch() -> Bool {
    defer { isUnderWay = false }
    return isUnderWay
  }
}
