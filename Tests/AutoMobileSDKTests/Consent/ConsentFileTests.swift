import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct `What is kept of consent` {
  private let directory: TemporaryDirectory
  private let recordings: URL
  private let file: ConsentFile

  init() throws {
    directory = try TemporaryDirectory()
    recordings = directory.file("recordings")
    file = Self.file(recordings)
  }

  private static func file(_ recordings: URL) -> ConsentFile {
    let configuration = AutoMobileConfiguration(storage: .directory(recordings))
    return ConsentFile(
      RecordingPlace(bundleId: "com.example", configuration: configuration, environment: SdkEnvironment()),
      configuration.storage)
  }

  @Test(arguments: Consent.allCases) func `is read as it was written`(consent: Consent) throws {
    #expect(file.read() == nil)
    try file.write(ConsentRecord(consent: consent, erasedAt: 7))
    #expect(file.read() == ConsentRecord(consent: consent, erasedAt: 7))
    try file.write(ConsentRecord(consent: consent, erasedAt: 7, isErasing: true))
    #expect(file.read() == ConsentRecord(consent: consent, erasedAt: 7, isErasing: true))
  }

  @Test func `does not lie among what a denial erases`() throws {
    try file.write(ConsentRecord(consent: .denied))
    #expect(directory.names == ["recordings.consent"])
  }

  @Test func `lies there when there is no other place, and is taken away when there is one again`() throws {
    // A directory in its place: what nobody could write over.
    let taken = directory.file("recordings.consent")
    try FileManager.default.createDirectory(at: taken.appendingPathComponent("x"), withIntermediateDirectories: true)
    try file.write(ConsentRecord(consent: .denied, erasedAt: 3))
    #expect(try FileManager.default.contentsOfDirectory(atPath: recordings.path) == ["consent"])
    try FileManager.default.removeItem(at: taken)
    #expect(file.read() == ConsentRecord(consent: .denied, erasedAt: 3))
    try file.write(ConsentRecord(consent: .granted))
    #expect(try FileManager.default.contentsOfDirectory(atPath: recordings.path).isEmpty)
  }

  @Test(arguments: [
    "", "granted", "granted 1", "yes 0\n", "granted -1\n", "granted 1 2\n", "granted 1 erasing 2\n",
    "granted 1 erasing", "granted 99999999999999999999\n",
    "\0\0\0\0",
    "denied 1\n\n" + String(repeating: "x", count: 100_000),
  ])
  func `sends nothing when it may have been a denial`(content: String) throws {
    try Data(content.utf8).write(to: directory.file("recordings.consent"))
    #expect(file.read()?.consent == .pending)
  }

  @Test func `sends nothing when it cannot even be opened`() throws {
    // Nothing is opened by way of another name.
    try FileManager.default.createSymbolicLink(
      at: directory.file("recordings.consent"), withDestinationURL: directory.file("elsewhere"))
    #expect(file.read()?.consent == .pending)
  }

  @Test func `sends nothing as soon as another process has said so, before this one has looked`() throws {
    let keeper = ConsentKeeper(file, said: nil, configured: .granted)
    #expect(keeper.maySend)
    for consent in [Consent.pending, .denied] {
      try file.write(ConsentRecord(consent: consent))
      #expect(!keeper.maySend && keeper.current == .granted)
    }
    try file.write(ConsentRecord(consent: .granted))
    #expect(keeper.maySend)
  }

  @Test func `knows an erasure that has begun from one that has ended, whoever says something in between`() throws {
    let keeper = ConsentKeeper(file, said: nil, configured: .granted)
    keeper.keep(erasedAt: 5000)
    let next = ConsentKeeper(file, said: nil, configured: .granted)
    #expect(next.isErasureLeft && !next.maySend)
    next.say(.granted)
    next.keep()
    #expect(file.read() == ConsentRecord(consent: .granted, erasedAt: 5000, isErasing: true))
    next.endErasure(of: next.erasedAt)
    #expect(!next.isErasureLeft && next.maySend)
    #expect(!ConsentKeeper(file, said: nil, configured: .granted).isErasureLeft)
    // One that has begun after that is another one's to end.
    try file.write(ConsentRecord(consent: .granted, erasedAt: 9000, isErasing: true))
    next.endErasure(of: next.erasedAt)
    #expect(file.read()?.isErasing == true)
  }

  @Test func `sends nothing when another process has erased, before this one has erased what it holds`() throws {
    let keeper = ConsentKeeper(file, said: nil, configured: .granted)
    let refusals = Locked(0)
    keeper.onRefusal { refusals.withLock { $0 += 1 } }
    #expect(keeper.maySend && refusals.withLock { $0 } == 0)
    try file.write(ConsentRecord(consent: nil, erasedAt: 7))
    #expect(!keeper.maySend && refusals.withLock { $0 } == 1)
    #expect(keeper.look().isErased)
    #expect(!keeper.maySend, "it has heard of it, and has not done it")
    keeper.followErasure(of: keeper.erasedAt)
    #expect(keeper.maySend)
    // That one may die of it, and leave what it was to erase.
    try file.write(ConsentRecord(consent: nil, erasedAt: 8, isErasing: true))
    #expect(keeper.look().isErasing)
    keeper.followErasure(of: keeper.erasedAt)
    #expect(!keeper.maySend)
    try file.write(ConsentRecord(consent: nil, erasedAt: 8))
    #expect(keeper.maySend && !keeper.look().isErasing)
    #expect(keeper.isErasureOverdue(at: 100_000) && !keeper.isErasureOverdue(at: 1000))
  }

  @Test func `is looked for once a second, however many events are recorded`() {
    let keeper = ConsentKeeper(file, said: nil, configured: .denied)
    #expect([0, 0, 1, 999, 1000, 1001, 2000].filter { keeper.isDue(at: $0) } == [0, 1000, 2000])
  }

  @Test func `tells of each erasure, whatever the clock says`() throws {
    let keeper = ConsentKeeper(file, said: nil, configured: .granted)
    let other = ConsentKeeper(file, said: nil, configured: .granted)
    for time: Int64 in [5000, 5000, 3000, 0] {
      keeper.keep(erasedAt: time)
      #expect(other.look().isErased, "\(time)")
      #expect(!other.look().isErased)
    }
    #expect(keeper.erasedAt >= 5003)
  }

  @Test func `counts more than what the configuration begins with, but for a no`() throws {
    func start(said: Consent? = nil, kept: Consent?, configured: Consent) throws -> Consent {
      let recordings = directory.file(UUID().uuidString)
      let file = Self.file(recordings)
      if let kept { try file.write(ConsentRecord(consent: kept)) }
      return ConsentKeeper(file, said: said, configured: configured).current
    }
    #expect(try start(kept: nil, configured: .granted) == .granted)
    #expect(try start(kept: nil, configured: .pending) == .pending)
    #expect(try start(kept: .granted, configured: .pending) == .granted)
    #expect(try start(kept: .denied, configured: .granted) == .denied)
    #expect(try start(kept: .pending, configured: .granted) == .pending)
    #expect(try start(kept: .granted, configured: .denied) == .denied)
    #expect(try start(said: .granted, kept: .denied, configured: .denied) == .granted)
    #expect(try start(said: .denied, kept: .granted, configured: .granted) == .denied)
  }
}
