import AutoMobileCollector
import Foundation

/// Requests one a line, fitted to the terminal's width.
enum RequestTable {
  private static let columns: [Table.Column] = [
    .init(title: "REQUEST", minimum: 5, paint: { $0.cyan($1) }), .init(title: "TIME", rank: 1),
    .init(title: "STATUS", paint: paint), .init(title: "METHOD"),
    .init(title: "ADDRESS", minimum: 16), .init(title: "DURATION", alignsRight: true),
    .init(title: "SIZE", alignsRight: true, rank: 2), .init(title: "TRACER ID", minimum: 8, rank: 4),
    .init(title: "USER", minimum: 8, rank: 3),
  ]

  static func lines(_ requests: [RequestSummary], _ console: Console) -> [String] {
    var table = Table(columns: columns)
    // Columns that nobody has anything for take no room.
    if !requests.contains(where: { $0.tracer != nil }) { table.columns.removeAll { $0.title == "TRACER ID" } }
    let today = Format.time(WallClock.now).prefix(10)
    let isToday = requests.allSatisfy { Format.time($0.timestamp).prefix(10) == today }
    table.rows = requests.map { request in
      table.columns.map { Printable.text(cell($0.title, request, isToday: isToday)) }
    }
    return table.lines(width: console.width, style: console.style)
  }

  private static func cell(_ title: String, _ request: RequestSummary, isToday: Bool) -> String {
    switch title {
    case "REQUEST": return request.name
    case "TIME":
      return isToday
        ? Format.time(request.timestamp, date: false)
        // The month and the day say enough.
        : String(Format.time(request.timestamp, fraction: false).dropFirst(5))
    case "STATUS": return status(request)
    case "METHOD": return request.method
    case "ADDRESS":
      let marks = [request.operation, request.mockRule.map { "mocked by \($0)" }, request.error].compactMap { $0 }
      return ([request.host + request.path] + marks).joined(separator: " · ")
    case "DURATION": return request.durationMs.map { Format.duration(milliseconds: $0) } ?? "–"
    case "SIZE": return request.received.map(Format.bytes) ?? "–"
    case "TRACER ID": return request.tracer ?? "–"
    default: return request.who ?? "–"
    }
  }

  /// While requests arrive: no table knows how wide the next one will be.
  static func line(_ request: RequestSummary, _ console: Console) -> String {
    let time = Format.time(request.timestamp, date: false)
    let took = request.durationMs.map { Format.duration(milliseconds: $0) } ?? "–"
    let number = pad(request.name, 7)
    let lead =
      "\(number)  \(time)  \(pad(status(request), 9))  \(pad(took, 8))  \(pad(Printable.text(request.method), 6))  "
    let address = Printable.text(request.host + request.path + (request.error.map { " · " + $0 } ?? ""))
    let room = console.width.map { max(10, $0 - lead.count) } ?? .max
    let style = console.style
    return style.cyan(number) + "  " + style.dim(time) + "  " + paint(style, pad(status(request), 9))
      + "  \(pad(took, 8))  \(pad(Printable.text(request.method), 6))  "
      + (room == .max ? address : DisplayWidth.truncated(address, to: room))
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
  }

  private static func status(_ request: RequestSummary) -> String {
    request.unfinished ?? request.status.map(String.init) ?? (request.hasFailed ? "failed" : "cancelled")
  }

  @Sendable private static func paint(_ style: Style, _ text: String) -> String {
    switch text.first {
    case "5", "f": style.red(text)
    case "4": style.yellow(text)
    case "c", "u": style.dim(text)
    case "a": style.yellow(text)
    default: style.green(text)
    }
  }

  /// Endpoints one a line.
  static func lines(_ endpoints: [EndpointSummary], _ console: Console) -> [String] {
    var table = Table(columns: [
      .init(title: "METHOD"), .init(title: "ENDPOINT", minimum: 20), .init(title: "REQUESTS", alignsRight: true),
      .init(title: "FAILED", alignsRight: true, paint: { $1.contains(where: \.isNumber) ? $0.red($1) : $0.dim($1) }),
      .init(title: "MEDIAN", alignsRight: true, rank: 1), .init(title: "P95", alignsRight: true),
      .init(title: "SLOWEST", alignsRight: true, rank: 2), .init(title: "RECEIVED", alignsRight: true, rank: 3),
    ])
    func took(_ ms: Double?) -> String { ms.map { Format.duration(milliseconds: $0) } ?? "–" }
    table.rows = endpoints.map { endpoint in
      [
        endpoint.method, endpoint.host + endpoint.route, Format.count(endpoint.count),
        endpoint.failed == 0 ? "–" : Format.rate(endpoint.failed, of: endpoint.count), took(endpoint.medianMs),
        took(endpoint.p95Ms), took(endpoint.slowestMs), Format.bytes(endpoint.received),
      ].map(Printable.text)
    }
    return table.lines(width: console.width, style: console.style)
  }
}
