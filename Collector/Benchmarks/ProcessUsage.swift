import Foundation

/// What another process has used, from `/proc`.
struct ProcessUsage {
  /// Processor time, in seconds.
  struct Seconds {
    var indexer = 0.0
    /// Receiving, checking, writing the log, answering.
    var others = 0.0

    func subtracting(_ earlier: Seconds) -> Seconds {
      Seconds(indexer: indexer - earlier.indexer, others: others - earlier.others)
    }
  }

  private let path: String

  init(_ process: Int32) { path = "/proc/\(process)" }

  func seconds() -> Seconds {
    var result = Seconds()
    for thread in (try? FileManager.default.contentsOfDirectory(atPath: path + "/task")) ?? [] {
      guard let text = try? String(contentsOfFile: "\(path)/task/\(thread)/stat", encoding: .utf8),
        let name = text.lastIndex(of: ")")
      else { continue }
      let fields = text[name...].split(separator: " ")
      guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { continue }
      let seconds = (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
      if text.contains("(indexer)") { result.indexer += seconds } else { result.others += seconds }
    }
    return result
  }

  var peakResidentMegabytes: Double {
    let status = (try? String(contentsOfFile: path + "/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return (Double(line.filter { $0.isNumber }) ?? 0) / 1024
  }
}

/// The collector's own counts.
struct Metrics {
  var indexed = 0

  init(port: Int) throws {
    let connection = try Connection(port: port)
    let answer = connection.answer(to: Array("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)) ?? ""
    let line = answer.split(separator: "\n").first { $0.hasPrefix("automobile_indexed_events_total ") }
    indexed = line.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
  }
}
