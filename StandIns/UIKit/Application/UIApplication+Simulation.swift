import Foundation

/// What people and the system do to an app, with the notifications in the order that the documentation of the app's life
/// cycle gives them.
extension UIApplication {
  /// The process starts: with a screen it is inactive at first, without one (a push, a fetch) in the background.
  public func simulateLaunch(inBackground: Bool = false, isLocked: Bool = false) {
    applicationState = inBackground ? .background : .inactive
    isProtectedDataAvailable = !isLocked
  }

  /// Somebody opens the app, or comes back to it.
  public func simulateActivation() {
    if applicationState == .background {
      applicationState = .inactive
      post(Self.willEnterForegroundNotification)
    }
    applicationState = .active
    connectedScenes.forEach { simulateState(.foregroundActive, of: $0) }
    post(Self.didBecomeActiveNotification)
  }

  /// An alert, Control Center, Face ID, or the way to the home screen.
  public func simulateInterruption() {
    post(Self.willResignActiveNotification)
    applicationState = .inactive
    connectedScenes.forEach { simulateState(.foregroundInactive, of: $0) }
  }

  /// The home screen, or another app.
  public func simulateLeaving() {
    if applicationState == .active { simulateInterruption() }
    applicationState = .background
    connectedScenes.forEach { simulateState(.background, of: $0) }
    post(Self.didEnterBackgroundNotification)
  }

  /// The system ends the app, and lets it know.
  public func simulateTermination() { post(Self.willTerminateNotification) }

  /// The phone is unlocked for the first time after it was switched on.
  public func simulateFirstUnlock() {
    isProtectedDataAvailable = true
    post(Self.protectedDataDidBecomeAvailableNotification)
  }

  private func post(_ name: NSNotification.Name) { NotificationCenter.default.post(name: name, object: self) }
}

extension UIApplication {
  /// What background tasks there were: "begin", "end", and "end of none" for one that had ended.
  nonisolated public var simulatedBackgroundTasks: [String] { BackgroundTasks.shared.history }

  /// The system wants its time back.
  public func simulateExpiration() { BackgroundTasks.shared.handlers.forEach { $0() } }
}
