import AutoMobileJournal
import AutoMobileSupport
import Foundation

/// Bodies in AutoMobile's envelope: JSON, in which each event's expanded JSON stands in base64.
enum EnvelopeBatch {
  /// AutoMobile's own receiver refuses a million bytes; this leaves room for what intermediaries add.
  static let maximumSize = 900_000

  struct Built {
    var body: [UInt8]
    /// The chunk's first records that it stands for. 0: the first event does not fit into any envelope.
    var recordCount: Int
    var events: [ChunkEvent]
  }

  /// A body with as many of the chunk's first events as fit into `limit` bytes.
  static func body(
    _ chunk: JournalChunk, contexts: LaunchContexts, sender: DeliverySender, sentAt: Int64, ledger: LaunchLedger?,
    limit: Int = maximumSize
  ) throws -> Built {
    let tail = try self.tail(chunk.launch, sender: sender, sentAt: sentAt, ledger: ledger)
    var body = Array(#"{"events":["#.utf8)
    var built = Built(body: [], recordCount: chunk.records.count, events: [])
    var json: [UInt8] = []
    for event in chunk.events {
      json.removeAll(keepingCapacity: true)
      let type = chunk.bytes.withUnsafeBytes { bytes in
        let payload = UnsafeRawBufferPointer(rebasing: bytes[event.payload])
        ContextExpander.append(payload, to: &json) { contexts[$0]?.members }
        return EventTypeName.json(of: payload)
      }
      let size = type.count + (json.count + 2) / 3 * 4 + 80  // 80: names, quotes, and the longest sequence number
      guard body.count + size + tail.count <= limit else {
        built.recordCount = built.events.isEmpty ? 0 : event.index
        break
      }
      if !built.events.isEmpty { body.append(UInt8(ascii: ",")) }
      body += Array(#"{"eventType":"#.utf8)
      body += type
      body += Array(#","payload":""#.utf8)
      body += Data(json).base64EncodedData()
      body += Array(#"","sequence":\#(event.position)}"#.utf8)
      built.events.append(event)
    }
    body += tail
    built.body = body
    return built
  }

  /// A body that carries nothing but the counts of a launch.
  static func ledgerBody(
    _ launch: LaunchID, sender: DeliverySender, sentAt: Int64, ledger: LaunchLedger?
  ) throws -> [UInt8] {
    Array(#"{"events":["#.utf8) + (try tail(launch, sender: sender, sentAt: sentAt, ledger: ledger))
  }

  /// What follows the events.
  private static func tail(
    _ launch: LaunchID, sender: DeliverySender, sentAt: Int64, ledger: LaunchLedger?
  ) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let tail = Tail(bundleId: sender.bundleId, launchId: launch, ledger: ledger, timestamp: sentAt)
    return Array("],".utf8) + (try encoder.encode(tail)).dropFirst()
  }

  private struct Tail: Encodable {
    var bundleId: String?
    var launchId: LaunchID
    var ledger: LaunchLedger?
    var timestamp: Int64

    func encode(to encoder: any Encoder) throws {
      let members = MemberWriter(encoder)
      members.add("bundleId", bundleId)
      members.add("launchId", launchId)
      members.add("ledger", ledger)
      members.add("timestamp", timestamp)
      try members.end()
    }
  }
}

/// The type that an event's JSON names.
enum EventTypeName {
  /// The JSON string, with its quotes. Events of the SDK begin with it; in those of an app's own type it is looked for.
  /// An event that names none counts as `custom`.
  static func json(of event: UnsafeRawBufferPointer) -> [UInt8] {
    if event.starts(with: prefix) {
      let value = event[prefix.count...]
      if let end = value.firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 < 0x20 }),
        value[end] == UInt8(ascii: "\"")
      {
        return [UInt8(ascii: "\"")] + value[..<end] + [UInt8(ascii: "\"")]
      }
    }
    guard let named = try? JSONDecoder().decode(Named.self, from: Data(event)),
      let json = try? JSONEncoder().encode(named.eventType)
    else { return Array(#""custom""#.utf8) }
    return Array(json)
  }

  private static let prefix = Array(#"{"eventType":""#.utf8)

  private struct Named: Decodable {
    var eventType: String

    init(from decoder: any Decoder) throws {
      let members = try MemberReader(decoder)
      eventType = members.value("eventType")
      try members.end()
    }
  }
}
