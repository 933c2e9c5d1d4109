import ArgumentParser

/// `automobile config kill BUNDLE`: the kill switch.
struct ConfigKillCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kill", abstract: "Switch recording off in every copy of an app.",
    discussion: """
      The app then records nothing and sends nothing, also in later launches, until “automobile config revive”. What it had \
      recorded stays on the device and is delivered after that, as far as it is not older than seven days then.
      """)

  @Argument(help: "An app's bundle id; “*” for all apps.")
  var bundle: String

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let document = try await options.client().changeConfiguration(of: bundle) {
      try $0.set(["recording", "enabled"], false)
    }
    options.tell(
      document, "recording is off", advice: "On again with: automobile config revive '\(Printable.text(bundle))'",
      Console.standard)
  }
}
