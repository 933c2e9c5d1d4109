import Foundation
import NIOCore

@testable import AutoMobileCollector

/// Sends a replay as the SDK does, step by step.
struct ReplaySender: Sendable {
  let collector: RunningCollector
  var replay = UUID().uuidString
  var sessions: [String] = []
  var bundle: String? = "dev.example.shop"
  var token: String?

  static let start: Int64 = 1_700_000_000_000

  var headers: [(String, String)] {
    var headers = bundle.map { [("x-bundle-id", $0)] } ?? []
    if let token { headers.append(("Authorization", "Bearer \(token)")) }
    return headers
  }

  struct Segment: Sendable {
    var id: String
    var body: ByteBuffer
    var first: Int64
    var last: Int64
    var kind = "screenshots"
    var frames = 3
    var continues: String?

    init(_ content: String, at seconds: Int64 = 0, kind: String = "screenshots") {
      self.kind = kind
      body = gzip(Array(content.utf8))
      first = ReplaySender.start + seconds * 1000
      last = first + 1000
      id = SHA256.hash("\(kind) \(first) \(content)").prefix(16).map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined()
    }
  }

  func announcement(of segment: Segment) -> [String: JSONTree] {
    var body: [String: JSONTree] = [
      "sessionId": .string(replay), "segmentId": .string(segment.id), "kind": .string(segment.kind),
      "startTime": .integer(segment.first), "endTime": .integer(segment.last),
      "frameCount": .integer(Int64(segment.frames)),
      "sizeBytes": .integer(Int64(segment.body.readableBytes)), "compression": .string("gzip"),
      "telemetrySessionIds": .array(sessions.map(JSONTree.string)),
    ]
    body["continues"] = segment.continues.map(JSONTree.string)
    return body
  }

  func post(_ path: String, _ body: [String: JSONTree]) async throws -> RunningCollector.Answer {
    try await collector.post("/api/ingest/\(path)", JSONTree.object(body).text, headers: headers)
  }

  func presign(_ segment: Segment) async throws -> RunningCollector.Answer {
    try await post("segment/presign", announcement(of: segment))
  }

  func put(_ id: String, _ body: ByteBuffer, type: String = "application/gzip") async throws -> RunningCollector.Answer
  {
    try await collector.send(
      .PUT, "/api/ingest/segment/\(id)", headers: headers + [("Content-Type", type)], body: body)
  }

  func complete(_ segment: Segment) async throws -> RunningCollector.Answer {
    try await post(
      "segment/complete",
      ["segmentId": .string(segment.id), "actualSizeBytes": .integer(Int64(segment.body.readableBytes))])
  }

  /// All three steps; throws nothing when one of them is refused.
  func upload(_ segment: Segment) async throws -> [Int] {
    [
      try await presign(segment).status, try await put(segment.id, segment.body).status,
      try await complete(segment).status,
    ]
  }

  func end(_ more: [String: JSONTree] = [:]) async throws -> JSONValue {
    var body: [String: JSONTree] = [
      "sessionId": .string(replay), "endedAt": .integer(Self.start + 60_000), "totalBackgroundTimeMs": .integer(0),
      "endReason": .string("user_stop"), "timingVersion": .integer(3),
    ]
    body.merge(more) { _, new in new }
    let answer = try await post("session/end", body)
    return try answer.json()
  }
}
