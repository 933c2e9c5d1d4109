import AutoMobileHTTP
import Foundation

/// Writes an HTTP archive (HAR 1.2) piece by piece, so that its size does not matter.
///
///     var writer = HARWriter(version: "1.0")
///     for exchange in exchanges { try file.write(contentsOf: writer.entry(for: exchange)) }
///     try file.write(contentsOf: writer.end())
///
/// Redirects are entries of their own. A value type without shared state: use it on one thread at a time.
public struct HARWriter {
  private let version: String
  private let comment: String?
  private var hasBegun = false
  private var hasEntries = false

  /// - Parameters:
  ///   - version: of the program that writes the file.
  ///   - comment: for whoever opens the file, for example which session it is of.
  public init(version: String, comment: String? = nil) {
    self.version = version
    self.comment = comment
  }

  /// The next bytes of the file: an exchange, with what went over the WebSocket that it opened.
  public mutating func entry(for exchange: HTTPExchange, frames: some Sequence<HTTPWebSocketFrame>) -> Data {
    var bytes = begin()
    for (hop, redirect) in exchange.redirects.enumerated() {
      append(HAREntry(exchange, redirect: redirect, hop: hop), to: &bytes)
    }
    append(HAREntry(exchange, frames: frames), to: &bytes)
    return bytes
  }

  /// The next bytes of the file: an exchange.
  public mutating func entry(for exchange: HTTPExchange) -> Data {
    entry(for: exchange, frames: EmptyCollection<HTTPWebSocketFrame>())
  }

  /// The last bytes of the file.
  public mutating func end() -> Data {
    begin() + Data("\n]}}\n".utf8)
  }

  private mutating func begin() -> Data {
    guard !hasBegun else { return Data() }
    hasBegun = true
    struct Creator: Encodable {
      var name = "AutoMobile"
      var version: String
    }
    var head = Data(#"{"log":{"version":"1.2","creator":"#.utf8) + Self.json(Creator(version: version))
    if let comment { head += Data(#","comment":"#.utf8) + Self.json(comment) }
    return head + Data(#","pages":[],"entries":["#.utf8)
  }

  private mutating func append(_ entry: HAREntry, to bytes: inout Data) {
    let json = Self.json(entry)
    guard !json.isEmpty else { return }
    bytes += Data((hasEntries ? ",\n" : "\n").utf8)
    bytes += json
    hasEntries = true
  }

  /// Empty when it cannot be encoded, for which there is no reason.
  private static func json(_ value: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "0", negativeInfinity: "0", nan: "0")
    return (try? encoder.encode(value)) ?? Data()
  }
}

/// Whole HTTP archives, for a few exchanges.
public enum HARExport {
  /// The file's bytes.
  ///
  /// - Parameters:
  ///   - exchanges: in the order in which they stand in the file.
  ///   - version: of the program that writes the file.
  ///   - comment: for whoever opens it.
  public static func data(_ exchanges: some Sequence<HTTPExchange>, version: String, comment: String? = nil) -> Data {
    var writer = HARWriter(version: version, comment: comment)
    var bytes = Data()
    for exchange in exchanges { bytes += writer.entry(for: exchange) }
    return bytes + writer.end()
  }
}
