import AutoMobileJournal
import Foundation

/// A batch as a file: the journal's records, the first of which says how many follow.
///
/// The file's name tells its age and its place in the queue, and is the seed of its checksums, so a file that was
/// renamed or cut off is recognised.
struct BatchFile: Equatable {
  /// Milliseconds since 1970, or one more than the batch before when the clock went back.
  let stamp: Int64
  let id: LaunchID

  static let fileExtension = "events"
  static let damagedExtension = "damaged"
  /// Larger files were not written by us, and are not read.
  static let maximumSize = 64 * 1024 * 1024
  /// The first record: the number of records after it, eight bytes, little endian.
  private static let count = RecordKind(rawValue: 62)

  /// The batch's id and the file's name without its extension. Sorts by age.
  var name: String {
    let digits = String(stamp)
    return String(repeating: "0", count: max(0, 16 - digits.count)) + digits + "-" + id.description
  }

  init(stamp: Int64, id: LaunchID = LaunchID()) {
    self.stamp = max(0, stamp)
    self.id = id
  }

  /// Reads a name; nil when it is not one of ours.
  init?(name: some StringProtocol) {
    let parts = name.split(separator: "-", maxSplits: 1)
    guard parts.count == 2, parts[0].count == 16, let stamp = Int64(parts[0]), stamp >= 0, let id = LaunchID(parts[1])
    else { return nil }
    self.init(stamp: stamp, id: id)
  }

  /// Nil when a payload is longer than a record can be.
  func encode(_ payloads: [[UInt8]]) -> [UInt8]? {
    let codec = RecordCodec(launch: id)
    var bytes: [UInt8] = []
    func append(_ kind: RecordKind, _ payload: UnsafeRawBufferPointer) -> Bool {
      codec.append(kind: kind, position: UInt64(bytes.count), payload: payload, to: &bytes)
    }
    guard withUnsafeBytes(of: UInt64(payloads.count).littleEndian, { append(Self.count, $0) }) else { return nil }
    for payload in payloads {
      guard payload.withUnsafeBytes({ append(.event, $0) }) else { return nil }
    }
    return bytes
  }

  /// The payloads; nil when a byte is not as it was written, or one is missing.
  func decode(_ bytes: UnsafeRawBufferPointer) -> [[UInt8]]? {
    let codec = RecordCodec(launch: id)
    var payloads: [[UInt8]] = []
    var expected: UInt64?
    var offset = 0
    while offset < bytes.count {
      guard
        case .record(let kind, _, let range, let next) = codec.parse(
          bytes, at: offset, expecting: UInt64(clamping: offset))
      else { return nil }
      let payload = UnsafeRawBufferPointer(rebasing: bytes[range])
      if expected == nil {
        guard kind == Self.count, payload.count == 8 else { return nil }
        expected = UInt64(littleEndian: payload.loadUnaligned(as: UInt64.self))
      } else {
        guard kind == .event else { return nil }
        payloads.append(Array(payload))
      }
      offset = next
    }
    return expected == UInt64(payloads.count) ? payloads : nil
  }
}
