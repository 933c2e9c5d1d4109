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

  @Test func `belong to one data directory each, and stay its own`() async throws {
    let directory = try TemporaryDirectory()
    let store = try Self.store(directory)
    try await SharedState.withEach(store) { (state: any StateStore) async throws -> Void in
      #expect(try WriterNumber.take("one", in: state, at: 1) == 0)
      #expect(try WriterNumber.take("two", in: state, at: 2) == 1)
      #expect(try WriterNumber.take("one", in: state, at: 3) == 0)
      #expect(try WriterNumber.take("three", in: state, at: 4) == 2)
      #expect(try WriterNumber.take("two", in: state, at: Self.day * 100) == 1)
    }
  }

  @Test func `are given to nobody else for a day, and there are as many as event numbers have room for`() async throws {
    let directory = try TemporaryDirectory()
    let store = try Self.store(directory)
    try await SharedState.withEach(store) { (state: any StateStore) async throws -> Void in
      for number in 0..<128 {
        #expect(try WriterNumber.take("c\(number)", in: state, at: Int64(number) * 1000) == number)
      }
      #expect(try WriterNumber.take("late", in: state, at: Self.day) == nil)
      // The oldest was there again.
      #expect(try WriterNumber.take("c0", in: state, at: Self.day) == 0)
      #expect(try WriterNumber.take("late", in: state, at: Self.day + 1001) == 1)
      #expect(try WriterNumber.take("later", in: state, at: Self.day + 1001) == nil)
      // Whose number was given away gets another one.
      #expect(try WriterNumber.take("c1", in: state, at: Self.day + 2001) == 2)
    }
  }

  @Test(.enabled(if: SharedState.isThere))
  func `are two when a directory was copied while its collector runs, and one again afterwards`() async throws {
    try await SharedState.with { database in
      func open(_ identity: String?) throws -> (WriterNumber, EventStore, TemporaryDirectory) {
        let directory = try TemporaryDirectory()
        let store = try Self.store(directory, state: PostgresState(try SharedState.options(database)))
        return (try WriterNumber(identity: identity, in: store, logger: RunningCollector.quiet), store, directory)
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
}
