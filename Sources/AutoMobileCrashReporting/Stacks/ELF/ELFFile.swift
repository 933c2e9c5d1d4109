import AutoMobileRecorder

/// An ELF executable or shared library: where its parts lie. Only 64-bit, little-endian files.
///
/// Addresses are the file's own, as its program headers and symbols give them: what was at `address` in a process is
/// at `address - bias`, see ``bias(base:)``.
struct ELFFile: Sendable {
  struct Segment: Sendable {
    var address: UInt64
    var offset: UInt64
    /// In bytes, of what is in the file.
    var size: UInt64
    var isExecutable: Bool
  }

  let source: any ByteSource
  let architecture: Architecture
  /// What is loaded.
  let segments: [Segment]
  /// The table of call-frame information: its address and size.
  let callFrames: Range<UInt64>?
  /// The build id in hexadecimal digits.
  let buildId: String?
  let sectionHeaders: SectionHeaders

  struct SectionHeaders: Sendable {
    var offset: UInt64
    var count: Int
  }

  private static let maximumSegments: UInt16 = 256

  /// Nil for what is no such file.
  init?(_ source: any ByteSource) {
    guard let head = source.bytes(at: 0, count: 64), head.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]) else {
      return nil
    }
    var reader = ByteReader(head, 16..<64)
    guard let _ = reader.u16(), let machine = reader.u16(), let _ = reader.u32(), let _ = reader.u64(),
      let headers = reader.u64(), let sections = reader.u64(), let _ = reader.u32(), let _ = reader.u16(),
      let headerSize = reader.u16(), let headerCount = reader.u16(), let sectionSize = reader.u16(),
      let sectionCount = reader.u16()
    else { return nil }
    switch machine {
    case 62: architecture = .x86_64
    case 183: architecture = .arm64
    default: return nil
    }
    guard headerSize == 56, headerCount <= Self.maximumSegments,
      let table = source.bytes(at: headers, count: Int(headerCount) * 56)
    else { return nil }

    var segments: [Segment] = []
    var callFrames: Range<UInt64>?
    var buildId: String?
    for index in 0..<Int(headerCount) {
      var reader = ByteReader(table, index * 56..<(index + 1) * 56)
      guard let kind = reader.u32(), let flags = reader.u32(), let offset = reader.u64(), let address = reader.u64(),
        let _ = reader.u64(), let size = reader.u64(), !address.addingReportingOverflow(size).overflow
      else { continue }
      switch kind {
      case 1: segments.append(Segment(address: address, offset: offset, size: size, isExecutable: flags & 1 != 0))
      case 4: buildId = buildId ?? Self.buildId(in: source, at: offset, size: size)
      // bounded: without overflow, as asked above.
      case 0x6474_E550: callFrames = address..<address &+ size
      default: break
      }
    }
    self.source = source
    self.segments = segments
    self.callFrames = callFrames
    self.buildId = buildId
    sectionHeaders = SectionHeaders(offset: sections, count: sectionSize == 64 ? Int(sectionCount) : 0)
  }

  /// The address, in the file, of the first byte that is loaded: at the beginning of a page.
  var firstAddress: UInt64 { (segments.map(\.address).min() ?? 0) & ~0xFFF }

  /// What to take from a process's address to get the file's, when the first byte was loaded at `base`.
  func bias(base: UInt64) -> UInt64 { base &- firstAddress }

  /// Where an address's bytes are in the file; nil when they are not.
  func offset(of address: UInt64) -> UInt64? {
    for segment in segments where address >= segment.address && address &- segment.address < segment.size {
      let (offset, overflow) = segment.offset.addingReportingOverflow(address &- segment.address)
      return overflow ? nil : offset
    }
    return nil
  }

  func isExecutable(_ address: UInt64) -> Bool {
    segments.contains { $0.isExecutable && address >= $0.address && address &- $0.address < $0.size }
  }

  /// Exactly `count` bytes at an address.
  func bytes(at address: UInt64, count: Int) -> [UInt8]? {
    offset(of: address).flatMap { source.bytes(at: $0, count: count) }
  }

  /// Up to `count` bytes at an address.
  func prefix(at address: UInt64, count: Int) -> [UInt8] {
    guard let offset = offset(of: address).flatMap(Int.init(exactly:)), offset <= source.size else { return [] }
    return source.read(at: offset, count: min(count, source.size - offset))
  }

  private static func buildId(in source: any ByteSource, at offset: UInt64, size: UInt64) -> String? {
    guard let notes = source.bytes(at: offset, count: Int(clamping: min(size, 64 * 1024))) else { return nil }
    var reader = ByteReader(notes)
    while let nameSize = reader.u32(), let size = reader.u32(), let kind = reader.u32() {
      guard let name = reader.take(UInt64(nameSize).paddedTo4), let content = reader.take(UInt64(size).paddedTo4) else {
        return nil
      }
      if kind == 3, nameSize == 4, notes[name].elementsEqual("GNU\0".utf8), (1...64).contains(size) {
        return HexDigits.text(notes[content].prefix(Int(size)))
      }
    }
    return nil
  }
}

extension UInt64 {
  fileprivate var paddedTo4: UInt64 { (self &+ 3) & ~3 }
}
