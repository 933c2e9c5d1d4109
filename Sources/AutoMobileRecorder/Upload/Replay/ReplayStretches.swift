import AutoMobileSupport
import Foundation

/// What of replays may leave the device: the door between rules and asks, which name stretches of time, and the replay, which has what
/// was on the screen then.
///
///     LaunchEvaluation ──▶ UploadKeeper ──save──▶ ReplayStretches ──▶ replay
///
/// Stretches are written down before the notes of the launches in which they were found: a process that is killed in between looks again,
/// and finds the same. They outlive those launches, whose events may have been sent long before the frames.
///
/// Any thread; it may read and write the disk.
package final class ReplayStretches: Sendable {
  /// What goes.
  package enum Holding: Sendable, Equatable {
    /// Nobody knows yet what a collector has said. Nothing goes, and nothing is removed.
    case unknown
    case everything
    /// What stretches overlap; the rest stays for so many days.
    case named(keepDays: Int)
  }

  private struct State {
    var holding: Holding
    var book = StretchBook()
    /// What has been found since, and is not written down yet.
    var found: [(launch: String, change: ReplayStretch.Change)] = []
    /// The launches in which something has been found.
    var own: Set<String> = []
    var isLoaded = false
    /// What is written down at this moment is among it.
    var isCurrent = false
    var isWritten = true
    var isUsed = false
    var hasLooked = true
    var observers: [UInt64: @Sendable () -> Void] = [:]
    var nextObserver: UInt64 = 0
  }

  private let url: URL?
  private let wall: @Sendable () -> Int64
  private let state: Locked<State>

  /// - Parameter url: where they are written down; nil: nowhere.
  package init(
    url: URL?, holding: Holding, wall: @escaping @Sendable () -> Int64 = { Clocks.millisecondsSince1970() }
  ) {
    self.url = url
    self.wall = wall
    state = Locked(State(holding: holding))
  }

  convenience init(directory: URL, owner: String, holding: Holding) {
    self.init(
      url: directory.appendingPathComponent(Self.fileName(owner: owner), isDirectory: false), holding: holding)
  }

  /// The file's name. Apps may share a directory.
  static func fileName(owner: String) -> String { "stretches-" + ControlCache.safe(owner) + ".json" }

  // MARK: For the replay

  package var holding: Holding { state.withLock { $0.holding } }

  /// Whether rules and asks have been held against what earlier launches left: until then nobody knows that nobody wants it.
  package var hasLooked: Bool { state.withLock { $0.hasLooked } }

  /// The stretches of a launch, in milliseconds since 1970, sorted and disjoint.
  ///
  /// - Parameter launch: nil: a version recorded it that did not know; any launch's are meant.
  package func ranges(of launch: String?) -> [ClosedRange<Int64>] {
    state.withLock { state in
      load(&state)
      return state.book.ranges(of: launch)
    }
  }

  /// The same, each with the clock that it is by.
  package func named(of launch: String?) -> NamedStretches {
    state.withLock { state in
      load(&state)
      return state.book.named(of: launch)
    }
  }

  /// Has a closure called after each change, until ``forget(observer:)``.
  package func observe(_ observer: @escaping @Sendable () -> Void) -> UInt64 {
    state.withLock { state in
      state.nextObserver &+= 1
      state.observers[state.nextObserver] = observer
      return state.nextObserver
    }
  }

  package func forget(observer: UInt64) { state.withLock { _ = $0.observers.removeValue(forKey: observer) } }

  /// There are replays: from now on stretches are written down.
  package func use() {
    state.withLock { state in
      guard !state.isUsed else { return }
      state.isUsed = true
      write(&state)
    }
  }

  // MARK: For rules and asks

  package func follow(_ holding: Holding) {
    change { state in
      defer { state.holding = holding }
      return state.holding != holding
    }
  }

  /// Somebody holds rules and asks against what earlier launches left, and says ``looked()`` when that is done.
  package func awaitLook() { state.withLock { $0.hasLooked = false } }

  package func looked() {
    change { state in
      defer { state.hasLooked = true }
      return !state.hasLooked
    }
  }

  /// Counts from the next ``save()`` on.
  package func add(_ change: ReplayStretch.Change, in launch: String) {
    state.withLock { $0.found.append((launch, change)) }
  }

  /// Writes down what has been found, in one step that a killed process has taken or not, and tells the replay.
  ///
  /// - Returns: false when the disk has not taken it. It holds in this process all the same.
  @discardableResult
  package func save() -> Bool {
    change { state in
      guard !state.found.isEmpty else { return false }
      load(&state)
      let before = state.book
      adopt(&state)
      state.own.formUnion(state.found.map { $0.launch })
      for (launch, change) in state.found { state.book.apply(change, in: launch) }
      state.found = []
      guard state.book != before else { return false }
      state.book.forget(before: wall())
      state.isWritten = false
      return true
    }
    return state.withLock { write(&$0) }
  }

  /// What there was has been erased.
  func forget() {
    state.withLock { state in
      state.book = StretchBook()
      state.found = []
      state.own = []
      state.isLoaded = false
      state.isWritten = true
    }
  }

  private func change(_ body: (inout State) -> Bool) {
    let observers = state.withLock { state in body(&state) ? Array(state.observers.values) : [] }
    observers.forEach { $0() }
  }

  private func load(_ state: inout State) {
    guard !state.isLoaded else { return }
    adopt(&state)
    (state.isLoaded, state.isCurrent) = (state.isCurrent, false)
  }

  /// Takes what is written down, which may be another process's.
  private func adopt(_ state: inout State) {
    guard let url else { return state.isCurrent = true }
    guard let written = try? StretchBook(contentsOf: url) else { return }
    state.book.adopt(written, except: state.own)
    state.isCurrent = true
  }

  /// What no replay will ask for is not written.
  ///
  /// - Returns: false when it was to be written, and could not be.
  @discardableResult
  private func write(_ state: inout State) -> Bool {
    defer { state.isCurrent = false }
    guard !state.isWritten, let url else { return true }
    let replays = url.deletingLastPathComponent().appendingPathComponent("replay", isDirectory: true)
    guard state.isUsed || FileManager.default.fileExists(atPath: replays.path) else { return true }
    // Since a try that failed somebody else may have written; and what could not be read is not overwritten.
    if !state.isCurrent { adopt(&state) }
    state.isWritten = state.isCurrent && state.book.write(to: url)
    return state.isWritten
  }
}
