/// What the user has allowed, as this process knows it, and the file in which all of the app's processes keep it.
final class ConsentKeeper: Sendable {
  private struct State {
    var record: ConsentRecord
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
    let record = ConsentRecord(consent: saidNow ?? kept?.consent ?? configured, erasedAt: kept?.erasedAt ?? 0)
    state = Locked(State(record: record, isUnkept: saidNow != nil && saidNow != kept?.consent))
  }

  /// Whether the file says something else than what holds, because it has not been written yet.
  var isUnkept: Bool { state.withLock { $0.isUnkept } }

  /// Any thread.
  var current: Consent { state.withLock { $0.record.consent } }

  /// When everything was last erased, in milliseconds since 1970; 0: never. Any thread.
  var erasedAt: Int64 { state.withLock { $0.record.erasedAt } }

  /// Why what the user decided will be forgotten with this launch; nil when it will not.
  var failure: String? { state.withLock { $0.failure } }

  /// Holds from now on, in this process.
  func say(_ consent: Consent) {
    state.withLock { state in
      state.record.consent = consent
      state.isUnkept = true
    }
  }

  /// Holds for all from now on. Writes to the disk.
  ///
  /// - Parameter erasedAt: when everything was erased, if it was, in milliseconds since 1970.
  func keep(erasedAt: Int64? = nil) {
    let record = state.withLock { state in
      // Later than the last time also when the clock was set back.
      if let erasedAt {
        state.record.erasedAt = max(erasedAt, state.record.erasedAt.addingReportingOverflow(1).partialValue)
      }
      state.isUnkept = false
      return state.record
    }
    guard let file else { return }
    var failure: String?
    do { try file.write(record) } catch {
      failure = "the decision about consent cannot be kept: \(error)"
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
      let before = state.record
      state.record.consent = kept.consent
      state.record.erasedAt = max(before.erasedAt, kept.erasedAt)
      return (before.consent != kept.consent, kept.erasedAt > before.erasedAt)
    }
  }

  /// Whether something may leave the device now, by the word of any process. Reads a few bytes.
  var maySend: Bool { current == .granted && (file?.read()?.consent ?? .granted) == .granted }
}
