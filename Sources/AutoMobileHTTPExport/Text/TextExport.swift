import AutoMobileHTTP
import AutoMobileSupport
import Foundation

/// An exchange as plain text, for a chat or a ticket.
///
///     GET https://api.example.com/v1/me
///     2026-11-21T16:24:07.123Z, 403 Forbidden, 120 ms
///     …
public enum TextExport {
  /// An exchange as text.
  ///
  /// - Parameters:
  ///   - exchange: finished or not.
  ///   - bodyLimit: roughly the most bytes of each body that are shown.
  ///   - isUnderWay: of an exchange that is not finished, whether its process still runs; nil when that is not known.
  public static func text(_ exchange: HTTPExchange, bodyLimit: Int = 1 << 20, isUnderWay: Bool? = nil) -> String {
    var sections = [summary(exchange, isUnderWay).joined(separator: "\n")]
    sections += message(
      "Request", exchange.requestHeaders,
      PrettyBody(exchange.requestBody, type: exchange.requestMediaType, limit: bodyLimit))
    sections += message(
      "Response", exchange.responseHeaders,
      PrettyBody(exchange.responseBody, type: exchange.responseMediaType, limit: bodyLimit))
    let phases = exchange.phases.map { phase in
      "  " + phase.name.rawValue + String(repeating: " ", count: max(1, 10 - phase.name.rawValue.count))
        + DurationText.text(milliseconds: phase.duration)
    }
    if exchange.timings != nil, !phases.isEmpty { sections.append((["Timing"] + phases).joined(separator: "\n")) }
    return sections.joined(separator: "\n\n") + "\n"
  }

  private static func summary(_ exchange: HTTPExchange, _ isUnderWay: Bool?) -> [String] {
    var result = [ExportClock.iso8601(exchange.startedAt)]
    if let status = exchange.statusCode { result.append("\(status) \(StatusPhrase.of(status))".trimmed) }
    if exchange.isUnfinished { result.append(UnfinishedText.text(isUnderWay: isUnderWay)) }
    if let duration = exchange.durationMs { result.append(DurationText.text(milliseconds: duration)) }
    if let name = exchange.transport?.protocolName { result.append(ProtocolName.display(name)) }
    var lines = ["\(line(exchange.method)) \(line(exchange.url))", result.joined(separator: ", ")]
    if let error = exchange.error {
      let origin = [error.domain, error.code.map(String.init)].compactMap { $0 }.joined(separator: " ")
      lines.append("Error: \(line(error.message))" + (origin.isEmpty ? "" : " (\(line(origin)))"))
    }
    for redirect in exchange.redirects {
      lines.append("Redirect: \(redirect.statusCode) \(line(redirect.url)) to \(line(redirect.location))")
    }
    if let rule = exchange.mockRule {
      lines.append("Mocked by the rule \(line(rule)): nothing was sent over the network.")
    }
    if let name = exchange.graphQLOperation { lines.append("GraphQL operation: \(line(name))") }
    if let tracer = exchange.tracerId { lines.append("Tracer ID: \(line(tracer))") }
    if let address = exchange.transport?.remoteAddress { lines.append("Server: \(line(address))") }
    return lines
  }

  private static func message(_ title: String, _ headers: [String: String]?, _ body: PrettyBody) -> [String] {
    var parts: [String] = []
    let headers = (headers ?? [:]).ordered { $0.key < $1.key }.map { "  \(line($0.key)): \(line($0.value))" }
    if !headers.isEmpty { parts.append(([title] + headers).joined(separator: "\n")) }
    guard !body.text.isEmpty || body.remark != nil else { return parts }
    let lines = [body.text, body.remark.map { "(\($0))" }].compactMap { $0 }.filter { !$0.isEmpty }
    parts.append(([title + " body"] + lines).joined(separator: "\n"))
    return parts
  }

  /// What stands on a line stays on it.
  private static func line(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.value < 0x20 }) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
