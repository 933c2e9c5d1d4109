import AutoMobileSDK
import Foundation

/// What all launches share: the SDK set up as any app does it, the shop, and a person's pace.
@MainActor
struct App {
  nonisolated static let bundleId = "com.example.roastery"
  nonisolated static let version = "2.4.0"

  let recording: Recording
  let shop: ShopClient
  let preferences: Preferences
  let automatic: AutomaticEvents
  let directory: URL
  private let pace: Double

  init(_ arguments: Arguments) {
    ShopStorage.useHome(in: arguments.directory)
    // It will die of a signal: the launch after it tells of that, with the stacks of all threads.
    AutoMobileCrashes.shared.enableSignalHandlers()
    // Asked more often than usual, so that the hang to come is measured to a tenth of a second.
    AutoMobileHangs.shared.pollIntervalMs = 100
    AutoMobileSDK.shared.initialize(
      bundleId: Self.bundleId,
      configuration: AutoMobileConfiguration(
        endpoint: arguments.endpoint, apiKey: arguments.key, storage: .directory(arguments.directory)))
    AutoMobileSDK.shared.setUserId("mira@example.com")
    AutoMobileSDK.shared.setTag("shop", value: "Harbour 12")
    AutoMobileSDK.shared.setTag("plan", value: "regular")
    AutoMobileSDK.shared.sdkContext?.appVersion = Self.version
    // One filter, so that each entry makes one event.
    AutoMobileLog.shared.addFilter(name: "app", minLevel: .debug)

    recording = Recording(witness: arguments.witness.flatMap { Witness($0) })
    automatic = AutomaticEvents(recording.on(counter: Witness.counters - 1))
    shop = ShopClient(shop: arguments.shop, automatic: automatic)
    preferences = Preferences(recording)
    directory = arguments.directory
    pace = arguments.pace
  }

  /// As long as a person takes; shorter or longer by a third.
  func pause(_ seconds: Double) async {
    let varied = seconds * pace * Double.random(in: 0.67...1.33)
    try? await Task.sleep(nanoseconds: UInt64(varied * 1e9))
  }

  /// Tells whoever started the process how far it is: one word on a line.
  func say(_ word: String) {
    FileHandle.standardOutput.write(Data((word + "\n").utf8))
  }
}
