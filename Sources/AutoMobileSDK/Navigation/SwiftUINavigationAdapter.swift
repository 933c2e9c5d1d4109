/// Reports the screens of a SwiftUI app: those that ask for it with `.trackNavigation(destination:)`, and those that
/// the app names itself. The SDK starts it when it is initialized.
public final class SwiftUINavigationAdapter: NavigationFrameworkAdapter {
  /// Reports to `AutoMobileSDK.shared`.
  public static let shared = SwiftUINavigationAdapter { AutoMobileSDK.shared.notifyNavigationEvent($0) }

  private let report: @Sendable (NavigationEvent) -> Void
  /// 1 while active.
  private let state = AtomicWord(0)

  init(report: @escaping @Sendable (NavigationEvent) -> Void) { self.report = report }

  public func start() { state.store(1) }

  /// What is tracked from now on is not reported.
  public func stop() { state.store(0) }

  public var isActive: Bool { state.value == 1 }

  /// Reports that a screen was shown, now. Any thread; does nothing while the adapter is stopped.
  public func trackNavigation(
    destination: String, arguments: [String: String] = [:], metadata: [String: String] = [:]
  ) {
    guard isActive else { return }
    report(
      NavigationEvent(destination: destination, source: .swiftUINavigation, arguments: arguments, metadata: metadata))
  }
}
