import AutoMobileSupport

/// What the user has allowed, as this process knows it, and the file in which all of the app's processes keep it.
final class ConsentKeeper: Sendable {
  private struct State {
    var consent: Consent
    /// When everything was last erased, as far as this process has heard.
    var erasedAt: Int64
    /// Somebody has died, or may die, before everything was gone.
    var isErasing: Bool
    /// Of which erasure nothing is left that this process holds.
    var followedAt: Int64
    /// And nothing of others either, which may have died of it.
    var finishedAt: Int64 = -1
    /// How often somebody has asked for an erasure that has not been carried out.
    var askedErasures = 0
    /// It has been said in this process, and is not in the file yet: what that says is older.
    var isUnkept: Bool
    /// Why the decision is not kept over launches.
    var failure: String?
    var nextLook: Int64 = .min
  }

  private let file: ConsentFile?
  private let state: Locked<State>
  private let refusal = Locked<(@Sendable () -> Void)?>(nil)

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
        isErasing: kept?.isErasing ?? false, followedAt: kept?.erasedAt ?? 0,
        isUnkept: saidNow != nil && saidNow != kept?.consent))
  }

  /// Any thread.
  var current: Consent { state.withLock { $0.consent } }

  /// When everything was last erased, in milliseconds since 1970; 0: never. Any thread.
  var erasedAt: Int64 { state.withLock { $0.erasedAt } }

  /// Whether an earlier launch, or another process, has not erased all that it was to erase, as far as this one knows.
  var isErasureLeft: Bool { state.withLock { $0.isErasing } }

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
  /// - Parameter erasedAt: when everything was erased, if it is from now on, in milliseconds since 1970: until ``endErasure()``.
  func keep(erasedAt: Int64? = nil) {
    let kept = file?.read()
    let record = state.withLock { state in
      let last = max(state.erasedAt, kept?.erasedAt ?? 0)
      // Later than the last time also when the clock was set back. What another process erased has not been heard of yet.
      if let erasedAt { state.erasedAt = max(erasedAt, last.addingReportingOverflow(1).partialValue) }
      defer { state.isUnkept = false }
      return ConsentRecord(
        consent: state.isUnkept ? state.consent : kept?.consent, erasedAt: max(state.erasedAt, last),
        isErasing: erasedAt != nil || kept?.isErasing == true)
    }
    guard let file, record != kept else { return }
    var failure: String?
    do { try file.write(record) } catch {
      failure = "the decision about consent cannot be saved: \(error)"
    }
    state.withLock { [failure] in $0.failure = failure }
  }

  /// Nothing is left of what was to be erased: the next launch has nothing to go on with. Reads and writes the disk.
  ///
  /// - Parameter erasedAt: ``erasedAt``, as it was when that began.
  func endErasure(of erasedAt: Int64) {
    state.withLock { state in
      state.isErasing = false
      state.finishedAt = max(state.finishedAt, erasedAt)
    }
    // What somebody else has begun since is for them to end.
    guard let file, var record = file.read(), record.isErasing, record.erasedAt <= erasedAt else { return }
    record.isErasing = false
    try? file.write(record)
  }

  /// Nothing is sent from the moment in which an erasure is asked for until it has been carried out. Any thread.
  func askForErasure(_ isAsked: Bool) { state.withLock { $0.askedErasures += isAsked ? 1 : -1 } }

  /// This process has erased what it held. Any thread.
  func followErasure(of erasedAt: Int64) {
    state.withLock { $0.followedAt = max($0.followedAt, erasedAt) }
  }

  /// Has a closure called whenever nothing may be sent because of what another process has said: it should look. On any thread.
  func onRefusal(_ body: @escaping @Sendable () -> Void) { refusal.withLock { $0 = body } }

  /// Whether it is time to look again whether another process has said something.
  func isDue(at now: Int64) -> Bool {
    state.withLock { state in
      guard now >= state.nextLook else { return false }
      state.nextLook = now.addingReportingOverflow(Self.interval).partialValue
      return true
    }
  }

  /// What another process has said.
  struct News {
    var isChanged = false
    var isErased = false
    /// Another process is about to erase, or has died of it.
    var isErasing = false
  }

  /// What another process has said since. Reads a few bytes.
  func look() -> News {
    guard let kept = file?.read() else { return News() }
    return state.withLock { state in
      guard !state.isUnkept else { return News() }
      let (consent, erasedAt) = (state.consent, state.erasedAt)
      state.consent = kept.consent ?? consent
      state.erasedAt = max(erasedAt, kept.erasedAt)
      return News(
        isChanged: state.consent != consent, isErased: kept.erasedAt > erasedAt,
        isErasing: kept.isErasing && kept.erasedAt > state.finishedAt)
    }
  }

  /// Whoever has begun to erase must have died of it by now.
  ///
  /// - Parameter now: in milliseconds since 1970.
  func isErasureOverdue(at now: Int64) -> Bool {
    now.subtractingReportingOverflow(erasedAt).partialValue > Self.longestErasure
  }

  /// In milliseconds.
  private static let longestErasure: Int64 = 60_000

  /// Whether something may leave the device now, by the word of any process. Reads a few bytes.
  ///
  /// Not before this process has erased what it holds, when another one has said so; nor while that one erases what lies there.
  var maySend: Bool {
    guard state.withLock({ $0.consent == .granted && $0.askedErasures == 0 }) else { return false }
    guard let kept = file?.read() else { return true }
    let isAllowed = state.withLock { state in
      (kept.consent ?? .granted) == .granted && kept.erasedAt <= state.followedAt
        && (!kept.isErasing || kept.erasedAt <= state.finishedAt)
    }
    if !isAllowed { refusal.withLock { $0 }?() }
    return isAllowed
  }
}
