import Foundation
import TestTools
import Testing

@testable import AutoMobileCrashReporting

/// Executables and libraries, whole and damaged.
@Suite struct ImageFileTests {
  #if os(Linux)
  private static let program = "/bin/sh"

  @Test func `of this process's program it knows the build id, and where a function is`() throws {
    let table = ImageTable.current()
    let function: @convention(c) () -> Int32 = getpid
    let address = UInt64(UInt(bitPattern: unsafeBitCast(function, to: Int.self)))
    let image = try #require(table.index(of: address))
    #expect(table.images[image].name.hasPrefix("libc.so"))
    let files = ImageFiles(table)
    let elf = try #require(files.entry(image)).elf
    #expect(elf.buildId?.count == 40)
    var frame = StackFrame(address: address + 1, trust: .cfi, image: image)
    var stacks = [[frame]]
    SymbolNames(files: files).name(&stacks)
    frame = stacks[0][0]
    #expect(frame.symbol == "getpid" || frame.symbol == "__getpid")
    #expect(frame.symbolOffset == 1)
  }

  @Test func `a file that is not the one that was loaded is not used`() throws {
    let table = ImageTable.current()
    let index = try #require(table.images.firstIndex { $0.name.hasPrefix("libc.so") })
    var other = table.images[index]
    other.identifier = "00"
    #expect(ImageFiles(ImageTable([other])).entry(0) == nil)
    other.identifier = nil
    other.inode = 1
    #expect(ImageFiles(ImageTable([other])).entry(0) == nil)
    other.inode = nil
    #expect(ImageFiles(ImageTable([other])).entry(0) != nil)
    other.path = "/dev/zero"
    #expect(ImageFiles(ImageTable([other])).entry(0) == nil)
  }

  @Test func `the kernel's list of mappings is read, whatever is in it`() {
    let table = ImageTable(
      maps: """
        55d0a0000000-55d0a0001000 r--p 00000000 fe:00 10    /opt/an app/main
        55d0a0001000-55d0a0004000 r-xp 00001000 fe:00 10    /opt/an app/main
        7f0000000000-7f0000001000 rw-p 00000000 00:00 0
        7f1000000000-7f1000002000 r-xp 00000000 fe:00 11    /lib/x.so (deleted)
        7ffd00000000-7ffd00021000 rw-p 00000000 00:00 0     [stack]
        7ffd00100000-7ffd00102000 r-xp 00000000 00:00 0     [vdso]
        nonsense
        ffffffffffffffff-fff r-xp 00000000 00:00 0 /upside/down
        """)
    #expect(table.images.map(\.path) == ["/opt/an app/main", "/lib/x.so (deleted)", "[vdso]"])
    #expect(table.images[0].size == 0x4000)
    #expect(table.images[0].inode == 10)
    #expect(table.index(of: 0x55d0_a000_3fff) == 0)
    #expect(table.index(of: 0x55d0_a000_4000) == nil)
    #expect(table.index(of: 0) == nil)
  }

