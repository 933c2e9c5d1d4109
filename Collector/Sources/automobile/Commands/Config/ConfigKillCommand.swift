import ArgumentParser

/// `automobile config kill BUNDLE`: the kill switch.
struct ConfigKillCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kill", abstract: "Switch recording off in every copy of an app.",
    discussion: """
      The app then records and sends nothing, in later launches too, until “automobile config revive”. What it has \
      recorded stays on the device and is delivered after that, unless it is older than seven days by then.
      """)

  @Argument(help: "An app's bundle id; “*” for all apps.")
  var bundle: String

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let document = try await options.client().changeConfiguration(of: bundle) {
      try $0.set(["recording", "enabled"], false)
    }
    await options.tell(
      document, "recording is off", advice: "Switch it on with: automobile config revive '\(Printable.text(bundle))'",
      Console.standard)
  }
}
