import AutoMobileJournal
import AutoMobileSupport
import Foundation

/// Keeps the events that a receiver refused, for whoever wants to know why: a line of JSON for each, the newest 1 MB.
///
///     {"launchId":"…","sequence":4096,"reason":"…","at":1700000000000,"event":{…}}
///
/// It is a help, not a promise: what cannot be written is not kept. The event counts as `rejected` either way.
struct SetAsideFile: Sendable {
  static let name = "set-aside.ndjson"
  /// In bytes.
  static let maximumSize = 1_000_000

  let url: URL

  func append(_ event: ChunkEvent, of chunk: JournalChunk, reason: String, at: Int64) {
    let payload = Data(chunk.bytes[event.payload])
    guard let line = Self.line(payload, chunk.launch, event.position, reason: reason, at: at) else { return }
    let size = (try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
    if size + line.count <= Self.maximumSize, let file = try? FileHandle(forWritingTo: url) {
      defer { try? file.close() }
      guard (try? file.seekToEnd()) != nil else { return }
      try? file.write(contentsOf: line)
    } else {
      rewrite(with: line)
    }
  }

  /// The newer half, and the new line.
  private func rewrite(with line: Data) {
    var kept = Data()
    if let old = try? Data(contentsOf: url), old.count <= 2 * Self.maximumSize {
      kept = old.suffix(Self.maximumSize / 2)
      // The first line is cut, unless the file was short.
      if kept.count < old.count {
        kept = kept.firstIndex(of: UInt8(ascii: "\n")).map { Data(kept[($0 + 1)...]) } ?? Data()
      }
    }
    if kept.count + line.count > Self.maximumSize { kept = Data() }
    try? (kept + line).writeProtected(to: url)
  }

  private struct Head: Encodable {
    var launchId: LaunchID
    var sequence: UInt64
    var reason: String
    var at: Int64
    /// An event that is not JSON stands here in base64.
    var bytes: Data?

    func encode(to encoder: any Encoder) throws {
      let members = MemberWriter(encoder)
      members.add("launchId", launchId)
      members.add("sequence", sequence)
      members.add("reason", reason)
      members.add("at", at)
      members.add("bytes", bytes)
      try members.end()
    }
  }

  private static func line(
    _ payload: Data, _ launch: LaunchID, _ position: UInt64, reason: String, at: Int64
  ) -> Data? {
    let isJSON =
      !payload.contains(UInt8(ascii: "\n")) && (try? JSONSerialization.jsonObject(with: payload)) is [String: Any]
    let fits = payload.count <= maximumSize / 3
    let head = Head(
      launchId: launch, sequence: position, reason: String(reason.prefix(500)), at: at,
      bytes: isJSON || !fits ? nil : payload)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard var line = try? encoder.encode(head) else { return nil }
    if isJSON, fits {
      line.removeLast()
      line += Data(#","event":"#.utf8) + payload + Data("}".utf8)
    }
    return line + Data("\n".utf8)
  }
}
