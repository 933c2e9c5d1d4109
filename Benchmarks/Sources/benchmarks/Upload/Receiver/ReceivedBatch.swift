import AutoMobileJournal
import CAutoMobileZlib
import Foundation

/// What a delivery brings, in either format.
struct ReceivedBatch {
  struct Event {
    /// With the launch, its name.
    var position: UInt64
    var type: String
    /// In milliseconds since 1970.
    var timestamp: Int64
    var json: [UInt8]

    init(_ position: UInt64, _ json: [UInt8]) throws {
      // Whatever the SDK writes begins with these two.
      let prefix = Array(#"{"eventType":""#.utf8)
      let middle = Array(#"","timestamp":"#.utf8)
      guard json.starts(with: prefix), let quote = json[prefix.count...].firstIndex(of: UInt8(ascii: "\"")),
        json[quote...].starts(with: middle)
      else { throw Problem(message: "an event that begins with \(String(decoding: json.prefix(60), as: UTF8.self))") }
      let digits = json[(quote + middle.count)...].prefix { $0 >= 0x30 && $0 <= 0x39 }
      self.position = position
      type = String(decoding: json[prefix.count..<quote], as: UTF8.self)
      timestamp = Int64(String(decoding: digits, as: UTF8.self)) ?? 0
      self.json = json
    }

    /// As JSON.
    var object: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(json)) as? [String: Any]) ?? [:] }
  }

  struct Problem: Error { var message: String }

  var launch: LaunchID
  var events: [Event] = []
  /// As it came over the wire, in bytes.
  var size = 0

  init(_ request: RequestStream.Request) throws {
    var body = request.body
    switch request.headers["content-encoding"] {
    case nil: break
    case "gzip": body = try Self.inflate(body, windowBits: 15 + 16)
    case "deflate": body = try Self.inflate(body, windowBits: 15)
    case let other?: throw Problem(message: "a body in \(other)")
    }
    if request.headers["content-type"] == BatchHeader.mediaType {
      try self.init(journal: body)
    } else {
      try self.init(envelope: body)
    }
    size = request.body.count
  }

  private init(journal body: [UInt8]) throws {
    var events: [Event] = []
    let header = try body.withUnsafeBytes { bytes in
      let (header, start) = try BatchHeader.split(bytes)
      let codec = RecordCodec(launch: header.launchId)
      var offset = start
      while offset < bytes.count {
        guard case .record(_, let position, let payload, let next) = codec.parse(bytes, at: offset) else {
          throw Problem(message: "no record at \(offset)")
        }
        // Contexts are no events.
        if bytes[payload].starts(with: Array("{\"eventType\"".utf8)) {
          events.append(try Event(position, Array(bytes[payload])))
        }
        offset = next
      }
      return header
    }
    launch = header.launchId
    self.events = events
  }

  private struct Envelope: Decodable {
    struct Event: Decodable {
      var payload: Data
      var sequence: UInt64
    }
    var events: [Event]
    var launchId: LaunchID
  }

  private init(envelope body: [UInt8]) throws {
    let envelope = try JSONDecoder().decode(Envelope.self, from: Data(body))
    launch = envelope.launchId
    events = try envelope.events.map { try Event($0.sequence, Array($0.payload)) }
  }

  private static func inflate(_ bytes: [UInt8], windowBits: Int32) throws -> [UInt8] {
    var stream = z_stream()
    guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw Problem(message: "no zlib")
    }
    defer { inflateEnd(&stream) }
    var input = bytes
    var output: [UInt8] = []
    var code = Z_OK
    try input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(clamping: input.count)
      while code == Z_OK {
        output += [UInt8](unsafeUninitializedCapacity: 64 * 1024) { room, count in
          stream.next_out = room.baseAddress
          stream.avail_out = UInt32(clamping: room.count)
          code = CAutoMobileZlib.inflate(&stream, Z_NO_FLUSH)
          let text = BatchDictionary.text
          if code == Z_NEED_DICT,
            inflateSetDictionary(&stream, text.utf8Start, UInt32(text.utf8CodeUnitCount)) == Z_OK
          {
            code = CAutoMobileZlib.inflate(&stream, Z_NO_FLUSH)
          }
          count = room.count - Int(stream.avail_out)
        }
        guard output.count <= 16 << 20 else { throw Problem(message: "more than a batch can have") }
      }
    }
    guard code == Z_STREAM_END else { throw Problem(message: "a damaged body") }
    return output
  }
}
