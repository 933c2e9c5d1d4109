#if os(Linux)
import Foundation

/// A real file system of a size of its own.
public struct SmallDisk: Sendable {
  public let path: String

  /// Mounting one needs root.
  public static let isPossible: Bool = {
    guard let disk = try? SmallDisk(kilobytes: 64) else { return false }
    disk.remove()
    return true
  }()

  public init(kilobytes: Int) throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("disk-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
      let code = errno
      rmdir(path)
      throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EPERM)
    }
  }

  public func remountReadOnly() -> Bool { mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0 }
  public func remountWritable() -> Bool { mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), nil) == 0 }

  public func remove() {
    umount2(path, Int32(MNT_DETACH))
    rmdir(path)
  }
}
#endif
