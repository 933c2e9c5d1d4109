import Foundation

/// Follows the ingest log from a position to its durable end, frame by frame.
struct LogReader {
  /// A frame's place and contents. `body` is valid until the next call.
  struct Entry {
    var receivedAt: Int64
    /// Whose data it is; nil when the collector that wrote it knew no owners.
    var owner: DataOwner?
    /// Of its first record; nil when the collector that wrote it knew none.
    var number: Int64?
    var body: UnsafeRawBufferPointer
    /// Where this frame begins.
    var start: LogPosition
    /// Behind this frame.
    var next: LogPosition
    /// What lies between the last position and `next`, damaged parts included.
    var consumed: Int
    /// Bytes that were passed over because they are no whole frame. 0, unless a write was torn or the disk is failing.
    var skipped: Int
  }

  private let directory: LogDirectory
  private let maximumBody: Int
  private(set) var position: LogPosition
  private var file: (segment: UInt64, descriptor: FileDescriptor, size: Int)?
  private let buffer: UnsafeMutableRawBufferPointer

  /// - Parameter maximumBody: a header that claims more is damaged.
  /// - Parameter buffer: at least a header and `maximumBody` long; owned by the caller.
  init(directory: LogDirectory, from position: LogPosition, maximumBody: Int, buffer: UnsafeMutableRawBufferPointer) {
    self.directory = directory
    self.position = position
    self.maximumBody = maximumBody
    self.buffer = buffer
  }

  /// Goes to another place.
  mutating func seek(_ position: LogPosition) { self.position = position }

  /// The next whole frame before `end`; nil when there is none now.
  mutating func next(before end: LogPosition) throws -> Entry? {
    var consumed = 0
    var skipped = 0
    while position < end {
      let limit = position.segment == end.segment ? end.offset : try size(of: position.segment)
      if position.offset + LogFrame.headerSize <= limit {
        if let frame = try frame(at: position.offset, limit: limit) {
          return entry(frame, limit: limit, consumed: consumed, skipped: skipped)
        }
        // Torn by a crash, or damaged: look for the next frame in eight byte steps.
        position.offset += 8
        consumed += 8
        skipped += 8
        continue
      }
      consumed += max(0, limit - position.offset)
      guard let following = try segment(after: position.segment), following <= end.segment else { return nil }
      position = LogPosition(segment: following, offset: 0)
    }
    return nil
  }

  /// The frame at a place, and nothing behind it; nil when there is none that is whole.
  mutating func entry(at place: LogPosition) throws -> Entry? {
    position = place
    let limit = try size(of: place.segment)
    guard let frame = try frame(at: place.offset, limit: limit) else { return nil }
    return entry(frame, limit: limit, consumed: 0, skipped: 0)
  }

  /// Of the frame at the position, which is left behind.
  private mutating func entry(_ frame: LogFrame, limit: Int, consumed: Int, skipped: Int) -> Entry {
    let stride = LogFrame.stride(body: frame.length)
    let start = position
    position.offset = min(position.offset + stride, limit)
    let (owner, number, body) = frame.split(contents(frame))
    return Entry(
      receivedAt: frame.receivedAt, owner: owner, number: number, body: body, start: start, next: position,
      consumed: consumed + stride, skipped: skipped)
  }

  private func contents(_ frame: LogFrame) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer[LogFrame.headerSize..<LogFrame.headerSize + frame.length])
  }

  private mutating func frame(at offset: Int, limit: Int) throws -> LogFrame? {
    guard let descriptor = try open(position.segment)?.descriptor else { return nil }
    let header = UnsafeMutableRawBufferPointer(rebasing: buffer[..<LogFrame.headerSize])
    guard try read(descriptor, header, at: offset),
      let frame = LogFrame(header: UnsafeRawBufferPointer(header)), frame.length <= maximumBody,
      offset + LogFrame.headerSize + frame.length <= limit
    else { return nil }
    let contents = UnsafeMutableRawBufferPointer(
      rebasing: buffer[LogFrame.headerSize..<LogFrame.headerSize + frame.length])
    guard try read(descriptor, contents, at: offset + LogFrame.headerSize),
      frame.matches(header: UnsafeRawBufferPointer(header), contents: UnsafeRawBufferPointer(contents))
    else { return nil }
    return frame
  }

  private func read(_ file: FileDescriptor, _ target: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Bool {
    var done = 0
    while done < target.count {
      let count = pread(file.number, target.baseAddress?.advanced(by: done), target.count - done, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw SystemError("read", directory.file(position.segment)) }
      if count == 0 { return false }
      done += count
    }
    return true
  }

  // MARK: Segments

  private mutating func open(_ segment: UInt64) throws -> (segment: UInt64, descriptor: FileDescriptor, size: Int)? {
    if let file, file.segment == segment { return file }
    let path = directory.file(segment)
    guard access(path, F_OK) == 0 else {
      guard errno == ENOENT else { throw SystemError("open", path) }
      return nil
    }
    let descriptor = try FileDescriptor(creating: path, flags: O_RDONLY | O_CLOEXEC, permissions: 0)
    var status = stat()
    guard fstat(descriptor.number, &status) == 0 else { throw SystemError("stat", path) }
    file = (segment, descriptor, Int(status.st_size))
    return file
  }

  /// The size of a segment that is not written to any more; 0 when there is none.
  private mutating func size(of segment: UInt64) throws -> Int {
    guard let opened = try open(segment) else { return 0 }
    var status = stat()
    guard fstat(opened.descriptor.number, &status) == 0 else {
      throw SystemError("stat", directory.file(segment))
    }
    return Int(status.st_size)
  }

  private func segment(after segment: UInt64) throws -> UInt64? {
    try directory.segments().first { $0.number > segment }?.number
  }
}
