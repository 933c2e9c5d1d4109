import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Lets the app's databases be looked into: by the app itself through ``getDriver()``, and in debug builds live by
/// `automobile db` and the viewer. Off until it is switched on.
///
/// Nothing is opened before somebody asks, and all is closed before the app is suspended. Methods return at once; any
/// thread.
public final class DatabaseInspector: Sendable {
  public static let shared = DatabaseInspector()

  private struct State {
    var isEnabled = false
    var driver: (any DatabaseDriver)?
    var suspension: DatabaseSuspension?
  }

  private let state = Locked(State())

  init() {}

  /// Whether databases may be looked into.
  public var isEnabled: Bool { state.withLock { $0.isEnabled } }

  /// Switches it on or off. Off, open databases are closed.
  public func setEnabled(_ enabled: Bool) {
    let wasEnabled = state.withLock { state in
      defer { state.isEnabled = enabled }
      return state.isEnabled
    }
    if wasEnabled, !enabled { Self.close(state.withLock { $0.driver }) }
  }

  /// What looks into databases; nil while this is disabled.
  public func getDriver() -> DatabaseDriver? {
    let (driver, isEnabled) = state.withLock { ($0.driver, $0.isEnabled) }
    guard isEnabled else { return nil }
    if let driver { return driver }
    // Made late: what it looks through need not be known before.
    let new = SQLiteDatabaseDriver()
    return state.withLock { state in
      if state.driver == nil { state.driver = new }
      return state.driver
    }
  }

  /// Has databases looked into by another driver, one that looks in other places for example:
  ///
  ///     DatabaseInspector.shared.setDriver(SQLiteDatabaseDriver(searchPaths: [groupContainer.path]))
  public func setDriver(_ driver: DatabaseDriver) {
    let old = state.withLock { state in
      defer { state.driver = driver }
      return state.driver
    }
    Self.close(old)
  }

  func initialize() {
    let isObserved = state.withLock { $0.suspension != nil }
    guard !isObserved else { return }
    let suspension = DatabaseSuspension { [weak self] in self?.driverInUse }
    state.withLock { $0.suspension = suspension }
    suspension.start()
  }

  func start(_ host: SubsystemHost) {
    initialize()
    if let control = host.control { DatabaseCommands(inspector: self).register(in: control.commands) }
  }

  package func reset() {
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    Self.close(old.driver)
  }

  private var driverInUse: SQLiteDatabaseDriver? { state.withLock { $0.driver } as? SQLiteDatabaseDriver }

  /// In the background: closing files is not for the caller to wait for.
  private static func close(_ driver: (any DatabaseDriver)?) {
    guard let driver = driver as? SQLiteDatabaseDriver else { return }
    DispatchQueue.global(qos: .utility).async { driver.closeAll() }
  }
}
