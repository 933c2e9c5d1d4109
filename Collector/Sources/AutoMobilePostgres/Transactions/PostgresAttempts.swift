import AutoMobileState
import Foundation

/// How often a transaction is tried, and how long it waits before it is tried again.
struct PostgresAttempts {
  /// With so many others at it, a transaction asks to be alone.
  private static let mostBesideOthers = 3
  private static let most = 10

  let deadline: ContinuousClock.Instant
  private var collisions = 0
  private var losses = 0
  /// Nobody else may write meanwhile: then it does not collide with others of this program.
  private(set) var isAlone = false

  init(patience: Duration) { deadline = .now + patience }

  /// Waits before the next attempt.
  ///
  /// - Throws: ``StateError`` when there is no next one.
  mutating func next(after failure: PostgresFailure) throws {
    let pause: Double
    switch failure.course {
    case .final: throw failure.error
    case .alone:
      // With nobody else at it the row is there.
      guard !isAlone else { throw failure.error }
      isAlone = true
      return
    case .again:
      collisions += 1
      guard collisions < Self.most else { throw failure.error }
      isAlone = isAlone || collisions >= Self.mostBesideOthers
      pause = 0.002 * Double(1 << collisions)
    case .lost:
      losses += 1
      // At once: others of the pool may be there, or the server again.
      pause = losses == 1 ? 0 : min(0.05 * Double(1 << min(losses, 8)), 1)
    }
    let jittered = Duration.seconds(pause * .random(in: 0.5...1))
    guard .now + jittered < deadline else { throw failure.error }
    Thread.sleep(forTimeInterval: pause == 0 ? 0 : Double(jittered.milliseconds) / 1000)
  }
}
