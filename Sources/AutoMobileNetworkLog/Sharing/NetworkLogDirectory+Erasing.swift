import AutoMobileJournal
import Foundation

extension NetworkLogDirectory {
  /// Whether the user has denied that anything is recorded. Asks the file system once.
  package var isDenied: Bool { access(denialFile.path, F_OK) == 0 }

  /// Says so to every process that writes into this log, or takes it back. Makes no directory. Touches the disk.
  package func setDenied(_ isDenied: Bool) {
    guard isDenied else {
      unlink(denialFile.path)
      return
    }
    guard access(url.path, F_OK) == 0 else { return }
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    try? Data().write(to: denialFile, options: .noFileProtection)
    #else
    try? Data().write(to: denialFile)
    #endif
  }

  /// Removes what has been recorded, and how far it was cleared; the companion's switch stays. Touches the disk.
  ///
  /// - Parameter withRecords: false when a writer of this process has removed them, and goes on.
  package func erase(withRecords: Bool) {
    // What is in there is a journal's, and nobody else's.
    if withRecords { try? FileManager.default.removeItem(at: records) }
    unlink(markFile.path)
  }
}
