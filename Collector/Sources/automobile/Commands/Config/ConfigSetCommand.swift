import ArgumentParser
import Foundation

/// `automobile config set BUNDLE MEMBER=VALUE…`: changes some members, or replaces the document.
struct ConfigSetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change an app's configuration.",
    discussion: """
      automobile config set com.example.app sampling.sessionRate=0.25
      automobile config set '*' control.checkSeconds=300 capture.bodies=
      automobile config set com.example.app --file document.json

      A value is JSON, or otherwise text. An empty one removes the member, so that its default applies. A file replaces the \
      document as a whole.
      """)

  @Argument(help: "An app's bundle id; “*” for all apps.")
  var bundle: String

  @Argument(help: "Members to set: sampling.sessionRate=0.25")
  var members: [String] = []

  @Option(help: "A file with a whole document; “-” reads standard input.")
  var file: String?

  @OptionGroup var options: ConfigOptions

  func validate() throws {
    guard members.isEmpty != (file == nil) else {
      throw ValidationError("Give members to set (sampling.sessionRate=0.25), or a --file with the whole document.")
    }
    for member in members {
      guard let equals = member.firstIndex(of: "="), equals != member.startIndex else {
        throw ValidationError("“\(Printable.text(member))” is not MEMBER=VALUE.")
      }
    }
  }

  func run() async throws {
    let console = Console.standard
    let client = try options.client()
    let document: ConfigurationDocument
    if let file {
      let current = try await client.configuration(of: bundle)
      document = try await client.setConfiguration(try Self.read(file), of: current)
    } else {
      document = try await client.changeConfiguration(of: bundle) { sections in
        for member in members {
          let parts = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
          let path = parts[0].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
          let text = String(parts[1])
          // Not a literal nil: that is also JSON's null.
          let value: JSON? = text.isEmpty ? Optional.none : (try? JSON(text: text)) ?? .string(text)
          try sections.set(path, value)
        }
      }
    }
    await options.tell(document, members.isEmpty ? "replaced" : members.joined(separator: " "), console)
  }

  /// The limit is far above what a collector takes.
  static func read(_ file: String) throws -> JSON {
    let data: Data
    do {
      let handle =
        file == "-" ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(filePath: file))
      data = try handle.read(upToCount: 1 << 20) ?? Data()
    } catch {
      throw Failure(
        kind: .unavailable, message: "\(Printable.text(file)) cannot be read: \(error.localizedDescription)")
    }
    guard let json = try? JSONDecoder().decode(JSON.self, from: data), var members = json.object else {
      throw Failure(kind: .unavailable, message: "\(Printable.text(file)) is not a JSON object.")
    }
    // What `show --json` printed may be given back, changed.
    if let document = members["document"]?.object, members["bundleId"] != nil { members = document }
    for name in ["version", "issuer"] { members[name] = nil }
    return .object(members)
  }
}
