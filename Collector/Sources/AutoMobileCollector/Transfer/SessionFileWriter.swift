import Foundation
import NIOCore

/// Writes a session into a file, page by page, so that its size does not matter.
struct SessionFileWriter: Sendable {
  let events: any EventReading
  let sessions: any SessionReading
  let replays: any ReplayReading
  let packs: ReplayPacks

  /// Events that are in memory at once, and bytes of their JSON in one line.
  private static let page = 500
  private static let lineBytes = 1 << 20

  /// - Parameter write: takes the file's bytes, in order.
  /// - Throws: ``APIError`` when there is no such session, and what `write` throws.
  func write(_ scope: ReadScope, _ session: String, _ write: (ByteBuffer) async throws -> Void) async throws {
    guard let (row, launches) = try await sessions.session(scope, session, now: WallClock.now) else {
      throw APIError(.notFound, "no_session", "no session with this id")
    }
    let gzip = GzipWriter()
    var lines: Int64 = 0
    func line(_ kind: SessionFile.Line, _ value: JSONTree) async throws {
      lines += 1
      let packed = gzip.compress(ByteBuffer(string: JSONTree.object([kind.rawValue: value]).text + "\n"))
      if packed.readableBytes > 0 { try await write(packed) }
    }
    let bundles = Dictionary(launches.rows.map { ($0.launchId, $0) }) { first, _ in first }
    try await line(
      .automobile,
      .object([
        "file": .string("session"), "version": .integer(SessionFile.version), "sessionId": .string(session),
        "collector": .string(Collector.version), "exportedAt": .integer(WallClock.now), "events": .integer(row.events),
      ]))
    var counts: [String: Int64] = [:]
    var cursor: PageCursor?
    repeat {
      let page =
        try await events.timeline(
          scope, of: session, cursor.map { .after($0) } ?? .start, limit: Self.page, filter: .init()) ?? Page()
      cursor = page.isFull ? page.rows.last.map(EventOrder.cursor) : nil
      for batch in Self.batches(page.rows) {
        let launch = batch[0].launchId
        counts[launch, default: 0] += Int64(batch.count)
        try await line(.events, Self.envelope(batch, of: bundles[launch]))
      }
    } while cursor != nil
    // That a launch is over is said last: until then more may come.
    for (launch, count) in counts.sorted(by: { $0.key < $1.key }) {
      let isOver = bundles[launch]?.isFinal == true || !row.isLive
      try await line(.events, Self.ledger(of: launch, bundles[launch], count: count, isOver: isOver))
    }
    for replay in try await replays.whole(scope, of: session) {
      for segment in replay.segments {
        guard let place = segment.place, let body = try await body(at: place) else { continue }
        var announcement = segment.announcement
        announcement["body"] = .string(Data(body.readableBytesView).base64EncodedString())
        try await line(.segment, .object(announcement))
      }
      if let end = replay.end { try await line(.end, .object(end)) }
    }
    try await line(.complete, .object(["lines": .integer(lines)]))
    try await write(gzip.compress(ByteBuffer(), isLast: true))
  }

  /// Nil when it is missing or damaged; while the blob store does not answer, the file ends early, and says so by having no end.
  private func body(at place: ReplayPacks.Place) async throws -> ByteBuffer? {
    do {
      return try await packs.read(place)
    } catch let error as BlobError where error.answer == nil {
      return nil
    }
  }

  /// Whether the pictures can be had at this moment: asked before an answer has begun.
  ///
  /// - Throws: ``APIError`` when they cannot.
  func check(_ scope: ReadScope, _ session: String) async throws {
    let places = try await replays.whole(scope, of: session).flatMap(\.segments).compactMap(\.place)
    // Of the oldest and the newest: these are not in the same pack, if there is more than one.
    for place in Set([0, places.count - 1]).filter(places.indices.contains).map({ places[$0] }) {
      do {
        _ = try await packs.read(place)
      } catch let error as BlobError {
        if let answer = error.answer { throw answer }
      }
    }
  }

  /// Runs of one launch, none much longer than a line should be.
  private static func batches(_ rows: [EventRow]) -> [[EventRow]] {
    var batches: [[EventRow]] = []
    var bytes = 0
    for row in rows {
      if bytes < lineBytes, let last = batches.last?.last, last.launchId == row.launchId {
        batches[batches.count - 1].append(row)
      } else {
        batches.append([row])
        bytes = 0
      }
      bytes += row.payload.count
    }
    return batches
  }

  private static func envelope(_ rows: [EventRow], of launch: LaunchRow?) -> JSONTree {
    .object([
      "launchId": .string(given(rows[0].launchId)), "bundleId": launch?.bundleId.map(JSONTree.string) ?? .null,
      "sdkVersion": launch?.sdkVersion.map(JSONTree.string) ?? .null,
      "events": .array(
        rows.map { row in
          .object([
            "eventType": .string(row.eventType), "sequence": .integer(row.sequence),
            "payload": .string(Data(event(row).text.utf8).base64EncodedString()),
          ])
        }),
    ])
  }

  /// A launch as its app named it: outside, one that came out of a file may have more behind that, which no reader takes.
  private static func given(_ launch: String) -> String { String(launch.prefix { $0 != "@" }) }

  /// The event with its context written out: nothing in the file refers to something else.
  private static func event(_ row: EventRow) -> JSONTree {
    let tree = try? row.payload.withUnsafeBytes {
      try JSONTree(checking: $0, maximumDepth: CollectorLimits().jsonDepth)
    }
    guard case .object(var members)? = tree else { return .object([:]) }
    members.removeValue(forKey: "contextId")
    members["eventType"] = .string(row.eventType)
    members["timestamp"] = .integer(row.timestamp)
    members["sessionId"] = .string(row.sessionId)
    if row.eventType == EventTypes.summary { members["session"] = .string(row.sessionId) }
    let context = row.context.flatMap {
      $0.withUnsafeBytes { try? JSONTree(checking: $0, maximumDepth: CollectorLimits().jsonDepth) }
    }
    if case .object(var context)? = context {
      context.removeValue(forKey: "contextId")
      context["sessionId"] = .string(row.sessionId)
      members["context"] = .object(context)
    }
    return .object(members)
  }

  /// What is in the file is all that there is of the launch, as far as the file knows.
  private static func ledger(of name: String, _ launch: LaunchRow?, count: Int64, isOver: Bool) -> JSONTree {
    .object([
      "launchId": .string(given(name)), "bundleId": launch?.bundleId.map(JSONTree.string) ?? .null,
      "events": .array([]),
      "ledger": .object([
        "recorded": .integer(count), "dropped": .object([:]), "torn": .integer(0), "final": .bool(isOver),
      ]),
    ])
  }
}
