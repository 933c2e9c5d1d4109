import AutoMobileState
import GRDB
import NIOConcurrencyHelpers
import Testing

@testable import AutoMobileCollector

@Suite struct `Work that one of several collectors does` {
  private static let work = StateWork("sweeping")

  private let directory: TemporaryDirectory
  private let state: SQLiteState

  init() throws {
    directory = try TemporaryDirectory()
    state = SQLiteState(try DatabasePool(path: directory.url.appending(path: "state.sqlite").path))
  }

  @Test func `one has it, and another one when that has ended`() async throws {
    let (first, second) = (WorkTurn(Self.work, in: state), WorkTurn(Self.work, in: state))
    let begun = NIOLockedValueBox<[Int]>([])
    #expect(try await first.take { begun.withLockedValue { $0.append(1) } } != nil)
    #expect(try await second.take { begun.withLockedValue { $0.append(2) } } == nil)
    // It goes on, and does not begin anew.
    #expect(try await first.take { begun.withLockedValue { $0.append(1) } } != nil)
    first.end()
    #expect(try await second.take { begun.withLockedValue { $0.append(2) } } != nil)
    #expect(begun.withLockedValue { $0 } == [1, 2])
  }

  @Test func `what was lost is begun again`() async throws {
    let turn = WorkTurn(Self.work, in: state)
    let begun = NIOLockedValueBox(0)
    try await turn.take { begun.withLockedValue { $0 += 1 } }?.release()
    #expect(try await turn.take { begun.withLockedValue { $0 += 1 } }?.isHeld == true)
    #expect(begun.withLockedValue { $0 } == 2)
  }

  @Test func `what could not be begun is not taken, and is begun by the next try`() async throws {
    struct Away: Error {}
    let turn = WorkTurn(Self.work, in: state)
    await #expect(throws: Away.self) { _ = try await turn.take { throw Away() } }
    let other = WorkTurn(Self.work, in: state)
    #expect(try await other.take() != nil)
    other.end()
    let begun = NIOLockedValueBox(0)
    #expect(try await turn.take { begun.withLockedValue { $0 += 1 } } != nil)
    #expect(begun.withLockedValue { $0 } == 1)
  }

  @Test func `what is under way keeps it, also when it has ended here`() async throws {
    let (turn, other) = (WorkTurn(Self.work, in: state), WorkTurn(Self.work, in: state))
    var underWay = try await turn.take()
    #expect(underWay != nil)
    turn.end()
    #expect(try await other.take() == nil)
    underWay = nil
    #expect(try await other.take() != nil)
  }

  @Test func `what is over is not taken again`() async throws {
    let turn = WorkTurn(Self.work, in: state)
    // In the middle of taking it.
    #expect(try await turn.take { turn.end() } == nil)
    #expect(try await turn.take() == nil)
    #expect(try await WorkTurn(Self.work, in: state).take() != nil)
  }

  @Test func `a thread takes it as a task does`() async throws {
    struct Away: Error {}
    let turn = WorkTurn(Self.work, in: state)
    let thread = QuietThread("turns")
    let answers = try await thread.run {
      [
        (try? turn.takeNow { throw Away() }) == nil, try turn.takeNow() != nil,
        try WorkTurn(Self.work, in: state).takeNow() == nil,
      ]
    }
    thread.stop()
    #expect(answers == [true, true, true])
  }
}
