import AutoMobileJournal
import AutoMobileRecorder
import AutoMobileSupport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Which tasks of the app went through the protocol, so that a delegate forwarder does not record them again.
final class InterceptedTasks: Sendable {
  static let shared = InterceptedTasks()

  // Unchecked, because tasks are not Sendable by every SDK: only its identity is looked at.
  private struct WeakTask: @unchecked Sendable {
    weak var task: URLSessionTask?
  }
  private struct State {
    var tasks: [ObjectIdentifier: WeakTask] = [:]
    var limit = 256
  }
  private let state = Locked(State())

  func add(_ task: URLSessionTask) {
    state.withLock { state in
      state.tasks[ObjectIdentifier(task)] = WeakTask(task: task)
      guard state.tasks.count >= state.limit else { return }
      state.tasks = state.tasks.filter { $0.value.task != nil }
      // So that it is looked through at intervals, however many there are at a time.
      state.limit = max(256, state.tasks.count.adding(saturating: state.tasks.count))
    }
  }

  func contains(_ task: URLSessionTask) -> Bool {
    state.withLock { $0.tasks[ObjectIdentifier(task)]?.task === task }
  }
}
