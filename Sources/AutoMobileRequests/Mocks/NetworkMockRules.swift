import AutoMobileRecorder
import AutoMobileSupport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The rules by which requests are answered without the network: the app's own, then those of a collector. The first that
/// matches answers. Only requests that are intercepted can be answered.
///
///     let mocks = AutoMobileNetwork.shared.mocks
///     mocks.add(NetworkMockRule(path: .glob("/v1/feed"), response: .failure(.timedOut), count: 3))
///
/// In release builds there are none, whatever is added. Any thread.
public final class NetworkMockRules: Sendable {
  private struct State {
    var own: [NetworkMock] = []
    /// As a collector last said.
    var remote: [NetworkMock] = []
    var refused: [String: String] = [:]
    var all: [NetworkMock] { own + remote }
  }

  /// Of the app's own rules.
  static let maximumRules = 256
  private let state = Locked(State())
  /// Told who answers now.
  private let install: @Sendable ((any MockResponding)?) -> Void
  /// Whether this build answers requests at all.
  public let isEnabled: Bool

  /// - Parameter install: told who answers from now on: these rules, or, while there are none, nobody.
  init(isEnabled: Bool, install: @escaping @Sendable ((any MockResponding)?) -> Void) {
    self.isEnabled = isEnabled
    self.install = install
  }

  /// Adds a rule after the others, or puts it in the place of the one with the same id, with its count from the beginning.
  ///
  /// - Returns: false, and nothing has changed, in release builds, when there are 256 rules, or when the rule cannot be used: then
  ///   ``problems`` says why.
  @discardableResult
  public func add(_ rule: NetworkMockRule) -> Bool {
    guard isEnabled else { return false }
    do {
      let mock = try NetworkMock(rule)
      return change { state in
        state.refused[rule.id] = nil
        if let index = state.own.firstIndex(where: { $0.rule.id == rule.id }) {
          state.own[index] = mock
        } else {
          guard state.own.count < Self.maximumRules else { return false }
          state.own.append(mock)
        }
        return true
      }
    } catch {
      return change { state in
        if state.refused.count < Self.maximumRules { state.refused[rule.id] = "\(error)" }
        return false
      }
    }
  }

  /// Takes away a rule of the app's own, or of the collector until it sends others.
  public func remove(id: String) {
    _ = change { state in
      state.own.removeAll { $0.rule.id == id }
      state.remote.removeAll { $0.rule.id == id }
      state.refused[id] = nil
      return true
    }
  }

  /// Takes all rules away; a collector may send new ones.
  public func removeAll() {
    _ = change { state in
      state = State()
      return true
    }
  }

  /// Those that may still answer, in the order in which they are asked.
  public var rules: [NetworkMockRule] {
    let now = Clocks.millisecondsSince1970()
    return state.withLock { $0.all }.filter { !$0.isSpent(now: now) }.map(\.rule)
  }

  /// Why rules are not used, by their ids.
  public var problems: [String: String] {
    let (all, refused) = state.withLock { ($0.all, $0.refused) }
    let found = all.compactMap { mock in mock.problem.withLock { $0 }.map { (mock.rule.id, $0) } }
    return refused.merging(found) { $1 }
  }

  /// Puts a collector's rules in the place of its former ones. A rule that was there before, word for word, goes on with what
  /// is left of its count: a document that arrives again gives nothing back.
  func setRemote(_ rules: [NetworkMockRule]) {
    guard isEnabled else { return }
    _ = change { state in
      let former = state.remote
      state.remote = rules.compactMap { rule in
        former.first { $0.rule == rule } ?? (try? NetworkMock(rule))
      }
      return true
    }
  }

  func reset() { removeAll() }

  private func change(_ body: (inout State) -> Bool) -> Bool {
    let (before, result) = state.withLock { state in
      let before = state
      let result = body(&state)
      // Under the lock, so that of two changes the later one has its way. It only sets a variable.
      if isEnabled { install(state.all.isEmpty ? nil : self) }
      return (before, result)
    }
    return withExtendedLifetime(before) { result }
  }
}

extension NetworkMockRules: MockResponding {
  package var needsBody: Bool { state.withLock { $0.all }.contains(where: \.needsBody) }

  package func answer(_ request: URLRequest, body: Data?) -> MockAnswer? {
    let mocks = state.withLock { $0.all }
    guard !mocks.isEmpty else { return nil }
    let now = Clocks.millisecondsSince1970()
    let request = MockedRequest(request, body: body)
    return mocks.first { !$0.isSpent(now: now) && $0.matches(request) && $0.take() }?.answer
  }
}
