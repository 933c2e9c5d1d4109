import AutoMobileJournal
import Foundation

/// What a thousand people did with an app, as the SDK would have recorded it: a mixture of all kinds of events.
struct Story {
  let sessions: Int
  let events: Int

  static let app = "com.example.roastery"
  private static let batch = 500
  static let words = [
    "menu", "basket", "payment", "profile", "promotion", "product", "profile", "progress", "espresso", "flat", "white",
  ]

  /// Sends it over a few connections, one launch and one session after the other on each.
  func send(to port: Int) throws {
    let threads = 4
    let group = DispatchGroup()
    let failed = Flag()
    for thread in 0..<threads {
      group.enter()
      Thread.detachNewThread {
        defer { group.leave() }
        do {
          let connection = try Connection(port: port)
          for session in stride(from: thread, to: sessions, by: threads) {
            try send(session, over: connection)
          }
        } catch {
          failed.set()
        }
      }
    }
    group.wait()
    if failed.isSet { throw Failure("the collector refused events") }
  }

  private func send(_ session: Int, over connection: Connection) throws {
    let launch = LaunchID()
    let share = share(of: session)
    // Spread over two weeks, up to now.
    let begin = Int(Date().timeIntervalSince1970 * 1000) - (sessions - session) * 14 * 86_400_000 / sessions
    var delivery = Delivery(launch: launch)
    var sent = 0
    while sent < share {
      delivery.begin(session: session)
      for _ in 0..<min(Self.batch, share - sent) {
        delivery.add(event(sent, of: session, at: begin + sent * 40, isLast: sent == share - 1))
        sent += 1
      }
      let ledger = LaunchLedger(
        recorded: UInt64(sent), dropped: session % 10 == 0 ? ["filtered": UInt64(sent / 100)] : [:], torn: 0,
        final: sent == share)
      // While the index is behind, the collector says no for a while.
      while !connection.exchange(try delivery.request(ledger)) { Thread.sleep(forTimeInterval: 0.5) }
    }
  }

  func share(of session: Int) -> Int { events / sessions + (session < events % sessions ? 1 : 0) }

  func event(_ index: Int, of session: Int, at time: Int, isLast: Bool) -> String {
    let word = Self.word(index, session)
    let head = "\"timestamp\":\(time),\"contextId\":1"
    if isLast, Self.crashes(session) { return crash(session, head) }
    if index == 0 {
      return """
        {"eventType":"custom",\(head),"name":"App Launch","properties":{"kind":"\(session % 3 == 0 ? "warm" : "cold")",\
        "totalMs":\(300 + session * 7 % 900),"preMainMs":\(80 + session % 90)}}
        """
    }
    switch index % 100 {
    case 0..<35:
      return
        "{\"eventType\":\"log\",\(head),\"level\":\(Self.isDeclined(index) ? 4 : 2),\"tag\":\"\(word)\",\"message\":\"message \(index) of the roastery, \(Self.isDeclined(index) ? "card declined" : "\(word) shown")\",\"filterName\":\"all\"}"
    case 35..<55:
      let place = Self.isCheckout(index) ? "checkout" : word
      return """
        {"eventType":"network_request",\(head),"url":"https://\(Self.host(index))/v1/\(place)/\(index)?page=\(index % 7)",\
        "method":"\(index % 5 == 0 ? "POST" : "GET")","statusCode":\(Self.status(index)),"durationMs":\(20 + index * 13 % 900),\
        "responseBodySize":\(index * 37 % 40_000),"requestHeaders":{"Accept":"application/json"},"contentType":"application/json",\
        "responseBody":"{\\"\(word)\\":\(index)}","path":"/v1/\(place)/\(index)"}
        """
    case 55..<75:
      return
        "{\"eventType\":\"interaction\",\(head),\"interactionType\":\"tap\",\"properties\":{\"x\":\"\(index % 390).0\",\"y\":\"\(index % 844).0\",\"text\":\"\(word) tapped\"}}"
    case 75..<85:
      return
        "{\"eventType\":\"navigation\",\(head),\"destination\":\"\(word.capitalized)\(index % 40)\",\"source\":\"custom\",\"arguments\":{\"id\":\"\(index)\"},\"metadata\":{}}"
    case 85..<87:
      return """
        {"eventType":"custom",\(head),"name":"Frames","properties":{"screen":"\(word.capitalized)\(index % 40)","durationMs":2000,"frames":120,\
        "slow":\(index % 9),"frozen":\(index % 400 == 86 ? 1 : 0),"worstMs":\(17 + index % 90)}}
        """
    case 87..<95:
      return
        "{\"eventType\":\"storage_changed\",\(head),\"suiteName\":null,\"key\":\"\(word)\",\"newValue\":\"\(index)\",\"valueType\":\"int\",\"sequenceNumber\":\(index)}"
    case 95 where Self.isHang(index):
      return
        "{\"eventType\":\"hang\",\(head),\"durationMs\":\(2000 + index % 3000),\"stackTrace\":\"0 \(word.capitalized).layout()\",\"bundleId\":\"com.example.roastery\"}"
    case 96 where Self.isFailure(index):
      return
        "{\"eventType\":\"handled_exception\",\(head),\"errorDomain\":\"\(word.capitalized)Error\",\"errorMessage\":\"no \(index)\",\"stackTrace\":\"0 \(word).load()\",\"bundleId\":\"com.example.roastery\"}"
    default:
      return "{\"eventType\":\"lifecycle\",\(head),\"state\":\"foreground\",\"details\":{}}"
    }
  }

