import AutoMobileState
import Foundation
import GRDB
import NIOConcurrencyHelpers
import Testing

@testable import AutoMobileCollector

/// Numbers of events say nothing to another index.
@Suite struct `Collectors that share rules and have events of their own` {
  private static func tree(_ text: String) throws -> JSONTree {
    try JSONDecoder().decode(JSONTree.self, from: Data(text.utf8))
  }

  // MARK: Alerts

  private struct Looking {
    let cursors: AlertCursors
    let watch: AlertWatch

    init(_ member: SharedIndexes.Member, told: NIOLockedValueBox<[String]>) {
      let cursors = AlertCursors(member.store)
      self.cursors = cursors
      watch = AlertWatch(
        store: member.store, cursors: cursors, logger: RunningCollector.quiet, now: { 1_000_000 }
      ) { alerts in told.withLockedValue { $0 += alerts.map(\.subject) } }
    }

    func takeTurn() throws { try cursors.begin() }
    func look() { watch.look() }
  }

  @Test func `are told of what is new in each index, whoever looks, once, and of nothing old`() async throws {
    try await SharedIndexes.with { shared in
      let (one, other) = (shared.indexes[0], shared.indexes[1])
      let told = NIOLockedValueBox<[String]>([])
      func news() -> [String] {
        told.withLockedValue { told in
          defer { told = [] }
          return told
        }
      }
      let (first, second) = (Looking(one, told: told), Looking(other, told: told))
      try one.add(1, "alpha")
      for event in 1...20 { try other.add(Int64(event), "old \(event % 3)") }
      let rule = try await one.store.alerts.save(
        try Self.tree(#"{"kind":"new_issue","quietMinutes":0}"#), by: "ada", at: 2000)
      try first.takeTurn()
      first.look()
      #expect(news() == [])
      let beta = try one.add(2, "beta", received: 3000)
      first.look()
      #expect(news() == [beta])
      // Another one looks: at its own, which has come much further.
      try second.takeTurn()
      second.look()
      #expect(news() == [])
      let gamma = try other.add(21, "gamma", received: 4000)
      let delta = try one.add(3, "delta", received: 4000)
      second.look()
      #expect(news() == [gamma])
      // The first one again: what came to it meanwhile is not left out, and what is known is not new.
      try first.takeTurn()
      first.look()
      #expect(news() == [delta])
      try second.takeTurn()
      second.look()
      #expect(news() == [])
      // It was told, and is new to this one; and then a process ended before it had noted how far it had looked.
      try other.add(22, "delta", received: 5000)
      second.look()
      try await other.store.pool.write { try $0.execute(sql: "UPDATE alert_cursor SET cursor = 20") }
      second.look()
      #expect(news() == [])
      #expect(try shared.stated("SELECT id FROM alert_log").count == 3)
      // Set anew it has no past, and begins when that was.
      _ = try await one.store.alerts.save(
        try Self.tree(#"{"kind":"new_issue","quietMinutes":0,"version":"2.1"}"#), change: rule, by: "ada", at: 7000)
      try other.add(23, "before it was set", received: 6500)
      let after = try other.add(24, "after it was set", received: 7500)
      second.look()
      #expect(news() == [after])
      try await one.store.alerts.removeRule(rule, at: 8000)
      try second.cursors.forget(except: [])
      #expect(try other.count("SELECT COUNT(*) FROM alert_cursor") == 0)
    }
  }

  // MARK: Forwarders

  private static func lane(_ member: SharedIndexes.Member, _ id: Int64) throws -> Int64? {
    try member.store.own.readNow { try ForwardLedger.entries(in: $0) }[.init(forwarder: id, signal: .logs)]?.cursor
  }

  @Test func `begin to forward where each of them is, unless the beginning was wished for`() async throws {
    try await SharedIndexes.with(3) { shared in
      let (empty, full, later) = (shared.indexes[0], shared.indexes[1], shared.indexes[2])
      for event in 1...5 { try full.add(Int64(event), "alpha") }
      func save(_ name: String, _ more: String) async throws -> Int64 {
        try await empty.store.forwarders.save(
          try Self.tree(#"{"name":"\#(name)","url":"http://127.0.0.1:9"\#(more)}"#), by: "ada", at: 1)
      }
      let (fromNow, fromBeginning) = (
        try await save("now", ""), try await save("beginning", #","fromBeginning":true"#)
      )
      for member in [empty, full] { try member.store.pullForwarders() }
      #expect(try Self.lane(full, fromNow) == 5 && Self.lane(full, fromBeginning) == 0)
      #expect(try Self.lane(empty, fromNow) == 0 && Self.lane(empty, fromBeginning) == 0)
      // The wish is the forwarder's: one that comes later follows it, too. And where one was begun it goes on.
      for event in 1...3 { try later.add(Int64(event), "alpha") }
      try full.add(6, "alpha")
      for member in [later, full] { try member.store.pullForwarders() }
      #expect(try Self.lane(later, fromNow) == 3 && Self.lane(later, fromBeginning) == 0)
      #expect(try Self.lane(full, fromNow) == 5)
    }
  }

  @Test func `wait for the state on threads of their own, and look again by themselves`() async throws {
    // One more than Swift has threads.
    try await SharedIndexes.with(ProcessInfo.processInfo.activeProcessorCount + 1) { shared in
      let egress = Egress(policy: try EgressPolicy([]))
      let all = shared.indexes.map {
        Forwarding(store: $0.store, egress: egress, metrics: CollectorMetrics(), logger: RunningCollector.quiet)
      }
      defer { for forwarding in all { forwarding.stop(within: 1) } }
      let gate = Gate()
      for member in shared.indexes { member.state.onRead { gate.wait() } }
      // Who holds all of them would hold this test, too.
      let isLate = NIOLockedValueBox(false)
      let rescue = DispatchWorkItem {
        isLate.withLockedValue { $0 = true }
        gate.open()
      }
      DispatchQueue(label: "rescue").asyncAfter(deadline: .now() + 20, execute: rescue)
      let id = try await ForwarderStore(state: shared.truth.own, newest: { 0 }).save(
        try Self.tree(#"{"url":"http://127.0.0.1:9"}"#), by: "ada", at: 1)
      try await eventually("all of them wait") { gate.waiting == all.count || isLate.withLockedValue { $0 } }
      gate.open()
      rescue.cancel()
      #expect(!isLate.withLockedValue { $0 })
      let lane = ForwardLaneName(forwarder: id, signal: .logs)
      try await eventually("all of them have it") { all.allSatisfy { $0.statuses[lane] != nil } }
      // Nobody is told that it failed: the settings are kept, and followed when they can be read.
      for member in shared.indexes { member.state.isAway = true }
      try await ForwarderStore(state: shared.truth.own, newest: { 0 }).remove(id)
      await all[0].refresh()
      #expect(all[0].statuses[lane] != nil)
      for member in shared.indexes { member.state.isAway = false }
      try await eventually("it is gone everywhere") { all.allSatisfy { $0.statuses.isEmpty } }
    }
  }

  /// Where threads wait until it is opened.
  private final class Gate: @unchecked Sendable {
    // Unchecked because `condition` guards the rest.
    private let condition = NSCondition()
    private var isOpen = false
    private var count = 0

    var waiting: Int { condition.withLock { count } }

    func wait() {
      condition.lock()
      count += 1
      while !isOpen { condition.wait() }
      count -= 1
      condition.unlock()
    }

    func open() {
      condition.withLock {
        isOpen = true
        condition.broadcast()
      }
    }
  }
}
