import AutoMobilePostgres
import AutoMobileState
import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `The numbers of collectors that write into one store` {
  private static let day: Int64 = 86_400_000

  private static func store(_ directory: TemporaryDirectory, state: (any StateStore)? = nil) throws -> EventStore {
    try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64, state: state)
  }

  private static let hurry: WriterNumber.Patience = {
    var patience = WriterNumber.Patience()
    (patience.start, patience.fresh, patience.lost, patience.look) = (0.2, 0.2, 0.1, 0.02)
    return patience
  }()

  @Test func `belong to one data directory each, and stay its own`() async throws {
    let directory = try TemporaryDirectory()
    let store = try Self.store(directory)
    try await SharedState.withEach(store) { (state: any StateStore) async throws -> Void in
      #expect(try WriterList.take("one", in: state, at: 1)?.number == 0)
      #expect(try WriterList.take("two", in: state, at: 2)?.number == 1)
      #expect(try WriterList.take("one", in: state, at: 3)?.number == 0)
      #expect(try WriterList.take("three", in: state, at: 4)?.number == 2)
      #expect(try WriterList.take("two", in: state, at: Self.day * 100)?.number == 1)
    }
  }

  @Test func `are given to nobody else for a day, and there are as many as event numbers have room for`() async throws {
    let directory = try TemporaryDirectory()
    let store = try Self.store(directory)
    try await SharedState.withEach(store) { (state: any StateStore) async throws -> Void in
      for number in 0..<128 {
        #expect(try WriterList.take("c\(number)", in: state, at: Int64(number) * 1000)?.number == number)
      }
      #expect(try WriterList.take("late", in: state, at: Self.day)?.number == nil)
      // The oldest was there again.
      #expect(try WriterList.take("c0", in: state, at: Self.day)?.number == 0)
      #expect(try WriterList.take("late", in: state, at: Self.day + 1001)?.number == 1)
      #expect(try WriterList.take("later", in: state, at: Self.day + 1001)?.number == nil)
      // Whose number was given away gets another one.
      #expect(try WriterList.take("c1", in: state, at: Self.day + 2001)?.number == 2)
    }
  }

  @Test(.enabled(if: SharedState.isThere))
  func `are two when a directory was copied while its collector runs, and one again afterwards`() async throws {
    try await SharedState.with { database in
      func open(_ identity: String?) throws -> (WriterNumber, EventStore, TemporaryDirectory) {
        let directory = try TemporaryDirectory()
        let store = try Self.store(directory, state: PostgresState(try SharedState.options(database)))
        let number = try WriterNumber(
          identity: identity, in: store, logger: RunningCollector.quiet, patience: Self.hurry)
        return (number, store, directory)
      }
      let (first, store, directory) = try open(nil)
      let (copy, copied, place) = try open(first.identity)
      #expect(first.number == 0 && copy.number == 1)
      #expect(copy.identity != first.identity)
      first.release()
      try store.close()
      let (again, last, end) = try open(first.identity)
      #expect(again.number == 0 && again.identity == first.identity)
      for store in [copied, last] { try store.close() }
      withExtendedLifetime((directory, place, end, copy, again)) {}
    }
  }

  @Test func `are 0 where the state is in the index`() throws {
    let directory = try TemporaryDirectory()
    let store = try Self.store(directory)
    let number = try WriterNumber(identity: nil, in: store, logger: RunningCollector.quiet)
    #expect(number.number == 0)
    #expect(
      try WriterNumber(identity: number.identity, in: store, logger: RunningCollector.quiet).identity == number.identity
    )
    try store.close()
  }

  // MARK: What is in the log

  @Test func `are the same or none where something of theirs waits`() async throws {
    let directory = try TemporaryDirectory()
    let store = try Self.store(directory)
    try await SharedState.withEach(store) { (state: any StateStore) async throws -> Void in
      for number in 0..<128 { _ = try WriterList.take("c\(number)", in: state, at: Int64(number)) }
      let late = try #require(try WriterList.take("late", in: state, at: Self.day + 1))
      #expect(late == WriterList.Taken(number: 0, isNew: true, before: "c0"))
      #expect(try WriterList.take("c0", bound: 0, in: state, at: Self.day + 2) == nil)
      #expect(try WriterList.take("c1", bound: 1, in: state, at: Self.day + 2)?.number == 1)
      #expect(try WriterList.take("c1", bound: 2, in: state, at: Self.day + 2) == nil)
      try WriterList.giveBack(late, of: "late", in: state, at: Self.day + 3)
      #expect(try WriterList.take("c0", bound: 0, in: state, at: Self.day + 4) == WriterList.Taken(number: 0))
    }
  }

  @Test(.enabled(if: SharedState.isThere))
  func `keep a copy with something in its log from starting, and the copy takes none`() async throws {
    try await SharedState.with { database in
      let directory = try TemporaryDirectory()
      let store = try Self.store(directory, state: PostgresState(try SharedState.options(database)))
      let first = try WriterNumber(
        identity: nil, in: store, logger: RunningCollector.quiet, patience: Self.hurry)
      let place = try TemporaryDirectory()
      let copied = try Self.store(place, state: PostgresState(try SharedState.options(database)))
      func copy() throws -> WriterNumber {
        try WriterNumber(
          identity: first.identity, bound: 0, in: copied, logger: RunningCollector.quiet, patience: Self.hurry)
      }
      #expect(throws: CollectorError.self) { _ = try copy() }
      #expect(try WriterList.take("next", in: copied.state, at: WallClock.now)?.number == 1)
      first.release()
      try store.close()
      let again = try copy()
      #expect(again.number == 0 && again.identity == first.identity)
      again.release()
      try copied.close()
      withExtendedLifetime((directory, place)) {}
    }
  }

  // MARK: While a collector runs

  @Test(.enabled(if: SharedState.isThere))
  func `are given back when somebody holds them, and another one is taken`() async throws {
    try await SharedState.with { database in
      let other = try PostgresState(try SharedState.options(database))
      let hold = try #require(try await other.hold(WriterWatch.work(0)))
      let directory = try TemporaryDirectory()
      let store = try Self.store(directory, state: PostgresState(try SharedState.options(database)))
      let number = try WriterNumber(
        identity: nil, in: store, logger: RunningCollector.quiet, patience: Self.hurry)
      #expect(number.number == 1 && number.problem == nil)
      #expect(try WriterList.take("third", in: store.state, at: WallClock.now)?.number == 0)
      number.release()
      hold.release()
      try store.close()
      other.close()
      withExtendedLifetime(directory) {}
    }
  }

  @Test(.enabled(if: SharedState.isThere))
  func `are lost when somebody else has them by the time that the state answers again`() async throws {
    try await SharedState.with { database in
      let (state, other) = (
        try PostgresState(try SharedState.options(database)), try PostgresState(try SharedState.options(database))
      )
      #expect(try WriterList.take("one", in: state, at: WallClock.now)?.number == 0)
      // As of a connection that is gone.
      let work = WriterWatch.work(0)
      func watch(_ identity: String, lost: Double = 600) -> WriterWatch {
        let gone = StateHold(work, isHeld: { false }, release: {})
        var patience = Self.hurry
        patience.lost = lost
        return WriterWatch(gone, identity, 0, state, patience, RunningCollector.quiet)
      }
      let theirs = try #require(try await other.hold(work))
      let lost = watch("one", lost: 0.1)
      try await eventually("it is noticed") { lost.problem?.contains("copy") == true }
      lost.release()
      theirs.release()
      // Nobody has it: it is taken again.
      let kept = watch("one")
      try await eventually("it is held") {
        let taken = try await other.hold(work)
        taken?.release()
        return taken == nil
      }
      #expect(kept.problem == nil)
      kept.release()
      // It was given away meanwhile.
      let given = watch("two")
      try await eventually("it is noticed") { given.problem?.contains("given to another") == true }
      given.release()
      state.close()
      other.close()
    }
  }

  @Test func `keep everything away from the log when they are lost`() async throws {
    let directory = try TemporaryDirectory()
    let log = try IngestLog(
      directory: try LogDirectory(path: directory.url.path), indexed: LogPosition(segment: 0, offset: 0),
      segmentSize: 1 << 20, writer: 0, metrics: CollectorMetrics(), logger: RunningCollector.quiet,
      refusal: { "its number is another one's" })
    var batch = RawBatch()
    batch.addLog("nothing of it")
    let checked = try CheckedBatch(raw: try batch.body())
    let error = await #expect(throws: APIError.self) {
      try await log.append(receivedAt: WallClock.now, owner: .app("dev.example.shop"), batch: checked)
    }
    #expect(error?.code == "not_taken_in")
    #expect(throws: APIError.self) { try log.admit(below: 1000) }
    log.close()
    #expect(try log.directory.segments().isEmpty)
    withExtendedLifetime(directory) {}
  }
}
