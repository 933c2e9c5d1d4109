import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// Files that cannot be opened for a while, whoever tries: in the place of each stands a socket.
public struct BlockedFiles: Sendable {
  private let paths: [String]

  public init(_ directory: URL, where isMeant: (String) -> Bool) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).filter(isMeant)
    paths = names.map { directory.appendingPathComponent($0).path }
    guard !paths.isEmpty else { throw POSIXError(.ENOENT) }
    for path in paths {
      try FileManager.default.moveItem(atPath: path, toPath: path + ".aside")
      try Self.makeSocket(path)
      guard open(path, O_RDONLY) < 0 else { throw POSIXError(.EEXIST) }
    }
  }

  public func restore() throws {
    for path in paths {
      unlink(path)
      try FileManager.default.moveItem(atPath: path + ".aside", toPath: path)
    }
  }

  private static func makeSocket(_ path: String) throws {
    // A socket's own path has to be short.
    let short = "/tmp/am-" + UUID().uuidString
    #if canImport(Glibc)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
    let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: short.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    guard bound == 0 else { throw POSIXError(.EADDRINUSE) }
    try FileManager.default.moveItem(atPath: short, toPath: path)
  }
}
