import AutoMobileState
import Foundation
import Logging
import NIOConcurrencyHelpers

/// What operators have set for the whole collector. Kept in the state, answered from memory.
final class SettingStore: Sendable {
  struct Change: Sendable, Equatable {
    var policy: RetentionPolicy
    var changedAt: Int64?
    var changedBy: String?
  }

  private static let name = "retention"
  private let memory: StateMemory<Change>
  private let onChange = NIOLockedValueBox<(@Sendable () -> Void)?>(nil)

  init(_ state: any StateStore, logger: Logger) throws {
    memory = try StateMemory(of: [.settings], in: state, logger: logger, load: Self.change)
    memory.onReload { [weak self] old, new in
      if new != old { self?.changed() }
    }
  }

  var retention: Change { memory.value }

  /// Called after each change.
  func onChange(_ body: @escaping @Sendable () -> Void) { onChange.withLockedValue { $0 = body } }

  /// - Throws: ``APIError`` when the policy makes no sense.
  func setRetention(_ policy: RetentionPolicy, by author: String, at now: Int64) async throws {
    try policy.check()
    let text = String(decoding: try JSONEncoder().encode(policy), as: UTF8.self)
    try await memory.write { state in
      try StateSetting.write(Self.name, text, by: author, at: now, in: state)
      try state.tell(.settings, Self.name)
    } then: { value, _ in
      value = Change(policy: policy, changedAt: now, changedBy: author)
    }
    changed()
  }

  private func changed() { onChange.withLockedValue { $0 }?() }

  private static func change(in state: borrowing StateReading) throws -> Change {
    guard let row = try StateSetting.row(name, in: state) else { return Change(policy: .everything) }
    let policy = try? JSONDecoder().decode(RetentionPolicy.self, from: Data((try row[0] as String).utf8))
    return Change(policy: policy ?? .everything, changedAt: try row[1], changedBy: try row[2])
  }
}
