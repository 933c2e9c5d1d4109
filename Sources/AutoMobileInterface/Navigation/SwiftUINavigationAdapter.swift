import AutoMobileRecorder
import AutoMobileSupport

/// Reports the screens of a SwiftUI app: those that ask for it with `.trackNavigation(destination:)`, the ones that a stack
/// shows with `.trackNavigationPath(…)`, and those that the app names itself. The SDK starts it when it is initialized.
public final class SwiftUINavigationAdapter: NavigationFrameworkAdapter {
  /// Reports to `AutoMobileSDK.shared`.
  public static let shared = SwiftUINavigationAdapter { AutoMobileSDK.shared.notifyNavigationEvent($0) }

  private let report: @Sendable (NavigationEvent) -> Void
  /// 1 while active.
  private let state = AtomicWord(0)

  /// A stack tells of a screen when its path changes, the screen itself when it appears, in either order.
  private enum Reporter {
    case path
    case screen
  }
  /// What was reported last, until the other one has said the same.
  private let last = Locked<(destination: String, by: Reporter)?>(nil)

  init(report: @escaping @Sendable (NavigationEvent) -> Void) { self.report = report }

  public func start() { state.store(1) }

  /// What is tracked from now on is not reported.
  public func stop() {
    state.store(0)
    last.withLock { $0 = nil }
  }

  public var isActive: Bool { state.value == 1 }

  /// Reports that a screen was shown, now. Any thread; does nothing while the adapter is stopped, or when a stack has just
  /// reported a screen of this name.
  public func trackNavigation(
    destination: String, arguments: [String: String] = [:], metadata: [String: String] = [:]
  ) {
    report(.screen, destination, arguments, metadata)
  }

  /// A stack of screens shows this one, after its path has changed.
  func trackPath(destination: String, arguments: [String: String], change: NavigationPathChange?, depth: Int) {
    var metadata = ["depth": String(depth)]
    metadata["change"] = change?.rawValue
    report(.path, destination, arguments, metadata)
  }

  private func report(
    _ reporter: Reporter, _ destination: String, _ arguments: [String: String], _ metadata: [String: String]
  ) {
    guard isActive else { return }
    let isKnown = last.withLock { last in
      if let known = last, known.by != reporter, known.destination == destination {
        last = nil
        return true
      }
      last = (destination, reporter)
      return false
    }
    guard !isKnown else { return }
    report(
      NavigationEvent(destination: destination, source: .swiftUINavigation, arguments: arguments, metadata: metadata))
  }
}
