import AutoMobileHTTP
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// Rules that leave the bodies of requests on the device.
@Suite struct BodiesTests {
  private let bare = UploadRule(
    "bare", when: .log(atLeast: .error), send: UploadSpan(minutesBefore: 1, minutesAfter: 1, bodies: false))

  private func whole(_ priority: Int = 1) -> UploadRule {
    UploadRule(
      "whole", when: .log(atLeast: .fault), send: UploadSpan(minutesBefore: 0.2, minutesAfter: 0, priority: priority))
  }

  private let ask = UploadAsk(
    id: "1", subject: .session("session 1"), from: 0, to: .max, reason: nil, priority: 6)

  /// A request each second, by a number.
  private func record(_ seconds: Range<Int>, faultAt fault: Int? = nil, errorAt error: Int?, in journal: Journal) {
    for second in seconds {
      let at = KeepingBench.start + Int64(second) * 1000
      journal.appendSurely(
        #"{"eventType":"network_request","timestamp":\#(at),"url":"u","method":"POST","responseBodySize":\#(second),"#
          + #""name":"event \#(second)","requestBody":"secret \#(second)","responseBody":"c2VjcmV0","#
          + #""responseBodyEncoding":"base64","contextId":1}"#)
      if second == error || second == fault {
        journal.log(1000 + second, at: Double(second), level: second == fault ? .fault : .error)
      }
    }
  }

  /// The numbers of the requests that came with their bodies, and of those that came without.
  private func came(_ receiver: TestReceiver, _ launch: LaunchID) -> (whole: [Int], bare: [Int]) {
    var came: (whole: [Int], bare: [Int]) = ([], [])
    for (_, json) in (receiver.store.events[launch] ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard json.contains("network_request"), let name = json.firstMatch(of: /"event (\d+)"/), let number = Int(name.1)
      else { continue }
      let isBare =
        json.contains(#""requestBodyNotSent":true"#) && json.contains(#""responseBodyNotSent":true"#)
        && !json.contains("ecret") && !json.contains("c2VjcmV0") && !json.contains("responseBodyEncoding")
        && json.contains(#""responseBodySize":\#(number)"#)
      let isWhole =
        json.contains(#""requestBody":"secret \#(number)""#) && json.contains(#""responseBody":"c2VjcmV0""#)
        && json.contains("responseBodyEncoding") && !json.contains("NotSent")
      #expect(isBare != isWhole, "\(json)")
      if isBare { came.bare.append(number) } else { came.whole.append(number) }
    }
    return came
  }

  @Test(arguments: [TestReceiver.Dialect.both, .envelopeOnly])
  func `what a rule without bodies names goes without them, but for what another one wants`(
    dialect: TestReceiver.Dialect
  ) async throws {
    let keeping = try KeepingBench()
    let receiver = try TestReceiver(dialect)
    defer { receiver.stop() }
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    journal.setContext(1)
    record(0..<200, faultAt: 120, errorAt: 100, in: journal)
    let worker = try keeping.worker(journal, to: receiver, keeping.keeper(journal, [bare, whole()]))
    await keeping.settle(worker)
    let came = came(receiver, journal.launch)
    // Also `whole`'s event is an error to `bare`, whose stretch goes on for longer.
    #expect(came.whole == Array(108...120))
    #expect(came.bare == Array(40..<108) + Array(121...180))
    #expect(receiver.store.violations == [] && receiver.store.duplicates == 0)
    // Whoever asks gets those of what has not gone yet; what has gone stays as it is.
    worker.follow(.whenTriggered(UploadRules([bare, whole()])), asks: [ask])
    await keeping.settle(worker)
    let later = self.came(receiver, journal.launch)
    #expect(later.bare == came.bare)
    #expect(later.whole == Array(0..<40) + Array(108...120) + Array(181..<200))
    #expect(receiver.store.violations == [] && receiver.store.duplicates == 0)
    worker.stop(within: 0)
  }

  @Test func `what was read, and did not go, is not known to have gone without bodies`() throws {
    let keeping = try KeepingBench()
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    journal.setContext(1)
    record(0..<200, errorAt: 100, in: journal)
    let keeper = keeping.keeper(journal, [bare])
    keeper.look([])
    let evaluation = try #require(keeper.evaluations[journal.launch])
    let ranges = evaluation.ranges(priority: bare.send.priority)
    guard
      case .chunk(let chunk) = journal.readAhead(
        journal.launch, in: ranges, maximumBytes: 1 << 20, maximumRecords: 30, isUrgent: false)
    else {
      Issue.record("nothing to read")
      return
    }
    let prepared = keeper.prepared(chunk, of: ranges)
    #expect(evaluation.note.bare.isEmpty)
    // An envelope takes only some of it.
    let end = chunk.end(of: 9)
    keeper.goes(prepared, priority: bare.send.priority, to: end)
    #expect(evaluation.note.bare == [chunk.from..<end])
    // Nothing of this was prepared last.
    _ = keeper.prepared(chunk, of: [])
    keeper.goes(prepared, priority: bare.send.priority, to: chunk.to)
    #expect(evaluation.note.bare == [chunk.from..<end])
  }

  @Test func `what went without bodies goes the same way again, when its answer was lost and somebody asks meanwhile`()
    async throws
  {
    let keeping = try KeepingBench()
    let isLost = Locked(true)
    // It has answered what format it takes.
    let receiver = try TestReceiver { $0 > 0 && isLost.withLock { $0 } ? .takeAndSay(.close) : .take }
    defer { receiver.stop() }
    let first = try keeping.bench.journal()
    first.setContext(1)
    record(0..<200, errorAt: 100, in: first)
    let worker = try keeping.worker(first, to: receiver, keeping.keeper(first, [bare]))
    worker.wake()
    #expect(await eventually(keeping.clock) { receiver.store.events[first.launch] != nil })
    worker.follow(.whenTriggered(UploadRules([bare])), asks: [ask])
    #expect(await eventually(keeping.clock) { receiver.store.duplicates > 0 })
    worker.stop(within: 0)
    let launch = first.launch
    first.closeAndWait()
    // The next launch knows it, too.
    let before = receiver.store.duplicates
    let journal = try await keeping.journal(after: launch)
    defer { journal.closeAndWait() }
    isLost.withLock { $0 = false }
    let next = try keeping.worker(journal, to: receiver, keeping.keeper(journal, [bare], asks: [ask]))
    await keeping.settle(next)
    #expect(receiver.store.duplicates > before)
    #expect(receiver.store.violations == [], "one record, two contents")
    let came = came(receiver, launch)
    #expect(came.bare == Array(40...160) && came.whole == Array(0..<40) + Array(161..<200))
    next.stop(within: 0)
  }

  @Test func `a rule that wants bodies from now on has those of the minutes before, as far as they have not gone`()
    async throws
  {
    func rule(_ bodies: Bool) -> UploadRule {
      UploadRule(
        "errors", when: .log(atLeast: .error), send: UploadSpan(minutesBefore: 1, minutesAfter: 0, bodies: bodies))
    }
    let keeping = try KeepingBench()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let journal = try keeping.bench.journal()
    defer { journal.closeAndWait() }
    journal.setContext(1)
    record(0..<111, errorAt: 100, in: journal)
    let keeper = keeping.keeper(journal, [rule(false)])
    keeper.look([])
    keeper.follow(.whenTriggered(UploadRules([rule(true)])))
    record(111..<200, errorAt: 130, in: journal)
    let worker = try keeping.worker(journal, to: receiver, keeper)
    await keeping.settle(worker)
    let came = came(receiver, journal.launch)
    #expect(came.bare == Array(40..<70) && came.whole == Array(70...130))
    #expect(receiver.store.violations == [] && receiver.store.duplicates == 0)
    worker.stop(within: 0)
  }

  @Test func `marks and notes of a version that knew no bodies are read as they were meant`() throws {
    let note = try JSONDecoder().decode(
      LaunchNote.self,
      from: Data(
        #"{"format":1,"evaluated":8,"askedTo":0,"lastAt":5,"marks":[{"name":"rule:a","from":0,"priority":5}],"sessions":[],"asked":[],"asking":[]}"#
          .utf8))
    #expect(note.marks.map(\.bodies) == [true] && note.bare == [])
    var later = note
    later.marks[0].bodies = false
    later.bare = [0..<8, 16..<24]
    #expect(try JSONDecoder().decode(LaunchNote.self, from: JSONEncoder().encode(later)) == later)
  }

  @Test func `ranges are taken away from ranges`() {
    let ranges: [Range<UInt64>] = [0..<10, 20..<30, 40..<50]
    #expect(JoinedRanges.difference(ranges, []) == ranges)
    #expect(JoinedRanges.difference(ranges, [5..<25, 29..<41, 60..<70]) == [0..<5, 25..<29, 41..<50])
    #expect(JoinedRanges.difference(ranges, [2..<3, 4..<5]) == [0..<2, 3..<4, 5..<10, 20..<30, 40..<50])
    #expect(JoinedRanges.difference(ranges, [0..<50]) == [])
  }

  // MARK: One event

  private func stripped(_ event: some SdkEvent) throws -> String? {
    try withEncodedEvent(event, contextId: 7) { BodilessEvent.json($0).map { String(decoding: $0, as: UTF8.self) } }
  }

  @Test func `an event without its bodies is the same otherwise, whatever stands in them`() throws {
    var exchange = HTTPExchange(id: "r", startedAt: 5, method: "POST", url: "https://a.example/requestBody")
    let tricky = Data(#"","responseBody":"x"},{"a":[\"#.utf8)
    exchange.requestHeaders = ["requestBody": "a header"]
    exchange.requestBody = HTTPBody(bytes: tricky, size: tricky.count)
    exchange.responseBody = HTTPBody(bytes: Data([0xFF, 0, 0x22]), size: 900)
    let event = SdkNetworkRequestEvent(exchange)
    let whole = try withEncodedEvent(event, contextId: 7) { String(decoding: $0, as: UTF8.self) }
    let json = try #require(try stripped(event))
    var expected = try #require(JSONSerialization.jsonObject(with: Data(whole.utf8)) as? [String: Any])
    for name in [
      "requestBody", "responseBody", "responseBodyEncoding", "requestBodyTruncated", "responseBodyTruncated",
    ] {
      expected[name] = nil
    }
    (expected["requestBodyNotSent"], expected["responseBodyNotSent"]) = (true, true)
    let read = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(NSDictionary(dictionary: read) == NSDictionary(dictionary: expected))
    #expect(json.hasSuffix(#","contextId":7}"#), "whoever expands it looks for this at the end")
    #expect(try stripped(event) == json)
  }

  @Test func `a frame of a WebSocket goes without its payload, and what has no body goes as it is`() throws {
    let frame = SdkWebSocketFrameEvent(
      timestamp: 1, url: "u", direction: .received, frameType: .binary,
      payload: HTTPBody(bytes: Data([0xFF, 1]), size: 2),
      requestId: "r")
    let json = try #require(try stripped(frame))
    #expect(json.contains(#""payloadNotSent":true"#) && json.contains(#""payloadSize":2"#))
    #expect(!json.contains(#""payload":"#) && !json.contains("payloadEncoding"))
    #expect(try stripped(SdkNetworkRequestEvent(url: "u", method: "GET", responseBody: "")) == nil)
    #expect(try stripped(SdkLogEvent(level: .info, tag: nil, message: "requestBody", filterName: "f")) == nil)
    #expect(try stripped(SdkCustomEvent(name: "c", properties: ["responseBody": "mine"])) == nil)
  }

  @Test func `what is no JSON to its end is left as it is`() {
    for json in [
      #"{"eventType":"network_request","responseBody":"x""#, #"{"eventType":"network_request","responseBody":"x",7}"#,
    ] {
      #expect(Array(json.utf8).withUnsafeBytes { BodilessEvent.json($0) } == nil)
    }
  }
}
