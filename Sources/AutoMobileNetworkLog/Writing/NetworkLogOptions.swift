import AutoMobileJournal
import Foundation

/// How much the log keeps.
public struct NetworkLogOptions: Sendable {
  /// The most that this app's part of the log may take on disk, in bytes. What is oldest goes first.
  public var budget = 64 << 20
  /// What earlier launches recorded is removed after this time, in seconds. The running launch is bounded by the budget.
  public var maximumAge: TimeInterval = 7 * 86_400
  /// The most bytes that are kept of each body. The size is always kept.
  public var bodyLimit = 256 << 10
  /// The log takes no more when less than this would be free on the disk, in bytes.
  public var freeDiskFloor = 64 << 20
  /// Only one instance of the app can run: its earlier launches are over. An extension is not such an app.
  public var isSingleInstance = NetworkLogOptions.runsAsApp

  /// For tests: smaller segments go sooner.
  package var segmentSize = 1 << 20

  public init() {}

  /// On iOS and its like an app runs once, and its extensions are bundles of their own.
  private static var runsAsApp: Bool {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    Bundle.main.bundleURL.pathExtension != "appex"
    #else
    false
    #endif
  }

  func journalOptions(directory: URL, owner: String) -> JournalOptions {
    var options = JournalOptions(directory: directory, owner: owner)
    options.budget = budget
    options.maximumAge = maximumAge
    options.freeDiskFloor = freeDiskFloor
    options.singleInstance = isSingleInstance
    options.segmentSize = segmentSize
    options.isFollowed = true
    options.counted = [.networkExchange, .networkFrame]
    return options
  }
}

extension RecordKind {
  /// The JSON of an `HTTPExchange`.
  static let networkExchange = RecordKind(rawValue: 7)
  // A request that has begun, `provisionalRequest`, is the JSON of an `HTTPExchange`, too.
  /// The JSON of an `HTTPWebSocketFrame`.
  static let networkFrame = RecordKind(rawValue: 8)
}
