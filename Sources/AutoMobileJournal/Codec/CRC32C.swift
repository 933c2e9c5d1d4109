import CAutoMobile

/// The checksum of the journal's records: CRC-32C, of the polynomial 0x1EDC6F41 (Castagnoli; RFC 3720, section 12.1).
///
/// ```swift
/// Array("123456789".utf8).withUnsafeBytes { CRC32C.checksum(of: $0) }  // 0xE3069283
/// ```
///
/// Any thread. The processor's instruction does it where there is one.
public enum CRC32C {
  /// The checksum of some bytes, or of what stands before them and these: `checksum` is 0 at the beginning.
  public static func checksum(of bytes: UnsafeRawBufferPointer, after checksum: UInt32 = 0) -> UInt32 {
    am_crc32c(checksum, bytes.baseAddress, bytes.count)
  }
}
