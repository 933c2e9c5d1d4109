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
      guard size <= SessionFile.maximumBytes else {
        throw SessionFileLines.tooLarge("more than \(SessionFile.maximumBytes) bytes")
      }
      var rest = part
      // In slices, so that what comes out of a small piece is looked at before more of it comes.
      while let slice = rest.readSlice(length: min(rest.readableBytes, 1 << 14)), slice.readableBytes > 0 {
        var lines: [ByteBuffer] = []
        do {
          try gzip.decompress(slice) { try state.lines.split($0, into: &lines) }
        } catch is Inflater.Failure {
          throw APIError.badRequest("invalid_gzip", "the file is no session file: it is not gzip, or damaged")
        }
        for line in lines { try await take(line, &state) }
      }
    }
    guard gzip.isComplete, state.lines.isComplete else {
      throw APIError.badRequest(
        "truncated", "the file breaks off after \(state.lines.number) lines; what stood before that has been taken in")
    }
    return state.result
  }

  private struct State {
    var result = Result()
    var lines = SessionFileLines()
    /// What the file says of itself; nil once that is kept.
    var origin: SessionImport?
  }

  private func take(_ bytes: ByteBuffer, _ state: inout State) async throws {
    let (kind, value) = try state.lines.read(bytes, maximumDepth: limits.jsonDepth)
    let number = state.lines.number
    switch kind {
    case .automobile:
      let origin = try SessionImport(value, at: WallClock.now)
      state.result.sessionId = origin.sessionId
      state.origin = origin
    case .events: state.result.events += try await takeEvents(value, &state)
    case .segment: if try await takeSegment(value, number) { state.result.segments += 1 }
    case .end: _ = try await replays.end(ReplayEnd(value), bundle: nil, at: WallClock.now)
    case .complete: break
    }
  }

  private func takeEvents(_ value: JSONTree, _ state: inout State) async throws -> Int {
    // As many bytes as may wait for the index, and no more.
    while log.backlog >= limits.backlogBytes { try await Task.sleep(for: .milliseconds(50)) }
    let batch = try Envelope.check(ByteBuffer(string: value.text), limits: limits)
    // Before the session is here: one that came from an app is not marked.
    if batch.events > 0, let origin = state.origin {
      try await origin.keep(in: replays.store)
      state.origin = nil
    }
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
