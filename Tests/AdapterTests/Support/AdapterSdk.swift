import AutoMobileSDK
import Foundation

@testable import AutoMobileRecorder

/// The shared SDK, which the adapters report to, in a directory of a test's own. The suites that use it are serialized, and
/// part of one that is: there is one shared SDK.
@MainActor func withSharedSdk(_ body: (AutoMobileSDK) async throws -> Void) async throws {
  let directory = FileManager.default.temporaryDirectory.appendingPathComponent("adapters-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: directory) }
  let sdk = AutoMobileSDK.shared
  sdk.initialize(
    bundleId: "com.example.adapters", configuration: AutoMobileConfiguration(storage: .directory(directory)))
  defer { sdk.reset() }
  try await body(sdk)
}

extension AutoMobileSDK {
  /// The events of this launch, in the order of recording.
  func recorded() throws -> [any SdkEvent] {
    guard let journal = runtime?.journal else { return [] }
    return try journal.tail(from: 0, maximumBytes: .max, maximumRecords: .max).records.compactMap { record in
      guard record.kind == .event || record.kind == .eventAndBreadcrumb else { return nil }
      return try SdkEventDecoder.decode(Data(record.payload))
    }
  }
}
