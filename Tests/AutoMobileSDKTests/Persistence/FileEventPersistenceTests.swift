import Foundation
import Testing

@testable import AutoMobileSDK

@Suite struct FileEventPersistenceTests {
  private let directory: TemporaryDirectory
  private let wall = Locked<Int64>(1_700_000_000_000)
  private let continuous = Locked<Int64>(0)
  private static let day: Int64 = 86_400_000

  init() throws { directory = try TemporaryDirectory() }

  private func persistence() -> FileEventPersistence {
    FileEventPersistence(
      directory: directory.url, wallClock: { [wall] in wall.withLock { $0 } },
      continuousClock: { [continuous] in continuous.withLock { $0 } })
  }

  private func names(_ persistence: FileEventPersistence) -> [[String]] {
    persistence.loadPending().map { $0.events.compactMap { ($0 as? SdkCustomEvent)?.name } }
  }

  @Test func `batches come back whole, in the order of writing, until they are removed`() throws {
    let first = persistence()
    let a = try #require(first.persist([SdkCustomEvent(name: "1"), SdkCustomEvent(name: "2")]))
    first.persist([SdkCustomEvent(name: "3")])
    let second = persistence()
    second.persist([SdkCustomEvent(name: "4")])
    #expect(names(second) == [["1", "2"], ["3"], ["4"]])
    #expect(second.loadPending().first?.batchId == a)
    second.removeBatch(a)
    second.removeBatch(a)
    #expect(names(first) == [["3"], ["4"]])
  }

  @Test func `every type of event comes back as what it was`() throws {
    let persistence = persistence()
    persistence.persist([
      SdkNavigationEvent(timestamp: 1, destination: "/cart", source: .deepLink, arguments: ["id": "7"]),
      SdkLogEvent(timestamp: 2, level: .error, tag: nil, message: "\"\u{2028}", filterName: "all"),
      SdkCustomEvent(timestamp: 3, name: "typed", properties: ["n": 3, "none": nil]),
    ])
    let events = try #require(persistence.loadPending().first?.events)
    let navigation = try #require(events[0] as? SdkNavigationEvent)
    #expect(navigation.destination == "/cart" && navigation.arguments == ["id": "7"] && navigation.timestamp == 1)
    #expect((events[1] as? SdkLogEvent)?.message == "\"\u{2028}")
    #expect((events[2] as? SdkCustomEvent)?.typedProperties == ["n": 3, "none": .null])
  }

  @Test func `an empty batch is none`() {
    #expect(persistence().persist([]) == nil)
    #expect(directory.names.isEmpty)
  }

  @Test func `order survives a clock that goes back, across launches`() {
    persistence().persist([SdkCustomEvent(name: "1")])
    wall.withLock { $0 -= 400 * Self.day }
    let next = persistence()
    next.persist([SdkCustomEvent(name: "2")])
    next.persist([SdkCustomEvent(name: "3")])
    #expect(names(next) == [["1"], ["2"], ["3"]])
  }

  @Test(arguments: [-400, 400]) func `a clock that jumps does not cost the batch just written`(days: Int64) {
    let persistence = persistence()
    persistence.persist([SdkCustomEvent(name: "fresh")])
    wall.withLock { $0 += days * Self.day }
    persistence.cleanup()
    #expect(names(persistence) == [["fresh"]])
  }

  @Test func `what is older than seven days goes, and nothing younger`() {
    persistence().persist([SdkCustomEvent(name: "old")])
    wall.withLock { $0 += 7 * Self.day }
    continuous.withLock { $0 += 7 * Self.day }
    let next = persistence()
    next.persist([SdkCustomEvent(name: "new")])
    next.cleanup()
    #expect(names(next) == [["old"], ["new"]])
    wall.withLock { $0 += 1 }
    next.cleanup()
    #expect(names(next) == [["new"]])
    continuous.withLock { $0 += 7 * Self.day + 1 }
    next.cleanup(maxAgeDays: 7)
    #expect(names(next).isEmpty)
    next.cleanup(maxAgeDays: .max)
    next.cleanup(maxAgeDays: .min)
  }

  @Test func `every flipped byte and every cut sets the file aside, and the others are still read`() throws {
    let persistence = persistence()
    let id = try #require(persistence.persist([SdkCustomEvent(name: "a"), SdkCustomEvent(name: "b")]))
    persistence.persist([SdkCustomEvent(name: "other")])
    let file = directory.file(id + ".events")
    let whole = try Data(contentsOf: file)
    var damages = whole.indices.map { index in
      var bytes = whole
      bytes[index] ^= 0x10
      return bytes
    }
    damages += whole.indices.map { whole.prefix($0) }
    for (number, damaged) in damages.enumerated() {
      try damaged.write(to: file)
      let left = names(persistence)
      // The filling between two records belongs to neither, and may be anything.
      guard left == [["other"]] || left == [["a", "b"], ["other"]] else {
        Issue.record("damage \(number) left \(left)")
        return
      }
      if left.count == 1 {
        #expect(FileManager.default.fileExists(atPath: directory.file(id + ".damaged").path))
        try FileManager.default.removeItem(at: directory.file(id + ".damaged"))
      } else {
        #expect(number < whole.count)
      }
    }
  }

  @Test func `a file that cannot be read now is kept and blocks nothing`() throws {
    let persistence = persistence()
    let id = try #require(persistence.persist([SdkCustomEvent(name: "locked")]))
    persistence.persist([SdkCustomEvent(name: "free")])
    // A directory under the file's name cannot be read as a file, whoever asks, the superuser too.
    let file = directory.file(id + ".events")
    let bytes = try Data(contentsOf: file)
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    #expect(names(persistence) == [["free"]])
    try FileManager.default.removeItem(at: file)
    try bytes.write(to: file)
    #expect(names(persistence) == [["locked"], ["free"]])
  }

  @Test func `foreign files are left alone, and a foreign name never becomes a path`() throws {
    try Data("hello".utf8).write(to: directory.file("notes.events"))
    try Data("hello".utf8).write(to: directory.file("victim"))
    let persistence = persistence()
    #expect(names(persistence).isEmpty)
    persistence.removeBatch("../\(directory.url.lastPathComponent)/victim")
    persistence.removeBatch("victim")
    persistence.cleanup(maxAgeDays: 0)
    #expect(directory.names == ["notes.events", "victim"])
  }

  @Test func `a directory that cannot be made costs the batch, not the app`() throws {
    try Data().write(to: directory.file("file"))
    let persistence = FileEventPersistence(directory: directory.file("file").appendingPathComponent("sub"))
    #expect(persistence.persist([SdkCustomEvent(name: "a")]) == nil)
    #expect(persistence.loadPending().isEmpty)
    persistence.cleanup()
  }
}
