import AutoMobileRecorder

/// A Mach-O image of one architecture: its UUID and its symbol table. Addresses are the file's own.
struct MachOFile: Sendable {
  let source: any ByteSource
  let architecture: Architecture
  /// As reports write it: 32 lower-case hexadecimal digits.
  let uuid: String?
  /// Where `__TEXT` begins, and how long it is.
  let text: Range<UInt64>
  private let table: SymbolTable?

  private struct SymbolTable {
    var symbols: UInt64
    var count: UInt64
    var names: UInt64
    var namesSize: UInt64
  }

  private static let maximumCommands = 4 << 20
  private static let maximumSymbols: UInt64 = 8 << 20

  /// Nil for what is no 64-bit Mach-O image.
  ///
  /// - Parameter architecture: which one to take out of a file for several.
  init?(_ source: any ByteSource, architecture: Architecture) {
    if let slice = MachOFile.slice(of: source, architecture) {
      self.init(thin: slice, architecture)
    } else {
      self.init(thin: source, architecture)
    }
  }

  private init?(thin source: any ByteSource, _ wanted: Architecture) {
    guard let head = source.bytes(at: 0, count: 32) else { return nil }
    var reader = ByteReader(head)
    guard reader.u32() == 0xFEED_FACF, let processor = reader.u32(), let _ = reader.u32(), let _ = reader.u32(),
      let count = reader.u32(), let size = reader.u32(), MachOFile.architecture(processor) == wanted,
      size <= Self.maximumCommands, let commands = source.bytes(at: 32, count: Int(size))
    else { return nil }

    var uuid: String?
    var text: Range<UInt64> = 0..<0
    var table: SymbolTable?
    var next = ByteReader(commands)
    for _ in 0..<count {
      let start = next.offset
      guard let kind = next.u32(), let length = next.u32(), length >= 8, Int(length) <= commands.count - start else {
        break
      }
      var command = ByteReader(commands, start + 8..<start + Int(length))
      switch kind {
      case 0x1B: uuid = command.take(16).map { HexDigits.text(commands[$0]) }
      case 0x19:
        guard let name = command.take(16), let address = command.u64(), let size = command.u64() else { break }
        let isText = commands[name].prefix { $0 != 0 }.elementsEqual("__TEXT".utf8)
        // bounded: without overflow.
        if isText, !address.addingReportingOverflow(size).overflow { text = address..<address &+ size }
      case 0x2:
        guard let symbols = command.u32(), let count = command.u32(), let names = command.u32(),
          let namesSize = command.u32()
        else { break }
        table = SymbolTable(
          symbols: UInt64(symbols), count: UInt64(count), names: UInt64(names), namesSize: UInt64(namesSize))
      default: break
      }
      guard next.seek(start + Int(length)) else { break }
    }
    self.source = source
    architecture = wanted
    self.uuid = uuid
    self.text = text
    self.table = table
  }

  /// The part for one architecture of a file for several.
  private static func slice(of source: any ByteSource, _ architecture: Architecture) -> (any ByteSource)? {
    guard let head = source.bytes(at: 0, count: 8) else { return nil }
    var reader = ByteReader(head)
    // These headers alone are big endian.
    guard let magic = reader.u32()?.byteSwapped, magic == 0xCAFE_BABE || magic == 0xCAFE_BABF,
      let count = reader.u32()?.byteSwapped, count <= 32
    else { return nil }
    let size = magic == 0xCAFE_BABE ? 20 : 32
    guard let table = source.bytes(at: 8, count: Int(count) * size) else { return nil }
    for index in 0..<Int(count) {
      var reader = ByteReader(table, index * size..<(index + 1) * size)
      guard let processor = reader.u32()?.byteSwapped, let _ = reader.u32() else { continue }
      let place: (UInt64, UInt64)?
      if size == 20 {
        place = reader.u32().flatMap { at in reader.u32().map { (UInt64(at.byteSwapped), UInt64($0.byteSwapped)) } }
      } else {
        place = reader.u64().flatMap { at in reader.u64().map { (at.byteSwapped, $0.byteSwapped) } }
      }
      guard self.architecture(processor) == architecture, let (offset, length) = place,
        let start = Int(exactly: offset), let length = Int(exactly: length), start <= source.size,
        length <= source.size - start
      else { continue }
      return Slice(source: source, start: start, size: length)
    }
    return nil
  }

  private static func architecture(_ processor: UInt32) -> Architecture? {
    switch processor {
    case 0x0100_0007: .x86_64
    case 0x0100_000C: .arm64
    default: nil
    }
  }

  /// The names of the functions that hold some addresses of the file.
  func symbols(at addresses: some Sequence<UInt64>) -> [UInt64: Symbol] {
    guard let table else { return [:] }
    var nearest = NearestSymbols(addresses.filter(text.contains))
    let count = min(table.count, Self.maximumSymbols)
    var done: UInt64 = 0
    while done < count {
      let some = min(count &- done, 4096)
      guard let bytes = source.bytes(at: table.symbols &+ done &* 16, count: Int(clamping: some) &* 16) else { break }
      var reader = ByteReader(bytes)
      while let name = reader.u32(), let type = reader.byte(), let _ = reader.byte(), let _ = reader.u16(),
        let address = reader.u64()
      {
        // Defined in a section, and no entry for a debugger.
        guard type & 0xE0 == 0, type & 0x0E == 0x0E, text.contains(address) else { continue }
        nearest.offer(.init(address: address, size: 0, rank: Int(type & 1), name: UInt64(name)))
      }
      done &+= some
    }
    return nearest.found().compactMapValues { candidate in
      guard candidate.name < table.namesSize, let name = source.text(at: table.names &+ candidate.name) else {
        return nil
      }
      // Compilers put an underscore before every C name here.
      return Symbol(name: name.hasPrefix("_") ? String(name.dropFirst()) : name, address: candidate.address)
    }
  }
}

/// A part of other bytes.
private struct Slice: ByteSource {
  let source: any ByteSource
  let start: Int
  let size: Int

  func read(at offset: Int, count: Int) -> [UInt8] {
    guard offset >= 0, count > 0, offset < size else { return [] }
    return source.read(at: start + offset, count: min(count, size - offset))
  }
}
