import Foundation

/// The directory of a journal, and the few things done to the files in it.
package struct JournalDirectory: Sendable {
  let path: String

  package init(_ url: URL) { path = url.path }

  /// Makes the directory, kept out of backups and readable from the first unlock on.
  package func create() throws(StorageError) {
    var status = stat()
    if stat(path, &status) != 0, !makeLastPart() {
      var attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
      #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      attributes[.protectionKey] = FileProtectionType.completeUntilFirstUserAuthentication
      #endif
      do {
        try FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: true, attributes: attributes)
      } catch {
        throw StorageError("create directory", code: Self.errorCode(of: error))
      }
    }
    #if canImport(Darwin)
    var url = URL(fileURLWithPath: path, isDirectory: true)
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    try? url.setResourceValues(values)
    #endif
  }

  /// Usually only the last part of the path is missing, and then there is a way that is much shorter than Foundation's.
  private func makeLastPart() -> Bool {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    return false
    #else
    return mkdir(path, 0o700) == 0
    #endif
  }

  private static func errorCode(of error: any Error) -> Int32 {
    var next: NSError? = error as NSError
    while let error = next {
      if error.domain == NSPOSIXErrorDomain { return Int32(truncatingIfNeeded: error.code) }
      next = error.userInfo[NSUnderlyingErrorKey] as? NSError
    }
    return errno == 0 ? EIO : errno
  }

  /// The journal's files; none when the directory cannot be read.
  func names() -> [JournalFileName] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [JournalFileName] = []
    while let entry = readdir(directory) {
      let capacity = MemoryLayout.size(ofValue: entry.pointee.d_name)
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: capacity) { String(cString: $0) }
      }
      if let name = JournalFileName(name) { names.append(name) }
    }
    return names
  }

  func path(of name: JournalFileName) -> String { path + "/" + name.text }

  func open(_ name: JournalFileName, _ flags: Int32 = O_RDONLY) throws(StorageError) -> FileDescriptor {
    try FileDescriptor(path: path(of: name), flags: flags)
  }

  func remove(_ name: JournalFileName) { unlink(path(of: name)) }

  func rename(_ name: JournalFileName, to target: JournalFileName) throws(StorageError) {
    // `rename` is the C function's name, too.
    guard unsafeRename(path(of: name), path(of: target)) == 0 else { throw StorageError("rename \(name.text)") }
  }

  /// Whether `size` bytes can be had without going below `floor` bytes of free space.
  func hasRoom(for size: Int, floor: Int) -> Bool {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return true }
    let (free, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return overflow || free >= UInt64(clamping: size) &+ UInt64(clamping: floor)
  }

  /// Creates a file whose `size` bytes are all there, so that writing to a mapping of it can never fail, and fills it. A file that
  /// could not be filled is gone again; one that was is open for as long as `fill` runs.
  func create<Filled>(
    _ name: JournalFileName, size: Int = 0, fill: (FileDescriptor) throws(StorageError) -> Filled
  ) throws(StorageError) -> Filled {
    try FileDescriptor.create(at: path(of: name), size: size, fill: fill)
  }
}

private func unsafeRename(_ from: String, _ to: String) -> Int32 { rename(from, to) }
