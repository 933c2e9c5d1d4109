#if canImport(Darwin)
import AutoMobileRecorder
import Darwin
import MachO

extension ImageTable {
  /// The images of this process, as the loader lists them. Not for the main thread.
  static func current() -> ImageTable {
    ImageTable(
      (0..<_dyld_image_count()).compactMap { index in
        guard let header = _dyld_get_image_header(index), let name = _dyld_get_image_name(index) else { return nil }
        return Image(UnsafeRawPointer(header), path: String(cString: name))
      })
  }
}

extension Image {
  /// - Parameter header: a 64-bit image's header, followed by its load commands, as the loader mapped them.
  fileprivate init?(_ header: UnsafeRawPointer, path: String) {
    let head = header.load(as: mach_header_64.self)
    guard head.magic == MH_MAGIC_64 else { return nil }
    var size: UInt64 = 0
    var uuid: String?
    var offset = MemoryLayout<mach_header_64>.size
    let end = offset + Int(head.sizeofcmds)
    for _ in 0..<head.ncmds {
      guard offset + MemoryLayout<load_command>.size <= end else { break }
      let command = (header + offset).load(as: load_command.self)
      let length = Int(command.cmdsize)
      guard length >= MemoryLayout<load_command>.size, length <= end - offset else { break }
      if command.cmd == LC_SEGMENT_64, length >= MemoryLayout<segment_command_64>.size {
        let segment = (header + offset).loadUnaligned(as: segment_command_64.self)
        let isText = withUnsafeBytes(of: segment.segname) { $0.prefix { $0 != 0 }.elementsEqual("__TEXT".utf8) }
        if isText { size = segment.vmsize }
      } else if command.cmd == LC_UUID, length >= MemoryLayout<uuid_command>.size {
        let command = (header + offset).loadUnaligned(as: uuid_command.self)
        uuid = withUnsafeBytes(of: command.uuid) { HexDigits.text($0) }
      }
      offset += length
    }
    self.init(path: path, base: UInt64(UInt(bitPattern: header)), size: size, identifier: uuid)
  }
}
#endif
