import AutoMobileJournal
import Foundation
import NIOConcurrencyHelpers
import NIOCore

/// Files of some megabytes that hold the bodies of segments one after the other: a million small files would be slow to
/// list, to copy and to delete. They are only ever appended to, and removed as a whole; where what is stands in the index.
final class ReplayPacks: Sendable {
  /// Where a body is.
  struct Place: Sendable, Equatable {
    var pack: Int64
    var offset: Int64
    var length: Int64
    var checksum: Int64
  }

  private struct State {
    var pack: Int64
    var file: FileDescriptor?
    var offset: Int64
  }

  /// A pack takes nothing more when it is this large, in bytes.
  let size: Int64
  private let directory: String
  private let state: NIOLockedValueBox<State>

  /// - Parameter size: a body that is larger has a pack of its own.
  init(directory: String, size: Int64 = 4 << 20) throws {
    self.directory = directory
    self.size = size
    try PrivateFiles.createDirectory(directory)
    let newest = try FileManager.default.contentsOfDirectory(atPath: directory).compactMap(Self.number).max() ?? 0
    // A new file with each start: what a process that died had not finished stays behind in the old one.
    state = NIOLockedValueBox(State(pack: newest, file: nil, offset: 0))
  }

  /// To read only.
  init(reading directory: String) {
    self.directory = directory
    size = 0
    state = NIOLockedValueBox(State(pack: 0, file: nil, offset: 0))
  }

  /// Appends a body and waits until the disk has it. Blocks: not for an event loop.
  ///
  /// - Throws: ``SystemError``; nothing points to what may have been written then.
  func append(_ body: ByteBuffer) throws -> Place {
    try state.withLockedValue { state in
      let length = Int64(body.readableBytes)
      if state.file == nil || (state.offset > 0 && state.offset + length > size) {
        state.file = try FileDescriptor(
          creating: path(state.pack + 1), flags: O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions: 0o600)
        state.pack += 1
        state.offset = 0
      }
      guard let file = state.file else { throw SystemError("open", path(state.pack), code: EIO) }
      let checksum = try body.withUnsafeReadableBytes { bytes in
        var written = 0
        while written < bytes.count {
          let count = pwrite(
            file.number, bytes.baseAddress?.advanced(by: written), bytes.count - written,
            off_t(state.offset) + off_t(written))
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { throw SystemError("write", path(state.pack)) }
          written += count
        }
        return Int64(CRC32C.checksum(of: bytes))
      }
      guard fsync(file.number) == 0 else { throw SystemError("fsync", path(state.pack)) }
      let place = Place(pack: state.pack, offset: state.offset, length: length, checksum: checksum)
      state.offset += length
      return place
    }
  }

  /// The body at a place; nil when the file is gone or damaged. Blocks.
  func read(_ place: Place) -> ByteBuffer? {
    guard place.length >= 0, place.offset >= 0,
      let file = try? FileDescriptor(creating: path(place.pack), flags: O_RDONLY | O_CLOEXEC, permissions: 0)
    else { return nil }
    let length = Int(place.length)
    var body = ByteBufferAllocator().buffer(capacity: length)
    body.writeWithUnsafeMutableBytes(minimumWritableBytes: length) { space in
      var got = 0
      while got < length {
        let count = pread(
          file.number, space.baseAddress?.advanced(by: got), length - got, off_t(place.offset) + off_t(got))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        got += count
      }
      return got
    }
    let checksum = body.withUnsafeReadableBytes { Int64(CRC32C.checksum(of: $0)) }
    return body.readableBytes == length && checksum == place.checksum ? body : nil
  }

  /// Removes files of which nothing is needed any more.
  func remove(_ packs: [Int64]) {
    state.withLockedValue { state in
      for pack in packs {
        if pack == state.pack { state.file = nil }
        unlink(path(pack))
      }
    }
  }

  /// Whether nothing more is written into a pack.
  func isClosed(_ pack: Int64) -> Bool { state.withLockedValue { $0.file == nil || $0.pack != pack } }

  /// Of its file, in bytes; 0 when it is gone.
  func size(of pack: Int64) -> Int64 {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path(pack))
    return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
  }

  /// All that are there.
  var all: [Int64] {
    (try? FileManager.default.contentsOfDirectory(atPath: directory).compactMap(Self.number)) ?? []
  }

  private func path(_ pack: Int64) -> String { "\(directory)/\(pack).pack" }

  private static func number(_ name: String) -> Int64? { name.hasSuffix(".pack") ? Int64(name.dropLast(5)) : nil }
}
