import AutoMobileSupport
import Foundation

/// Remembers from launch to launch that a receiver takes the journal's format. Without it the first request of each launch would be an
/// envelope: uncompressed, its events in base64, and without a ledger. Of a launch that sends a summary and nothing else, that is all
/// there is.
///
/// Nothing hangs on it: a receiver that has forgotten the format says so, and gets an envelope. Reads and writes the disk.
struct ReceiverMemory: Sendable {
  private let file: URL

  /// - Parameter owner: the bundle id, or the process's name. Apps may share a directory.
  init(directory: URL, owner: String) {
    file = directory.appendingPathComponent("control-\(ControlCache.safe(owner))\(Self.ending)", isDirectory: false)
  }

  static let ending = ".receiver"
  private static let maximumSize = 4096

  /// Whether this endpoint took the format when it last answered.
  func recalls(_ endpoint: DeliveryEndpoint) -> Bool {
    guard let handle = try? FileHandle(forReadingFrom: file) else { return false }
    defer { try? handle.close() }
    guard let bytes = try? handle.read(upToCount: Self.maximumSize) else { return false }
    return bytes == Data(endpoint.events.absoluteString.utf8)
  }

  /// An endpoint has said what it takes.
  func note(_ endpoint: DeliveryEndpoint, takesJournal: Bool) {
    let name = Data(endpoint.events.absoluteString.utf8)
    if takesJournal, name.count <= Self.maximumSize {
      // It has only to be learned again when it cannot be written.
      try? name.writeProtected(to: file)
    } else {
      unlink(file.path)
    }
  }
}
