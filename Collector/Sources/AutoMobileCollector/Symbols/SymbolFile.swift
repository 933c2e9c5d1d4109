import Foundation

/// What a program, library or debug file says of itself: which build it is, and what it can tell of addresses.
package struct SymbolFile: Sendable, Equatable {
  package enum Format: String, Sendable, Codable { case elf, macho }

  package var id: SymbolID
  package var format: Format
  package var architecture: String
  /// Where the linker placed the image's first byte: added to a report's offset it is what debug information speaks of.
  package var textAddress: UInt64
  /// It holds DWARF; without it there are names at best.
  package var hasLines: Bool
  /// Where in the file it is: a universal file holds several.
  package var range: Range<UInt64>

  /// Why a file is of no use here.
  package struct Failure: Error, Equatable, CustomStringConvertible {
    package var description: String
    init(_ description: String) { self.description = description }
  }

  /// Reads what a file holds: one build, or for a universal Mach-O several.
  ///
  /// - Throws: ``Failure`` when it is none of the formats, damaged, or names no build; `SystemError` when it cannot be read.
  package static func inspect(_ path: String) throws -> [SymbolFile] {
    let file = try BoundedFile(path)
    guard let magic = file.bytes(at: 0, count: 4) else { throw Failure("is too short for a program") }
    switch magic {
    case [0x7F, 0x45, 0x4C, 0x46]: return [try ELFFile.inspect(file)]
    case [0xCF, 0xFA, 0xED, 0xFE]: return [try MachOFile.inspect(file, range: 0..<file.size)]
    case [0xCA, 0xFE, 0xBA, 0xBE], [0xCA, 0xFE, 0xBA, 0xBF]: return try MachOFile.inspectUniversal(file)
    default: throw Failure("is neither ELF nor Mach-O")
    }
  }
}

/// A file that is read in small pieces, at places that its own contents name and that may be anywhere.
final class BoundedFile: Sendable {
  let size: UInt64
  private let descriptor: FileDescriptor

  init(_ path: String) throws {
    descriptor = try FileDescriptor(creating: path, flags: O_RDONLY | O_CLOEXEC | O_NONBLOCK, permissions: 0)
    var status = stat()
    guard fstat(descriptor.number, &status) == 0 else { throw SystemError("fstat", path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw SymbolFile.Failure("is not a file") }
    size = UInt64(clamping: status.st_size)
  }

  /// `count` bytes, at most a megabyte; nil when they are not all there.
  func bytes(at offset: UInt64, count: Int) -> [UInt8]? {
    guard count >= 0, count <= 1 << 20, offset <= size, UInt64(count) <= size - offset,
      let start = off_t(exactly: offset)
    else { return nil }
    var done = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
      while done < count {
        let got = pread(descriptor.number, buffer.baseAddress?.advanced(by: done), count - done, start + off_t(done))
        if got > 0 { done += got } else if got == 0 || errno != EINTR { break }
      }
      length = done
    }
    return done == count ? bytes : nil
  }
}

extension [UInt8] {
  /// An integer at a place that is known to be inside.
  func integer<T: FixedWidthInteger>(_ type: T.Type, at offset: Int, bigEndian: Bool = false) -> T {
    guard offset >= 0, offset <= count - MemoryLayout<T>.size else { return 0 }
    let value = withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: T.self) }
    return bigEndian ? T(bigEndian: value) : T(littleEndian: value)
  }
}
