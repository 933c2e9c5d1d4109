import Foundation
import NIOCore

/// A line of a session file, checked: what it brings, and that it brings it for the session of the file and no other.
enum SessionFileItem: Sendable {
  case origin(SessionImport)
  case events(CheckedBatch)
  case segment(ReplaySegment, ByteBuffer)
  case end(ReplayEnd)
  case complete

  /// - Parameter session: the one that the file's first line named.
  /// - Throws: ``APIError`` that names the line.
  init(
    _ kind: SessionFile.Line, _ value: JSONTree, line: Int, session: String, limits: CollectorLimits
  ) throws {
    switch kind {
    case .automobile: self = .origin(try SessionImport(value, at: WallClock.now))
    case .events:
      let own = try Self.events(value, line: line, session: session, maximumDepth: limits.jsonDepth)
      let batch = try Envelope.check(ByteBuffer(string: own.text), limits: limits)
      if let rejected = batch.rejected.first {
        throw SessionFile.invalid(line, "has an event that cannot be taken: \(rejected.reason)")
      }
      self = .events(batch)
    case .segment: self = try Self.segment(value, line: line, session: session, limits: limits)
    case .end:
      var end = try ReplayEnd(value)
      end.sessions = [session]
      self = .end(end)
    case .complete: self = .complete
    }
  }

  /// The envelope with each event in the file's session: one that says another is no part of it.
  private static func events(
    _ value: JSONTree, line: Int, session: String, maximumDepth: Int
  ) throws -> JSONTree {
    guard case .object(var envelope) = value, case .array(let events)? = envelope["events"] else {
      throw SessionFile.invalid(line, "has no events")
    }
    envelope["events"] = .array(
      try events.map { event in
        guard case .object(var members) = event, let text = members["payload"]?.string,
          let bytes = Data(base64Encoded: text),
          case .object(var payload)? = try? bytes.withUnsafeBytes({
            try JSONTree(checking: $0, maximumDepth: maximumDepth)
          })
        else { throw SessionFile.invalid(line, "has an event that cannot be read") }
        guard payload["sessionId"]?.string == session else {
          throw SessionFile.invalid(line, "has an event of another session than the file's")
        }
        // A summary says itself which session it is about; in a file, that is the file's, whatever its app called it.
        let type = payload["eventType"]?.string ?? members["eventType"]?.string
        if type == EventTypes.summary { payload["session"] = .string(session) }
        if case .object(var context)? = payload["context"] {
          context["sessionId"] = .string(session)
          payload["context"] = .object(context)
        }
        members["payload"] = .string(Data(JSONTree.object(payload).text.utf8).base64EncodedString())
        return .object(members)
      })
    return .object(envelope)
  }

  private static func segment(
    _ value: JSONTree, line: Int, session: String, limits: CollectorLimits
  ) throws -> SessionFileItem {
    var segment = try ReplaySegment(value)
    segment.sessions = [session]
    guard let text = value["body"]?.string, let data = Data(base64Encoded: text) else {
      throw SessionFile.invalid(line, "has a segment whose body is no base64")
    }
    guard data.count <= limits.bodyBytes, Int64(data.count) == segment.size else {
      throw SessionFile.invalid(line, "has a segment whose body has another size than it says")
    }
    let body = ByteBuffer(data: data)
    guard let content = try? Inflater.gunzip(body, limit: limits.decompressedBytes) else {
      throw SessionFile.invalid(line, "has a segment that is damaged, or too large")
    }
    guard segment.contentHash.map({ $0 == SHA256.hex(Array(content.readableBytesView)) }) ?? true else {
      throw SessionFile.invalid(line, "has a segment whose content is another than its contentHash says")
    }
    return .segment(segment, body)
  }
}
