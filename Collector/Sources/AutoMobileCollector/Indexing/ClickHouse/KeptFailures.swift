import AutoMobileClickHouse
import Foundation

/// An error as it came, with as much of it as a list of sessions says.
struct KeptFailure {
  var id: Int64
  var position: Int64
  var timestamp: Int64
  var type: String
  /// What it says of itself, of a report besides what its issue says; empty: nothing.
  var text: String

  /// Those that stand first are told first; of one time a crash is the last.
  var order: (Int64, Int64) { (timestamp, id + (type == "crash" ? EventOrder.crashes : 0)) }

  init(_ columns: RecordColumns, type: String, _ payload: UnsafeRawBufferPointer, maximumDepth: Int) {
    (id, position, timestamp) = (columns.id, columns.position, columns.timestamp)
    self.type = type
    text = Self.text(type, payload, maximumDepth) ?? ""
  }

  private static func text(_ type: String, _ payload: UnsafeRawBufferPointer, _ maximumDepth: Int) -> String? {
    func member(_ name: StaticString) -> String? {
      guard payload.count <= FailureCandidate.longestEvent else { return nil }
      return EventMember.text(name, in: payload, maximumDepth: maximumDepth).map(FailureCandidate.shortened)
    }
    switch type {
    case "network_request":
      guard let fields = try? NetworkFields(payload, maximumDepth: maximumDepth) else { return nil }
      let path = FailureCandidate.shortened(RequestAddress(url: fields.url).path)
      return FailureCandidate.request(FailureCandidate.shortened(fields.method), path, fields.status)
    case "log": return FailureCandidate.words(type, member("message"), nil, nil)
    case "handled_exception":
      return FailureCandidate.words(type, nil, member("customMessage"), member("errorMessage"))
    default: return nil
    }
  }
}

/// The first errors of a stretch and the last: of any number of stretches, these have the first and the last.
struct KeptFailures {
  private static let most = FailureCandidate.early + FailureCandidate.late

  private var all: [KeptFailure] = []

  mutating func add(_ failure: KeptFailure) {
    all.append(failure)
    // Seldom, and never so many that it matters how.
    if all.count >= 4 * Self.most { all = Self.chosen(of: all) }
  }

  func write(_ row: inout RowBinaryWriter) {
    let chosen = Self.chosen(of: all)
    row.array(chosen) { $0.int($1.id) }
    row.array(chosen) { $0.int($1.position) }
    row.array(chosen) { $0.int($1.timestamp) }
    row.array(chosen) { $0.string($1.type) }
    row.array(chosen) { $0.string($1.text) }
  }

  private static func chosen(of failures: [KeptFailure]) -> [KeptFailure] {
    let sorted = failures.sorted { $0.order < $1.order }
    guard sorted.count > most else { return sorted }
    return Array(sorted.prefix(FailureCandidate.early) + sorted.suffix(FailureCandidate.late))
  }
}
