import Foundation
import NIOCore

/// Takes a session file in, line by line: each goes the way that an app's delivery goes. What is here already stays as it
/// is, so a file may be taken in as often as one likes.
struct SessionFileReader: Sendable {
  let log: IngestLog
  let replays: ReplayStore
  let limits: CollectorLimits

  struct Result: Sendable {
    var sessionId = ""
    var events = 0
    var segments = 0
  }

  /// - Throws: ``APIError`` that names the line. What stood before it has been taken in.
  func read<Body: AsyncSequence>(_ body: Body) async throws -> Result where Body.Element == ByteBuffer {
    let gzip = GzipReader()
    var state = State()
    var size = 0
    for try await part in body {
      size += part.readableBytes
      guard size <= SessionFile.maximumBytes else { throw Self.tooLarge("more than \(SessionFile.maximumBytes) bytes") }
      var rest = part
      // In slices, so that what comes out of a small piece is looked at before more of it comes.
      while let slice = rest.readSlice(length: min(rest.readableBytes, 1 << 14)), slice.readableBytes > 0 {
        var lines: [ByteBuffer] = []
        do {
          try gzip.decompress(slice) { try state.split($0, into: &lines) }
        } catch is Inflater.Failure {
          throw APIError.badRequest("invalid_gzip", "the file is no session file: it is not gzip, or damaged")
        }
        for line in lines { try await take(line, &state) }
      }
    }
    guard gzip.isComplete, state.isComplete else {
      throw APIError.badRequest(
        "truncated", "the file breaks off after \(state.number) lines; what stood before that has been taken in")
    }
    return state.result
  }

  private struct State {
    var result = Result()
    var number = 0
    var isComplete = false
    private var content = 0
    private var open = ByteBuffer()

    /// Lines that are whole by now.
    mutating func split(_ bytes: UnsafeRawBufferPointer, into lines: inout [ByteBuffer]) throws {
      content += bytes.count
      guard content <= SessionFile.maximumContent else {
        throw SessionFileReader.tooLarge("more than \(SessionFile.maximumContent) bytes after decompression")
      }
      var start = 0
      while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
        open.writeBytes(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        lines.append(open)
        open = ByteBuffer()
        start = end + 1
      }
      open.writeBytes(UnsafeRawBufferPointer(rebasing: bytes[start...]))
      // Lines that wait count as well: a slice of 16 KB may become 16 MB.
      guard open.readableBytes <= SessionFile.maximumLine else {
        throw SessionFileReader.tooLarge("a line of more than \(SessionFile.maximumLine) bytes")
      }
    }
  }

  private static func tooLarge(_ what: String) -> APIError { APIError.tooLarge("the session file has \(what)") }

  private func take(_ bytes: ByteBuffer, _ state: inout State) async throws {
    state.number += 1
    let number = state.number
    guard number <= SessionFile.maximumLines else { throw Self.tooLarge("more than \(SessionFile.maximumLines) lines") }
    guard !state.isComplete else { throw SessionFile.invalid(number, "comes after its end") }
    let tree: JSONTree
    do {
      tree = try bytes.withUnsafeReadableBytes { try JSONTree(checking: $0, maximumDepth: limits.jsonDepth) }
    } catch let error as JSONError {
      throw SessionFile.invalid(number, "is no JSON: \(error.message)")
    }
    guard case .object(let members) = tree, members.count == 1, let (name, value) = members.first,
      let kind = SessionFile.Line(rawValue: name)
    else { throw SessionFile.invalid(number, "is of no kind that is known") }
    guard (kind == .automobile) == (number == 1) else {
      throw SessionFile.invalid(number, number == 1 ? "does not say that this is a session file" : "says so again")
    }
    switch kind {
    case .automobile:
      guard value["file"]?.string == "session", let session = value["sessionId"]?.string, !session.isEmpty else {
        throw SessionFile.invalid(number, "does not say that this is a session file")
      }
      guard value["version"]?.integer == SessionFile.version else {
        throw SessionFile.invalid(number, "says another version than \(SessionFile.version): take a newer collector")
      }
      state.result.sessionId = session
    case .events: state.result.events += try await takeEvents(value)
    case .segment: if try await takeSegment(value, number) { state.result.segments += 1 }
    case .end: _ = try await replays.end(ReplayEnd(value), bundle: nil, at: WallClock.now)
    case .complete:
      guard value["lines"]?.integer == Int64(number - 1) else {
        throw SessionFile.invalid(number, "counts other lines than there are")
      }
      state.isComplete = true
    }
  }

  private func takeEvents(_ value: JSONTree) async throws -> Int {
    // As many bytes as may wait for the index, and no more.
    while log.backlog >= limits.backlogBytes { try await Task.sleep(for: .milliseconds(50)) }
    let batch = try Envelope.check(ByteBuffer(string: value.text), limits: limits)
    try await log.append(receivedAt: WallClock.now, batch: batch)
    return batch.events
  }

  /// - Returns: false when the segment is here already.
  private func takeSegment(_ value: JSONTree, _ number: Int) async throws -> Bool {
    let segment = try ReplaySegment(value)
    guard let text = value["body"]?.string, let data = Data(base64Encoded: text) else {
      throw SessionFile.invalid(number, "has a segment whose body is no base64")
    }
    guard data.count <= limits.bodyBytes, Int64(data.count) == segment.size else {
      throw SessionFile.invalid(number, "has a segment whose body has another size than it says")
    }
    let body = ByteBuffer(data: data)
    do {
      try await ReplayStore.offLoop { [limits] in _ = try Inflater.gunzip(body, limit: limits.decompressedBytes) }
    } catch is Inflater.Failure {
      throw SessionFile.invalid(number, "has a segment that is damaged, or too large")
    }
    do {
      guard try await replays.announce(segment, bundle: nil, quota: nil, at: WallClock.now) == .wanted else {
        return false
      }
    } catch let error as APIError where error.code == "session_closed" {
      return false
    }
    try await replays.keep(body, of: segment.id, at: WallClock.now)
    _ = try await replays.complete(segment.id, size: segment.size, bundle: nil)
    return true
  }
}
