import AutoMobilePostgres
import AutoMobileState
import Foundation
import PostgresTestServer
import Testing

@Suite(.enabled(if: PostgresFixture.isThere)) struct `The connection that hears the news` {
  @Test func `is made ever more slowly when it is lost again and again`() async throws {
    try await PostgresFixture.relayed(patience: .seconds(3)) { relay, state in
      let (before, began) = (relay.count, ContinuousClock.now)
      relay.prepare(.before(Array("pg_try_advisory_lock".utf8)), repeats: true)
      let error = await PostgresFixture.error { _ = try await state.hold(StateWork("a")) }
      #expect(error?.kind == .unavailable)
      // What the pauses allow: a slower machine makes fewer.
      let most = 8 + Int((ContinuousClock.now - began).components.seconds)
      #expect(relay.count - before <= most)
      relay.calm()
      try await PostgresFixture.eventually("it is there again") {
        (try? await state.hold(StateWork("a"))) != nil
      }
    }
  }
}
