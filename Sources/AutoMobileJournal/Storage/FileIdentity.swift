import CAutoMobile
import Foundation

/// The first 128 bytes of each of the journal's files: what it is and whose.
///
/// | offset | bytes | what |
/// |---|---|---|
/// | 0 | 8 | `AMSEGMT1`, `AMLEDGR1` or `AMKEPT_1` |
/// | 8 | 16 | launch id |
/// | 24 | 8 | index of the segment; 0 in another file |
/// | 32 | 8 | size of each of the launch's segments, in bytes |
/// | 40 | 8 | when the launch began, in milliseconds since 1970 |
/// | 48 | 8 | process id |
/// | 56 | 8 | start time of the process |
/// | 64 | 16 | boot id |
/// | 80 | 8 | a hash of the owner's name |
/// | 88 | 4 | CRC-32C of bytes 0 to 87 |
struct FileIdentity: Equatable, Sendable {
  enum Role: String, Sendable {
    case segment = "AMSEGMT1"
    case ledger = "AMLEDGR1"
    case keeping = "AMKEPT_1"
  }

  static let size = 128

  var role: Role
  var launch: LaunchID
  var index: UInt64 = 0
  var segmentSize: Int
  var created: Int64
  var process: ProcessIdentity
  var owner: UInt64

  /// Names are compared, not shown.
  static func hash(owner: String) -> UInt64 { FNV1a(owner).value }

  func segment(_ index: UInt64) -> FileIdentity {
    var copy = self
    copy.role = .segment
    copy.index = index
    return copy
  }

  var encoded: [UInt8] {
    var bytes = Array(role.rawValue.utf8)
    func append(_ value: some Any) { withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) } }
    append(launch.uuid.uuid)
    append(index.littleEndian)
    append(UInt64(clamping: segmentSize).littleEndian)
    append(created.littleEndian)
    append(Int64(process.pid).littleEndian)
    append(process.since.littleEndian)
    append(process.boot.uuid)
    append(owner.littleEndian)
    append(bytes.withUnsafeBytes { am_crc32c(0, $0.baseAddress, $0.count) }.littleEndian)
    bytes.append(contentsOf: repeatElement(0, count: Self.size - bytes.count))
    return bytes
  }

  /// Nil when the bytes are damaged or something else.
  init?(_ bytes: UnsafeRawBufferPointer, role: Role) {
    guard bytes.count >= Self.size, bytes.prefix(8).elementsEqual(role.rawValue.utf8),
      bytes.loadUnaligned(fromByteOffset: 88, as: UInt32.self).littleEndian == am_crc32c(0, bytes.baseAddress, 88)
    else { return nil }
    func word(_ offset: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian }
    self.role = role
    launch = LaunchID(uuid: UUID(uuid: bytes.loadUnaligned(fromByteOffset: 8, as: uuid_t.self)))
    index = word(24)
    segmentSize = Int(clamping: word(32))
    created = Int64(bitPattern: word(40))
    process = ProcessIdentity(
      pid: Int32(truncatingIfNeeded: word(48)), since: word(56),
      boot: UUID(uuid: bytes.loadUnaligned(fromByteOffset: 64, as: uuid_t.self)))
    owner = word(80)
  }

  init(
    role: Role, launch: LaunchID, segmentSize: Int, created: Int64, process: ProcessIdentity = .current, owner: UInt64
  ) {
    self.role = role
    self.launch = launch
    self.segmentSize = segmentSize
    self.created = created
    self.process = process
    self.owner = owner
  }
}
