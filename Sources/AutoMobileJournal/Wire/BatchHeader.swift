import Foundation

/// The first line of a delivery in the raw journal format: what the records after it are.
///
/// A body is this header as one line of JSON, a newline, and then records, byte for byte as they stand in the journal.
/// The records belong to one launch; their positions increase and lie in `from..<to`. See <doc:JournalFormat>.
public struct BatchHeader: Codable, Sendable, Equatable {
  /// The media type of a body in this format.
  public static let mediaType = "application/x-automobile-journal"
  /// The version that this code reads and writes.
  public static let currentVersion = 1
  /// The longest header that ``split(_:)`` accepts, in bytes.
  public static let maximumSize = 64 * 1024

  public var version = BatchHeader.currentVersion
  public var launchId: LaunchID
  /// The first position that this batch answers for.
  public var from: UInt64
  /// The position after the last: all before it (and not before `from`) is here, or was torn or damaged. When the ledger says how
  /// much is kept, what is missing in between may also be kept on the device.
  public var to: UInt64
  public var bundleId: String?
  /// The version of the SDK that recorded.
  public var sdkVersion: String?
  /// When this request was made, in milliseconds since 1970, by the sender's clock.
  public var sentAt: Int64?
  /// The launch's counts so far.
  public var ledger: LaunchLedger?

  public init(
    launchId: LaunchID, from: UInt64, to: UInt64, bundleId: String? = nil, sdkVersion: String? = nil,
    sentAt: Int64? = nil, ledger: LaunchLedger? = nil
  ) {
    self.launchId = launchId
    self.from = from
    self.to = to
    self.bundleId = bundleId
    self.sdkVersion = sdkVersion
    self.sentAt = sentAt
    self.ledger = ledger
  }

  /// The line, with its newline.
  public func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
  }

  /// Takes a body apart: the header, and the offset at which its records begin.
  ///
  /// - Throws: ``BatchFormatError``.
  public static func split(_ body: UnsafeRawBufferPointer) throws -> (header: BatchHeader, records: Int) {
    guard let end = body.prefix(maximumSize).firstIndex(of: UInt8(ascii: "\n")) else {
      throw BatchFormatError(
        offset: 0, message: "the body has no header line: expected one line of JSON within \(maximumSize) bytes")
    }
    let header: BatchHeader
    do {
      header = try JSONDecoder().decode(BatchHeader.self, from: Data(body[..<end]))
    } catch {
      throw BatchFormatError(offset: 0, message: "the header line cannot be read: \(error)")
    }
    guard header.version == currentVersion else {
      throw BatchFormatError(
        offset: 0, message: "version \(header.version) is not supported: this receiver reads version \(currentVersion)")
    }
    guard header.from <= header.to else {
      throw BatchFormatError(offset: 0, message: "the range \(header.from)..<\(header.to) ends before it begins")
    }
    return (header, end + 1)
  }
}

/// Why a body in the raw journal format was refused, and where.
public struct BatchFormatError: Error, Equatable, Sendable, CustomStringConvertible {
  /// In bytes, from the body's beginning (after decompression).
  public var offset: Int
  public var message: String

  public init(offset: Int, message: String) {
    self.offset = offset
    self.message = message
  }

  public var description: String { "at byte \(offset): \(message)" }
}

/// What became of everything that a launch was asked to record.
///
/// Cumulative over the launch, so a later ledger replaces an earlier one. With `final`,
/// `delivered = recorded - dropped.values.sum` is what a receiver must hold. Before, with `kept`, at any moment
/// `delivered = recorded - dropped.values.sum - kept` is what it has said that it holds.
public struct LaunchLedger: Codable, Sendable, Equatable {
  /// Calls: each counts, also when it was dropped.
  public var recorded: UInt64
  /// Losses by reason: `disabled`, `shutdown`, `filtered`, `bufferOverflow`, `evicted`, `expired`, `diskFull`,
  /// `rejected`, `corrupt`, `flushError`, `deliveryFailed`.
  public var dropped: [String: UInt64]
  /// Calls that never returned, because the process ended inside them. Not in `recorded`.
  public var torn: UInt64
  /// The launch has ended, and nothing of it is left to deliver.
  public var final: Bool
  /// On the device: not sent, because nobody has asked for it, or not yet. Absent, which means none, where everything is sent.
  public var kept: UInt64?

  public init(
    recorded: UInt64 = 0, dropped: [String: UInt64] = [:], torn: UInt64 = 0, final: Bool = false, kept: UInt64? = nil
  ) {
    self.recorded = recorded
    self.dropped = dropped
    self.torn = torn
    self.final = final
    self.kept = kept
  }
}
