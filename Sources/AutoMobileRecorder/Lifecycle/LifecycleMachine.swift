/// Decides which lifecycle events there are. No clock, no storage, no thread: what comes in, in its order, and what goes out.
///
/// | | event |
/// |---|---|
/// | launch, nothing stored | Installed; Updated from `unknown` when an identity shows that the app had been there before, and no launch is known to have left Installed untold |
/// | launch, another version or build stored | Updated |
/// | launch while active; else the first time that the app becomes active | Opened, not from the background |
/// | becomes active after having been in the background | Opened, from the background |
/// | becomes active otherwise (an alert, Control Center, Face ID) | none |
/// | enters the background, or ends without having been there | Backgrounded |
///
/// Installed and Updated are told when recording is first on, in that launch or a later one: they say what the app is, whenever
/// that is heard. Opened and Backgrounded say what happens: what happened while recording was off is not told later, and an app
/// that is active when recording is switched on is not opened by that. Its next Backgrounded is told, and the Opened after that.
///
/// Before the launch has been decided there are no events: what becomes active meanwhile is seen by the launch itself.
struct LifecycleMachine: Sendable {
  private let app: AppVersion
  private var isLaunched = false
  private var hasOpened = false
  private var isInBackground = false
  /// Waits for the next Opened; the last one wins.
  private var link: DeepLink?

  init(app: AppVersion) { self.app = app }

  /// What a launch tells.
  struct Launch: Sendable, Equatable {
    /// Of the app that runs; it is as true later.
    var installation: LifecycleEvent?
    var opening: LifecycleEvent?
  }

  /// The launch, once; later calls decide nothing.
  ///
  /// - Parameters:
  ///   - previous: the version that ran last, as stored; nil when nothing is.
  ///   - hadIdentity: an earlier build of the app, which stored no version, had made an identity.
  mutating func launch(_ state: ApplicationState, previous: AppVersion?, hadIdentity: Bool) -> Launch {
    guard !isLaunched else { return Launch() }
    isLaunched = true
    // What is not active has not been opened, so it does not go to the background either.
    isInBackground = state != .active
    var installation: LifecycleEvent?
    switch previous {
    case nil where hadIdentity:
      let unknown = AppVersion(version: AppVersion.unknown, build: AppVersion.unknown)
      installation = .updated(app, previous: unknown)
    case nil: installation = .installed(app)
    case .some(app): break
    case .some(let previous): installation = .updated(app, previous: previous)
    }
    return Launch(installation: installation, opening: state == .active ? open() : nil)
  }

  mutating func receive(_ signal: ApplicationSignal) -> [LifecycleEvent] {
    guard isLaunched else { return [] }
    switch signal {
    case .becameActive:
      guard !hasOpened || isInBackground else { return [] }
      return [open()]
    case .enteredBackground, .willTerminate:
      guard !isInBackground else { return [] }
      isInBackground = true
      return [.backgrounded]
    }
  }

  /// The app was opened by an address: kept for the next Opened.
  mutating func note(_ link: DeepLink) { self.link = link }

  private mutating func open() -> LifecycleEvent {
    defer {
      hasOpened = true
      isInBackground = false
      link = nil
    }
    return .opened(app, fromBackground: hasOpened, link: link)
  }
}
