import AutoMobileJournal
import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

/// The guard keeps the SDK off in a launch: its user has a say all the same.
@Suite struct `Consent in a launch in which the SDK stays off` {
  private let directory: TemporaryDirectory
  private let store = MemoryStore()
  private static let bundleId = "com.example.test"

  /// A recording of an earlier launch, with its user; and a record of starts that all went wrong.
  init() async throws {
    let directory = try TemporaryDirectory()
    self.directory = directory
    let launch: LaunchID
    do {
      let harness = try SdkHarness(
        directory: directory, configure: { [directory] in $0.storage = .directory(directory.file("recordings")) },
        environment: { [store] in $0.makeStore = { store } })
      harness.sdk.setUserId("ada")
      for number in 0..<10 { harness.sdk.trackEvent(name: "\(number)") }
      launch = try #require(harness.sdk.runtime).journal.launch
    }
    try await SdkHarness.waitUntilGone(launch)
    var record = StartRecord(build: FNV1a("\(AutoMobileSDK.version) 1.2.3").value)
    (record.deaths, record.safeDeaths, record.off) = (9, 9, 9)
    try Data(record.encodedWithoutVerdict).write(
      to: directory.file("recordings/" + CrashLoopGuard.fileName(owner: Self.bundleId)))
  }

  private let credentials = Locked(true)

  private func launch(initialized: Bool = true, consent: Consent = .granted) throws -> SdkHarness {
    let harness = try SdkHarness(
      bundleId: Self.bundleId, directory: directory, initialized: initialized,
      configure: {
        $0.storage = .directory(directory.file("recordings"))
        $0.consent = consent
      },
      environment: {
        $0.makeStore = { [store] in store }
        $0.guardsAgainstCrashLoops = true
        $0.forgetCredentials = { [credentials] in credentials.withLock { $0 = false } }
      })
    if initialized { try #require(harness.sdk.diagnostics.offReason != nil) }
    return harness
  }

  private var files: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: directory.file("recordings").path)) ?? []
  }

  @Test func `a denial erases at once, and holds`() async throws {
    let harness = try launch()
    #expect(files.contains { $0.hasSuffix(".journal") } && !store.all.isEmpty)
    await withCheckedContinuation { done in harness.sdk.setConsent(.denied) { done.resume() } }
    #expect(files.isEmpty && store.all.isEmpty && !credentials.withLock { $0 })
    #expect(harness.sdk.consent == .denied)
    #expect(try launch(initialized: false).sdk.consent == .granted, "nobody has looked yet")
    let next = try SdkHarness(directory: directory) { $0.storage = .directory(directory.file("recordings")) }
    #expect(next.sdk.consent == .denied)
  }

  @Test func `said before initialization, a denial erases as well`() async throws {
    let harness = try launch(initialized: false)
    harness.sdk.setConsent(.denied)
    harness.initialize()
    // The guard is not even asked.
    #expect(await eventually { files.isEmpty && store.all.isEmpty })
    #expect(harness.sdk.consent == .denied)
  }

  @Test func `what was said before initialization holds in the launches to come`() async throws {
    try Data("granted 0\n".utf8).write(to: directory.file("recordings.consent"))
    let harness = try launch(initialized: false)
    // Taken back: they want to think it over.
    harness.sdk.setConsent(.pending)
    harness.initialize()
    #expect(harness.sdk.diagnostics.offReason != nil && harness.sdk.consent == .pending)
    let kept = directory.file("recordings.consent")
    #expect(await eventually { (try? Data(contentsOf: kept)) == Data("pending 0\n".utf8) })
  }

  @Test func `everything is erased when the user wants that, and other parts are asked too`() async throws {
    let harness = try launch()
    let asked = Locked(0)
    harness.sdk.erasers.add { done in
      asked.withLock { $0 += 1 }
      done()
    }
    try Data("mine".utf8).write(to: directory.file("recordings/notes.txt"))
    await withCheckedContinuation { done in harness.sdk.eraseAll { done.resume() } }
    #expect(files == ["notes.txt"] && store.all.isEmpty && !credentials.withLock { $0 })
    #expect(asked.withLock { $0 } == 1)
    #expect(harness.sdk.consent == .granted)
  }

  @Test func `everything is erased when the user wanted that before initialization`() async throws {
    let harness = try launch(initialized: false)
    let isErased = Locked(false)
    harness.sdk.eraseAll { isErased.withLock { $0 = true } }
    harness.initialize()
    #expect(harness.sdk.diagnostics.offReason != nil)
    #expect(await eventually { isErased.withLock { $0 } })
    #expect(files.isEmpty && store.all.isEmpty)
  }

  @Test func `what an earlier launch was to erase, and could not any more, is erased`() async throws {
    try Data("undecided 5 erasing\n".utf8).write(to: directory.file("recordings.consent"))
    let harness = try launch()
    #expect(await eventually { files.isEmpty && store.all.isEmpty })
    let kept = directory.file("recordings.consent")
    #expect(await eventually { (try? Data(contentsOf: kept)) == Data("undecided 5\n".utf8) })
    withExtendedLifetime(harness) {}
  }

  @Test(arguments: [false, true])
  func `whoever logs out does not come back in the next launch`(early: Bool) throws {
    #expect(store.all[Identity.userIdKey] == "ada")
    let harness = try launch(initialized: !early)
    harness.sdk.setUserId(nil)
    if early { harness.initialize() }
    #expect(harness.sdk.diagnostics.offReason != nil)
    #expect(store.all[Identity.userIdKey] == nil)
  }

  @Test func `another user takes the place of the one before, and the same stays`() throws {
    let harness = try launch()
    harness.sdk.setUserId("ada")
    #expect(store.all[Identity.userIdKey] == "ada")
    let id = store.all[Identity.anonymousIdKey]
    harness.sdk.setUserId("bob")
    #expect(store.all[Identity.userIdKey] == nil && store.all[Identity.anonymousIdKey] == id)
    harness.sdk.resetIdentity()
    #expect(store.all.isEmpty)
  }
}
