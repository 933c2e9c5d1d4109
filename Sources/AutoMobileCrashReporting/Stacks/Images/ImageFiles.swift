import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// The files of images, opened once and checked to be the ones that were loaded.
///
/// Sendable: what changes has a lock.
final class ImageFiles: Sendable {
  /// An image's file, for walking stacks.
  struct Entry: Sendable {
    var elf: ELFFile
    var callFrames: CallFrameTable?
    /// What an address in the process has more than one in the file.
    var bias: UInt64
  }

  private let opened = Locked<[Int: Entry?]>([:])
  let table: ImageTable

  init(_ table: ImageTable) { self.table = table }

  /// The file of the image at an index of the table; nil when it is not there, is not an ELF file, or is another one
  /// than the one that was loaded: an update may have replaced it.
  func entry(_ index: Int) -> Entry? {
    if let known = opened.withLock({ $0[index] }) { return known }
    let entry = table.images.indices.contains(index) ? Self.open(table.images[index]) : nil
    opened.withLock { $0[index] = .some(entry) }
    return entry
  }

  private static func open(_ image: Image) -> Entry? {
    guard let source = source(of: image), let elf = ELFFile(source), elf.architecture == .current else { return nil }
    if let identifier = image.identifier, let found = elf.buildId, identifier != found { return nil }
    return Entry(elf: elf, callFrames: CallFrameTable(elf), bias: elf.bias(base: image.base))
  }

  private static func source(of image: Image) -> (any ByteSource)? {
    if image.path == "[vdso]" { return VirtualLibrary.bytes(of: image) }
    guard image.path.hasPrefix("/"), let file = FileBytes(path: image.path) else { return nil }
    if let inode = image.inode, inode != file.inode { return nil }
    return file
  }
}

/// The library that Linux maps into every process, and that is no file.
private enum VirtualLibrary {
  static func bytes(of image: Image) -> (any ByteSource)? {
    #if os(Linux)
    // An image of another process (or launch) lies elsewhere, but its bytes are ours: both are this kernel's, which the
    // build id confirms. Nobody ever unmaps it.
    guard let own = ImageTable.current().images.first(where: { $0.path == image.path }), own.size <= 1 << 20,
      let start = UnsafeRawPointer(bitPattern: UInt(own.base))
    else { return nil }
    return MemoryBytes(bytes: Array(UnsafeRawBufferPointer(start: start, count: Int(clamping: own.size))))
    #else
    return nil
    #endif
  }
}
