import AutoMobileHTTP
import AutoMobileHTTPExport
import AutoMobileNetworkLog
import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Everything that the page of one exchange shows.
public struct NetworkLogDetail: Sendable {
  public struct Line: Sendable, Equatable, Identifiable {
    public let name: String
    public let value: String
    public var id: String { name }
  }

  /// A piece of the bar of timings.
  public struct Bar: Sendable, Equatable, Identifiable {
    public let name: HTTPPhase.Name
    /// Parts of the whole, from 0 to 1.
    public let start: Double
    public let length: Double
    /// For example `12 ms`.
    public let duration: String
    public var id: HTTPPhase.Name { name }
  }

  /// One of the two messages.
  public struct Message: Sendable, Equatable {
    public let headers: [Line]
    public let body: PrettyBody
    /// A whole image, to be decoded.
    public let image: Data?
  }

  public let exchange: HTTPExchange
  public let tone: NetworkLogRowContent.Tone
  public let summary: [Line]
  public let request: Message
  public let response: Message
  public let bars: [Bar]
  public let frames: [HTTPWebSocketFrame]
  /// See `NetworkLogEntry.isUnderWay`.
  public let isUnderWay: Bool

  /// Sets bodies out, which takes time: not for the main thread.
  public init(_ exchange: HTTPExchange, frames: [HTTPWebSocketFrame] = [], isUnderWay: Bool = false) {
    self.exchange = exchange
    self.frames = frames
    self.isUnderWay = isUnderWay
    tone = NetworkLogRowContent.tone(of: exchange)
    summary = Self.summary(exchange, isUnderWay: isUnderWay)
    request = Self.message(exchange.requestHeaders, exchange.requestBody, exchange.requestMediaType)
    response = Self.message(exchange.responseHeaders, exchange.responseBody, exchange.responseMediaType)
    let phases = exchange.phases
    let whole = max(phases.last?.end ?? 0, .leastNormalMagnitude)
    bars = phases.map {
      Bar(
        name: $0.name, start: $0.start / whole, length: $0.duration / whole,
        duration: DurationText.text(milliseconds: $0.duration))
    }
  }

  /// A command line that makes the same request.
  public var curl: String { CurlExport.command(exchange) }
  /// The exchange as plain text.
  public var text: String { TextExport.text(exchange, isUnderWay: isUnderWay) }

  /// Writes the exchange as an HTTP archive into a new file, for sharing.
  ///
  /// - Throws: when the file cannot be written.
  public func archive(in directory: URL = FileManager.default.temporaryDirectory) throws -> URL {
    var writer = HARWriter(version: AutoMobileSDK.version)
    let bytes = writer.entry(for: exchange, frames: frames) + writer.end()
    let file = directory.appendingPathComponent("request-\(UUID().uuidString).har")
    try bytes.write(to: file, options: .atomic)
    return file
  }

  /// A long body would take the page down with it.
  private static let bodyLimit = 256 << 10

  private static func message(_ headers: [String: String]?, _ body: HTTPBody?, _ type: MediaType?) -> Message {
    let lines = (headers ?? [:]).ordered { $0.key < $1.key }.map { Line(name: $0.key, value: $0.value) }
    let isImage = type?.isImage == true && body?.isTruncated == false
    return Message(
      headers: lines, body: PrettyBody(body, type: type, limit: bodyLimit), image: isImage ? body?.bytes : nil)
  }

  private static func summary(_ exchange: HTTPExchange, isUnderWay: Bool) -> [Line] {
    var lines = [Line(name: "URL", value: exchange.url), Line(name: "Method", value: exchange.method)]
    func add(_ name: String, _ value: String?) {
      if let value, !value.isEmpty { lines.append(Line(name: name, value: value)) }
    }
    add(
      "Status",
      exchange.isUnfinished ? UnfinishedText.text(isUnderWay: isUnderWay) : exchange.statusCode.map(String.init))
    add(
      "Error",
      exchange.error.map {
        [$0.message, $0.domain, $0.code.map(String.init)].compactMap { $0 }.joined(separator: ", ")
      })
    add("Duration", exchange.durationMs.map { DurationText.text(milliseconds: $0) })
    add("Request body", exchange.requestBody.map { ByteCount.text($0.size) })
    add("Response body", exchange.responseBody.map { ByteCount.text($0.size) })
    add("Tracer ID", exchange.tracerId)
    add("GraphQL", exchange.graphQLOperation)
    add("Mock rule", exchange.mockRule)
    add("Protocol", exchange.transport?.protocolName)
    add("Server", exchange.transport?.remoteAddress)
    for (index, redirect) in exchange.redirects.enumerated() {
      add("Redirect \(index + 1)", "\(redirect.statusCode) \(redirect.location)")
    }
    return lines
  }
}
