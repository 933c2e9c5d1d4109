import AutoMobileSupport

extension ELFFile {
  /// A section that is a table of symbols, and the one with their names.
  private struct SymbolSection {
    var offset: UInt64
    var size: UInt64
    var names: UInt64
    var namesSize: UInt64
  }

  /// Larger tables are read up to here, in bytes.
  private static let maximumTable: UInt64 = 128 << 20

  /// The names of the functions that hold some addresses of the file.
  ///
  /// Reads `.symtab`, and `.dynsym` for what is not found there, in pieces.
  func symbols(at addresses: some Sequence<UInt64>) -> [UInt64: Symbol] {
    var missing = Set(addresses)
    var found: [UInt64: Symbol] = [:]
    for section in symbolSections() where !missing.isEmpty {
      var nearest = NearestSymbols(missing)
      scan(section) { nearest.offer($0) }
      for (address, candidate) in nearest.found() {
        guard candidate.name < section.namesSize,
          let name = source.text(at: section.names &+ candidate.name)
        else { continue }
        found[address] = Symbol(name: name, address: candidate.address)
        missing.remove(address)
      }
    }
    return found
  }

  /// The full table before the one for the dynamic linker.
  private func symbolSections() -> [SymbolSection] {
    guard sectionHeaders.count > 0,
      let table = source.bytes(at: sectionHeaders.offset, count: sectionHeaders.count * 64)
    else { return [] }
    func header(_ index: Int) -> (kind: UInt32, offset: UInt64, size: UInt64, link: Int)? {
      var reader = ByteReader(table, index * 64..<(index + 1) * 64)
      guard index >= 0, index < sectionHeaders.count, let _ = reader.u32(), let kind = reader.u32(),
        let _ = reader.u64(), let _ = reader.u64(), let offset = reader.u64(), let size = reader.u64(),
        let link = reader.u32()
      else { return nil }
      return (kind, offset, size, Int(link))
    }
    var found: [(kind: UInt32, section: SymbolSection)] = []
    for index in 0..<sectionHeaders.count where found.count < 8 {
      guard let section = header(index), section.kind == 2 || section.kind == 11, let names = header(section.link)
      else { continue }
      found.append(
        (
          section.kind,
          SymbolSection(offset: section.offset, size: section.size, names: names.offset, namesSize: names.size)
        ))
    }
    return found.ordered { $0.kind < $1.kind }.map(\.section)
  }

  private func scan(_ section: SymbolSection, _ body: (NearestSymbols.Candidate) -> Void) {
    let piece = 24 * 4096
    var done: UInt64 = 0
    let size = min(section.size, Self.maximumTable)
    while done < size {
      let (offset, overflow) = section.offset.addingReportingOverflow(done)
      guard !overflow, let start = Int(exactly: offset), start < source.size else { return }
      let bytes = source.read(at: start, count: min(piece, Int(clamping: size &- done)))
      guard bytes.count >= 24 else { return }
      bytes.withUnsafeBytes { bytes in
        for at in stride(from: 0, through: bytes.count - 24, by: 24) {
          let head = bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self).littleEndian
          let type = UInt8(truncatingIfNeeded: head >> 32) & 15
          let isGlobal = UInt8(truncatingIfNeeded: head >> 36) & 15 != 0
          // Functions, those that the loader chooses, and what hand-written assembly exports without a type.
          guard head >> 48 != 0, type == 2 || type == 10 || type == 0 && isGlobal else { continue }
          body(
            NearestSymbols.Candidate(
              address: bytes.loadUnaligned(fromByteOffset: at + 8, as: UInt64.self).littleEndian,
              size: bytes.loadUnaligned(fromByteOffset: at + 16, as: UInt64.self).littleEndian,
              rank: (type == 0 ? 0 : 2) + (isGlobal ? 1 : 0), name: head & 0xFFFF_FFFF))
        }
      }
      done &+= UInt64(bytes.count)
    }
  }
}

/// A function's name, as the linker knows it, and where the function begins.
struct Symbol: Sendable, Equatable {
  var name: String
  var address: UInt64
}
