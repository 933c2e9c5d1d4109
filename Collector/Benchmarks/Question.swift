import Foundation

/// One request, what its answer must hold, and how long it takes.
struct Question {
  var name: String
  var path: String
  /// The target, in milliseconds; nil: none is set.
  var limit: Double?
  var answer: Answer

  /// How many there must be: elements of an array, or a number, found by names with dots between them.
  struct Answer {
    var member: String
    var count: ClosedRange<Int>

    static func exactly(_ count: Int, _ member: String) -> Answer { Answer(member: member, count: count...count) }
    static func within(_ count: ClosedRange<Int>, _ member: String) -> Answer { Answer(member: member, count: count) }
  }

  init(_ name: String, _ path: String, limit: Double?, _ answer: Answer) {
    self.name = name
    self.path = path
    self.limit = limit
    self.answer = answer
  }

  struct Result: Encodable, CustomStringConvertible {
    var name: String
    var medianMs: Double
    var worstMs: Double
    var bytes: Int
    var answers: Int
    var targetMs: Double?

    var description: String {
      let columns = [
        name.padding(toLength: 38, withPad: " ", startingAt: 0), Self.column(medianMs), Self.column(worstMs),
        targetMs.map { medianMs <= $0 ? "" : "  over \(Int($0))" } ?? "",
      ]
      return columns.joined(separator: " ") + "  (\(answers) found, \(bytes) bytes)"
    }

    private static func column(_ value: Double) -> String {
      let text = String(format: "%.1f", value)
      return String(repeating: " ", count: max(0, 9 - text.count)) + text
    }
  }

  /// Asks once; how many there are.
  @discardableResult
  func ask(_ connection: Connection) throws -> Int {
    guard let (status, body) = connection.get(path), status == 200 else { throw Failure("\(path) failed") }
    return try checked(Data(body))
  }

  /// Once to warm up, then nine times. Every answer must hold what it must hold.
  func measure(on connection: Connection) throws -> Result {
    var times: [Double] = []
    var body = Data()
    for round in 0..<10 {
      let start = DispatchTime.now().uptimeNanoseconds
      guard let (status, bytes) = connection.get(path), status == 200 else { throw Failure("\(path) failed") }
      if round > 0 { times.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6) }
      body = Data(bytes)
      _ = try checked(body)
    }
    times.sort()
    return Result(
      name: name, medianMs: times[times.count / 2], worstMs: times[times.count - 1], bytes: body.count,
      answers: try checked(body), targetMs: limit)
  }

  private func checked(_ body: Data) throws -> Int {
    let found = answer.member.split(separator: ".").reduce(try JSONSerialization.jsonObject(with: body) as Any?) {
      ($0 as? [String: Any])?[String($1)]
    }
    guard let count = (found as? [Any])?.count ?? (found as? NSNumber)?.intValue else {
      throw Failure("\(name): the answer to \(path) has no \(answer.member)")
    }
    guard answer.count.contains(count) else {
      throw Failure("\(name): \(path) has \(count) \(answer.member), and must have \(answer.count)")
    }
    return count
  }
}
