import Foundation
import NIOCore

/// Takes a session file in, whole or not at all: it is received and checked to its last line before anything of it is kept.
///
/// What it holds becomes a session of its own, beside whatever else has that name: a file can claim to be any session of any
/// app, and changes none. The same file again adds nothing.
struct SessionFileReader: Sendable {
  let log: IngestLog
  let replays: ReplayStore
  let imports: any SessionImports
  let spool: SessionSpool
  let limits: CollectorLimits

  /// How long nothing may go on with what waits for the index, before the sender is sent away.
  private static let patience: Duration = .seconds(30)

  struct Result: Sendable {
    /// By which the collector knows it from now on.
    var sessionId = ""
    var events = 0
    var segments = 0
  }

  /// - Throws: ``APIError`` that names the line.
  func read<Body: AsyncSequence>(_ body: Body) async throws -> Result where Body.Element == ByteBuffer {
    do {
      return try await spool.withFile { file in
        var stream = SessionFileStream(limits: limits)
        var origin: SessionImport?
        for try await part in body {
          try await stream.read(part) { if case .origin(let found) = $0 { origin = found } }
          try file.append(part)
        }
        let owner = DataOwner.file(try stream.finish())
        guard let origin else { throw SessionFile.invalid(1, "does not say that this is a session file") }
        return try await keep(file, origin, owner)
      }
    } catch let error as SystemError {
      throw APIError(
        .serviceUnavailable, "storage", "the file could not be stored: \(error); import it again", retryAfter: 10)
    }
  }

  private func keep(_ file: SpoolFile, _ origin: SessionImport, _ owner: DataOwner) async throws -> Result {
    var result = Result()
    result.sessionId = try await imports.keep(origin, as: owner)
    var known: [String: ImportedReplay] = [:]
    var stream = SessionFileStream(limits: limits)
    var app = DeliveringApp(owner: owner, bundleId: nil)
    func learn(_ replay: String) async throws -> ImportedReplay {
      if let found = known[replay] { return found }
      let found = try await imports.known(replay, of: owner)
      known[replay] = found
      return found
    }
    var offset = 0
    while case let part = try file.read(at: offset), part.readableBytes > 0 {
      offset += part.readableBytes
      try await stream.read(part) { item in
        switch item {
        case .origin, .complete: break
        case .events(let batch):
          app = DeliveringApp(owner: owner, bundleId: app.bundleId ?? batch.bundleId)
          try await waitForRoom()
          try await log.append(receivedAt: WallClock.now, owner: owner, batch: batch)
          result.events += batch.events
        case .segment(let segment, let body):
          if try await learn(segment.replay).segments.contains(segment.id) { break }
          if try await keep(segment, body, of: app) { result.segments += 1 }
        case .end(let end):
          if try await learn(end.replay).isOver { break }
          _ = try await replays.end(end, of: app, at: WallClock.now)
        }
      }
    }
    return result
  }

  /// As many bytes wait for the index as may, and no more.
  ///
  /// - Throws: ``APIError`` when none of them goes on.
  private func waitForRoom() async throws {
    var (least, since) = (Int.max, ContinuousClock.now)
    while case let backlog = log.backlog, backlog >= limits.backlogBytes {
      if backlog < least { (least, since) = (backlog, .now) }
      if .now - since > Self.patience { try log.admit(below: limits.backlogBytes) }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  /// - Returns: false when the segment is here already.
  private func keep(_ segment: ReplaySegment, _ body: ByteBuffer, of app: DeliveringApp) async throws -> Bool {
    do {
      guard try await replays.announce(segment, of: app, quota: nil, at: WallClock.now) == .wanted else {
        return false
      }
    } catch let error as APIError where error.code == "session_closed" {
      return false
    }
    try await replays.keep(body, as: segment.id, of: app, at: WallClock.now)
    _ = try await replays.complete(segment.id, size: segment.size, of: app)
    return true
  }
}
