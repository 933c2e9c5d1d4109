import AutoMobileJournal
import Foundation

@testable import AutoMobileCollector

/// A delivery of an app's journal.
struct Delivery {
  let launch: LaunchID
  private var header: BatchHeader
  private var records: [UInt8] = []
  /// Of each record, where it ends.
  private var ends: [Int] = []
  private var position: UInt64 = 0
  let bundle: String
  /// When it came, and how much later it came a second time; milliseconds.
  var received: Int64 = Twins.received
  var again: Int64 = 0

  init(_ bundle: String = "dev.example.shop", launch: LaunchID = LaunchID()) {
    self.launch = launch
    self.bundle = bundle
    header = BatchHeader(launchId: launch, from: 0, to: 0, bundleId: bundle, sdkVersion: "0.1.0")
  }

  var ledger: LaunchLedger? {
    get { header.ledger }
    set { header.ledger = newValue }
  }

  var bytes: [UInt8] { get throws { try header.encoded() + records } }

  mutating func add(_ kind: RecordKind, _ json: String) {
    var json = json
    json.withUTF8 { bytes in
      _ = RecordCodec(launch: launch).append(
        kind: kind, position: position, payload: UnsafeRawBufferPointer(bytes), to: &records)
    }
    position += UInt64(RecordHeader.stride(payload: json.utf8.count))
    header.to = position
    ends.append(records.count)
  }

  /// Some of its records, in this order, with the positions that they have.
  func part(_ indices: [Int], received: Int64 = Twins.received) -> Delivery {
    var part = self
    part.received = received
    part.records = indices.flatMap { records[($0 == 0 ? 0 : ends[$0 - 1])..<ends[$0]] }
    return part
  }

  /// - Parameter members: as JSON writes them.
  mutating func event(_ type: String, at time: Int64, context: Int = 1, _ members: String = "") {
    let more = members.isEmpty ? "" : "," + members
    add(.event, #"{"eventType":"\#(type)","timestamp":\#(time),"contextId":\#(context)\#(more)}"#)
  }

  mutating func context(
    _ number: Int = 1, session: String, user: String? = nil, version: String = "2.1", tags: String = "{}",
    model: String = "iPhone15,2"
  ) {
    let name = user.map { #","userId":"\#($0)""# } ?? ""
    add(
      .context,
      #"{"contextId":\#(number),"sessionId":"\#(session)"\#(name),"appVersion":"\#(version)","bundleId":"\#(bundle)","#
        + #""tags":\#(tags),"device":{"model":"\#(model)","manufacturer":"Apple","systemName":"iOS","osVersion":"18.1"}}"#
    )
  }

  mutating func request(
    _ method: String, _ url: String, at time: Int64, context: Int = 1, status: Int? = 200, ms: Double? = 120,
    _ members: String = ""
  ) {
    var said = #""method":"\#(method)","url":"\#(url)""#
    if let status { said += #","statusCode":\#(status)"# }
    if let ms { said += #","durationMs":\#(ms)"# }
    if !members.isEmpty { said += "," + members }
    event("network_request", at: time, context: context, said)
  }
}
