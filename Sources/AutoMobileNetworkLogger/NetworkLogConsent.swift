import AutoMobileNetworkLog
import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Whether a process may write into the log: by the SDK's word, and by that of other processes, which leave it in the directory.
///
/// What has been written goes as soon as anybody denies it.
final class NetworkLogConsent: Sendable {
  private struct State {
    var isDenied = false
    var nextLook: Int64 = .min
  }

  private let directory: NetworkLogDirectory
  private let writer: NetworkLogWriter
  private let isEnabled: @Sendable () -> Bool
  private let state = Locked(State())
  private let order = NSLock()

  /// How often the directory is looked at while requests come, in milliseconds.
  private static let interval: Int64 = 1000

  /// - Parameter isEnabled: whether the SDK records now.
  init(_ directory: NetworkLogDirectory, _ writer: NetworkLogWriter, isEnabled: @escaping @Sendable () -> Bool) {
    self.directory = directory
    self.writer = writer
    self.isEnabled = isEnabled
  }

  /// Any thread; asks the file system once a second, and erases when it says no for the first time.
  var mayRecord: Bool {
    guard isEnabled() else { return false }
    let now = Clocks.continuousMilliseconds()
    let isDue = state.withLock { state in
      guard now >= state.nextLook else { return false }
      state.nextLook = now.addingReportingOverflow(Self.interval).partialValue
      return true
    }
    if isDue, directory.isDenied != state.withLock({ $0.isDenied }) { look() }
    return state.withLock { !$0.isDenied }
  }

  /// Not on the thread of somebody's request: what has been written is erased, or may be written again.
  private func look() {
    DispatchQueue.global(qos: .utility).async { [self] in note(directory.isDenied) }
  }

  /// The user has denied it, or has not.
  func note(_ isDenied: Bool) {
    // One change after the other; and what was read before somebody else's word is not taken for a newer one.
    order.lock()
    defer { order.unlock() }
    let isDenied = isDenied || directory.isDenied
    let isChange = state.withLock { state in
      defer { state.isDenied = isDenied }
      return state.isDenied != isDenied
    }
    guard isChange else { return }
    if isDenied { writer.erase(thenKeep: false) } else { writer.resumeKeeping() }
  }
}
