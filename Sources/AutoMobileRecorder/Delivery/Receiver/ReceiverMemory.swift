import AutoMobileJournal
import AutoMobileSupport
import Foundation

/// Remembers from launch to launch that a receiver takes the journal's format. Without it the first request of each launch would be an
/// envelope: uncompressed, its events in base64, and without a ledger. Of a launch that sends a summary and nothing else, that is all
/// there is.
///
/// That the dictionary was refused on the way is remembered for a week: each launch that tried it again would wait for minutes.
///
/// Nothing hangs on it: a receiver that has forgotten the format says so, and gets an envelope. Reads and writes the disk.
struct ReceiverMemory: Sendable {
  private let file: URL
  private let day: @Sendable () -> Int64

  /// - Parameters:
  ///   - owner: the bundle id, or the process's name. Apps may share a directory.
  ///   - day: which day it is; counted from any.
  init(
    directory: URL, owner: String,
    day: @escaping @Sendable () -> Int64 = { Clocks.millisecondsSince1970() / 86_400_000 }
  ) {
    self.day = day
    file = directory.appendingPathComponent("control-\(ControlCache.safe(owner))\(Self.ending)", isDirectory: false)
  }

  static let ending = ".receiver"
  private static let maximumSize = 4096
  /// In days.
  static let refusalLasts = 7

  /// What this endpoint took when it last answered.
  func recalls(_ endpoint: DeliveryEndpoint) -> ReceiverOffer {
    guard let handle = try? FileHandle(forReadingFrom: file) else { return .nothing }
    defer { try? handle.close() }
    guard let bytes = try? handle.read(upToCount: Self.maximumSize) else { return .nothing }
    for offer in [ReceiverOffer(journal: true, dictionary: true), ReceiverOffer(journal: true)]
    where bytes == text(endpoint, offer) { return offer }
    let refused = ReceiverOffer(journal: true, isDictionaryRefused: true)
    let today = day()
    for age in 0...Self.refusalLasts where bytes == text(endpoint, refused, on: today &- Int64(age)) { return refused }
    // Long ago, or of another dictionary, which may get through.
    let beginning = Data((endpoint.events.absoluteString + Self.refusal).utf8)
    return bytes.starts(with: beginning) ? ReceiverOffer(journal: true) : .nothing
  }

  /// An endpoint has said what it takes.
  func note(_ endpoint: DeliveryEndpoint, takes offer: ReceiverOffer) {
    let text = text(endpoint, offer, on: day())
    if offer.journal, text.count <= Self.maximumSize {
      // It has only to be learned again when it cannot be written.
      try? text.writeProtected(to: file)
    } else {
      unlink(file.path)
    }
  }

  private static let refusal = "\nrefused="

  /// - Parameter day: on which the dictionary was refused.
  private func text(_ endpoint: DeliveryEndpoint, _ offer: ReceiverOffer, on day: Int64 = 0) -> Data {
    var text = endpoint.events.absoluteString
    if offer.dictionary { text += "\ndictionary=\(BatchDictionary.name)" }
    if offer.isDictionaryRefused { text += "\(Self.refusal)\(BatchDictionary.name) on \(day)" }
    return Data(text.utf8)
  }
}
