import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileReplay

/// Which frames make room for others, where nobody may want them.
@Suite(.serialized) struct `The ring of frames` {
  private let temporary: TemporaryDirectory
  private let directory: SessionDirectory
  private let stretches = ReplayStretches(url: nil, holding: .named(keepDays: 7), wall: { 0 })

  init() throws {
    temporary = try TemporaryDirectory()
    directory = SessionDirectory(id: "replay_2_a", in: temporary.url)
    try directory.make()
  }

  private var record: SessionRecord {
    SessionRecord(id: directory.id, startedAt: 0, isTelemetryOnly: false, launch: "l")
  }

  private func store(_ budget: FrameBudget) -> (FrameStore, FrameRing) {
    let ring = FrameRing(root: temporary.url, owner: "o", budget: budget, stretches: stretches)
    ring.add(directory.id) { [record, stretches] in record.mayGo(stretches) }
    return (FrameStore(directory, budget: budget, ring: ring), ring)
  }

  private var keys: [Int64] { directory.frameFiles().filter(\.isKey).map(\.timestamp) }

  @Test func `the oldest segment goes for the five hundred and first frame, and what is wanted stays`() {
    let (store, _) = store(FrameBudget())
    stretches.name(25...30, in: "l")
    for time in Int64(0)..<700 { #expect(store.keep(frame(time, isKey: time % 20 == 0), at: time) != nil, "\(time)") }
    #expect(store.counts == FrameStore.Counts(recorded: 700))
    #expect(directory.frameFiles().count <= 500)
    #expect(keys.first == 20 && keys[1] > 200 && keys.last == 680)
    // Whole segments have gone.
    #expect(directory.frameFiles().count % 20 == 0)
    #expect(store.takeGap() == nil)
  }

  @Test func `the oldest of fifty segments goes`() {
    let (store, _) = store(FrameBudget())
    for time in Int64(0)..<60 { #expect(store.keep(frame(time), at: time) != nil) }
    #expect(keys == Array(10..<60))
  }

  @Test func `what comes is lost when everything is wanted, until something has been sent`() {
    let (store, _) = store(FrameBudget())
    stretches.name(0...1_000_000, in: "l")
    for time in Int64(0)..<60 { _ = store.keep(frame(time), at: time) }
    #expect(keys == Array(0..<50))
    #expect(store.counts.lost == [.network: 10] && !store.wantsKey)
    FrameSegments(directory: directory, budget: FrameBudget()).remove(Array(directory.frameFiles().prefix(3)))
    #expect(store.wantsKey)
    #expect(store.keep(frame(60), at: 60)?.gap?.frames == 10)
  }

  @Test func `where everything is sent nothing goes for what comes`() {
    stretches.follow(.everything)
    let (store, _) = store(FrameBudget())
    for time in Int64(0)..<60 { _ = store.keep(frame(time), at: time) }
    #expect(keys == Array(0..<50) && store.counts.lost == [.network: 10])
  }

  @Test(arguments: ["o", "another"])
  func `of all sessions together the oldest segment goes, of one's own`(owner: String) throws {
    let before = SessionDirectory(id: "replay_1_a", in: temporary.url)
    try before.make()
    let size = frame(0).bytes.count
    let budget = FrameBudget(limit: 10 * size)
    let old = FrameStore(before, budget: budget)
    for time in Int64(0)..<5 { #expect(old.keep(frame(time), at: time) != nil) }
    KeptSession(
      owner: owner, record: SessionRecord(id: before.id, startedAt: 0, isTelemetryOnly: false, launch: "before"),
      endedAt: 4
    ).write(before)
    stretches.name(1...1, in: "before")
    let (store, _) = store(budget)
    for time in Int64(100)..<110 { #expect(store.keep(frame(time), at: time) != nil, "\(time)") }
    #expect(budget.taken <= budget.limit)
    if owner == "o" {
      #expect(before.frameFiles().map(\.timestamp) == [1])
      #expect(keys == Array(101..<110))
    } else {
      #expect(before.frameFiles().count == 5 && keys == Array(105..<110))
    }
  }

  @Test func `what an earlier launch left goes for nothing before rules have been held against it`() throws {
    let before = SessionDirectory(id: "replay_1_a", in: temporary.url)
    try before.make()
    let budget = FrameBudget(limit: 10 * frame(0).bytes.count)
    let old = FrameStore(before, budget: budget)
    for time in Int64(0)..<10 { #expect(old.keep(frame(time), at: time) != nil) }
    KeptSession(
      owner: "o", record: SessionRecord(id: before.id, startedAt: 0, isTelemetryOnly: false, launch: "before"),
      endedAt: 9
    ).write(before)
    stretches.awaitLook()
    let (store, _) = store(budget)
    #expect(store.keep(frame(100), at: 100) == nil)
    // It crashed soon after.
    stretches.name(8...9, in: "before")
    stretches.looked()
    for time in Int64(101)..<110 { #expect(store.keep(frame(time), at: time) != nil) }
    #expect(before.frameFiles().map(\.timestamp) == [8, 9])
  }

  @Test func `what stays because the disk keeps it still ends what is before it`() {
    let (store, _) = store(FrameBudget())
    for time in Int64(0)..<30 { _ = store.keep(frame(time, isKey: time % 10 == 0), at: time) }
    let segments = FrameSegments(directory: directory, budget: FrameBudget())
    let second = Set(directory.frameFiles()[10..<20].map(\.number))
    #expect(segments.next(isOver: true, now: 0, except: second, mayGo: .within([15...15])) == nil)
    #expect(segments.next(isOver: true, now: 0, except: second, mayGo: .within([9...9]))?.segment?.startTime == 0)
  }

  @Test func `a segment stays where there can be no hole in its place`() throws {
    let budget = FrameBudget()
    let (store, _) = store(budget)
    for time in Int64(0)..<30 { _ = store.keep(frame(time, isKey: time % 10 == 0), at: time) }
    let second = Array(directory.frameFiles()[10..<20])
    let hole = directory.frames.appendingPathComponent(FrameHole.name(of: second[0]))
    try FileManager.default.createDirectory(
      at: hole.appendingPathComponent("in the way"), withIntermediateDirectories: true)
    let segments = FrameSegments(directory: directory, budget: budget)
    let taken = budget.taken
    #expect(segments.remove(second) == second)
    #expect(directory.frameFiles().count == 30 && budget.taken == taken)
    try FileManager.default.removeItem(at: hole)
    #expect(segments.remove(second).isEmpty)
    #expect(directory.frameFiles().count == 20 && budget.taken < taken)
    #expect(directory.listing().holes == [10: 10])
    #expect(directory.size(of: FrameFile(number: 10, timestamp: 10, isKey: true)) == 0)
    #expect(try FileManager.default.attributesOfItem(atPath: hole.path)[.size] as? Int == 0)
  }

  @Test func `a frame that is larger than all of the room costs nothing`() {
    let (store, _) = store(FrameBudget(limit: 1000))
    for time in Int64(0)..<5 { _ = store.keep(frame(time), at: time) }
    #expect(store.keep(frame(5, size: 5000), at: 5) == nil)
    #expect(keys == Array(0..<5))
  }

  @Test func `what is left of a segment that was removed in part is nothing of the one before it`() throws {
    let (store, _) = store(FrameBudget())
    for time in Int64(0)..<30 { _ = store.keep(frame(time, isKey: time % 10 == 0), at: time) }
    // As after a kill while the second one was removed.
    FrameSegments(directory: directory, budget: FrameBudget()).remove(Array(directory.frameFiles()[10..<15]))
    let segments = FrameSegments(directory: directory, budget: FrameBudget())
    let next = try #require(segments.next(isOver: true, now: 0, after: nil, mayGo: .within([5...5])))
    #expect(try #require(frames(in: next.segment?.content ?? Data())).map(\.timestamp) == Array(0..<10))
  }
}
