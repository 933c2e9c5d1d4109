import AutoMobileJournal
import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

@Suite struct `Marks of erasures that collectors share` {
  private static let owner = DataOwner.app(SharedIndexes.app)

  private static func mark(_ kind: ErasureMarks.Kind, _ name: String, at: Int64, in store: EventStore) async throws {
    let mark = ErasureMarks.Mark(erasure: 1, at: at, ends: WallClock.now + 3_600_000)
    try await store.pool.write { database in
      try ErasureMarks.makeKey(in: database)
      try ErasureMarks.insert(kind, name, of: Self.owner, mark, in: database)
    }
  }

  @Test func `are those of all of them, each with the key of whoever made it`() async throws {
    try await SharedIndexes.with(2) { shared in
      let (one, two) = (shared.indexes[0].store, shared.indexes[1].store)
      try await Self.mark(.user, "ada", at: 5, in: one)
      try await Self.mark(.user, "bob", at: 6, in: two)
      let (first, second) = (ErasedNamesCache(one), ErasedNamesCache(two))
      #expect(try second.current()?.mark(.user, "ada", of: Self.owner) == nil)
      #expect(try !ErasureLists(one).areTold())
      try await offLoop { try one.tellMarks() }
      #expect(try ErasureLists(one).areTold())
      let copies = try [one, two].map { try StateCopy($0, logger: RunningCollector.quiet) }
      for copy in copies { copy.start() }
      defer { for copy in copies { copy.stop() } }
      #expect(try second.current()?.mark(.user, "ada", of: Self.owner) == 5)
      #expect(try second.current()?.mark(.user, "bob", of: Self.owner) == 6)
      // What is told later is heard of, and what is marked once more is told once more.
      try await eventually("the other's mark is known") {
        try first.current()?.mark(.user, "bob", of: Self.owner) == 6
      }
      try await Self.mark(.user, "ada", at: 9, in: one)
      try await Self.mark(.session, "s-1", at: 9, in: one)
      copies[0].wake()
      try await eventually("and the later ones are") {
        guard let names = try second.current() else { return false }
        return names.isErased(session: "s-1", of: Self.owner) && names.mark(.user, "ada", of: Self.owner) == 9
      }
    }
  }

  @Test func `are asked once in a batch for each session and context, however many events there are`() async throws {
    try await SharedIndexes.with(1) { shared in
      let store = shared.indexes[0].store
      try await Self.mark(.session, "s-1", at: 5, in: store)
      let erased = try #require(try ErasedNamesCache(store).current())
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      batch.addContext(2, session: "s-2")
      for index in 0..<50 {
        batch.addLog("gone", at: 1000 + index, context: 1)
        batch.addLog("kept", at: 1000 + index, context: 2)
        batch.addLog("of a context that came before", at: 1000 + index, context: 3)
      }
      let context = KnownContext(number: 3, session: "s-3", bundle: nil, version: nil)
      let question = ContextQuestion.numbered(
        project: FollowedLog.owner.name, launch: batch.launch.description, number: 3)
      let rows = try `Rows of records`.rows(
        [batch], given: [question: ContextAnswer(context: context)], erased: erased)
      #expect(rows.tally.stored == 100 && rows.tally.dropped == 51)
      // Three sessions, and the context that did not come in this batch.
      #expect(rows.told.asked == 4)
    }
  }

  @Test func `hold while the state is away, also for a collector that starts anew`() async throws {
    try await SharedIndexes.with(2) { shared in
      let (one, two) = (shared.indexes[0].store, shared.indexes[1].store)
      try await Self.mark(.session, "s-1", at: 5, in: one)
      try await offLoop {
        try one.tellMarks()
        try two.pullMarks()
      }
      shared.indexes[1].state.isAway = true
      #expect(try ErasedNamesCache(two).current()?.isErased(session: "s-1", of: Self.owner) == true)
    }
  }
}
