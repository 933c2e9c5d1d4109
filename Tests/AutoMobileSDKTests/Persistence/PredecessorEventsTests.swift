import AutoMobileJournal
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

/// What AutoMobile's own SDK has left, taken over into the journal.
@Suite struct PredecessorEventsTests {
  private let bench: DeliveryBench
  private let old: TemporaryDirectory
  private static let now: Int64 = 1_800_000_000_000

  init() throws {
    bench = try DeliveryBench()
    old = try TemporaryDirectory()
  }

  private func predecessor(_ journal: Journal, _ processors: EventProcessors = EventProcessors()) -> PredecessorEvents {
    PredecessorEvents(in: { [old] in old.url }, journal: journal, processors: processors, wallClock: { Self.now })
  }

  /// A file with these events, some milliseconds ago.
  @discardableResult
  private func leave(_ numbers: [Int], ago: Int64 = 1000, filling: Int = 0) throws -> EventFile {
    try leave(numbers.map { event($0, context: nil, filling: filling) }, ago: ago)
  }

  @discardableResult
  private func leave(_ events: [String], ago: Int64 = 1000) throws -> EventFile {
    let file = EventFile(stamp: Self.now - ago)
    let data = try JSONEncoder().encode(
      events.map { EventFile.Entry(eventType: "custom", payload: Data($0.utf8)) })
    try data.write(to: old.file(file.name))
    return file
  }

  @Test func `an erasure takes along what was being written, and nothing else`() throws {
    let file = try leave([1])
    for name in [
      file.name + ".tmp", PredecessorEvents.planName, PredecessorEvents.planName + ".tmp", "mine.tmp", "mine.json",
    ] {
      try Data("x".utf8).write(to: old.file(name))
    }
    PredecessorEvents.erase(old.url)
    #expect(old.names == ["mine.json", "mine.tmp"])
  }

  /// Delivers everything, and says what arrived, by launch in their order.
  private func delivered(_ journal: Journal) async throws -> [[Int]] {
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let worker = try bench.worker(journal, to: receiver.url)
    let stopped = Locked(false)
    worker.stop(within: 600_000) { stopped.withLock { $0 = true } }
    #expect(await eventually { stopped.withLock { $0 } })
    #expect(receiver.store.violations.isEmpty)
    for launch in receiver.store.order {
      let ledger = receiver.store.ledgers[launch]
      #expect(ledger?.recorded == UInt64(receiver.store.numbers(of: launch).count) && ledger?.dropped == [:])
    }
    return receiver.store.order.map { receiver.store.numbers(of: $0) }
  }

  @Test func `goes in its order, and the files go`() async throws {
    try leave([3], ago: 10)
    try leave([0, 1], ago: 3000)
    try leave([2], ago: 500)
    let journal = try bench.journal()
    predecessor(journal).takeOver()
    #expect(old.names.isEmpty)
    #expect(try await delivered(journal) == [[0, 1, 2, 3]])
  }

  @Test func `more than a record's worth becomes several launches, and more than a part's waits`() async throws {
    for file in 0..<4 { try leave((0..<50).map { file * 50 + $0 }, ago: Int64(100 - file), filling: 60_000) }
    let journal = try bench.journal(segmentSize: 1 << 20)
    let predecessor = predecessor(journal)
    #expect(!predecessor.takeOver())
    #expect(old.names.count == 1, "8 MiB at a time")
    #expect(predecessor.takeOver())
    #expect(old.names.isEmpty)
    let launches = try await delivered(journal)
    #expect(launches.count > 20)
    #expect(launches.flatMap { $0 }.sorted() == Array(0..<200))
  }

  @Test func `is not asked how it ended`() async throws {
    try leave([0])
    let journal = try bench.journal()
    let asked = Locked<[LaunchID]>([])
    let earlier = EarlierLaunches(journal: journal)
    earlier.add(.verdict) { launches in asked.withLock { $0 += launches } }
    predecessor(journal).takeOver()
    earlier.look()
    #expect(asked.withLock { $0 }.isEmpty)
    #expect(journal.launches().count == 2)
  }

  @Test func `is seen by the app's processors, and what they drop is counted`() async throws {
    try leave([0, 1, 2])
    let processors = EventProcessors()
    processors.add { event in
      guard let event = event as? SdkCustomEvent, event.name != "event 1" else { return nil }
      return SdkCustomEvent(timestamp: event.timestamp, name: event.name)
    }
    let journal = try bench.journal()
    predecessor(journal, processors).takeOver()
    #expect(journal.ledger.dropped == ["filtered": 1])
    #expect(try await delivered(journal) == [[0, 2]])
  }

