import AutoMobileJournal
import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

/// Somebody whose name and words are nowhere else: what is left of them can be looked for in files.
struct ErasureStory {
  /// One word, in small letters, that begins like no other one: the full text index writes a word as what it adds to the one before.
  let marker: String
  /// Sessions, users and replays are called so: these names stand in the audit log when somebody has looked at them.
  let name: String
  let session: String
  let user: String
  private(set) var batch: RawBatch

  static let start = 1_700_000_000_000

  /// - Parameter events: logs, beside one of each kind that leaves a trace somewhere.
  init(_ marker: String, launch: LaunchID = LaunchID(), from: UInt64 = 0, at start: Int = start, events: Int = 30) {
    self.marker = marker
    name = String(marker.reversed())
    session = "\(name)session"
    user = "\(name)user"
    batch = RawBatch(launch: launch, from: from)
    batch.addContext(1, session: session, user: user, tags: ["plan": "\(marker)tag"])
    for index in 0..<events { batch.addLog("\(marker)log number\(index)", at: start + index, level: index % 5) }
    batch.addNavigation(to: "\(marker)screen", at: start)
    batch.add(
      .breadcrumb, "{\"timestamp\":\(start / 1000).25,\"category\":\"custom\",\"message\":\"\(marker)crumb\"}")
    batch.addCustom("App Launch", "\"kind\":\"cold\",\"totalMs\":400", at: start)
    batch.addCustom("Frames", "\"screen\":\"\(marker)frames\",\"frames\":60", at: start)
    func event(_ members: String) { batch.add(.event, "{\(members),\"timestamp\":\(start),\"contextId\":1}") }
    event(
      """
      "eventType":"network_request","url":"https://\(marker)host.example/\(marker)path?q=\(marker)query","method":"GET","statusCode":500,\
      "durationMs":12
      """)
    event("\"eventType\":\"hang\",\"durationMs\":2500,\"bundleId\":\"dev.example.shop\"")
    event(
      """
      "eventType":"handled_exception","errorDomain":"PaymentError","errorMessage":"\(marker)failure","bundleId":"dev.example.shop",\
      "stackTrace":"0 Shop 0x1 pay + 4"
      """)
    // One problem of all, and each says something else.
    event(
      """
      "eventType":"crash","errorDomain":"NSRangeException","errorMessage":"\(marker)reason","bundleId":"dev.example.shop",\
      "stackTrace":"0 Shop 0x1 pay + 4"
      """)
    event(
      """
      "eventType":"span","traceId":"\(Self.hexadecimal(marker, 32))","spanId":"\(Self.hexadecimal(marker, 16))","name":"\(marker)span",\
      "durationMs":5
      """)
    event("\"eventType\":\"\(marker)type\",\"text\":\"own\"")
    event(
      """
      "eventType":"lifecycle","state":"previous_launch_ended","details":{"launchId":"\(LaunchID())","verdict":"crash",\
      "evidence":"\(marker)evidence"}
      """)
    // No JSON: it is put aside.
    batch.add(.event, "{\"eventType\":\"log\",\(marker)broken")
  }

  private static func hexadecimal(_ text: String, _ length: Int) -> String {
    String(SHA256.hex(Array(text.utf8)).prefix(length))
  }

  /// Events that are stored: all but the breadcrumb and the one that is put aside.
  static func stored(events: Int = 30) -> Int { events + 10 }

  /// Sends it with a replay, whose pictures have the word inside of what is compressed.
  func send(to collector: RunningCollector) async throws -> ReplaySender.Segment {
    try await collector.post(raw: batch)
    let segment = picture
    let sender = ReplaySender(collector: collector, replay: "\(name)replay", sessions: [session])
    #expect(try await sender.upload(segment).allSatisfy { $0 < 300 })
    let fault = try await sender.post(
      "fault",
      [
        "incidentId": .string("\(name)incident"), "sessionId": .string("\(name)replay"),
        "timestampMs": .integer(ReplaySender.start), "category": .string("crash"), "detail": .string("\(marker)fault"),
      ])
    #expect(fault.status == 200)
    return segment
  }

  var picture: ReplaySender.Segment { ReplaySender.Segment("\(marker)picture", kind: "hierarchy") }
}

/// Looks into every file of a directory.
enum FileSearch {
  /// Those that hold a word, in whatever letters, or these bytes, with where.
  static func files(in directory: URL, with word: String, or bytes: [UInt8] = []) throws -> [String] {
    var found: [String] = []
    let all = FileManager.default.enumerator(at: directory, includingPropertiesForKeys: nil)
    while let file = all?.nextObject() as? URL {
      guard let data = try? Data(contentsOf: file, options: .alwaysMapped) else { continue }
      let small = Data(data.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
      if let place = small.range(of: Data(word.utf8)) {
        let around = small[max(0, place.lowerBound - 40)..<min(small.count, place.upperBound + 40)]
        found.append("\(file.lastPathComponent) at \(place.lowerBound): \(String(decoding: around, as: UTF8.self))")
      }
      if !bytes.isEmpty, data.range(of: Data(bytes)) != nil { found.append("\(file.lastPathComponent), compressed") }
    }
    return found
  }
}

extension RunningCollector {
  /// Asks for an erasure, and waits until it is done.
  func erase(_ body: String, headers: [(String, String)] = []) async throws -> JSONValue {
    let begun = try await post("/api/erasures", body, headers: headers)
    #expect(begun.status == 200, "\(begun.text)")
    let id = try #require(try begun.json()["id"].int)
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      let erasure = try await get("/api/erasures/\(id)", headers: headers).json()
      if erasure["step"].string == "done" { return erasure }
      try #require(ContinuousClock.now < deadline, "it is not done: \(erasure)")
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}
