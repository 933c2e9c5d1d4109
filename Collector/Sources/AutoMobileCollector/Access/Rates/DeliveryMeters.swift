import Dispatch
import NIOConcurrencyHelpers

/// What each key, project and launch has had, in memory: a collector that starts begins a day anew.
final class DeliveryMeters: Sendable {
  /// Of one key, since the collector started.
  struct Usage: Sendable, Equatable {
    var requests: Int64 = 0
    var bytes: Int64 = 0
    /// Answered with 429 by a limit of its own.
    var limited: Int64 = 0
  }

  private struct Key {
    var usage = Usage()
    var requests: TokenBucket?
    var bytes: TokenBucket?
  }

  private struct LaunchUse {
    var bytes: Int64 = 0
    var bodies: TokenBucket?
  }

  private struct State {
    var keys: [Int64: Key] = [:]
    /// Days since 1970.
    var day: Int64 = 0
    var projects: [DataOwner: Int64] = [:]
    var launches: [DataOwner: [String: LaunchUse]] = [:]
  }

  /// Nobody is sent away for longer, in seconds: limits change.
  private static let longestWait = 3600
  private static let dayMilliseconds: Int64 = 86_400_000

  private let rates: DeliveryRates
  private let mostLaunches: Int
  private let clock: @Sendable () -> Double
  private let now: @Sendable () -> Int64
  private let onLimit: @Sendable (Int64, String) -> Void
  private let state = NIOLockedValueBox(State())

  /// - Parameters:
  ///   - mostLaunches: of a project, told apart in a day. Later ones are their project's only.
  ///   - clock: seconds that do not go back.
  ///   - onLimit: is told the key and what ran out.
  init(
    _ rates: DeliveryRates, mostLaunches: Int = 100_000,
    clock: @escaping @Sendable () -> Double = { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 },
    now: @escaping @Sendable () -> Int64 = { WallClock.now },
    onLimit: @escaping @Sendable (Int64, String) -> Void = { _, _ in }
  ) {
    self.rates = rates
    self.mostLaunches = mostLaunches
    self.clock = clock
    self.now = now
    self.onLimit = onLimit
  }

  func usage(of key: Int64) -> Usage { state.withLockedValue { $0.keys[key]?.usage ?? Usage() } }

  /// Counts a request, before its body is read.
  ///
  /// - Parameter owner: whose data it brings, if any.
  /// - Throws: ``APIError`` 429 when the key or the project has had what it may.
  func admit(key: Int64, owner: DataOwner?) throws {
    let time = clock()
    let refusal = state.withLockedValue { state -> (what: String, error: APIError)? in
      begin(&state)
      var entry = state.keys[key] ?? Key()
      defer { state.keys[key] = entry }
      entry.usage.requests += 1
      if let rate = rates.requestsPerSecond {
        var bucket = entry.requests ?? TokenBucket(rate: rate, at: time)
        defer { entry.requests = bucket }
        if let wait = bucket.wait(at: time) {
          entry.usage.limited += 1
          return ("requests", Self.refusal("this key has made more than \(Self.text(rate)) requests a second", wait))
        }
        bucket.take(1)
      }
      guard let owner else { return nil }
      if let rate = rates.bytesPerSecond {
        var bucket = entry.bytes ?? TokenBucket(rate: rate, at: time)
        defer { entry.bytes = bucket }
        if let wait = bucket.wait(at: time) {
          entry.usage.limited += 1
          return ("bytes", Self.refusal("this key has delivered more than \(Self.text(rate)) bytes a second", wait))
        }
      }
      if let most = rates.projectBytesPerDay, state.projects[owner] ?? 0 >= most {
        entry.usage.limited += 1
        return ("project", quotaRefusal("this project has delivered its \(most) bytes of the day"))
      }
      return nil
    }
    guard let refusal else { return }
    onLimit(key, refusal.what)
    throw refusal.error
  }

  /// Counts a body that has been read and is about to be kept.
  ///
  /// - Throws: ``APIError`` 429 when its launch has had what it may.
  func take(_ bytes: Int, key: Int64, owner: DataOwner?, launch: String?) throws {
    let time = clock()
    let error = state.withLockedValue { state -> APIError? in
      begin(&state)
      if let owner, let launch, let error = take(bytes, of: launch, at: time, &state.launches[owner, default: [:]]) {
        state.keys[key, default: Key()].usage.limited += 1
        return error
      }
      state.keys[key, default: Key()].usage.bytes += Int64(bytes)
      state.keys[key]?.bytes?.take(Double(bytes))
      if let owner { state.projects[owner, default: 0] += Int64(bytes) }
      return nil
    }
    guard let error else { return }
    onLimit(key, "launch")
    throw error
  }

  /// Counts a body for its launch.
  ///
  /// - Returns: why it is not taken.
  private func take(
    _ bytes: Int, of launch: String, at time: Double, _ launches: inout [String: LaunchUse]
  ) -> APIError? {
    guard rates.launchBytesPerDay != nil || rates.launchBodiesPerSecond != nil else { return nil }
    guard var use = launches[launch] ?? (launches.count < mostLaunches ? LaunchUse() : nil) else { return nil }
    defer { launches[launch] = use }
    if let most = rates.launchBytesPerDay, use.bytes >= most {
      return quotaRefusal("this launch has delivered its \(most) bytes of the day")
    }
    if let rate = rates.launchBodiesPerSecond {
      var bucket = use.bodies ?? TokenBucket(rate: rate, at: time)
      defer { use.bodies = bucket }
      if let wait = bucket.wait(at: time) {
        return Self.refusal("this launch has delivered more than \(Self.text(rate)) bodies a second", wait)
      }
      bucket.take(1)
    }
    use.bytes += Int64(bytes)
    return nil
  }

  private func begin(_ state: inout State) {
    let day = now() / Self.dayMilliseconds
    guard day != state.day else { return }
    state.day = day
    state.projects = [:]
    state.launches = [:]
  }

  private func quotaRefusal(_ text: String) -> APIError {
    let left = Self.dayMilliseconds - now() % Self.dayMilliseconds
    return Self.refusal(text, Double(left) / 1000)
  }

  private static func refusal(_ text: String, _ wait: Double) -> APIError {
    let seconds = min(longestWait, Int(max(1, wait.rounded(.up))))
    return APIError(.tooManyRequests, "rate_limited", text + ": try again later", retryAfter: seconds)
  }

  private static func text(_ rate: Double) -> String { rate == rate.rounded() ? "\(Int64(rate))" : "\(rate)" }
}
