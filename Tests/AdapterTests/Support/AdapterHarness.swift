import AutoMobileSDK
import Foundation

@testable import AutoMobileRecorder

/// An SDK of a test's own, with the subsystems that the test is about, in a directory of its own.
@MainActor final class AdapterHarness {
  let sdk: AutoMobileSDK
  private let directory: URL

  init(_ subsystems: [SdkEnvironment.Subsystem]) {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("adapters-\(UUID().uuidString)")
    var environment = SdkEnvironment()
    environment.defaultEndpoint = nil
    environment.subsystems = subsystems
    sdk = AutoMobileSDK { [environment] in environment }
    sdk.initialize(
      bundleId: "com.example.adapters", configuration: AutoMobileConfiguration(storage: .directory(directory)))
  }

  /// Ends everything, and waits until it has.
  func end() async {
    sdk.reset()
    await turn()
    try? FileManager.default.removeItem(at: directory)
  }

  func events<Event: SdkEvent>(_ type: Event.Type) throws -> [Event] {
    try sdk.recorded().compactMap { $0 as? Event }
  }
}
