import AutoMobileSupport
import Foundation

/// Sessions by foreground and background: one begins at the first foreground, survives a short time in the background,
/// and ends when that time is over.
///
/// The SDK's own begins with the launch, as if the app had just gone to the background: a foreground that comes soon goes on with
/// it, so that what happens while the app starts belongs to the session that begins there. A launch in the background that nobody
/// ever looks at is a session of its own.
///
/// Safe from any thread. Neither the provider nor the timer is called while the lock is held.
public final class SessionTracker: SessionTracking, @unchecked Sendable {
  // Unchecked, because the documented closures are not `@Sendable`: they are only called, never changed, and what they
  // capture is the caller's. The tracker's own state is in `session`.

  /// What the session is doing.
  public enum State: Sendable, Equatable {
    /// In the foreground.
    case active
    /// In the background: it ends when the time there is over.
    case backgrounded
    /// There is no session: not begun, or timed out.
    case ended
  }

  private struct Session {
    var state = State.ended
    var id: String?
    var timer: (any TimerScheduling)?
    /// Grows with every change of state, so that a timer's call that was on its way recognises itself as late.
    var generation: UInt64 = 0
    var backgroundedAt: Int64 = 0

    /// Moves on, and hands out the timer, to be cancelled outside the lock.
    mutating func enter(_ new: State) -> (any TimerScheduling)? {
      state = new
      generation &+= 1
      defer { timer = nil }
      return timer
    }
  }

  private let session = Locked(Session())
  private let timeoutMs: Int
  private let uuidProvider: () -> String
  private let timerFactory: () -> any TimerScheduling
  /// Milliseconds that go on while the device sleeps: a suspended app's timer does not fire.
  private let clock: @Sendable () -> Int64
  private let onChange: (@Sendable (SessionTracker) -> Void)?

  public convenience init(
    timeoutMs: Int = 30_000, uuidProvider: @escaping () -> String = { UUID().uuidString },
    timerFactory: @escaping () -> any TimerScheduling = { GCDTimer() }
  ) {
    self.init(
      timeoutMs: timeoutMs, uuidProvider: uuidProvider, timerFactory: timerFactory,
      clock: Clocks.continuousMilliseconds, onChange: nil)
  }

  /// - Parameters:
  ///   - launchSession: the session that begins now, before anybody knows whether the app is in the foreground.
  ///   - onChange: called after the session id has changed, on the thread that changed it.
  init(
    launchSession: String? = nil, timeoutMs: Int, uuidProvider: @escaping () -> String,
    timerFactory: @escaping () -> any TimerScheduling, clock: @escaping @Sendable () -> Int64,
    onChange: (@Sendable (SessionTracker) -> Void)?
  ) {
    self.timeoutMs = max(1, timeoutMs)
    self.uuidProvider = uuidProvider
    self.timerFactory = timerFactory
    self.clock = clock
    self.onChange = onChange
    guard let launchSession else { return }
    // Without a timer: a launch in the background keeps its session.
    let now = clock()
    session.withLock { session in
      session.id = launchSession
      session.backgroundedAt = now
      _ = session.enter(.backgrounded)
    }
  }

  public func currentSessionId() -> String? { session.withLock { $0.id } }

  var state: State { session.withLock { $0.state } }

  public func onForeground() {
    let now = clock()
    let (resumed, timer) = session.withLock { session -> (Bool, (any TimerScheduling)?) in
      switch session.state {
      case .active: return (true, nil)
      case .backgrounded where now &- session.backgroundedAt < Int64(timeoutMs): return (true, session.enter(.active))
      // The time was over while the process was suspended, and its timer with it.
      case .backgrounded, .ended: return (false, session.enter(.ended))
      }
    }
    timer?.cancel()
    guard !resumed else { return }
    let id = ErrorBarrier.run(.sessionIdProvider, or: UUID().uuidString, uuidProvider)
    let began = session.withLock { session in
      // Somebody else may have begun one in the meantime.
      guard session.state == .ended else { return false }
      session.id = id
      _ = session.enter(.active)
      return true
    }
    if began { onChange?(self) }
  }

  public func onBackground() {
    guard state == .active else { return }
    let timer = BarredTimer(timerFactory)
    let now = clock()
    let generation = session.withLock { session -> UInt64? in
      guard session.state == .active else { return nil }
      _ = session.enter(.backgrounded)
      session.timer = timer
      session.backgroundedAt = now
      return session.generation
    }
    guard let generation else { return }
    timer.schedule(intervalMs: timeoutMs) { [weak self] in self?.timeout(generation) }
    // A foreground that came between has cancelled a timer that was not scheduled yet.
    if session.withLock({ $0.generation != generation }) { timer.cancel() }
  }

  public func shutdown() { end { _ in true } }

  /// Another id for the session that there is, which goes on as it was.
  func renew() {
    let id = ErrorBarrier.run(.sessionIdProvider, or: UUID().uuidString, uuidProvider)
    let isChanged = session.withLock { session in
      guard session.id != nil else { return false }
      session.id = id
      return true
    }
    if isChanged { onChange?(self) }
  }

  private func timeout(_ generation: UInt64) {
    end { $0.state == .backgrounded && $0.generation == generation }
  }

  private func end(if applies: (Session) -> Bool) {
    let (changed, timer) = session.withLock { session -> (Bool, (any TimerScheduling)?) in
      guard applies(session) else { return (false, nil) }
      let changed = session.id != nil
      session.id = nil
      return (changed, session.enter(.ended))
    }
    timer?.cancel()
    if changed { onChange?(self) }
  }
}
