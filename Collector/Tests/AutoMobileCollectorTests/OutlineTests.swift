import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

@Suite struct `A session's outline` {
  private static func running(_ array: [JSONValue]) -> [Int] {
    var sum = 0
    return array.map { value in
      sum += value.int ?? 0
      return sum
    }
  }

  @Test func `has of every event its time, type, severity and length, in the order of time`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s 1/ü")
      batch.addLog("later", at: 500)
      batch.addNavigation(to: "Menu", at: 100)
      batch.add(RecordedRequest(url: "https://h/a", status: 404, duration: 12.3, at: 200))
      batch.add(RecordedRequest(url: "https://h/b", status: 500, duration: 3, at: 300))
      batch.add(.event, #"{"eventType":"log","timestamp":400,"level":4,"tag":"net","message":"x","contextId":1}"#)
      batch.add(.event, #"{"eventType":"log","timestamp":401,"level":3,"tag":"net","message":"x","contextId":1}"#)
      batch.add(.event, #"{"eventType":"log","timestamp":402,"level":1e300,"tag":7,"contextId":1,"durationMs":-1}"#)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 7)
      let path = "/api/sessions/\("s 1/ü".inQuery)/outline"
      let outline = try await collector.json(path)
      #expect(Self.running(outline["times"].array) == [100, 200, 300, 400, 401, 402, 500])
      let names = outline["typeNames"].array.map { $0.string }
      #expect(
        outline["types"].array.map { names[$0.int ?? 0] }
          == ["navigation", "network_request", "network_request", "log", "log", "log", "log"])
      #expect(outline["severities"].array.map { $0.int } == [2, 4, 4, 4, 3, 2, 2])
      #expect(outline["durations"].array.map { $0.int } == [-1, 13, 3, -1, -1, -1, -1])
      let origins = outline["origins"].array.map { $0.int }
      #expect(origins[3] == origins[4] && origins[4] != origins[5])
      #expect(outline["screens"].array.map { $0[1].string } == ["Menu"])
      #expect(outline["launchNames"][0].string == batch.launch.description)
      #expect(outline["complete"].bool == true)

      let ids = Self.running(outline["ids"].array)
      #expect(outline["newest"].int == ids.max())
      let newer = try await collector.json("\(path)?newer=\(ids.sorted()[4])")
      #expect(Self.running(newer["ids"].array).sorted() == Array(ids.sorted()[5...]))
      let found = try await collector.json("\(path)?q=net%20%22x%22")
      #expect(Self.running(found["times"].array) == [400, 401])

      let events = try await collector.json("/api/sessions/\("s 1/ü".inQuery)/events?ids=\(ids[1]),\(ids[3]),999999")
      #expect(events["events"].array.map { $0["id"].int } == [ids[1], ids[3]])
    }
  }

  @Test func `is given out packed as well, and says the same`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s")
      batch.addNavigation(to: "Menü", at: 100)
      for index in 0..<300 { batch.addLog("entry \(index)", at: 200 + index) }
      batch.add(RecordedRequest(url: "https://h/a", status: 404, duration: 12.3, at: 150))
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 302)
      let json = try await collector.json("/api/sessions/s/outline")
      let answer = try await collector.get(
        "/api/sessions/s/outline", headers: [("Accept", "application/vnd.automobile.outline")])
      #expect(answer.headers.first(name: "Content-Type") == "application/vnd.automobile.outline")
      var body = answer.body
      let first = body.readInteger(endianness: .little, as: UInt32.self)
      let length = Int(try #require(first))
      #expect((4 + length) % 8 == 0)
      let bytes = body.readBytes(length: length)
      let head = try JSONDecoder().decode(JSONValue.self, from: Data(try #require(bytes)))
      #expect(head["count"].int == 302 && head["screens"] == json["screens"])
      #expect(head["typeNames"] == json["typeNames"] && head["newest"] == json["newest"])
      func column<Number: FixedWidthInteger>(_ type: Number.Type) throws -> [Int] {
        try (0..<302).map { _ in
          let number = body.readInteger(endianness: .little, as: type)
          return Int(try #require(number))
        }
      }
      func doubles() throws -> [Int] {
        try column(UInt64.self).map { Int(Double(bitPattern: UInt64($0))) }
      }
      #expect(try doubles() == Self.running(json["times"].array))
      #expect(try doubles() == Self.running(json["ids"].array))
      #expect(try column(Int32.self) == json["durations"].array.compactMap { $0.int })
      #expect(try column(UInt32.self) == json["origins"].array.compactMap { $0.int })
      #expect(try column(UInt16.self) == json["types"].array.compactMap { $0.int })
      #expect(try column(UInt16.self) == json["launches"].array.compactMap { $0.int })
      #expect(try column(UInt8.self) == json["severities"].array.compactMap { $0.int })
      #expect(body.readableBytes == 0)
    }
  }

  @Test func `frames and the launch have types of their own, other custom events have not`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s")
      for (time, name) in ["App Launch", "Frames", "frames", "Frames"].enumerated() {
        batch.add(.event, #"{"eventType":"custom","timestamp":\#(time),"name":"\#(name)","contextId":1}"#)
      }
      batch.add(.event, #"{"eventType":"log","timestamp":9,"level":2,"tag":"Frames","message":"x","contextId":1}"#)
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 5)
      let outline = try await collector.json("/api/sessions/s/outline")
      let names = outline["typeNames"].array.map { $0.string }
      #expect(
        outline["types"].array.map { names[$0.int ?? 0] } == ["app_launch", "frames", "custom", "frames", "log"])
    }
  }

  @Test(arguments: [
    ("/api/sessions/nobody/outline", 404), ("/api/sessions/nobody/outline?newer=x", 400),
    ("/api/sessions/s/events?ids=1,x", 400),
    ("/api/sessions/s/events?ids=,", 400),
  ])
  func `what is not there or cannot be asked is told`(path: String, status: Int) async throws {
    try await RunningCollector.with { collector in
      let answer = try await collector.get(path)
      #expect(answer.status == status)
    }
  }

  @Test func `events that were stored before there were outlines get theirs`() async throws {
    let directory = try TemporaryDirectory()
    let batch = {
      var batch = RawBatch()
      batch.addContext(1, session: "s")
      batch.add(.event, #"{"eventType":"log","timestamp":400,"level":4,"tag":"net","message":"x","contextId":1}"#)
      batch.add(RecordedRequest(url: "https://h/a", status: 200, duration: 12.3, at: 500))
      return batch
    }()
    try await RunningCollector.with(directory: directory.url) { collector in
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 2)
    }
    // As it was before the migration.
    let database = try DatabaseQueue(path: directory.url.appending(path: "index.sqlite").path)
    try await database.write { database in
      try database.execute(
        sql: """
          DROP INDEX event_outline; DROP INDEX network_failed_session; DROP INDEX event_error;
          ALTER TABLE event DROP COLUMN severity; ALTER TABLE event DROP COLUMN duration;
          ALTER TABLE event DROP COLUMN origin; CREATE INDEX event_session ON event(session, timestamp);
          DELETE FROM grdb_migrations WHERE identifier LIKE '6: outlines%' OR identifier LIKE '16: errors%';
          """)
    }
    try database.close()
    try await RunningCollector.with(directory: directory.url) { collector in
      let outline = try await collector.json("/api/sessions/s/outline")
      #expect(outline["severities"].array.map { $0.int } == [4, 2])
      #expect(outline["durations"].array.map { $0.int } == [-1, 13])
    }
  }
}