  @Test func `what is damaged or old goes, is counted, and is in nobody's way`() async throws {
    try leave([0])
    try leave([1, 2], ago: 7 * 86_400_000 + 1)
    try leave(["no JSON", event(3, context: nil), "[1]"], ago: 900)
    try Data("{".utf8).write(to: old.file(EventFile(stamp: Self.now - 5).name))
    try Data(count: EventFile.maximumSize + 1).write(to: old.file(EventFile(stamp: Self.now - 4).name))
    try Data("precious".utf8).write(to: old.file("victim"))
    try FileManager.default.createSymbolicLink(
      at: old.file(EventFile(stamp: Self.now - 3).name), withDestinationURL: old.file("victim"))
    mkfifo(old.file("events_1799999999999_F.json").path, 0o600)
    let journal = try bench.journal()
    predecessor(journal).takeOver()
    #expect(old.names == ["events_1799999999999_F.json", "victim"])
    #expect(try String(contentsOf: old.file("victim"), encoding: .utf8) == "precious")
    #expect(journal.ledger.dropped == ["corrupt": 5, "expired": 2])
    #expect(journal.ledger.recorded == 7)
    #expect(try await delivered(journal) == [[0, 3]])
  }

  @Test func `a file of nothing that can be delivered goes as well`() throws {
    try leave(["no JSON"])
    let journal = try bench.journal()
    predecessor(journal).takeOver()
    #expect(old.names.isEmpty)
    #expect(journal.ledger.dropped == ["corrupt": 1])
  }

  @Test func `what somebody in this process keeps there himself is left alone`() throws {
    try leave([0])
    let journal = try bench.journal()
    do {
      let persistence = FileEventPersistence(directory: old.url)
      predecessor(journal).takeOver()
      #expect(old.names.count == 1)
      #expect(persistence.loadPending().count == 1)
    }
    predecessor(journal).takeOver()
    #expect(old.names.isEmpty)
  }

  @Test func `while there is no disk it stays where it is`() async throws {
    try leave([0])
    var options = JournalOptions(directory: bench.directory.url, owner: "test")
    options.startsInMemory = true
    options.freeDiskFloor = 0
    let journal = try Journal(options, isKept: false)
    let predecessor = predecessor(journal)
    #expect(!predecessor.takeOver())
    #expect(old.names.count == 1)
    journal.startKeeping()
    #expect(await eventually { journal.status == .durable })
    predecessor.takeOver()
    #expect(old.names.isEmpty)
    #expect(try await delivered(journal) == [[0]])
  }

  /// Plays a process that is killed at each of the steps, by putting back what it would have left.
  @Test(arguments: 0..<5) func `whoever is killed on the way is followed by one who goes on`(step: Int) async throws {
    let files = [try leave([0, 1], ago: 20), try leave([2], ago: 10)]
    let contents = try files.map { try Data(contentsOf: old.file($0.name)) }
    let launch = LaunchID()
    let plan = Data(
      #"{"launches":["\#(launch)"],"files":["\#(files[0].name)","\#(files[1].name)"]}"#.utf8)
    let first = try bench.journal()
    if step > 0 { try plan.write(to: old.file(PredecessorEvents.planName)) }
    if step > 1 {
      let payloads = (0..<3).map { Array(event($0, context: nil).utf8) }
      #expect(first.takeOver(payloads, as: launch, created: 1, marks: PredecessorEvents.mark))
    }
    if step > 2 { try FileManager.default.removeItem(at: old.file(files[0].name)) }
    if step > 3 { try FileManager.default.removeItem(at: old.file(files[1].name)) }
    first.closeAndWait()
    let journal = try await bench.journal(after: step > 1 ? [launch] : [])
    predecessor(journal).takeOver()
    #expect(old.names.isEmpty)
    #expect(try await delivered(journal) == [[0, 1, 2]])
    #expect(contents.count == 2)
  }

  @Test func `what had been delivered before the files went is known to the receiver`() async throws {
    let file = try leave([0, 1, 2])
    let data = try Data(contentsOf: old.file(file.name))
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    var plan = Data()
    for _ in 0..<2 {
      let journal = try bench.journal()
      if !plan.isEmpty {
        try data.write(to: old.file(file.name))
        try plan.write(to: old.file(PredecessorEvents.planName))
      }
      predecessor(journal).takeOver()
      let launch = try #require(journal.launches().first { !journal.isOwn($0) })
      plan = Data(#"{"launches":["\#(launch)"],"files":["\#(file.name)"]}"#.utf8)
      let worker = try bench.worker(journal, to: receiver.url)
      let stopped = Locked(false)
      worker.stop(within: 600_000) { stopped.withLock { $0 = true } }
      #expect(await eventually { stopped.withLock { $0 } })
      journal.closeAndWait()
    }
    #expect(receiver.store.order.count == 1)
    #expect(receiver.store.events.values.map { numbers($0.values) } == [[0, 1, 2]])
    #expect(receiver.store.duplicates == 3)
  }

  @Test func `a plan that is none is no reason to touch anything`() throws {
    try Data("precious".utf8).write(to: old.file("victim"))
    for plan in ["", "{}", #"{"launches":[],"files":["victim","../victim"]}"#, "["] {
      try Data(plan.utf8).write(to: old.file(PredecessorEvents.planName))
      try leave([0])
      let journal = try bench.journal()
      predecessor(journal).takeOver()
      #expect(old.names == ["victim"])
      #expect(journal.launches().count >= 2)
      journal.close()
    }
  }
}
