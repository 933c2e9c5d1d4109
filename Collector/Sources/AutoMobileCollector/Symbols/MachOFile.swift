/// Mach-O, 64 bits: programs and the files inside a dSYM.
enum MachOFile {
  private static let maximumSlices = 16
  private static let maximumCommands = 10_000

  static func inspectUniversal(_ file: BoundedFile) throws -> [SymbolFile] {
    guard let header = file.bytes(at: 0, count: 8) else { throw cutOff }
    let isWide = header[3] == 0xBF
    let count = Int(header.integer(UInt32.self, at: 4, bigEndian: true))
    let size = isWide ? 32 : 20
    // Java's class files begin with the same four bytes; what follows is then no small number.
    guard count > 0, count <= maximumSlices, let table = file.bytes(at: 8, count: count * size) else {
      throw SymbolFile.Failure("is neither ELF nor Mach-O")
    }
    var found: [SymbolFile] = []
    for index in 0..<count {
      let at = index * size + 8
      let offset =
        isWide
        ? table.integer(UInt64.self, at: at, bigEndian: true)
        : UInt64(table.integer(UInt32.self, at: at, bigEndian: true))
      let length =
        isWide
        ? table.integer(UInt64.self, at: at + 8, bigEndian: true)
        : UInt64(table.integer(UInt32.self, at: at + 4, bigEndian: true))
      guard offset <= file.size, length <= file.size - offset else { throw cutOff }
      // A slice of 32 bits is nothing that an app of today runs.
      if file.bytes(at: offset, count: 4) == [0xCF, 0xFA, 0xED, 0xFE] {
        found.append(try inspect(file, range: offset..<(offset + length)))
      }
    }
    guard !found.isEmpty else { throw SymbolFile.Failure("holds no 64-bit program") }
    return found
  }

  static func inspect(_ file: BoundedFile, range: Range<UInt64>) throws -> SymbolFile {
    guard range.upperBound - range.lowerBound >= 32, let header = file.bytes(at: range.lowerBound, count: 32) else {
      throw cutOff
    }
    let count = Int(header.integer(UInt32.self, at: 16))
    let size = Int(header.integer(UInt32.self, at: 20))
    guard count <= maximumCommands, size <= 1 << 20, UInt64(size) <= range.upperBound - range.lowerBound - 32,
      let commands = file.bytes(at: range.lowerBound + 32, count: size)
    else { throw cutOff }
    var id: SymbolID?
    var textAddress: UInt64 = 0
    var hasLines = false
    var at = 0
    for _ in 0..<count {
      guard at <= commands.count - 8 else { throw cutOff }
      let command = commands.integer(UInt32.self, at: at)
      let length = Int(commands.integer(UInt32.self, at: at + 4))
      guard length >= 8, length <= commands.count - at else { throw cutOff }
      switch command {
      case 0x1B where length >= 24: id = SymbolID(bytes: commands[(at + 8)..<(at + 24)])
      case 0x19 where length >= 72:
        let name = commands[(at + 8)..<(at + 24)].prefix { $0 != 0 }
        if name.elementsEqual("__TEXT".utf8) { textAddress = commands.integer(UInt64.self, at: at + 24) }
        if name.elementsEqual("__DWARF".utf8) { hasLines = true }
      default: break
      }
      at += length
    }
    guard let id else { throw SymbolFile.Failure("has no UUID: link without -no_uuid") }
    return SymbolFile(
      id: id, format: .macho, architecture: architecture(header.integer(UInt32.self, at: 4), header[8]),
      textAddress: textAddress, hasLines: hasLines, range: range)
  }

  private static var cutOff: SymbolFile.Failure { SymbolFile.Failure("is cut off or damaged") }

  private static func architecture(_ type: UInt32, _ subtype: UInt8) -> String {
    switch type {
    case 0x0100_0007: "x86_64"
    case 0x0100_000C: subtype == 2 ? "arm64e" : "arm64"
    case 0x0200_000C: "arm64_32"
    default: "cpu \(type)"
    }
  }
}
