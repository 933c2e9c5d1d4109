import AutoMobileJournal

/// What a receiver says that it takes, beside AutoMobile's envelope.
struct ReceiverOffer: Equatable, Sendable {
  /// Bodies in the journal's format.
  var journal = false
  /// These, compressed with ``BatchDictionary``.
  var dictionary = false
  /// It says so, and what stands before it lets no such body through.
  var isDictionaryRefused = false

  static let nothing = ReceiverOffer()
}

extension ReceiverOffer {
  /// As the answer's `Accept-Post` has it.
  init(_ answer: HTTPAnswer) {
    for type in (answer[header: "accept-post"] ?? "").split(separator: ",") {
      let parts = type.split(separator: ";", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
      guard parts.first == BatchHeader.mediaType else { continue }
      journal = true
      // Who knows several dictionaries names the format with each of them.
      if parts.dropFirst().contains("dictionary=\(BatchDictionary.name)") { dictionary = true }
    }
  }
}
