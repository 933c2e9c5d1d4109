/// ELF, 64 bits, little endian: what phones, servers and this machine run.
enum ELFFile {
  static func inspect(_ file: BoundedFile) throws -> SymbolFile {
    guard let header = file.bytes(at: 0, count: 64) else { throw SymbolFile.Failure("is cut off in its ELF header") }
    guard header[4] == 2, header[5] == 1 else { throw SymbolFile.Failure("is not a 64-bit, little-endian ELF file") }
    let segments = try table(
      file, at: header.integer(UInt64.self, at: 32), size: Int(header.integer(UInt16.self, at: 54)),
      count: Int(header.integer(UInt16.self, at: 56)), minimum: 56)
    let sections = try sections(file, header)
    guard let id = buildID(file, segments, sections) else {
      throw SymbolFile.Failure("has no build id: link with -Xlinker --build-id (clang and swiftc: -Wl,--build-id)")
    }
    // The image's first byte is at the lowest loaded segment's page.
    let loaded = segments.filter { $0.integer(UInt32.self, at: 0) == 1 }
    let lowest = loaded.map { $0.integer(UInt64.self, at: 16) }.min() ?? 0
    return SymbolFile(
      id: id, format: .elf, architecture: architecture(header.integer(UInt16.self, at: 18)),
      textAddress: lowest & ~0xFFF,
      hasLines: sections.contains { $0.name == ".debug_info" || $0.name == ".zdebug_info" }, range: 0..<file.size)
  }

  private struct Section {
    var name: String
    var offset: UInt64
    var size: UInt64
  }

  private static func sections(_ file: BoundedFile, _ header: [UInt8]) throws -> [Section] {
    let entries = try table(
      file, at: header.integer(UInt64.self, at: 40), size: Int(header.integer(UInt16.self, at: 58)),
      count: Int(header.integer(UInt16.self, at: 60)), minimum: 64)
    let index = Int(header.integer(UInt16.self, at: 62))
    guard entries.indices.contains(index) else { return [] }
    let length = Int(clamping: entries[index].integer(UInt64.self, at: 32))
    guard let names = file.bytes(at: entries[index].integer(UInt64.self, at: 24), count: min(length, 1 << 20)) else {
      return []
    }
    return entries.map { entry in
      let start = Int(entry.integer(UInt32.self, at: 0))
      let name = start < names.count ? names[start...].prefix { $0 != 0 }.prefix(64) : []
      return Section(
        name: String(decoding: name, as: UTF8.self), offset: entry.integer(UInt64.self, at: 24),
        size: entry.integer(UInt64.self, at: 32))
    }
  }

  /// The entries of a table of headers.
  private static func table(
    _ file: BoundedFile, at offset: UInt64, size: Int, count: Int, minimum: Int
  ) throws -> [[UInt8]] {
    guard count > 0 else { return [] }
    guard size >= minimum, size <= 256, count <= 4096, let bytes = file.bytes(at: offset, count: size * count) else {
      throw SymbolFile.Failure("is cut off or damaged: its tables lie outside of it")
    }
    return (0..<count).map { Array(bytes[$0 * size..<($0 + 1) * size]) }
  }

  private static func buildID(_ file: BoundedFile, _ segments: [[UInt8]], _ sections: [Section]) -> SymbolID? {
    // A debug file's segments may have no contents; its sections say where the note really is.
    for section in sections where section.name == ".note.gnu.build-id" {
      if let id = buildID(file, at: section.offset, size: section.size) { return id }
    }
    for segment in segments where segment.integer(UInt32.self, at: 0) == 4 {
      let (offset, size) = (segment.integer(UInt64.self, at: 8), segment.integer(UInt64.self, at: 32))
      if let id = buildID(file, at: offset, size: size) { return id }
    }
    return nil
  }

  /// The note of type 3 by "GNU" among some notes.
  private static func buildID(_ file: BoundedFile, at offset: UInt64, size: UInt64) -> SymbolID? {
    guard let notes = file.bytes(at: offset, count: Int(min(size, 64 << 10))) else { return nil }
    var at = 0
    while at <= notes.count - 12 {
      let nameSize = Int(notes.integer(UInt32.self, at: at))
      let size = Int(notes.integer(UInt32.self, at: at + 4))
      let type = notes.integer(UInt32.self, at: at + 8)
      let contents = at + 12 + (nameSize + 3) & ~3
      guard contents <= notes.count, size <= notes.count - contents else { return nil }
      if type == 3, nameSize == 4, notes[(at + 12)..<(at + 16)].elementsEqual([0x47, 0x4E, 0x55, 0]) {
        return SymbolID(bytes: notes[contents..<(contents + size)])
      }
      at = contents + (size + 3) & ~3
    }
    return nil
  }

  private static func architecture(_ machine: UInt16) -> String {
    switch machine {
    case 62: "x86_64"
    case 183: "arm64"
    case 243: "riscv64"
    default: "machine \(machine)"
    }
  }
}
