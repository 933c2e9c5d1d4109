import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

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

  @Test func `a batch is a file as AutoMobile's own SDK writes and reads it`() throws {
    let id = try #require(
      persistence().persist([
        SdkCustomEvent(timestamp: 5, name: "a"),
        SdkHangEvent(timestamp: 6, durationMs: 1, stackTrace: nil, bundleId: "b"),
      ]))
    #expect(id.hasPrefix("1700000000000_"))
    #expect(directory.names == ["events_\(id).json"])
    let file = try Data(contentsOf: directory.file("events_\(id).json"))
    let entries = try #require(try JSONSerialization.jsonObject(with: file) as? [[String: String]])
    #expect(entries.map { $0["eventType"] } == ["custom", "hang"])
    #expect(entries.allSatisfy { Set($0.keys) == ["eventType", "payload"] })
    let payload = try #require(entries.first?["payload"].flatMap { Data(base64Encoded: $0) })
    let event = try #require(try JSONSerialization.jsonObject(with: payload) as? [String: Any])
    #expect(event["eventType"] as? String == "custom" && event["timestamp"] as? Int == 5)
  }

  @Test func `what AutoMobile's own SDK has written comes back, by the time in its name`() throws {
    func write(_ name: String, _ events: [String]) throws {
      let entries = events.map { name in
        let payload = Data(#"{"eventType":"custom","timestamp":1,"name":"\#(name)","properties":{}}"#.utf8)
        return ["eventType": "custom", "payload": payload.base64EncodedString()]
      }
      try JSONSerialization.data(withJSONObject: entries).write(to: directory.file(name))
    }
    try write("events_1700000000200_0D9B9C05-9B7E-4C64-A3E0-46F2E0C0B3A1.json", ["3"])
    try write("events_1700000000100_FD9B9C05-9B7E-4C64-A3E0-46F2E0C0B3A1.json", ["1", "2"])
    let persistence = persistence()
    #expect(names(persistence) == [["1", "2"], ["3"]])
    persistence.removeBatch("1700000000100_FD9B9C05-9B7E-4C64-A3E0-46F2E0C0B3A1")
    #expect(directory.names == ["events_1700000000200_0D9B9C05-9B7E-4C64-A3E0-46F2E0C0B3A1.json"])
  }

  @Test func `a damaged file goes, and the others are still read`() throws {
    let persistence = persistence()
    let id = try #require(persistence.persist([SdkCustomEvent(name: "a"), SdkCustomEvent(name: "b")]))
    persistence.persist([SdkCustomEvent(name: "other")])
    let file = directory.file("events_\(id).json")
    let whole = try Data(contentsOf: file)
    let deep = Data(String(repeating: "[", count: 200_000).utf8)
    let damages = [
      Data(), Data("{}".utf8), Data("[]".utf8), Data([0xFF, 0, 0xFE]), deep,
      Data(#"[{"eventType":"custom","payload":"***"}]"#.utf8), Data(#"[{"eventType":7,"payload":""}]"#.utf8),
      Data(repeating: 32, count: EventFile.maximumSize + 1),
    ]
    for damaged in damages + whole.indices.map({ whole.prefix($0) }) {
      try damaged.write(to: file)
      #expect(names(persistence) == [["other"]])
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
  }

  @Test func `a link goes, and what it leads to stays`() throws {
    try Data("[]".utf8).write(to: directory.file("victim"))
    let link = directory.file("events_1_A.json")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: directory.file("victim"))
    mkfifo(directory.file("events_2_B.json").path, 0o600)
    #expect(names(persistence()).isEmpty)
    #expect(directory.names == ["events_2_B.json", "victim"])
  }

  @Test func `a file that cannot be read now is kept and blocks nothing`() throws {
    let persistence = persistence()
    let id = try #require(persistence.persist([SdkCustomEvent(name: "locked")]))
    persistence.persist([SdkCustomEvent(name: "free")])
    // A directory under the file's name cannot be read as a file, whoever asks, the superuser too.
    let file = directory.file("events_" + id + ".json")
    let bytes = try Data(contentsOf: file)
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    #expect(names(persistence) == [["free"]])
    try FileManager.default.removeItem(at: file)
    try bytes.write(to: file)
    #expect(names(persistence) == [["locked"], ["free"]])
  }

  @Test func `foreign files are left alone, and a foreign name never becomes a path`() throws {
    let foreign = ["events.json", "events_1.json", "events_1_.json", "events_x_A.json", "notes.events", "victim"]
    for name in foreign { try Data("hello".utf8).write(to: directory.file(name)) }
    let persistence = persistence()
    #expect(names(persistence).isEmpty)
    persistence.removeBatch("1_../\(directory.url.lastPathComponent)/victim")
    persistence.removeBatch("victim")
    persistence.cleanup(maxAgeDays: 0)
    #expect(directory.names == foreign)
  }

  @Test func `a directory that cannot be made costs the batch, not the app`() throws {
    try Data().write(to: directory.file("file"))
    let persistence = FileEventPersistence(directory: directory.file("file").appendingPathComponent("sub"))
    #expect(persistence.persist([SdkCustomEvent(name: "a")]) == nil)
    #expect(persistence.loadPending().isEmpty)
    persistence.cleanup()
  }
}