  private func crash(_ session: Int, _ head: String) -> String {
    """
    {"eventType":"crash",\(head),"errorDomain":"SIGSEGV","errorMessage":"payment unicorn\(session)","stackTrace":"0 pay\(session % 12)()\\n1 main",\
    "bundleId":"com.example.roastery","appVersion":"1.\(session % 5)"}
    """
  }
}

/// A delivery in the raw journal format.
struct Delivery {
  let launch: LaunchID
  private let codec: RecordCodec
  private var records: [UInt8] = []
  private var from: UInt64 = 0
  private var position: UInt64 = 0

  init(launch: LaunchID) {
    self.launch = launch
    codec = RecordCodec(launch: launch)
  }

  mutating func begin(session: Int) {
    from = position
    records.removeAll(keepingCapacity: true)
    add(
      .context,
      """
      {"contextId":1,"sessionId":"\(launch)","userId":"\(Story.user(session))","appVersion":"1.\(session % 5)",\
      "bundleId":"\(Story.app)","tags":{"plan":"\(session % 4 == 0 ? "pro" : "free")"},\
      "device":{"model":"iPhone\(12 + session % 5),2","systemName":"iOS","osVersion":"18.\(session % 4)"}}
      """)
  }

  mutating func add(_ json: String) { add(.event, json) }

  private mutating func add(_ kind: RecordKind, _ json: String) {
    var json = json
    json.withUTF8 { bytes in
      _ = codec.append(kind: kind, position: position, payload: UnsafeRawBufferPointer(bytes), to: &records)
    }
    position += UInt64(RecordHeader.stride(payload: json.utf8.count))
  }

  func request(_ ledger: LaunchLedger?) throws -> [UInt8] {
    var header = BatchHeader(launchId: launch, from: from, to: position, bundleId: Story.app)
    header.ledger = ledger
    let body = try header.encoded() + records
    let head = """
      POST /sdk-events HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(BatchHeader.mediaType)\r\n\
      Content-Length: \(body.count)\r\n\r\n
      """
    return Array(head.utf8) + body
  }
}

/// Something that went wrong on any thread.
private final class Flag: @unchecked Sendable {
  // Unchecked because `lock` guards it.
  private let lock = NSLock()
  private var value = false
  func set() { lock.withLock { value = true } }
  var isSet: Bool { lock.withLock { value } }
}
