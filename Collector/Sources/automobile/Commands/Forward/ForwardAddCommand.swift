import ArgumentParser
import AutoMobileCollector
import Foundation

/// `automobile forward add URL`
struct ForwardAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a forwarder. It sends what comes from now on.",
    discussion: "What is secret is better given in a file, which process lists don't show.")

  @Argument(help: "The receiver's base URL, to which /v1/logs and /v1/traces are added: https://otlp.example.com")
  var receiver: String

  @Option(help: "Its name; without one, the host.")
  var name: String?

  @Option(help: "protobuf or json.")
  var format: String?

  @Flag(help: "Send without compression.")
  var noGzip = false

  @Option(
    help: ArgumentHelp("A header, visible to all users in the process list. Again for more.", valueName: "name: value"))
  var header: [String] = []

  @Option(help: "A file with headers, each on a line: Authorization: Bearer TOKEN")
  var headerFile: String?

  @Option(name: .customLong("type"), help: "Only events of these types, separated by commas: log,crash.")
  var types: String?

  @Option(help: "Only events from this level upwards: verbose, debug, info, warning, error, fault.")
  var level: String?

  @Option(help: "Only events of the app with this bundle id.")
  var app: String?

  @Option(help: "So many events may wait for the receiver; older ones are left out, and counted.")
  var mostBehind: Int?

  @Flag(help: "Send also what the collector has already.")
  var fromBeginning = false

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let console = Console.standard
    var body: [String: JSON] = ["url": .string(receiver)]
    for (member, value) in [("name", name), ("format", format), ("level", level), ("bundleId", app)] {
      if let value { body[member] = .string(value) }
    }
    if noGzip { body["gzip"] = false }
    if fromBeginning { body["fromBeginning"] = true }
    if let mostBehind { body["mostBehind"] = JSON(mostBehind) }
    if let types { body["types"] = .array(types.split(separator: ",").map { .string($0.trimmed) }) }
    let headers = try self.headers()
    if !headers.isEmpty { body["headers"] = .object(headers.mapValues { .string($0) }) }
    let client = try options.client()
    let answer = try await client.send(.POST, "/api/forwarders", .object(body))
    if options.collector.json { return console.out(answer.line) }
    for type in (types ?? "").split(separator: ",").map(\.trimmed) where !Collector.eventTypes.contains(type) {
      console.note("No event type “\(Printable.text(type))” is known; it is waited for.")
    }
    let number = answer["id"]?.text ?? ""
    console.note("\(console.errorStyle.green("✓")) Forwarder \(number). Try it: automobile forward test \(number)")
  }

  private func headers() throws -> [String: String] {
    var lines = header
    if let headerFile {
      guard let data = try? FileHandle(forReadingFrom: URL(filePath: headerFile)).read(upToCount: 65_536) else {
        throw Failure(kind: .unavailable, message: "\(Printable.text(headerFile)) cannot be read.")
      }
      lines += String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
    }
    return try lines.map(\.trimmed).filter { !$0.isEmpty }.reduce(into: [:]) { headers, line in
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
        // Not the line itself: it may be a token.
        throw Failure(kind: .unavailable, message: "A header has no name: write it as Authorization: Bearer TOKEN")
      }
      headers[line[..<colon].trimmed] = line[line.index(after: colon)...].trimmed
    }
  }
}

extension StringProtocol {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
