import ArgumentParser
import AutoMobileCollector
import Foundation

/// Which requests a command is about, wherever they were recorded.
struct RequestFilter: ParsableArguments {
  @Option(help: "Only this session's: its id, the beginning of it, or “latest”.")
  var session: String?

  @Option(help: "Only these methods, separated by commas: GET,POST.")
  var method: String?

  @Option(help: "Only these responses, separated by commas: a code (404), a class (5xx), none, or unfinished.")
  var status: String?

  @Option(help: "Only this host; with asterisks, a pattern: “*.example.com”.")
  var host: String?

  @Option(help: "Only paths like this: “/v1/orders/*”. A question mark is one character.")
  var path: String?

  @Option(help: "Only requests that took at least this long: 500ms, 2s, or a number of milliseconds.")
  var slowerThan: Milliseconds?

  @Option(
    name: [.customLong("search"), .customLong("grep")],
    help: """
      Only requests that match: words in URL, headers, bodies or user, or fields like “status:>=500”. With --log: a text.
      """)
  var text: String?

  @Option(help: "Only requests with this tracer id.")
  var tracer: String?

  @Flag(help: "Only requests answered by a mock rule.")
  var mocked = false

  @Flag(name: [.customLong("errors")], help: "Only failed requests: no response, or status 400 and up.")
  var failed = false

  @Option(help: "Only this app's, by its bundle id.")
  var app: String?

  @Option(help: "Only requests since then: 30m, 2h or 7d ago, or a time: 2026-11-21T10:00.")
  var since: Moment?

  @Option(help: "Only requests before then, given like --since.")
  var until: Moment?

  func validate() throws {
    for status in statuses where status != "none" && status != "unfinished" {
      let isClass = status.count == 3 && status.hasSuffix("xx") && status.first?.isNumber == true
      guard isClass || Int(status).map({ (0...999).contains($0) }) ?? false else {
        throw ValidationError("--status must be a code (404), a class (5xx), none or unfinished; several with commas.")
      }
    }
  }

  /// It lets everything through.
  var isEmpty: Bool {
    [session, method, status, host, path, text, tracer, app].allSatisfy { $0 == nil } && slowerThan == nil
      && since == nil && until == nil && !mocked && !failed
  }

  var statuses: [String] { (status ?? "").split(separator: ",").map { $0.lowercased() } }
  var methods: [String] { (method ?? "").split(separator: ",").map { $0.uppercased() } }
}

/// A length of time, as an argument.
struct Milliseconds: ExpressibleByArgument {
  var value: Double

  init?(argument: String) {
    let text = argument.lowercased()
    let unit: (suffix: String, factor: Double) =
      [("ms", 1), ("s", 1000), ("min", 60_000), ("m", 60_000)].first { text.hasSuffix($0.0) } ?? ("", 1)
    guard let number = Double(text.dropLast(unit.suffix.count)), (0...1e6).contains(number) else { return nil }
    value = number * unit.factor
  }
}

/// A time, as an argument: so long ago, or a date.
struct Moment: ExpressibleByArgument {
  /// Since 1970.
  var milliseconds: Int64

  init?(argument: String) { self.init(argument, now: WallClock.now) }

  init?(_ text: String, now: Int64) {
    let units: [Character: Double] = ["s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
    if let unit = text.last.flatMap({ units[$0] }), let number = Double(text.dropLast()), (0...100_000).contains(number)
    {
      milliseconds = now - Int64(number * unit)
      return
    }
    for format in ["yyyy-MM-dd'T'HH:mm:ssXXXXX", "yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-dd'T'HH:mm", "yyyy-MM-dd"] {
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.isLenient = false
      formatter.dateFormat = format
      if let date = formatter.date(from: text) {
        milliseconds = Int64(date.timeIntervalSince1970 * 1000)
        return
      }
    }
    return nil
  }
}
