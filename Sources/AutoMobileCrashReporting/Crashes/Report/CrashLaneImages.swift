import AutoMobileRecorder
import CAutoMobile

/// The images that a crash lane lists.
enum CrashLaneImages {
  static func read(_ bytes: [UInt8], published: UInt64) -> [Image] {
    let start = Int(AM_LANE_IMAGES)
    guard bytes.count > start else { return [] }
    let length = min(Int(clamping: published), Int(AM_LANE_IMAGES_SIZE), bytes.count - start)
    var loaded: [Image] = []
    var unloaded: [Image] = []
    var offset = start
    while loaded.count + unloaded.count < ImageTable.maximumCount,
      let (image, state, next) = image(bytes, offset..<start + length)
    {
      if state == UInt32(AM_IMAGE_LOADED) { image.map { loaded.append($0) } }
      if state == UInt32(AM_IMAGE_UNLOADED) { image.map { unloaded.append($0) } }
      offset = next
    }
    // Where another image lies now, the one that was unloaded is gone.
    let table = ImageTable(loaded)
    return loaded + unloaded.filter { table.index(of: $0.base) == nil && table.index(of: $0.base &+ $0.size) == nil }
  }

  /// One image, its state and where the next begins; nil at the end. The image itself is nil when it is damaged.
  static func image(_ bytes: [UInt8], _ range: Range<Int>) -> (Image?, state: UInt32, next: Int)? {
    let size = MemoryLayout<am_lane_image>.size
    guard range.count >= size else { return nil }
    let head = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: range.lowerBound, as: am_lane_image.self) }
    let length = Int(head.length)
    guard length >= size, length <= range.count, length % 8 == 0 else { return nil }
    let next = range.lowerBound + length
    let pathStart = range.lowerBound + size
    guard Int(head.path_length) <= length - size, head.id_length <= 32, head.size > 0 else {
      return (nil, head.state, next)
    }
    let path = String(decoding: bytes[pathStart..<pathStart + Int(head.path_length)], as: UTF8.self)
    let identifier = withUnsafeBytes(of: head.id) { HexDigits.text($0.prefix(Int(head.id_length))) }
    return (
      Image(
        path: path, base: head.base, size: head.size, identifier: identifier.isEmpty ? nil : identifier, inode: nil),
      head.state, next
    )
  }
}
