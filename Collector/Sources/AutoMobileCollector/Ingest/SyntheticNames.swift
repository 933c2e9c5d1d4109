import AutoMobileJournal
import Foundation

/// Names for what comes without any: AutoMobile's own SDK sends neither launch ids nor sequence numbers.
///
/// An event is then named by its contents, the batch's time and its place in the batch. So a batch that is sent again
/// (a retry repeats the same bytes) is recognised, and two equal events of one batch are still two.
enum SyntheticNames {
  /// All such events of one app belong to one launch.
  static func launch(bundleId: String?) -> LaunchID {
    let name = Array("automobile envelope \(bundleId ?? "")".utf8)
    let high = name.withUnsafeBytes { hash($0, seed: 1) }
    let low = name.withUnsafeBytes { hash($0, seed: 2) }
    var bytes = withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    // Version 8 (made by the application's own rules), variant 1.
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes.withUnsafeBytes { LaunchID(uuid: UUID(uuid: $0.loadUnaligned(as: uuid_t.self))) }
  }

  /// From here on positions are made of contents.
  static let firstPosition: Int64 = 1 << 62

  /// Bit 62 is set, so such a position never meets a real one.
  static func position(of payload: UnsafeRawBufferPointer, batch: Int64, index: Int) -> UInt64 {
    let seed = UInt64(bitPattern: batch) &* 31 &+ UInt64(truncatingIfNeeded: index)
    return hash(payload, seed: seed) >> 2 | 1 << 62
  }

  /// FNV-1a over the bytes, mixed at the end. For telling honest events apart; not a cryptographic hash.
  static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    var state: UInt64 = 0xCBF2_9CE4_8422_2325
    withUnsafeBytes(of: seed.littleEndian) { for byte in $0 { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 } }
    for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    state = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    state = (state ^ state >> 27) &* 0x94D0_49BB_1331_11EB
    return state ^ state >> 31
  }
}
