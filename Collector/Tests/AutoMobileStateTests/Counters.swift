@testable import AutoMobileState

/// What the tests write and read.
enum Counters {
  static func set(_ name: String, _ n: Int64, in state: borrowing StateWriting) throws {
    try state.execute("INSERT INTO counter(name, n) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET n = ?2", name, n)
  }

  static func count(_ name: String, in state: borrowing StateReading) throws -> Int64? {
    try state.value("SELECT n FROM counter WHERE name = ?1", name)
  }

  /// What a store says of something that cannot be done; nil when it can.
  static func kind(of body: () async throws -> Void) async -> StateError.Kind? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? StateError)?.kind
    }
  }
}
