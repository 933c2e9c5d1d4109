import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct `The kept document` {
  private let directory: TemporaryDirectory
  private let cache: ControlCache
  private let off = Data(#"{"version":7,"issuer":"a","recording":{"enabled":false}}"#.utf8)

  init() throws {
    directory = try TemporaryDirectory()
    cache = ControlCache(directory: directory.url, owner: "com.example", endpoint: "http://a/sdk-events")
  }

  private var entry: ControlCache.Entry { ControlCache.Entry(document: off, tag: "7-a", checkedAt: 5) }

  @Test func `it comes back as it was, and is marked when it switches recording off`() throws {
    #expect(cache.load() == .nothing && !cache.isMarkedOff)
    try cache.save(entry, isOff: true)
    #expect(cache.load() == .entry(entry) && cache.isMarkedOff)
    try cache.save(entry, isOff: false)
    #expect(cache.load() == .entry(entry) && !cache.isMarkedOff)
    #expect(directory.names == ["control-com.example.json"])
  }

  @Test func `one of another collector says nothing, and one of another app is another file`() throws {
    try cache.save(entry, isOff: true)
    let elsewhere = ControlCache(directory: directory.url, owner: "com.example", endpoint: "http://b/sdk-events")
    #expect(elsewhere.load() == .foreign)
    let other = ControlCache(directory: directory.url, owner: "com.example/../x", endpoint: "http://a/sdk-events")
    #expect(other.load() == .nothing && !other.isMarkedOff)
    try other.save(entry, isOff: false)
    #expect(directory.names.contains("control-com.example_.._x.json"))
  }

  @Test func `damaged and huge files are no documents`() throws {
    let file = directory.file("control-com.example.json")
    try cache.save(entry, isOff: false)
    let whole = try Data(contentsOf: file)
    for length in 0..<whole.count {
      try whole.prefix(length).write(to: file)
      if case .entry(let entry) = cache.load() {
        // The line about it is whole: the document itself is checked by whoever reads it.
        #expect(throws: ControlError.self) { try ControlDocument(json: entry.document) }
      }
    }
    try Data(repeating: 0x7B, count: 1 << 20).write(to: file)
    #expect(cache.load() == .nothing)
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    #expect(cache.load() == .nothing)
  }

  @Test func `of a damaged document that had switched recording off the switch is left`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let bench = try ControlBench()
    collector.set(7, #""recording":{"enabled":false}"#)
    let first = try #require(bench.channel(to: collector.url))
    first.start()
    #expect(await eventually { first.wasSwitchedOff })
    first.stop()
    first.queue.sync {}
    try Data("{".utf8).write(to: bench.directory.file("control-com.example.json"))
    collector.answerConfig(.close)
    let second = try #require(bench.channel(to: collector.url))
    second.start()
    #expect(await eventually { second.status.lastError != nil })
    #expect(!second.status.isRecordingAllowed)
    collector.set(1, "", issuer: "new")
    #expect(await eventually(bench.clock) { second.status.isRecordingAllowed })
    #expect(await eventually { !second.wasSwitchedOff })
  }

  @Test func `killed between the mark and the document, an app is off until a collector says otherwise`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let bench = try ControlBench()
    collector.set(7, #""recording":{"enabled":true},"sampling":{"sessionRate":0.5}"#)
    let first = try #require(bench.channel(to: collector.url))
    first.start()
    #expect(await eventually { bench.directory.names == ["control-com.example.json"] })
    first.stop()
    first.queue.sync {}
    // What is written first when recording is switched off.
    try bench.cache(for: collector.url).mark(true)
    collector.answerConfig(.close)
    let second = try #require(bench.channel(to: collector.url))
    #expect(second.wasSwitchedOff)
    let told = Locked<[Bool]>([])
    second.observe(RecordingSection.self) { section in told.withLock { $0.append(section.isEnabled) } }
    second.start()
    #expect(await eventually { second.status.lastError != nil })
    #expect(!second.status.isRecordingAllowed && second.wasSwitchedOff)
    #expect(second.status.sessionRate == 0.5)
    #expect(told.withLock { $0 } == [false], "not on for a moment either")
    collector.set(7, #""recording":{"enabled":true},"sampling":{"sessionRate":0.5}"#)
    #expect(await eventually(bench.clock) { second.status.isRecordingAllowed })
    #expect(await eventually { !second.wasSwitchedOff })
    second.stop()
  }

  @Test func `a directory that cannot be written costs the memory of it, and nothing else`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let bench = try ControlBench()
    try FileManager.default.removeItem(at: bench.directory.url)
    collector.set(7, #""recording":{"enabled":false}"#)
    let channel = try #require(bench.channel(to: collector.url))
    channel.start()
    #expect(await eventually { !channel.status.isRecordingAllowed })
    #expect(await eventually { channel.status.log.contains { $0.kind == .failed } })
  }

  @Test func `a document whose file has gone is kept again when the collector confirms it`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let bench = try ControlBench()
    collector.set(1, #""recording":{"enabled":false}"#)
    let channel = try #require(bench.channel(to: collector.url))
    channel.start()
    #expect(await eventually { channel.status.version == 1 && channel.status.lastCheck != nil })
    let names = bench.directory.names
    #expect(names == ["control-com.example.json", "control-com.example.off"])
    for name in names { try FileManager.default.removeItem(at: bench.directory.file(name)) }
    #expect(await eventually(bench.clock) { bench.directory.names == names })
    // The file is there before the status says so.
    #expect(await eventually { channel.status.lastStatusCode == 304 })
    channel.stop()
  }
}
