import AutoMobileJournal
import Foundation

/// The two formats of a request body; see the article "Journal format".
enum DeliveryFormat: String, Sendable {
  /// AutoMobile's own: JSON, with each event's JSON in base64.
  case envelope
  /// Records as they stand in the journal.
  case journal

  var contentType: String {
    switch self {
    case .envelope: "application/json"
    case .journal: BatchHeader.mediaType
    }
  }
}

/// What one request carries.
struct DeliveryBatch: Sendable {
  enum Purpose: Sendable {
    case events
    /// A launch is over, and all of it delivered: its last counts.
    case finalLedger
    /// Nothing but a question: which format does the receiver take?
    case greeting
  }

  var purpose: Purpose
  var launch: LaunchID
  var format: DeliveryFormat
  var body: [UInt8]
  /// Acknowledge up to here when it was taken.
  var to: UInt64 = 0
  /// How much it matters, when it is sent ahead of the launch's cursor; nil: it begins there.
  var priority: Int?
  /// How many records, events and others, it stands for.
  var recordCount = 0
  /// Where its events come from; nil when there are none.
  var chunk: JournalChunk?
  /// The events in it, in the order of the body.
  var events: [ChunkEvent] = []
}

/// What every body says about its sender.
struct DeliverySender: Sendable {
  var bundleId: String?
  var sdkVersion: String?
}
