import AutoMobileHTTP
import AutoMobileJournal
import Foundation

/// An exchange in the log, as lists show it.
public struct NetworkLogEntry: Sendable, Equatable, Identifiable {
  /// Names a recorded exchange for ever, and says where it stands in time.
  ///
  /// As text: `1700000000123.4096.0B9FC4B2-6E9B-4B55-9A61-1D3E9B6B7C55`.
  public struct ID: Sendable, Hashable, Comparable, LosslessStringConvertible {
    public let startedAt: Int64
    let launch: LaunchID
    let position: UInt64

    init(startedAt: Int64, launch: LaunchID, position: UInt64) {
      self.startedAt = startedAt
      self.launch = launch
      self.position = position
    }

    /// Nil for what is no such text.
    public init?(_ description: String) {
      let parts = description.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 3, let startedAt = Int64(parts[0]), let position = UInt64(parts[1]),
        let launch = LaunchID(parts[2])
      else { return nil }
      self.init(startedAt: startedAt, launch: launch, position: position)
    }

    public var description: String { "\(startedAt).\(position).\(launch)" }

    public static func < (one: Self, other: Self) -> Bool {
      if one.startedAt != other.startedAt { return one.startedAt < other.startedAt }
      if one.launch == other.launch { return one.position < other.position }
      return withUnsafeBytes(of: one.launch.uuid.uuid) { bytes in
        withUnsafeBytes(of: other.launch.uuid.uuid) { bytes.lexicographicallyPrecedes($0) }
      }
    }
  }

  public let id: ID
  /// Without the bodies' bytes; their sizes are there.
  public let exchange: HTTPExchange

  /// The request is under way, as far as can be seen from here: its process may still run, and nothing came back yet.
  ///
  /// Where the system does not tell whether a process of another app runs, it is taken for running.
  public let isUnderWay: Bool

  /// Nothing came back, and no error either: the request ``isUnderWay``, or its process ended first.
  public var isUnfinished: Bool { exchange.isUnfinished }

  /// An error instead of a response, or one that says that something went wrong.
  public var isError: Bool { !isUnfinished && (exchange.error != nil || (exchange.statusCode ?? 0) >= 400) }
}

/// Some of the exchanges that a filter lets through, newest first.
public struct NetworkLogPage: Sendable, Equatable {
  public var entries: [NetworkLogEntry]
  /// Where the next page begins; nil when this is the last.
  public var next: NetworkLogEntry.ID?
}
