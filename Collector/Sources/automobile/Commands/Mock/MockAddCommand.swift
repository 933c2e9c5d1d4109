import ArgumentParser
import AutoMobileCollector
import Foundation

/// `automobile mock add BUNDLE …`: adds a rule, or replaces the one of the same name.
struct MockAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a rule, or replace the one of the same name.",
    discussion: """
      Everything given must match. In host, path and header values “*” stands for any characters. A rule with a count \
      applies to that many requests in each launch of the app.
      """)

  @Argument(help: "An app's bundle id; “*” for all apps.")
  var bundle: String

  @Option(help: "The rule's name, which the recording shows. Without it, one is generated.")
  var id: String?

  // MARK: What it matches

  @Option(help: "The request's method.")
  var method: String?

  @Option(help: "The host: api.example.com, *.example.com, localhost:8080.")
  var host: String?

  @Option(help: "The path, percent-encoded and without the query: '/v1/*'.")
  var path: String?

  @Option(help: "A regular expression for the path, at most 512 bytes, instead.")
  var pathRegex: String?

  @Option(name: .customLong("header"), help: "A header that the request has: 'X-Version: 2.*'. Again for more.")
  var headers: [String] = []

  @Option(help: "Text that the request body contains.")
  var bodyContains: String?

  // MARK: What it answers

  @Option(help: "The status, from 200 to 599.")
  var status: Int?

  @Option(
    name: .customLong("response-header"), help: "A response header: 'Content-Type: text/plain'. Again for more.")
  var responseHeaders: [String] = []

  @Option(help: "The response body.")
  var body: String?

  @Option(help: "A file with the response body; “-” reads standard input.")
  var bodyFile: String?

  @Option(help: "Fail instead: timedOut, notConnectedToInternet, networkConnectionLost, cannotFindHost …")
  var failure: String?

  @Flag(help: "Let the network answer: an exception to the rules that follow.")
  var passthrough = false

  @Option(help: "Delay before the response, in milliseconds.")
  var delay: Int = 0

  // MARK: How long

  @Option(help: "How many requests it answers.")
  var count: Int?

  @Option(help: "Seconds until it expires.")
  var expiresIn: Double?

  @OptionGroup var options: ConfigOptions

  func validate() throws {
    let answers = [status != nil, failure != nil, passthrough].count { $0 }
    guard answers == 1 else { throw ValidationError("Give one of --status, --failure and --passthrough.") }
    guard status != nil || (body == nil && bodyFile == nil && responseHeaders.isEmpty) else {
      throw ValidationError("A body and headers go with a --status.")
    }
    if path != nil, pathRegex != nil { throw ValidationError("Give a --path or a --path-regex, not both.") }
    if body != nil, bodyFile != nil { throw ValidationError("Give a --body or a --body-file, not both.") }
    if let expiresIn, !(0...1e9).contains(expiresIn) { throw ValidationError("--expires-in takes seconds.") }
    for header in headers + responseHeaders where !header.contains(":") {
      throw ValidationError("“\(Printable.text(header))” is not a header: 'Name: value'.")
    }
  }

  func run() async throws {
    let rule = try rule()
    let document = try await options.client().changeConfiguration(of: bundle) { sections in
      var list = try MockList(sections)
      list.put(rule)
      try list.write(to: &sections)
    }
    let name = Printable.text(rule["id"]?.text ?? "")
    await options.tell(
      document, "\(name): \(Printable.text(rule.mockRuleText))",
      advice: "Remove it with: automobile mock remove '\(Printable.text(bundle))' '\(name)'", Console.standard)
  }

  private func rule() throws -> JSON {
    var match: [String: JSON] = [:]
    match["method"] = method.map { .string($0.uppercased()) }
    match["host"] = host.map { .string($0) }
    match["path"] = path.map { .string($0) } ?? pathRegex.map { ["regex": .string($0)] }
    if !headers.isEmpty { match["headers"] = Self.object(headers) }
    match["bodyContains"] = bodyContains.map { .string($0) }
    var rule: [String: JSON] = ["id": .string(id ?? Self.madeUpName())]
    if !match.isEmpty { rule["match"] = .object(match) }
    rule["respond"] = .object(try respond())
    rule["count"] = count.map { JSON($0) }
    rule["expiresAt"] = expiresIn.map { .integer(WallClock.now + Int64($0 * 1000)) }
    return .object(rule)
  }

  private func respond() throws -> [String: JSON] {
    var respond: [String: JSON] = [:]
    if delay != 0 { respond["delayMs"] = JSON(delay) }
    if passthrough { respond["passthrough"] = true }
    respond["failure"] = failure.map { .string($0) }
    respond["status"] = status.map { JSON($0) }
    if !responseHeaders.isEmpty { respond["headers"] = Self.object(responseHeaders) }
    guard let bytes = try bodyFile.map(Self.read) ?? body.map({ Data($0.utf8) }) else { return respond }
    if let text = String(data: bytes, encoding: .utf8) {
      respond["body"] = .string(text)
    } else {
      respond["body"] = .string(bytes.base64EncodedString())
      respond["bodyEncoding"] = "base64"
    }
    return respond
  }

  private static func object(_ headers: [String]) -> JSON {
    var members: [String: JSON] = [:]
    for header in headers {
      let sides = header.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      members[sides[0].trimmingCharacters(in: .whitespaces)] =
        .string((sides.count > 1 ? sides[1] : "").trimmingCharacters(in: .whitespaces))
    }
    return .object(members)
  }

  private static func madeUpName() -> String { "mock-" + UUID().uuidString.prefix(6).lowercased() }

  /// The limit is above what a collector takes.
  private static func read(_ file: String) throws -> Data {
    do {
      let handle = file == "-" ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(filePath: file))
      return try handle.read(upToCount: 64 << 10) ?? Data()
    } catch {
      throw Failure(
        kind: .unavailable, message: "\(Printable.text(file)) cannot be read: \(error.localizedDescription)")
    }
  }
}
