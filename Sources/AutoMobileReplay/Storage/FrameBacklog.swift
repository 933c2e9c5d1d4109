/// What of a session waits to be uploaded. When it is full, what comes is lost, until something has been uploaded: what was
/// recorded before can be shown without it.
struct FrameBacklog: Sendable, Equatable {
  static let maximumFrames = 500
  /// What is uploaded together: a key frame with what follows it.
  static let maximumBatches = 50

  private(set) var frames = 0
  private(set) var batches = 0

  init() {}

  init(_ files: [FrameFile]) { files.forEach { add(isKey: $0.isKey) } }

  func hasRoom(isKey: Bool) -> Bool {
    frames < Self.maximumFrames && (!isKey || batches < Self.maximumBatches)
  }

  mutating func add(isKey: Bool) {
    frames += 1
    if isKey { batches += 1 }
  }
}
