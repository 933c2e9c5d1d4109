/// Whether a session is in a share of all, by its id alone: as the SDK decides it for `sessions(fraction:)`.
enum SessionShare {
  static func contains(_ id: String, fraction: Double) -> Bool {
    if fraction >= 1 { return true }
    guard fraction > 0 else { return false }
    return place(of: id) < fraction
  }

  /// Even over [0, 1): FNV-1a of the id, mixed, its upper 53 bits.
  static func place(of id: String) -> Double {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
    hash ^= hash >> 31
    return Double(hash >> 11) / Double(1 << 53)
  }
}
