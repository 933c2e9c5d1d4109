import ArgumentParser
import AutoMobileCollector
import Foundation

/// `automobile alerts channels add KIND NAME …`
struct AlertChannelsAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a channel.",
    discussion:
      "What is secret is better given in a file, which process lists don't show. The secret that a webhook is signed with is made by the collector and shown once."
  )

  @Argument(help: "webhook, slack, discord, teams, pagerduty or mail.")
  var kind: String

  @Argument(help: "Its name.")
  var name: String

  @Option(help: "Of webhooks and chats: where to post.")
  var postTo: String?

  @Option(help: "A file with the URL, since it is often secret.")
  var postToFile: String?

  @Option(help: "A file with the secret (whsec_…) that a webhook is signed with; without one it is made.")
  var secretFile: String?

  @Option(help: "A file with the integration key of a PagerDuty service.")
  var routingKeyFile: String?

  @Option(help: "Of mail: the server, as smtp.example.com or smtp.example.com:587.")
  var server: String?

  @Option(help: "Of mail: starttls, tls or none.")
  var security: String?

  @Option(help: "Of mail: who signs in.")
  var user: String?

  @Option(help: "A file with the password.")
  var passwordFile: String?

  @Flag(help: "Send the password also over a connection that is not encrypted.")
  var allowPlainPassword = false

  @Option(help: "Of mail: the sender's address.")
  var from: String?

  @Option(help: "Of mail: an address that is told. Again for more.")
  var to: [String] = []

  @OptionGroup var options: ConfigOptions

  func validate() throws {
    if postTo != nil, postToFile != nil {
      throw ValidationError("Give --post-to or --post-to-file, not both.")
    }
  }

  func run() async throws {
    let console = Console.standard
    var body: [String: JSON] = ["kind": .string(kind), "name": .string(name)]
    for (member, value) in [
      ("url", try postTo ?? postToFile.map(Self.line)), ("secret", try secretFile.map(Self.line)),
      ("routingKey", try routingKeyFile.map(Self.line)), ("security", security), ("user", user),
      ("password", try passwordFile.map(Self.line)), ("from", from),
    ] {
      if let value { body[member] = .string(value) }
    }
    if allowPlainPassword { body["allowsPlainPassword"] = true }
    if !to.isEmpty { body["to"] = .array(to.map { .string($0) }) }
    if let server {
      let parts = server.split(separator: ":", omittingEmptySubsequences: false)
      body["host"] = .string(String(parts[0]))
      if parts.count == 2 {
        guard let port = Int(parts[1]) else {
          throw Failure(kind: .unavailable, message: "--server has a port that is none.")
        }
        body["port"] = JSON(port)
      }
    }
    let answer = try await options.client().send(.POST, "/api/alerts/channels", .object(body))
    if options.collector.json { return console.out(answer.line) }
    console.note(
      "\(console.errorStyle.green("✓")) Channel \(answer["id"]?.text ?? ""). Try it: automobile alerts channels test '\(Printable.text(name))'"
    )
    if let secret = answer["secret"]?.string {
      console.note("Its messages are signed with this secret, shown only once:")
      console.out(Printable.text(secret))
    }
  }

  /// A file's first line.
  private static func line(_ file: String) throws -> String {
    guard let data = try? FileHandle(forReadingFrom: URL(filePath: file)).read(upToCount: 8192) else {
      throw Failure(kind: .unavailable, message: "\(Printable.text(file)) cannot be read.")
    }
    return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init)?
      .trimmingCharacters(in: .whitespaces) ?? ""
  }
}
