import AutoMobileState
import NIOConcurrencyHelpers

/// Has somebody look again whenever a state has news of some subjects, until the state is closed, or this is gone.
///
/// It hears from when it is made: made before the first look, nothing falls between reading and hearing. What is told during a look leads
/// to one more.
final class StateFollower: Sendable {
  private let news: AsyncStream<StateNews>
  private let looks: AsyncStream<Void>
  private let bell: AsyncStream<Void>.Continuation
  private let tasks = NIOLockedValueBox<[Task<Void, Never>]>([])

  init(of subjects: Set<StateSubject>, in store: any StateStore) {
    news = store.news(of: subjects)
    (looks, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  deinit { stop() }

  /// Begins; once.
  ///
  /// - Parameters:
  ///   - pauses: after a look that did not go well it is tried again, at first so soon, and at last so seldom.
  ///   - heard: told of each piece of news before the look.
  ///   - look: whether it went well.
  func start(
    pauses: (first: Duration, longest: Duration), heard: @escaping @Sendable (StateNews) -> Void = { _ in },
    look: @escaping @Sendable () async -> Bool
  ) {
    let (news, looks, bell) = (news, looks, bell)
    let hearing = Task {
      for await told in news {
        heard(told)
        bell.yield()
      }
      bell.finish()
    }
    let looking = Task {
      for await _ in looks {
        var pause = pauses.first
        while await !look() {
          do { try await Task.sleep(for: pause) } catch { return }
          pause = min(pause * 2, pauses.longest)
        }
      }
    }
    tasks.withLockedValue { $0 = [hearing, looking] }
  }

  /// As if there were news; also before it begins.
  func lookAgain() { bell.yield() }

  func stop() { for task in tasks.withLockedValue({ $0 }) { task.cancel() } }
}
