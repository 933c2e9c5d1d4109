import AutoMobileSupport

/// What the user has allowed, as this process knows it, and the file in which all of the app's processes keep it.
final class ConsentKeeper: Sendable {
  private struct State {
    var consent: Consent
    /// When everything was last erased, as far as this process has heard.
    var erasedAt: Int64
    /// It has been said in this process, and is not in the file yet: what that says is older.
    var isUnkept: Bool
    /// Why the decision is not kept over launches.
    var failure: String?
    var nextLook: Int64 = .min
  }

  private let file: ConsentFile?
  private let state: Locked<State>

  /// How often the file is looked at while events are recorded, in milliseconds.
  private static let interval: Int64 = 1000

  /// What holds at the start of a launch: a decision that was kept counts more than what the configuration begins with; but a
  /// configuration that says no is a no. Reads a few bytes.
  ///
  /// - Parameter said: by the app, before initialization.
  init(_ file: ConsentFile?, said: Consent?, configured: Consent) {
    self.file = file
    let kept = file?.read()
    let saidNow = said ?? (configured == .denied ? .denied : nil)
    state = Locked(
      State(
        consent: saidNow ?? kept?.consent ?? configured, erasedAt: kept?.erasedAt ?? 0,
        isUnkept: saidNow != nil && saidNow != kept?.consent))
  }

  /// Any thread.
  var current: Consent { state.withLock { $0.consent } }

  /// When everything was last erased, in milliseconds since 1970; 0: never. Any thread.
  var erasedAt: Int64 { state.withLock { $0.erasedAt } }

  /// Whether the file says something else than what holds, because it has not been written yet.
  var isUnkept: Bool { state.withLock { $0.isUnkept } }

  /// Why what the user decided will be forgotten with this launch; nil when it will not.
  var failure: String? { state.withLock { $0.failure } }

  /// Holds from now on, in this process.
  func say(_ consent: Consent) {
    state.withLock { state in
      state.consent = consent
      state.isUnkept = true
    }
  }

  /// Has what was said in this process hold for all from now on, and leaves what others have said when nothing was. Reads and
  /// writes the disk.
  ///
  /// - Parameter erasedAt: when everything was erased, if it was, in milliseconds since 1970.
  func keep(erasedAt: Int64? = nil) {
    let kept = file?.read()
    let record = state.withLock { state in
      let last = max(state.erasedAt, kept?.erasedAt ?? 0)
      // Later than the last time also when the clock was set back. What another process erased has not been heard of yet.
      if let erasedAt { state.erasedAt = max(erasedAt, last.addingReportingOverflow(1).partialValue) }
      defer { state.isUnkept = false }
      return ConsentRecord(
        consent: state.isUnkept ? state.consent : kept?.consent, erasedAt: max(state.erasedAt, last))
    }
    guard let file, record != kept else { return }
    var failure: String?
    do { try file.write(record) } catch {
      failure = "the decision about consent cannot be saved: \(error)"
    }
    state.withLock { [failure] in $0.failure = failure }
  }

  /// Whether it is time to look again whether another process has said something.
  func isDue(at now: Int64) -> Bool {
    state.withLock { state in
      guard now >= state.nextLook else { return false }
      state.nextLook = now.addingReportingOverflow(Self.interval).partialValue
      return true
    }
  }

  /// What another process has said since. Reads a few bytes.
  func look() -> (isChanged: Bool, isErased: Bool) {
    guard let kept = file?.read() else { return (false, false) }
    return state.withLock { state in
      guard !state.isUnkept else { return (false, false) }
      let (consent, erasedAt) = (state.consent, state.erasedAt)
      state.consent = kept.consent ?? consent
      state.erasedAt = max(erasedAt, kept.erasedAt)
      return (state.consent != consent, kept.erasedAt > erasedAt)
    }
  }

  /// Whether something may leave the device now, by the word of any process. Reads a few bytes.
  var maySend: Bool { current == .granted && (file?.read()?.consent ?? .granted) == .granted }
}
