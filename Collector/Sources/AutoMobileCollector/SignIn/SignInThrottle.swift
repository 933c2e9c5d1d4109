import NIOConcurrencyHelpers

/// Counts sign-ins that went wrong, by address and in all, and has further ones wait. What is guessed at has 256 bits: this
/// keeps the log readable and the work small, more than it keeps anybody out. A link that is right is not asked to wait.
final class SignInThrottle: Sendable {
  private struct State: Sendable {
    var began: Int64 = 0
    var all = 0
    var byAddress: [String: Int] = [:]
  }

  private let limits: SessionLimits
  private let state = NIOLockedValueBox(State())

  init(_ limits: SessionLimits) { self.limits = limits }

  /// - Throws: ``APIError`` 429.
  func check(_ address: String?, at now: Int64) throws {
    let place = Self.place(address)
    let wait: Int64? = state.withLockedValue { state in
      forgetOld(&state, now)
      guard state.all >= limits.allFailures || state.byAddress[place] ?? 0 >= limits.failures else { return nil }
      return max(1, (state.began + Int64(limits.throttleSeconds * 1000) - now + 999) / 1000)
    }
    guard let wait else { return }
    throw APIError(
      .tooManyRequests, "too_many_attempts", "too many sign-ins went wrong: try again in \(wait) seconds",
      retryAfter: Int(wait))
  }

  func failed(_ address: String?, at now: Int64) {
    let place = Self.place(address)
    state.withLockedValue { state in
      forgetOld(&state, now)
      if state.all == 0 { state.began = now }
      // Never more addresses than failures in all.
      guard state.all < limits.allFailures else { return }
      state.all += 1
      state.byAddress[place, default: 0] += 1
    }
  }

  private func forgetOld(_ state: inout State, _ now: Int64) {
    // Also when the clock was set back.
    if now - state.began >= Int64(limits.throttleSeconds * 1000) || now < state.began { state = State() }
  }

  /// Whoever has one address of IPv6 has 2⁶⁴ of them.
  private static func place(_ text: String?) -> String {
    guard let text, let address = EgressAddress(text) else { return "" }
    return address.bytes.count == 4
      ? address.text : address.bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
  }
}
