import AutoMobileJournal
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

  /// What this endpoint took when it last answered.
  func recalls(_ endpoint: DeliveryEndpoint) -> ReceiverOffer {
    guard let handle = try? FileHandle(forReadingFrom: file) else { return .nothing }
    defer { try? handle.close() }
    guard let bytes = try? handle.read(upToCount: Self.maximumSize) else { return .nothing }
    for offer in [ReceiverOffer(journal: true, dictionary: true), ReceiverOffer(journal: true)]
    where bytes == text(endpoint, offer) { return offer }
    return .nothing
  }

  /// An endpoint has said what it takes.
  func note(_ endpoint: DeliveryEndpoint, takes offer: ReceiverOffer) {
    let text = text(endpoint, offer)
    if offer.journal, text.count <= Self.maximumSize {
      // It has only to be learned again when it cannot be written.
      try? text.writeProtected(to: file)
    } else {
      unlink(file.path)
    }
  }

  private func text(_ endpoint: DeliveryEndpoint, _ offer: ReceiverOffer) -> Data {
    Data((endpoint.events.absoluteString + (offer.dictionary ? "\ndictionary=\(BatchDictionary.name)" : "")).utf8)
  }
}
