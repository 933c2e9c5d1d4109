import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Shows the app's preferences, and records their changes as `SdkStorageChangedEvent`. Off until it is switched on.
///
/// Values under names that tell of a secret (`token`, `password` and so on) are recorded as `REDACTED`, long ones are cut, and
/// what the system keeps in every suite is left out. Preferences are written in debug builds of the SDK only. Methods
/// return at once; any thread.
public final class UserDefaultsInspector: Sendable {
  public static let shared = UserDefaultsInspector()

  private struct State {
    var isEnabled = false
    var isListening = true
    var isWanted: Bool { isEnabled && isListening }
    /// Those that are followed while it listens; nil: only the standard one, which has no name. No set before it is
    /// needed: the first of its kind takes its time.
    var named: Set<String?>?
    var suites: Set<String?> {
      get { named ?? [nil] }
      set { named = newValue }
    }
    var buffer: SdkEventBuffer?
    var driver: (any UserDefaultsDriver)?
    var observations: NotificationObservations?
  }

  private let state = Locked(State())
  private let listeners = UserDefaultsListeners()
  private let watch = DefaultsWatch()
  private let center: NotificationCenter

  init(center: NotificationCenter = .default) { self.center = center }

  /// Whether changes are recorded and preferences may be looked at.
  public var isEnabled: Bool { state.withLock { $0.isEnabled } }

  /// Switches it on or off. On, changes of the standard suite are recorded, and of those that ``startListening(suiteName:)``
  /// was called for.
  public func setEnabled(_ enabled: Bool) {
    state.withLock { $0.isEnabled = enabled }
    update()
  }

  /// What reads and writes preferences; nil while this is disabled.
  public func getDriver() -> UserDefaultsDriver? { isEnabled ? driver : nil }

  /// Has preferences read and written by another driver.
  public func setDriver(_ driver: UserDefaultsDriver) {
    let old = state.withLock { state in
      defer { state.driver = driver }
      return state.driver
    }
    withExtendedLifetime(old) { update() }
  }

  /// The listener is kept until it is removed, and called in the order in which listeners came.
  public func addChangeListener(_ listener: UserDefaultsChangeListener) { listeners.add(listener) }

  public func removeChangeListener(_ listener: UserDefaultsChangeListener) { listeners.remove(listener) }

  /// Follows another suite, while this is enabled: what it holds is read in the background, moments later, and compared with
  /// from then on.
  ///
  /// - Parameter suiteName: the name of an app group for example; nil is the standard suite.
  public func startListening(suiteName: String? = nil) {
    guard StoredDefaultsDriver.isValid(suiteName: suiteName) else { return }
    state.withLock { state in
      if !state.isListening { state.suites = [] }
      state.isListening = true
      if state.suites.count < DefaultsWatch.maximumSuites { state.suites.insert(suiteName) }
    }
    if let suiteName { (driver as? StoredDefaultsDriver)?.note(suiteName: suiteName) }
    update()
  }

  /// Follows no suite any more.
  public func stopListening() {
    state.withLock { $0.isListening = false }
    update()
  }

  func initialize(buffer: SdkEventBuffer? = nil) {
    state.withLock { $0.buffer = buffer }
    update()
  }

  func start(_ host: SubsystemHost) {
    initialize(buffer: host.buffer)
    if let control = host.control { DefaultsCommands(inspector: self).register(in: control.commands) }
  }

  package func reset() {
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    old.observations?.end()
    listeners.removeAll()
    watch.follow { nil }
  }

  /// Waits until all that has been noticed is recorded.
  func settle() { watch.queue.sync {} }

  private var driver: any UserDefaultsDriver {
    if let driver = state.withLock({ $0.driver }) { return driver }
    let new = StoredDefaultsDriver()
    return state.withLock { state in
      if let driver = state.driver { return driver }
      state.driver = new
      return new
    }
  }

  /// Follows what is to be followed now.
  private func update() {
    let (isWanted, old) = state.withLock { state -> (Bool, NotificationObservations?) in
      let old = state.observations
      if !state.isWanted { state.observations = nil }
      return (state.isWanted, old)
    }
    watch.follow { [weak self] in self?.wish() }
    guard isWanted else {
      old?.end()
      return
    }
    (driver as? StoredDefaultsDriver)?.setOnChange { [weak watch] in watch?.noteChange() }
    if old == nil { observe() }
  }

  private func wish() -> DefaultsWatch.Wish? {
    let suites = state.withLock { $0.isWanted ? $0.suites : nil }
    return suites.map { suites in
      DefaultsWatch.Wish(suites: suites, driver: driver) { [weak self] in self?.tell($0) }
    }
  }

  private func observe() {
    let observations = NotificationObservations(center)
    let isFirst = state.withLock { state in
      guard state.observations == nil, state.isWanted else { return false }
      state.observations = observations
      return true
    }
    guard isFirst else { return }
    observations.add(UserDefaults.didChangeNotification, at: .userDefaultsChange) { [weak watch] in
      watch?.noteChange()
    }
  }

  /// On the watch's queue.
  private func tell(_ change: DefaultsWatch.Change) {
    state.withLock { $0.buffer }?.add(
      SdkStorageChangedEvent(
        suiteName: change.suite, key: change.key, newValue: change.newText, valueType: change.type.rawValue,
        sequenceNumber: change.number, changeType: change.kind, previousValue: change.oldText))
    listeners.notify(suiteName: change.suite, key: change.key)
  }
}
