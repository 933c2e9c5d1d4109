#if os(Linux)
import Foundation

extension ImageTable {
  /// The images of this process, as the kernel lists its mappings: the loader's lock is not taken, so that a thread that
  /// hangs with it does not stop us. Reads `/proc`: not for the main thread.
  static func current() -> ImageTable {
    ImageTable(maps: String(decoding: kernelText("/proc/self/maps"), as: UTF8.self))
  }

  /// All of a file whose size is not known before it has been read.
  private static func kernelText(_ path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 * 1024)
    while text.count < 16 << 20 {
      let count = read(descriptor, &piece, piece.count)
      if count > 0 { text += piece[..<count] } else if count == 0 || errno != EINTR { break }
    }
    return text
  }

  /// - Parameter maps: lines such as `7f0000000000-7f0000026000 r-xp 00002000 fe:00 1234 /usr/lib/libc.so.6`.
  init(maps: String) {
    var images: [Image] = []
    for line in maps.utf8.split(separator: 10) {
      let fields = line.split(separator: 32, maxSplits: 5, omittingEmptySubsequences: true)
      // A path may hold spaces itself.
      guard fields.count == 6, let path = String(fields[5].drop { $0 == 32 }), path.hasPrefix("/") || path == "[vdso]"
      else { continue }
      let bounds = fields[0].split(separator: 45).compactMap { String($0).flatMap { UInt64($0, radix: 16) } }
      guard bounds.count == 2, bounds[0] < bounds[1], let offset = String(fields[2]).flatMap({ UInt64($0, radix: 16) })
      else { continue }
      let inode = String(fields[4]).flatMap { UInt64($0) }
      if let last = images.last, last.path == path, last.inode == inode, offset > 0 {
        images[images.count - 1].size = bounds[1] &- last.base
      } else if offset == 0 {
        images.append(Image(path: path, base: bounds[0], size: bounds[1] &- bounds[0], inode: inode))
      }
    }
    self.init(images)
  }
}
#endif
