import AutoMobileSDK
import Testing

@testable import AutoMobileRecorder

/// An app that takes some modules only.
@Suite(.serialized) struct IntegrationTests {
  private static func names(_ integrations: [AutoMobileIntegration]) -> [AutoMobileSubsystems] {
    var environment = SdkEnvironment()
    environment.add(integrations)
    return environment.subsystems.map(\.name).filter { !$0.isEmpty }
  }

  @Test func `crashes start first, whatever order they are named in`() {
    #expect(Self.names([.requests, .crashReporting]) == [.crashes, .log, .network, .failures, .hangs])
    #expect(Self.names([]) == [.log])
  }

  @Test func `a module that is named twice is started once`() {
    #expect(Self.names([.inspection, .requests, .inspection]) == [.log, .userDefaults, .databases, .network])
  }

  @Test func `all are all that the platform has`() {
    let apples: AutoMobileSubsystems = [.screens, .frames, .launchTime, .metricKit, .lifecycleEvents]
    let names = Self.names(AutoMobileIntegration.all)
    #expect(names.count == Set(names).count)
    #expect(AutoMobileSubsystems(names).union(apples) == .all)
  }

  @Test func `without the module of crashes, the SDK records, and tells nothing of earlier launches`() async throws {
    let harness = try SdkHarness(
      initialized: false,
      environment: { environment in
        environment.takesIntegrations = true
        environment.makePostMortem = nil
        environment.files = []
      })
    harness.sdk.initialize(bundleId: harness.bundleId, configuration: harness.configuration, integrations: [.requests])
    #expect(harness.sdk.isEnabled(.network))
    #expect(!harness.sdk.isEnabled(.crashes) && !harness.sdk.isEnabled(.hangs))
    harness.sdk.setEnabled(true, for: .crashes)
    #expect(!harness.sdk.isEnabled(.crashes))
    harness.sdk.trackEvent(name: "bought")
    #expect(try harness.recorded().map(\.event.eventType) == [.custom])
    #expect(await harness.sdk.decidedPreviousLaunchEnd() == nil)
    #expect(harness.sdk.diagnostics.lastError == nil)
  }

  @Test func `what a test has put together stays as it is`() throws {
    let harness = try SdkHarness()
    #expect(try #require(harness.sdk.runtime).subsystems.isEmpty)
  }
}
