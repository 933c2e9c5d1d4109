import AutoMobileJournal
import AutoMobileSupport
import Foundation

/// How far a log has been cleared: whoever reads leaves out what stands before that.
///
/// Records belong to the processes that write them, and nobody else removes them: so clearing is a mark beside them, in a file
/// that every reader looks at. It says how far each segment had been read when it was cleared, so that what an app records
/// meanwhile is behind it.
struct NetworkLogMark: Sendable, Equatable {
  /// Where reading begins in the record areas: by launch and by the segment's number.
  private(set) var offsets: [LaunchID: [UInt64: Int]] = [:]

  private struct Document: Codable {
    var version: Int
    var segments: [String: [String: Int]]
  }

  /// A longer file is none of ours.
  private static let maximumSize = 1 << 20
  /// No segment is larger.
  private static let maximumOffset = 1 << 20

  init() {}

  /// - Parameter bytes: of the file; what is no mark of this version marks nothing.
  init(_ bytes: [UInt8]) {
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)), document.version == 1 else {
      return
    }
    for (name, segments) in document.segments {
      guard let launch = LaunchID(name) else { continue }
      for (index, offset) in segments {
        // Records begin at multiples of eight.
        guard let index = UInt64(index), (1...Self.maximumOffset).contains(offset), offset % 8 == 0 else { continue }
        offsets[launch, default: [:]][index] = offset
      }
    }
  }

  mutating func add(_ launch: LaunchID, _ index: UInt64, _ offset: Int) {
    if offset > 0 { offsets[launch, default: [:]][index] = (min(offset, Self.maximumOffset - 7) + 7) / 8 * 8 }
  }

  subscript(launch: LaunchID, index: UInt64) -> Int { offsets[launch]?[index] ?? 0 }

  /// What the file holds; empty when there is none.
  static func bytes(in directory: NetworkLogDirectory) -> [UInt8] {
    guard let file = try? FileDescriptor(path: directory.markFile.path, flags: O_RDONLY) else { return [] }
    defer { file.close() }
    return (1...maximumSize).contains(file.size) ? file.read(at: 0, count: maximumSize) : []
  }

  /// Whoever reads finds the old file or the new one, never a part.
  func write(in directory: NetworkLogDirectory) throws {
    let segments = offsets.map { launch, offsets in
      (launch.description, offsets.reduce(into: [String: Int]()) { $0[String($1.key)] = $1.value })
    }
    let document = Document(version: 1, segments: segments.reduce(into: [:]) { $0[$1.0] = $1.1 })
    try JSONEncoder().encode(document).writeProtected(to: directory.markFile)
  }
}
