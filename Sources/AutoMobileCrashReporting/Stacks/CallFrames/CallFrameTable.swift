/// The call-frame information of an ELF image: `.eh_frame`, found through the table in `.eh_frame_hdr`.
struct CallFrameTable: Sendable {
  private let file: ELFFile
  /// Where `.eh_frame_hdr` begins: what its numbers are relative to.
  private let base: UInt64
  private let entries: UInt64
  private let count: Int

  /// Entries beyond this are taken for damage, in bytes.
  private static let maximumEntry: UInt64 = 64 * 1024

  /// Nil when the image has no such table, or not in the form that every linker writes.
  init?(_ file: ELFFile) {
    guard let place = file.callFrames else { return nil }
    let head = file.prefix(at: place.lowerBound, count: 32)
    var reader = ByteReader(head)
    let bases = PointerEncoding.Bases(bytes: place.lowerBound, data: place.lowerBound)
    guard reader.byte() == 1, let frames = reader.byte(), let counts = reader.byte(), reader.byte() == 0x3B,
      PointerEncoding(rawValue: frames).read(&reader, bases) != nil,
      let count = PointerEncoding(rawValue: counts).read(&reader, bases)
    else { return nil }
    self.file = file
    base = place.lowerBound
    entries = base &+ UInt64(clamping: reader.offset)
    self.count = Int(clamping: min(count, (place.upperBound &- place.lowerBound) / 8))
  }

  /// What is known about the instruction at an address of the file.
  func information(at address: UInt64) -> CallFrameInformation? {
    guard let place = entry(before: address), let bytes = entryBytes(at: place) else { return nil }
    var reader = ByteReader(bytes)
    guard let _ = reader.u32(), let distance = reader.u32(), distance != 0,
      let common = entryBytes(at: place &+ 4 &- UInt64(distance)), let shared = CommonInformationEntry(common)
    else { return nil }
    let bases = PointerEncoding.Bases(bytes: place, data: base)
    guard let start = shared.pointers.read(&reader, bases), let length = shared.pointers.readLength(&reader),
      address >= start, address &- start < length
    else { return nil }
    if shared.hasAugmentation {
      guard let length = reader.uleb128(), reader.take(length) != nil else { return nil }
    }
    // Expressions of both parts are ranges of the same bytes.
    let joined = common + bytes
    var program = CallFrameProgram(shared, bytes: joined, start: start, address: address)
    guard program.run(shared.instructions) else { return nil }
    program.beginFunction()
    guard program.run(common.count + reader.offset..<joined.count) else { return nil }
    return CallFrameInformation(
      row: program.row, returnAddress: shared.returnAddress, isSignalFrame: shared.isSignalFrame, bytes: joined)
  }

  /// Where the entry of the last function that begins at or before an address lies.
  private func entry(before address: UInt64) -> UInt64? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      guard let entry = tableEntry(middle) else { return nil }
      if entry.start <= address { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? tableEntry(low - 1)?.place : nil
  }

  private func tableEntry(_ index: Int) -> (start: UInt64, place: UInt64)? {
    guard let bytes = file.bytes(at: entries &+ UInt64(clamping: index) &* 8, count: 8) else { return nil }
    var reader = ByteReader(bytes)
    guard let start = reader.number(Int32.self), let place = reader.number(Int32.self) else { return nil }
    return (base &+ UInt64(bitPattern: Int64(start)), base &+ UInt64(bitPattern: Int64(place)))
  }

  /// A whole entry, with its length before it.
  private func entryBytes(at address: UInt64) -> [UInt8]? {
    // Most entries are shorter than this: one read.
    let some = file.prefix(at: address, count: 256)
    var reader = ByteReader(some)
    guard let length = reader.u32(), length >= 4, UInt64(length) <= Self.maximumEntry else { return nil }
    let size = Int(length) + 4
    return size <= some.count ? Array(some[..<size]) : file.bytes(at: address, count: size)
  }
}
