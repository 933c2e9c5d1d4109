#if os(Linux)
import Foundation

/// A real file system of a size of its own.
struct SmallDisk {
  let path: String

  static let isPossible: Bool = {
    guard let disk = try? SmallDisk(kilobytes: 64) else { return false }
    disk.remove()
    return true
  }()

  init(kilobytes: Int) throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("disk-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
      let code = errno
      rmdir(path)
      throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EPERM)
    }
  }

  func remove() {
    umount2(path, Int32(MNT_DETACH))
    rmdir(path)
  }
}
#endif
