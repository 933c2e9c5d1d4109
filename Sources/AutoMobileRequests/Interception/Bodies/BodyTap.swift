import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Looks at a request's body while it is sent. Any thread.
final class BodyTap: Sendable {
  private let state: Locked<BodyCapture>

  init(limit: Int) { state = Locked(BodyCapture(limit: limit)) }

  /// A body that is known from the beginning.
  convenience init(_ body: Data, limit: Int) {
    self.init(limit: limit)
    saw(body)
  }

  /// A file: its first bytes are read, now.
  convenience init(file: URL, limit: Int) {
    self.init(limit: limit)
    if limit > 0, let handle = try? FileHandle(forReadingFrom: file) {
      if let first = try? handle.read(upToCount: limit) { saw(first) }
      try? handle.close()
    }
    let size = (try? file.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
    state.withLock { $0.add(unseen: size - $0.size) }
  }

  func saw(_ data: Data) { state.withLock { $0.add(data) } }

  var capture: BodyCapture { state.withLock { $0 } }
}
