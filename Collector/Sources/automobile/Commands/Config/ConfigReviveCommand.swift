import ArgumentParser

/// `automobile config revive BUNDLE`: takes the kill switch back.
struct ConfigReviveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revive", abstract: "Switch recording on again.",
    discussion: """
      A copy of the app that is switched off checks at launch, when it comes to the foreground, and every 15 minutes \
      (control.checkSeconds) whether it may record again; debug builds know at once.
      """)

  @Argument(help: "An app's bundle id; “*” for all apps.")
  var bundle: String

  @OptionGroup var options: ConfigOptions

  func run() async throws {
    let document = try await options.client().changeConfiguration(of: bundle) {
      try $0.set(["recording", "enabled"], true)
    }
    if document.isRecording { return await options.tell(document, "recording is on", Console.standard) }
    await options.tell(
      document, "would record, but all apps are switched off",
      advice: "Switch them on with: automobile config revive '*'",
      Console.standard)
  }
}