  @Test func `damaged programs neither trap nor spin`() throws {
    let file = try #require(FileBytes(path: Self.program))
    let original = file.read(at: 0, count: file.size)
    let whole = try #require(ELFFile(MemoryBytes(bytes: original)))
    let frames = try #require(whole.callFrames)
    let table = try #require(CallFrameTable(whole))
    let executable = whole.segments.first { $0.isExecutable }
    let code = try #require(executable)
    let addresses = (0..<16).map { code.address + code.size / 16 * UInt64($0) + 5 }
    #expect(!addresses.compactMap { table.information(at: $0) }.isEmpty)

    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed)
    let offset = try #require(whole.offset(of: frames.lowerBound))
    let header = Int(offset)
    let sections = Int(whole.sectionHeaders.offset)
    let places = [
      0..<64, 64..<64 + 56 * 13, header..<header + 64, header + 64..<min(header + 20_000, original.count),
      min(sections, original.count - 1)..<original.count,
    ]
    for _ in 0..<300 * SeededRandom.rounds {
      var bytes = original
      for _ in 0..<Int(random.next() % 8 + 1) {
        let range = places[Int(random.next() % UInt64(places.count))]
        let at = range.lowerBound + Int(random.next() % UInt64(range.count))
        bytes[at] = random.next() % 3 == 0 ? 0xFF : UInt8(truncatingIfNeeded: random.next())
      }
      if random.next() % 10 == 0 { bytes = Array(bytes.prefix(Int(random.next() % UInt64(bytes.count)))) }
      guard let elf = ELFFile(MemoryBytes(bytes: bytes)) else { continue }
      if let table = CallFrameTable(elf) { for address in addresses { _ = table.information(at: address) } }
      _ = elf.symbols(at: addresses)
      _ = elf.bias(base: 0)
    }
  }
  #endif

  @Test func `a Mach-O image names itself and its functions, alone or beside others in a file`() throws {
    let image = MachO.image
    for bytes in [image, MachO.universal(image)] {
      let file = try #require(MachOFile(MemoryBytes(bytes: bytes), architecture: .arm64))
      #expect(file.uuid == "000102030405060708090a0b0c0d0e0f")
      #expect(file.text == 0x1_0000_0000..<0x1_0000_4000)
      let found = file.symbols(at: [0x1_0000_0004, 0x1_0000_0100, 0x1_0000_0FFF, 0x2_0000_0000])
      #expect(found[0x1_0000_0004] == nil)
      #expect(found[0x1_0000_0100] == Symbol(name: "main", address: 0x1_0000_0100))
      #expect(found[0x1_0000_0FFF] == Symbol(name: "$s3app4stopyyF", address: 0x1_0000_0200))
      #expect(found[0x2_0000_0000] == nil)
    }
    #expect(MachOFile(MemoryBytes(bytes: image), architecture: .x86_64) == nil)
    #expect(MachOFile(MemoryBytes(bytes: []), architecture: .arm64) == nil)
  }

  @Test func `damaged Mach-O images neither trap nor spin`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed)
    for original in [MachO.image, MachO.universal(MachO.image)] {
      for _ in 0..<3000 * SeededRandom.rounds {
        var bytes = original
        for _ in 0..<Int(random.next() % 5 + 1) {
          bytes[Int(random.next() % UInt64(bytes.count))] =
            random.next() % 3 == 0 ? 0xFF : UInt8(truncatingIfNeeded: random.next())
        }
        if random.next() % 5 == 0 { bytes = Array(bytes.prefix(Int(random.next() % UInt64(bytes.count)))) }
        guard let file = MachOFile(MemoryBytes(bytes: bytes), architecture: .arm64) else { continue }
        _ = file.symbols(at: [0x1_0000_0100, 0x1_0000_0FFF, .max])
      }
    }
  }
}

/// A very small Mach-O image.
private enum MachO {
  static let image: [UInt8] = {
    var names: [UInt8] = [0]
    func name(_ text: String) -> UInt32 {
      defer { names += Array(text.utf8) + [0] }
      return UInt32(names.count)
    }
    var symbols: [UInt8] = []
    for (text, type, address) in [
      ("_main", UInt8(0x0F), UInt64(0x1_0000_0100)), ("_$s3app4stopyyF", 0x0E, 0x1_0000_0200),
      ("a debugger's", 0x64, 0x1_0000_0300), ("_elsewhere", 0x0F, 0x9_0000_0000),
    ] {
      symbols += little(name(text)) + [type, 1, 0, 0] + little(address)
    }
    let uuid = little(UInt32(0x1B)) + little(UInt32(24)) + Array(UInt8(0)..<16)
    var segment = little(UInt32(0x19)) + little(UInt32(72)) + Array("__TEXT".utf8) + [UInt8](repeating: 0, count: 10)
    segment += little(UInt64(0x1_0000_0000)) + little(UInt64(0x4000)) + [UInt8](repeating: 0, count: 32)
    let size = uuid.count + segment.count + 24
    let start = UInt32(32 + size)
    var table = little(UInt32(2)) + little(UInt32(24)) + little(start) + little(UInt32(4))
    table += little(start + UInt32(symbols.count)) + little(UInt32(names.count))
    var header = little(UInt32(0xFEED_FACF)) + little(UInt32(0x0100_000C)) + little(UInt32(0)) + little(UInt32(2))
    header += little(UInt32(3)) + little(UInt32(size)) + little(UInt64(0))
    return header + uuid + segment + table + symbols + names
  }()

  static func universal(_ image: [UInt8]) -> [UInt8] {
    func big(_ value: UInt32) -> [UInt8] { little(value.byteSwapped) }
    var head = big(0xCAFE_BABE) + big(2)
    head += big(0x0100_0007) + big(3) + big(4000) + big(100) + big(12)
    head += big(0x0100_000C) + big(0) + big(64) + big(UInt32(image.count)) + big(6)
    return head + [UInt8](repeating: 0, count: 64 - head.count) + image
  }

  private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}
