import AutoMobileJournal
import Foundation
import NIOCore

/// A delivery in the raw journal format, built as an app's journal would have it.
struct RawBatch {
  let launch: LaunchID
  private(set) var header: BatchHeader
  private(set) var records: [UInt8] = []
  private(set) var position: UInt64

  init(launch: LaunchID = LaunchID(), from: UInt64 = 0, bundleId: String? = "dev.example.shop") {
    self.launch = launch
    position = from
    header = BatchHeader(launchId: launch, from: from, to: from, bundleId: bundleId, sdkVersion: "0.1.0")
  }

  var ledger: LaunchLedger? {
    get { header.ledger }
    set { header.ledger = newValue }
  }

  /// When it is sent, by the device's clock.
  var sentAt: Int? {
    get { header.sentAt.map(Int.init) }
    set { header.sentAt = newValue.map(Int64.init) }
  }

  /// Adds a record and returns its position.
  @discardableResult
  mutating func add(_ kind: RecordKind, _ json: String) -> UInt64 {
    defer { position += UInt64(RecordHeader.stride(payload: json.utf8.count)) }
    var json = json
    json.withUTF8 { bytes in
      _ = RecordCodec(launch: launch).append(
        kind: kind, position: position, payload: UnsafeRawBufferPointer(bytes), to: &records)
    }
    header.to = position + UInt64(RecordHeader.stride(payload: json.utf8.count))
    return position
  }

  mutating func addContext(_ id: Int, session: String?, user: String? = nil, tags: [String: String] = [:]) {
    var members = ["\"contextId\":\(id)"]
    if let session { members.append("\"sessionId\":\"\(session)\"") }
    if let user { members.append("\"userId\":\"\(user)\"") }
    members.append("\"appVersion\":\"2.1\",\"bundleId\":\"dev.example.shop\"")
    members.append("\"tags\":{\(tags.map { "\"\($0)\":\"\($1)\"" }.joined(separator: ","))}")
    members.append("\"device\":{\"model\":\"iPhone15,2\",\"manufacturer\":\"Apple\",\"osVersion\":\"18.1\"}")
    add(.context, "{\(members.joined(separator: ","))}")
  }

  mutating func addLog(_ message: String, at timestamp: Int = 1_700_000_000_000, context: Int? = 1, level: Int = 2) {
    let end = context.map { ",\"contextId\":\($0)" } ?? ""
    add(
      .event,
      "{\"eventType\":\"log\",\"timestamp\":\(timestamp),\"level\":\(level),\"message\":\"\(message)\",\"filterName\":\"all\"\(end)}"
    )
  }

  mutating func addNavigation(to screen: String, at timestamp: Int = 1_700_000_000_000, context: Int? = 1) {
    let end = context.map { ",\"contextId\":\($0)" } ?? ""
    add(
      .eventAndBreadcrumb,
      "{\"eventType\":\"navigation\",\"timestamp\":\(timestamp),\"destination\":\"\(screen)\",\"source\":\"custom\",\"arguments\":{},\"metadata\":{}\(end)}"
    )
  }

  func bytes() throws -> [UInt8] { try header.encoded() + records }
  func body() throws -> ByteBuffer { ByteBuffer(bytes: try bytes()) }
}

/// An envelope as AutoMobile's own SDK sends it.
func envelope(
  _ events: [String], bundleId: String = "dev.example.other", timestamp: Int = 1_700_000_000_500,
  launch: LaunchID? = nil,
  sequences: [Int] = []
) -> String {
  let entries = events.enumerated().map { index, json in
    let sequence = sequences.indices.contains(index) ? ",\"sequence\":\(sequences[index])" : ""
    // Foundation's JSON encoder writes base64's slashes with a backslash.
    let payload = Data(json.utf8).base64EncodedString().replacingOccurrences(of: "/", with: "\\/")
    return "{\"eventType\":\"log\",\"payload\":\"\(payload)\"\(sequence)}"
  }
  let name = launch.map { ",\"launchId\":\"\($0)\"" } ?? ""
  return
    "{\"bundleId\":\"\(bundleId)\",\"events\":[\(entries.joined(separator: ","))],\"timestamp\":\(timestamp)\(name)}"
}

extension RawBatch {
  /// As many records again, behind these.
  func following() -> RawBatch {
    var next = RawBatch(launch: launch, from: position)
    var offset = 0
    let codec = RecordCodec(launch: launch)
    records.withUnsafeBytes { bytes in
      while case .record(let kind, _, let payload, let end) = codec.parse(bytes, at: offset) {
        next.add(kind, String(decoding: bytes[payload], as: UTF8.self))
        offset = end
      }
    }
    return next
  }
}
